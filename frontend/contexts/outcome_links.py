"""The explorer with the results of a filter that have certain outcomes, as a rate or a count takes them."""

from dataclasses import dataclass

from frontend.contexts.explorer_links import explorer_href
from results.filters import OUTCOMES, Choice, ResultFilter

COUNTED = ("passed", "failed", "error")
JUDGED = ("passed", "failed")


def with_outcomes(chosen: ResultFilter, words: tuple[str, ...]) -> ResultFilter | None:
    """The filter that asks for these outcomes as well; None when it leaves all of them out."""
    asked = chosen.outcome
    allowed = [word for word in asked.included or OUTCOMES if word not in asked.excluded]
    kept = tuple(word for word in words if word in allowed)
    if not kept:
        return None
    if set(kept) == set(allowed):
        return chosen
    if kept == COUNTED:
        return chosen.with_choice("outcome", Choice(excluded=("skipped",)))
    return chosen.with_choice("outcome", Choice(kept))


@dataclass(frozen=True)
class OutcomeLinks:
    """Addresses of the results behind rates and counts; empty where there can be none.

    Attributes:
        counted: all but skipped ones. judged: passed or failed ones.
    """

    results: str
    counted: str
    judged: str
    passed: str
    failed: str
    error: str
    skipped: str

    @classmethod
    def of(cls, chosen: ResultFilter) -> "OutcomeLinks":
        """The addresses of a filter's results."""

        def to(*words: str) -> str:
            found = with_outcomes(chosen, words)
            return "" if found is None else explorer_href(found)

        return cls(
            results=explorer_href(chosen),
            counted=to(*COUNTED),
            judged=to(*JUDGED),
            passed=to("passed"),
            failed=to("failed"),
            error=to("error"),
            skipped=to("skipped"),
        )

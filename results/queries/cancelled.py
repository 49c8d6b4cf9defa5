"""Work that was cancelled: recorded as an error like any other, and told apart by its message."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from results.facts.links import Numbers
from results.facts.reading import Reading
from results.models.results import Outcome
from results.queries.visibility import VisibleSet
from results.text.query import Term, TextQuery
from results.text.search import matching_ids

# What Go, Python, JavaScript and people say; the first is MindTrial's, also in the middle of a longer message.
PHRASES = (
    "context canceled",
    "context cancelled",
    "operation was canceled",
    "operation was cancelled",
    "request was canceled",
    "request was cancelled",
    "canceled by the user",
    "cancelled by the user",
    "cancelled by user",
    "canceled by user",
    "interrupted by user",
    "KeyboardInterrupt",
    "CancelledError",
    "AbortError",
)
NONE_CANCELLED = "(false)"  # SQL that is true of cancelled work, where there is none
CANCELLED_MARK = "cancelled_1"  # the column that the filter reads; `_MARK` may be in use at the same time
_MARK = "cancelled_0"


@dataclass(frozen=True, slots=True)
class _AnyTerm(TextQuery):
    """A search that any of its terms meets, in the columns that it names; one question in place of many."""

    def expression(self, is_excluded: bool) -> str:
        """The terms in FTS5's language."""
        return (
            "" if is_excluded else f"{{{' '.join(self.columns)}}} : ({' OR '.join(t.expression() for t in self.terms)})"
        )


def is_cancelled(message: str) -> bool:
    """Whether a message says that somebody cancelled the work."""
    folded = " ".join(message.split()).casefold()
    return any(phrase.casefold() in folded for phrase in PHRASES)


def cancelled_ids(visible: VisibleSet) -> Numbers:
    """The visible results whose error says that the work was cancelled, as the text index knows them; sorted."""
    terms = tuple(Term(phrase) for phrase in PHRASES)
    return matching_ids(_AnyTerm("", terms, columns=("error",)), visible.evaluation_ids)


@contextmanager
def cancelled_marked(reading: Reading, cancelled: Numbers, mark: str = _MARK) -> Iterator[str]:
    """Offer SQL that is true of errors that say that the work was cancelled, good while the context lasts.

    Args:
        reading: of the facts.
        cancelled: the ids of `cancelled_ids`.
        mark: name of the column that holds them; two that are in use at once need two.
    """
    if not cancelled.size:
        yield NONE_CANCELLED
        return
    with reading.marking(mark, cancelled):
        yield f"(outcome = {Outcome.ERROR:d} AND {mark})"

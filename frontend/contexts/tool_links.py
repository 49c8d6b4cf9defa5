"""Addresses of the explorer with the results that the numbers about tools count."""

from dataclasses import dataclass, replace

from frontend.contexts.explorer_links import explorer_href, narrowed, without_skipped
from results.filters import OTHER_STATUS, Choice, ResultFilter
from results.models.results import CALL_STATUSES, FAILED_STATUSES, CallStatus
from results.queries.tool_outcomes import Gap

RECORDED = Choice(excluded=(None,))  # a call is recorded
SILENT = Choice((None,))  # none is
USED = Choice(excluded=(None,))  # a tool was
SUCCESS = str(CallStatus.SUCCESS.label)


@dataclass(frozen=True)
class ToolLinks:
    """Where the numbers of one line lead to; empty = the explorer cannot show exactly what is counted.

    Attributes:
        calls: results with a recorded call. statuses: those with a call of each of the six statuses, in order.
        good, failed: counted results in which every call succeeded, and in which one failed.
        any_failed: all results in which a call failed.
        unclear: results with a call of a status that is not known, and no failed one.
        silent: results that name the tool in their totals, and have no recorded call.
        without_calls: results with a total, but without its calls. without_usage: with calls, but without their total.
    """

    calls: str
    statuses: tuple[str, ...]
    good: str
    failed: str
    any_failed: str
    unclear: str
    silent: str
    without_calls: str
    without_usage: str

    @classmethod
    def of(cls, own: ResultFilter, without_calls: Gap, without_usage: Gap) -> "ToolLinks":
        """The addresses of a line.

        Args:
            own: the filter of its results, which names the tool where the line is about one.
            without_calls: its results with a total, but without its calls.
            without_usage: its results with calls, but without their total.
        """
        if own.call_status:  # what the address asks of statuses cannot be asked beside what a number says of them
            nowhere = ("",) * len(CALL_STATUSES)
            return cls("", nowhere, "", "", "", "", "", named_href(without_calls), named_href(without_usage))
        bad = Choice(FAILED_STATUSES)
        is_good = Choice((SUCCESS,), (*FAILED_STATUSES, OTHER_STATUS))
        silent = own if own.tool else own.with_choice("tool", USED)
        return cls(
            calls=_href(own, RECORDED),
            statuses=tuple(_href(own, Choice((word,))) for word in CALL_STATUSES),
            good=_href(without_skipped(own), is_good),
            failed=_href(without_skipped(own), bad),
            any_failed=_href(own, bad),
            unclear=_href(own, Choice((OTHER_STATUS,), FAILED_STATUSES)),
            silent=_href(silent, SILENT),
            without_calls=named_href(without_calls),
            without_usage=named_href(without_usage),
        )


def named_href(gap: Gap) -> str:
    """The explorer with some results one by one; empty where they are too many for an address."""
    return explorer_href(ResultFilter(result=Choice(tuple(map(str, gap.ids))))) if gap.ids else ""


def run_filter(chosen: ResultFilter, provider: str, run: str) -> ResultFilter:
    """The filter of the results of one run."""
    return narrowed(chosen, provider=provider, run=run)


def _href(own: ResultFilter, statuses: Choice) -> str:
    return explorer_href(replace(own, call_status=statuses), "-tool_calls")

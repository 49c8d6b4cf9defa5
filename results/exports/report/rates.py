"""Rates as a report shows them: the number, n, and the 95 % interval as places on a line."""

from dataclasses import dataclass

from results import formats
from results.statistics import Rate


@dataclass(frozen=True)
class RateMark:
    """A rate in words and as a drawing; `value` is empty without a denominator. Places are percent of the line."""

    value: str
    n: str
    interval: str
    low: str
    width: str
    dot: str
    base: str


def rate_mark(rate: Rate, base: float | None = None) -> RateMark:
    """The mark of a rate, with a line at the baseline's where there is one."""
    if rate.value is None or rate.low is None or rate.high is None:
        return RateMark("", "0", "", "", "", "", "")
    return RateMark(
        value=formats.rate(rate.value),
        n=formats.count(rate.n),
        interval=formats.interval(rate.low, rate.high),
        low=formats.percent(rate.low),
        width=f"{max(0.0, rate.high - rate.low) * 100:.1f}",
        dot=formats.percent(rate.value),
        base="" if base is None else formats.percent(base),
    )

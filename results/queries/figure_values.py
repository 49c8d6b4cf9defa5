"""The figures of a group by name: what tables of them show, sort by and write."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from results.queries.group_figures import MEASURES, GroupFigures
from results.queries.summary import Measure

Figure: TypeAlias = int | float | Decimal | None
TOTAL, MEDIAN, P95, DEVIATION = "total", "median", "p95", "deviation"
STATISTICS = (TOTAL, MEDIAN, P95, DEVIATION)
COUNTS = ("results", "count", "passed", "failed", "error", "skipped", "transient", "parsing")
RATES = ("pass_rate", "accuracy", "error_rate")
MONEY = ("cost", "cost_per_pass")


@dataclass(frozen=True)
class Part:
    """A statistic of a measure."""

    measure: str
    statistic: str


PARTS = {
    (measure if statistic == TOTAL else f"{measure}_{statistic}"): Part(measure, statistic)
    for measure in MEASURES
    for statistic in STATISTICS
}
NAMES = (*COUNTS, *RATES, *PARTS, *MONEY)


def figure(group: GroupFigures, name: str) -> Figure:
    """One figure of a group.

    Args:
        group: with everything that the name needs.
        name: one of `NAMES`. `count` leaves skipped results out. A measure's own name is its total.

    Returns:
        Rates in [0, 1]; times in nanoseconds. Money is that of the first currency. None: unknown, no denominator, or
        not read. A deviation needs two known values.
    """
    if name in PARTS:
        part = PARTS[name]
        return _statistic(group.measure(part.measure), part.statistic)
    if name in RATES:
        return {
            "pass_rate": group.outcomes.pass_rate,
            "accuracy": group.outcomes.accuracy,
            "error_rate": group.outcomes.error_rate,
        }[name].value
    if name == "cost":
        return next((amount.total for amount in group.costs.amounts), None) if group.costs is not None else None
    if name == "cost_per_pass":
        return next((amount.per_pass for amount in group.costs.amounts), None) if group.costs is not None else None
    return _count(group, name)


def _count(group: GroupFigures, name: str) -> int:
    outcomes = group.outcomes
    return {
        "results": outcomes.total,
        "count": outcomes.counted,
        "passed": outcomes.passed,
        "failed": outcomes.failed,
        "error": outcomes.errors,
        "skipped": outcomes.skipped,
        "transient": group.transient_errors,
        "parsing": group.response_parsing_errors,
    }[name]


def _statistic(measure: Measure | None, statistic: str) -> Figure:
    if measure is None:
        return None
    if statistic == DEVIATION:
        return measure.deviation if measure.known > 1 else None
    found: Figure = {TOTAL: measure.total, MEDIAN: measure.median, P95: measure.p95}[statistic]
    return found

"""The lines and charts that the list of tools and the page of one tool share."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend import formats
from frontend.contexts.chart import Chart
from frontend.contexts.tool_links import ToolLinks
from results.figures import distributions, tools
from results.models.results import FAILED_STATUSES
from results.queries.tool_calls import Calls, ToolFigures
from results.queries.tool_use import ToolLine
from results.statistics import Rate

DRAWN = 10  # lines of a chart; its table has no more
FEW = 10  # counted results below which a rate says little
NS_PER_S = 1e9


@dataclass(frozen=True)
class StatusCount:
    """Calls with one status, and the explorer with the results that have one; empty = nowhere."""

    count: int
    href: str


@dataclass(frozen=True)
class Line:
    """One tool or one run.

    Attributes:
        name: of the tool, or of the run.
        href: its own page or the explorer with its results.
        links: where its numbers lead to.
        p_value: of Fisher's test between the results with and without a failed call; n/a as text.
        is_few: one of the two says little.
    """

    name: str
    provider: str
    href: str
    links: ToolLinks
    line: ToolLine
    p_value: str
    is_few: bool

    @property
    def figures(self) -> ToolFigures | None:
        """Of the recorded calls."""
        return self.line.figures

    @property
    def failures(self) -> tuple[int, ...]:
        """Calls by the five statuses other than success."""
        return (0,) * len(FAILED_STATUSES) if self.figures is None else self.figures.statuses[1:]

    @property
    def failed_statuses(self) -> tuple[StatusCount, ...]:
        """The same, each with its results."""
        pairs = zip(self.failures, self.links.statuses[1:], strict=True)
        return tuple(StatusCount(count, href if count else "") for count, href in pairs)


def line_of(line: ToolLine, name: str, href: str, links: ToolLinks) -> Line:
    """A line with its words."""
    joined = line.joined
    value = joined.p_value
    return Line(
        name=name,
        provider=line.provider,
        href=href,
        links=links,
        line=line,
        p_value=formats.NOT_AVAILABLE if value is None else formats.p_value(value),
        is_few=min(joined.good.counted, joined.failed.counted) < FEW,
    )


def failures_chart(listed: Sequence[Line], heading: str, total: ToolFigures) -> Chart:
    """Failed calls by status, the lines with most failures first."""
    chosen = sorted((line for line in listed if line.figures), key=lambda line: -sum(line.failures))[:DRAWN]
    counts = [line.failures for line in chosen]
    notes = [
        f"{sum(row):,} of {line.figures.success.n:,}, {_share(sum(row), line.figures.success.n)}"
        for row, line in zip(counts, chosen, strict=True)
        if line.figures
    ]
    links = [line.links.any_failed for line in chosen]
    rest = _rest(len([line for line in listed if line.figures]), heading)
    unknown = f" {formats.plural(total.other, 'call')} with a status that is not known left out." if total.other else ""
    return Chart(
        id="failures",
        title="Failed calls by status",
        caption=(
            f"n {formats.plural(total.success.n, 'call')}, {formats.count(total.failed)} not successful; a bar is "
            f"as long as its failed calls.{unknown}{rest}"
        ),
        figure=tools.failed_by_status([line.name for line in chosen], counts, notes, links),
        columns=(heading, "Calls", *tools.FAILURES),
        rows=tuple(
            (line.name, formats.count(line.figures.calls if line.figures else 0), *map(formats.count, row))
            for line, row in zip(chosen, counts, strict=True)
        ),
        links=tuple(links),
    )


def outcomes_chart(listed: Sequence[Line], heading: str, using: int) -> Chart:
    """Pass rates with and without a failed call, of the lines that have either."""
    able = [line for line in listed if line.line.joined.good.counted or line.line.joined.failed.counted]
    chosen = sorted(able, key=lambda line: -line.line.joined.results)[:DRAWN]
    good = [line.line.joined.good.pass_rate for line in chosen]
    failed = [line.line.joined.failed.pass_rate for line in chosen]
    links = [line.links.any_failed for line in chosen]
    return Chart(
        id="outcomes",
        title="Does a failing tool explain failed tasks?",
        caption=(
            "Pass rate of the results with calls, by whether one failed, with 95 % intervals; "
            f"n {formats.plural(using, 'result')} with tools. An association, not a cause.{_rest(len(able), heading)}"
        ),
        figure=tools.rates_apart([line.name for line in chosen], good, failed, links),
        columns=(heading, "Every call succeeded", "A call failed", "p (Fisher)"),
        rows=tuple(
            (line.name, _rate(one), _rate(other), line.p_value)
            for line, one, other in zip(chosen, good, failed, strict=True)
        ),
        links=tuple(links),
    )


def times_chart(listed: Sequence[Line], heading: str) -> Chart | None:
    """Wall time of the calls as boxes; None when no call says it."""
    able = [line for line in listed if line.figures and line.figures.wall.quantiles]
    chosen = sorted(able, key=lambda line: -(line.figures.calls if line.figures else 0))[:DRAWN]
    if not chosen:
        return None
    spreads = [line.figures.wall for line in chosen if line.figures]
    boxes = [
        distributions.Box(line.name, _seconds(spread), f"median {_duration(spread, 2)}", line.href)
        for line, spread in zip(chosen, spreads, strict=True)
    ]
    known, unknown = sum(spread.known for spread in spreads), sum(spread.unknown for spread in spreads)
    without = f", {formats.plural(unknown, 'call')} without one left out" if unknown else ""
    return Chart(
        id="times",
        title="Wall time of a call",
        caption=(
            f"n {formats.plural(known, 'call')}{without}. Box: middle half with the median; whiskers: 5 to 95 %."
            f"{_rest(len(able), heading)}"
        ),
        figure=distributions.boxes(boxes, "Wall time, s", is_log=True),
        columns=(heading, "Calls", "5 %", "25 %", "Median", "75 %", "95 %"),
        rows=tuple(
            (line.name, formats.count(spread.known), *(_duration(spread, place) for place in range(5)))
            for line, spread in zip(chosen, spreads, strict=True)
        ),
        links=tuple(line.href for line in chosen),
    )


def _seconds(spread: Calls) -> tuple[float, float, float, float, float]:
    low, first, middle, third, high = (float(value) / NS_PER_S for value in spread.quantiles or ())
    return low, first, middle, third, high


def _duration(spread: Calls, place: int) -> str:
    return formats.UNKNOWN if spread.quantiles is None else formats.duration(round(spread.quantiles[place]))


def _rest(lines: int, heading: str) -> str:
    return f" The first {DRAWN} of {formats.plural(lines, heading.lower())} are drawn." if lines > DRAWN else ""


def _share(part: int, whole: int) -> str:
    return formats.rate(Rate(part, whole).value)


def _rate(rate: Rate) -> str:
    return f"{formats.rate(rate.value)}, n {formats.count(rate.n)}"

"""Sprints in figures: by project, spec or month, and the charts of what fails and what is advised."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend import formats
from frontend.contexts.chart import Chart
from frontend.contexts.columns import changed
from frontend.contexts.shell import Shell
from results.figures.plot import outcome_fill
from results.figures.priorities import PRIORITY_FILLS, priority_fill
from results.figures.run_trend import TrendMoment, run_trend
from results.figures.stacked_bars import Stretch, stacked_bars
from results.queries.sprint_figures import (
    UNDATED,
    PartFigures,
    SprintSums,
    part_figures,
    sums_by_month,
    sums_by_project,
    sums_by_spec,
)
from results.queries.sprints import SprintRow, sprint_rows

GROUPINGS: dict[str, Callable[[Sequence[SprintRow], PartFigures], tuple[SprintSums, ...]]] = {
    "month": sums_by_month,
    "spec": sums_by_spec,
    "project": sums_by_project,
}
MOST_LINES = 200  # of the table
MOST_BARS = 20  # of a chart


@dataclass(frozen=True)
class ByLink:
    """What the table can be grouped by."""

    label: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class SumsLine:
    """A line of the table; `href` leads to its sprints, `mean` is the mean number of the iteration that passed."""

    sums: SprintSums
    href: str
    mean: str


@dataclass(frozen=True)
class SprintChartsPage:
    """What `sprints_charts.html` reads.

    Attributes:
        by: what the table is grouped by; `left_out` of its groups are not shown.
        charts: those that have something to show.
        parts: what the charts are drawn of.
    """

    shell: Shell
    by: str
    groups: tuple[ByLink, ...]
    lines: tuple[SumsLine, ...]
    left_out: int
    charts: tuple[Chart, ...]
    parts: PartFigures
    project: str
    search: str
    back: str

    @classmethod
    def build(cls, shell: Shell, params: QueryDict) -> "SprintChartsPage":
        """The page for a query with `q`, `project` and `by`."""
        search, project = params.get("q", "").strip(), params.get("project", "")
        by = params.get("by", "") if params.get("by") in GROUPINGS else "month"
        rows = sprint_rows(project or None, search)
        parts = part_figures(rows)
        sums = GROUPINGS[by](rows, parts)
        found = (_first_try(sums_by_month(rows, parts), params), _methods(parts), _strategies(parts), _advice(parts))
        return cls(
            shell=shell,
            by=by,
            groups=tuple(ByLink(name.capitalize(), changed(params, by=name), name == by) for name in GROUPINGS),
            lines=tuple(SumsLine(one, _href(one, by, params), _mean(one)) for one in sums[:MOST_LINES]),
            left_out=max(0, len(sums) - MOST_LINES),
            charts=tuple(chart for chart in found if chart is not None),
            parts=parts,
            project=project,
            search=search,
            back=reverse("sprints-list") + changed(params, by=None),
        )


def _href(sums: SprintSums, by: str, params: QueryDict) -> str:
    """The list of the sprints that are counted; empty for those without a spec, which no search can find."""
    if by == "spec" and not sums.key:
        return ""
    changes = {
        "month": {"month": sums.key or UNDATED},
        "spec": {"q": sums.key, "project": sums.project},
        "project": {"project": sums.key},
    }[by]
    return reverse("sprints-list") + changed(params, by=None, **changes)


def _mean(sums: SprintSums) -> str:
    return "" if sums.mean_to_pass is None else f"{float(sums.mean_to_pass):.2f}"


def _first_try(months: Sequence[SprintSums], params: QueryDict) -> Chart | None:
    shown = [sums for sums in months if sums.first_try.n]
    dated = [sums for sums in shown if sums.key]
    if len(dated) <= 1:  # one month is no trend, and stands in the table
        return None
    undated = sum(sums.first_try.n for sums in shown if not sums.key)
    hrefs = [_href(sums, "month", params) for sums in shown]
    points = [
        TrendMoment(sums.title, sums.key, sums.first_try, href)
        for sums, href in zip(shown, hrefs, strict=True)
        if sums.key
    ]
    figure = run_trend(points, 1)
    figure["layout"]["xaxis"]["title"]["text"] = "Month of iteration 1"
    figure["layout"]["xaxis"]["type"] = "category"  # a month is no moment
    figure["layout"]["yaxis"]["title"]["text"] = "First-try pass rate"
    return Chart(
        id="first-try",
        title="First-try pass rate by month",
        caption=f"n {formats.count(sum(sums.first_try.n for sums in dated))} sprints whose iteration 1 is recorded, by "
        "the month that it records. The lines are 95 % Wilson intervals."
        + (f" {formats.plural(undated, 'sprint')} without a date left out." if undated else ""),
        figure=figure,
        columns=("Month", "First-try pass rate", "Passed", "n"),
        rows=tuple(
            (sums.title, formats.rate(sums.first_try.value), formats.count(sums.first_try.hits), str(sums.first_try.n))
            for sums in shown
        ),
        links=tuple(hrefs),
    )


def _methods(parts: PartFigures) -> Chart | None:
    found = parts.methods
    drawn = found[:MOST_BARS]
    if not found:
        return None
    return Chart(
        id="methods",
        title="Failing criteria by verification method",
        caption=f"n {formats.count(sum(sums.judged for sums in found))} criteria that passed or failed, in "
        f"{_of_all(parts.with_criteria, parts)} that record criteria. The method is the contract's where the iteration "
        "has none." + _beyond(len(found), "methods"),
        figure=stacked_bars(
            [sums.method for sums in drawn],
            [Stretch("Failed", outcome_fill("failed"), tuple(sums.failed for sums in drawn))],
            "Failed criteria",
            [f"{formats.count(sums.failed)} of {formats.count(sums.judged)}" for sums in drawn],
        ),
        columns=("Method", "Failed", "Passed or failed"),
        rows=tuple((sums.method, formats.count(sums.failed), formats.count(sums.judged)) for sums in found),
    )


def _strategies(parts: PartFigures) -> Chart | None:
    found = parts.strategies
    if not found:
        return None
    drawn = found[:MOST_BARS]
    stretches = [
        Stretch("Passed", outcome_fill("passed"), tuple(sums.passed for sums in drawn)),
        Stretch("Failed", outcome_fill("failed"), tuple(sums.failed for sums in drawn)),
        Stretch("Error", outcome_fill("error"), tuple(sums.errors for sums in drawn)),
        Stretch("Skipped", outcome_fill("skipped"), tuple(sums.skipped for sums in drawn)),
    ]
    return Chart(
        id="strategies",
        title="Strategies by result",
        caption=f"In {_of_all(parts.with_strategies, parts)} that record strategies, those that failed most first."
        + _beyond(len(found), "strategies"),
        figure=stacked_bars(
            [sums.strategy for sums in drawn], stretches, "Results", [f"{sums.failed} failed" for sums in drawn]
        ),
        columns=("Strategy", "Passed", "Failed", "Error", "Skipped", "Not readable"),
        rows=tuple(
            (sums.strategy, *map(formats.count, (sums.passed, sums.failed, sums.errors, sums.skipped, sums.unknown)))
            for sums in found
        ),
    )


def _advice(parts: PartFigures) -> Chart | None:
    found = parts.advice
    if not found:
        return None
    drawn = found[:MOST_BARS]
    stretches = [
        Stretch(word.capitalize(), priority_fill(word), tuple(sums.by_priority.get(word, 0) for sums in drawn))
        for word in PRIORITY_FILLS
    ]
    return Chart(
        id="advice",
        title="Feedback by category and priority",
        caption=f"n {formats.count(sum(sums.total for sums in found))} items, in "
        f"{_of_all(parts.with_feedback, parts)} that record feedback." + _beyond(len(found), "categories"),
        figure=stacked_bars(
            [sums.category for sums in drawn], stretches, "Items", [formats.count(sums.total) for sums in drawn]
        ),
        columns=("Category", *(word.capitalize() for word in PRIORITY_FILLS), "Total"),
        rows=tuple(
            (
                sums.category,
                *(formats.count(sums.by_priority.get(word, 0)) for word in PRIORITY_FILLS),
                formats.count(sums.total),
            )
            for sums in found
        ),
    )


def _of_all(number: int, parts: PartFigures) -> str:
    return f"{formats.count(number)} of {formats.plural(parts.iterations, 'iteration')}"


def _beyond(number: int, noun: str) -> str:
    return (
        f" {formats.count(number - MOST_BARS)} {noun} beyond the first are in the table." if number > MOST_BARS else ""
    )

"""A run from evaluation to evaluation: a row each, and the chart of its pass rate."""

from dataclasses import dataclass

from frontend import formats
from frontend.contexts.chart import Chart
from frontend.contexts.early_evaluations import early_note
from frontend.contexts.explorer_links import ExplorerLinks
from frontend.contexts.outcome_links import COUNTED, with_outcomes
from frontend.series import series_of
from results.figures.run_trend import TrendMoment, run_trend
from results.figures.time_axis import early
from results.filters import OUTCOMES, ResultFilter
from results.queries.run_history import RunHistory, RunPoint


@dataclass(frozen=True)
class PointRow:
    """One evaluation of the trend, with the change of its rate against the one before; None where there is none.

    Attributes:
        results_href, counted_href, error_href: its results, all but skipped ones, its errors.
    """

    point: RunPoint
    change: float | None
    results_href: str
    counted_href: str
    error_href: str


def point_rows(points: tuple[RunPoint, ...], own: ResultFilter) -> list[PointRow]:
    """A row for each evaluation, the earliest first; `own` asks for the results of the run."""
    links = [
        ExplorerLinks(with_outcomes(own, words) or own, ("evaluation",)) for words in (OUTCOMES, COUNTED, ("error",))
    ]
    rows: list[PointRow] = []
    before: float | None = None
    for point in points:
        rate = point.outcomes.pass_rate.value
        change = rate - before if rate is not None and before is not None else None
        results, counted, errors = (link.href(evaluation=str(point.evaluation.id)) for link in links)
        rows.append(PointRow(point, change, results, counted, errors))
        before = rate if rate is not None else before
    return rows


def trend_chart(history: RunHistory, points: list[PointRow], own: ResultFilter) -> Chart | None:
    """The pass rate from evaluation to evaluation; None with fewer than two rates."""
    rated = [row for row in points if row.point.outcomes.counted]
    if len(rated) <= 1:
        return None
    marks = [row.point.evaluation for row in rated]
    first = early([mark.started_at for mark in marks])
    early_ones = early_note({mark.id: mark.started_at for mark in marks[:first]}, own)
    has_projects = len({mark.project for mark in marks}) > 1
    moments = [
        TrendMoment(
            _name(row.point, has_project=has_projects),
            formats.machine_time(row.point.evaluation.started_at),
            row.point.outcomes.pass_rate,
            row.counted_href,
        )
        for row in rated[first:]
    ]
    left_out = len(points) - len(rated)
    note = f" {formats.plural(left_out, 'evaluation')} without a counted result left out." if left_out else ""
    return Chart(
        id="trend",
        title="Pass rate",
        caption=f"n {formats.plural(history.outcomes.counted, 'counted result')} in "
        f"{formats.plural(len(rated), 'evaluation')}; bars are 95 % Wilson intervals.{note}",
        figure=run_trend(moments, series_of(history.provider)),
        columns=("Evaluation", "Started", "Pass rate", "95 % interval", "n"),
        rows=tuple(_table_row(row, has_project=has_projects) for row in rated),
        links=tuple(row.counted_href for row in rated),
        note=early_ones.text,
        note_href=early_ones.href,
    )


def _name(point: RunPoint, *, has_project: bool) -> str:
    mark = point.evaluation
    return f"{mark.name}, {mark.project}" if has_project else mark.name


def _table_row(row: PointRow, *, has_project: bool) -> tuple[str, ...]:
    rate = row.point.outcomes.pass_rate
    return (
        _name(row.point, has_project=has_project),
        formats.date(row.point.evaluation.started_at),
        formats.rate(rate.value),
        formats.interval(rate.low or 0.0, rate.high or 0.0),
        formats.count(rate.n),
    )

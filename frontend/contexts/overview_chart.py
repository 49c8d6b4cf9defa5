"""The overview's chart: pass rates of runs from evaluation to evaluation."""

from collections.abc import Mapping

from frontend import formats
from frontend.contexts.chart import Chart
from frontend.contexts.explorer_links import explorer_href, narrowed
from frontend.series import series_of
from results.figures.overview import RateLine, RatePoint, rate_dots, rate_trend
from results.filters import ResultFilter
from results.queries.overview_evaluations import EvaluationBrief
from results.queries.overview_trend import Trend, TrendPoint, TrendRun

NAMED = 4  # lines with a name
TITLE = "Pass rate by run"


def trend_chart(trend: Trend, briefs: Mapping[int, EvaluationBrief], chosen: ResultFilter) -> Chart | None:
    """The chart, and the table behind it: a row a run and a column an evaluation; None without any rate.

    Args:
        trend: the lines.
        briefs: its evaluations by id.
        chosen: the filter of the page, which the links keep.
    """
    if not trend.runs:
        return None
    names = _names(trend.runs)
    by_change = sorted(trend.runs, key=lambda line: (-abs(_change(line)), -len(line.points), names[line.run_id]))
    named = {line.run_id for line in by_change[:NAMED]}
    banded = by_change[0]
    through: dict[str, int] = {}
    dashed = {
        line.run_id for line in by_change[:NAMED] if through.setdefault(line.provider, line.run_id) != line.run_id
    }
    anywhere = chosen.without("evaluation")
    hrefs = {
        line.run_id: explorer_href(narrowed(anywhere, provider=line.provider, run=line.run)) for line in trend.runs
    }
    lines = [
        RateLine(
            name=names[line.run_id],
            series=series_of(line.provider),
            points=tuple(_point(point, briefs[point.evaluation_id], hrefs[line.run_id]) for point in line.points),
            is_named=line.run_id in named,
            has_band=line.run_id == banded.run_id,
            is_dashed=line.run_id in dashed,
        )
        for line in trend.runs
    ]
    return Chart(
        id="trend",
        title=TITLE,
        caption=_caption(trend, names[banded.run_id]),
        figure=rate_trend(lines) if len(trend.evaluation_ids) > 1 else rate_dots(_best_first(lines)),
        columns=("Run", *(f"{formats.date(briefs[pk].began_at)}, {briefs[pk].name}" for pk in trend.evaluation_ids)),
        rows=tuple(_row(names[line.run_id], line, trend.evaluation_ids) for line in trend.runs),
        links=tuple(hrefs[line.run_id] for line in trend.runs),
    )


def _best_first(lines: list[RateLine]) -> list[RateLine]:
    return sorted(lines, key=lambda line: -line.points[0].rate)


def _names(lines: tuple[TrendRun, ...]) -> dict[int, str]:
    """Runs by id; one whose name two providers have is told with its provider."""
    listed = [line.run for line in lines]
    return {
        line.run_id: f"{line.provider} {line.run}" if listed.count(line.run) > 1 else line.run or "(no name)"
        for line in lines
    }


def _change(line: TrendRun) -> float:
    first, last = (line.points[place].outcomes.pass_rate.value or 0.0 for place in (0, -1))
    return last - first


def _point(point: TrendPoint, brief: EvaluationBrief, rest: str) -> RatePoint:
    """A point; addresses of a run's points differ in the evaluation alone, which is put at their ends."""
    rate = point.outcomes.pass_rate
    low, high = rate.low or 0.0, rate.high or 0.0
    interval = formats.interval(low, high)
    return RatePoint(
        at=formats.machine_time(brief.began_at),
        rate=rate.value or 0.0,
        low=low,
        high=high,
        text=f"{formats.rate(rate.value)}, {interval}, n {formats.count(rate.n)}, {formats.date(brief.began_at)}",
        href=f"{rest}&evaluation={point.evaluation_id}",
    )


def _row(name: str, line: TrendRun, evaluation_ids: tuple[int, ...]) -> tuple[str, ...]:
    """A run's rates by evaluation, each with its interval and n."""
    points = {point.evaluation_id: point for point in line.points}
    return (name, *(_cell(points.get(pk)) for pk in evaluation_ids))


def _cell(point: TrendPoint | None) -> str:
    if point is None:
        return "not run"
    rate = point.outcomes.pass_rate
    interval = formats.interval(rate.low or 0.0, rate.high or 0.0)
    return f"{formats.rate(rate.value)} ({interval}), n {formats.count(rate.n)}"


def _caption(trend: Trend, banded: str) -> str:
    counts = trend.outcomes
    shown = f"{formats.plural(len(trend.evaluation_ids), 'evaluation')}, {formats.plural(counts.total, 'result')}"
    skipped = f" of which {formats.count(counts.skipped)} skipped" if counts.skipped else ""
    left_out = []
    if trend.all_evaluations > len(trend.evaluation_ids):
        left_out.append(f"{formats.plural(trend.all_evaluations - len(trend.evaluation_ids), 'earlier evaluation')}")
    if trend.all_runs > len(trend.runs):
        left_out.append(formats.plural(trend.all_runs - len(trend.runs), "run"))
    rest = f" Left out: {' and '.join(left_out)}." if left_out else ""
    if len(trend.evaluation_ids) == 1:
        return f"{shown}{skipped}. Dots with their 95 % intervals, the best first.{rest}"
    others = "; other runs in grey" if len(trend.runs) > NAMED else ""
    return f"{shown}{skipped}. The band is the 95 % interval of the run that changed most, {banded}{others}.{rest}"

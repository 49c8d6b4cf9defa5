"""The overview's chart: pass rates of runs from evaluation to evaluation."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from frontend import formats
from frontend.contexts.chart import Chart
from frontend.contexts.early_evaluations import early_note
from frontend.contexts.explorer_links import explorer_href, narrowed
from frontend.series import series_among
from results.figures.overview import DASHES, RateLine, RatePoint, rate_dots, rate_trend
from results.figures.time_axis import early
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
    names, anywhere = _names(trend.runs), chosen.without("evaluation")
    left_out = early([briefs[pk].began_at for pk in trend.evaluation_ids])
    drawn = _drawn(trend, left_out)
    note = early_note({pk: briefs[pk].began_at for pk in trend.evaluation_ids[:left_out]}, anywhere)
    by_change = sorted(drawn, key=lambda line: (-abs(_change(line)), -len(line.points), names[line.run_id]))
    hrefs = {
        line.run_id: explorer_href(narrowed(anywhere, provider=line.provider, run=line.run)) for line in trend.runs
    }
    is_trend = len(trend.evaluation_ids) > 1
    looks = _looks(by_change[:NAMED] if is_trend else by_change)
    lines = [
        RateLine(
            name=names[line.run_id],
            series=looks[line.run_id].series if line.run_id in looks else 0,
            points=tuple(_point(point, briefs[point.evaluation_id], hrefs[line.run_id]) for point in line.points),
            is_named=line.run_id in looks,
            has_band=line.run_id == by_change[0].run_id,
            dash=looks[line.run_id].dash if line.run_id in looks else DASHES[0],
        )
        for line in drawn
    ]
    projects = {briefs[pk].project for pk in trend.evaluation_ids}
    return Chart(
        id="trend",
        title=TITLE,
        caption=_caption(trend, names[by_change[0].run_id], projects),
        figure=rate_trend(lines) if is_trend else rate_dots(_best_first(lines)),
        columns=("Run", *(_heading(briefs[pk], has_project=len(projects) > 1) for pk in trend.evaluation_ids)),
        rows=tuple(_row(names[line.run_id], line, trend.evaluation_ids) for line in trend.runs),
        links=tuple(hrefs[line.run_id] for line in trend.runs),
        note=note.text,
        note_href=note.href,
    )


@dataclass(frozen=True)
class _Look:
    """What tells a named line from all others: colour and shape are its provider's, the dashes its own among these."""

    series: int
    dash: str


def _looks(named: Sequence[TrendRun]) -> dict[int, _Look]:
    colours = series_among(line.provider for line in named)
    seen: Counter[str] = Counter()
    found: dict[int, _Look] = {}
    for line in named:
        found[line.run_id] = _Look(colours[line.provider], DASHES[seen[line.provider] % len(DASHES)])
        seen[line.provider] += 1
    return found


def _drawn(trend: Trend, left_out: int) -> list[TrendRun]:
    """The lines without the points that lie before the axis; one without any other is not drawn."""
    shown = {*trend.evaluation_ids[left_out:]}
    lines = (
        replace(line, points=tuple(point for point in line.points if point.evaluation_id in shown))
        for line in trend.runs
    )
    return [line for line in lines if line.points]


def _heading(brief: EvaluationBrief, *, has_project: bool) -> str:
    text = f"{formats.date(brief.began_at)}, {brief.name}"
    return f"{text}, {brief.project}" if has_project else text


def _best_first(lines: list[RateLine]) -> list[RateLine]:
    return sorted(lines, key=lambda line: -line.points[0].rate)


def _names(lines: tuple[TrendRun, ...]) -> dict[int, str]:
    """Runs by id; one whose name two providers have is told with its provider."""
    listed = [line.run for line in lines]
    return {
        line.run_id: f"{line.provider} {line.run}"
        if listed.count(line.run) > 1
        else formats.named(line.run or None, "(no name)")
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


def _caption(trend: Trend, banded: str, projects: Collection[str]) -> str:
    counts = trend.outcomes
    shown = f"{formats.plural(len(trend.evaluation_ids), 'evaluation')}, {formats.plural(counts.total, 'result')}"
    skipped = f" of which {formats.count(counts.skipped)} skipped" if counts.skipped else ""
    left_out = []
    if trend.all_evaluations > len(trend.evaluation_ids):
        left_out.append(f"{formats.plural(trend.all_evaluations - len(trend.evaluation_ids), 'earlier evaluation')}")
    if trend.all_runs > len(trend.runs):
        left_out.append(formats.plural(trend.all_runs - len(trend.runs), "run"))
    rest = f" Left out: {' and '.join(left_out)}." if left_out else ""
    if len(projects) > 1:
        rest += f" A run is one line in all {len(projects)} projects together."
    if len(trend.evaluation_ids) == 1:
        return f"{shown}{skipped}. Dots with their 95 % intervals, the best first.{rest}"
    others = "; other runs in grey" if len(trend.runs) > NAMED else ""
    return f"{shown}{skipped}. The band is the 95 % interval of the run that changed most, {banded}{others}.{rest}"

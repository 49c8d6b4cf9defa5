"""Everything that the overview says about facts, from one reading of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.queries.conditions import Conditions, Plan, filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.overview_changes import PAIRED_COLUMNS, Changes, changes_between
from results.queries.overview_evaluations import EvaluationBrief
from results.queries.overview_latest import COLUMNS, Latest, latest_figures, read_results
from results.queries.overview_trend import CellCounts, Trend, TrendPoint, category_trends, count_results, run_trend
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class Overview:
    """The overview of the results that a filter lets through.

    Attributes:
        trend: pass rates by run over time; a result that several evaluations hold counts once, in the oldest one.
        latest_id: the evaluation that started last among those with results that count once; None without any.
        reference_id: what it is compared with: the project's baseline, else the evaluation before it; None without one.
        is_baseline: the reference is the baseline.
        latest, changes: of the latest evaluation as its document holds it, and against the reference.
        category_trends: the latest points of the worst categories.
        evaluations: with any result that the filter lets through.
    """

    trend: Trend
    latest_id: int | None
    reference_id: int | None
    is_baseline: bool
    latest: Latest | None
    changes: Changes | None
    category_trends: tuple[tuple[TrendPoint, ...], ...]
    evaluations: int


@dataclass(frozen=True)
class _Place:
    """What the answer depends on of an evaluation's row."""

    id: int
    project: str
    is_baseline: bool


def overview(visible: VisibleSet, chosen: ResultFilter, briefs: Sequence[EvaluationBrief]) -> Overview:
    """Answer all of the overview.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        briefs: these evaluations in the order of time.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    places = tuple(_Place(row.id, row.project, row.is_baseline) for row in briefs)
    copied = copied_ids(visible)
    return answer(
        visible.evaluation_ids,
        visible.key,
        question("overview", chosen, places),
        lambda reading: _overview(reading, chosen, visible, places, copied),
    )


def _overview(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, places: tuple[_Place, ...], copied: Numbers
) -> Overview:
    with counted_once(reading, copied) as once:
        plan = Plan(f"evaluation_id is_error_usage_judge {' '.join(COLUMNS)} {once}")
        with filtered(reading, chosen, visible, plan) as conditions:
            counts = count_results(reading, conditions.where(once))
            present = counts.runs.evaluation_ids
            in_time = [place.id for place in places if place.id in present]
            trend = run_trend(reading, counts.runs, in_time)
            if not in_time:
                return Overview(trend, None, None, False, None, None, (), 0)
            reference = _reference(places, counts.runs, in_time)
            found = read_results(reading, conditions, in_time[-1], COLUMNS)
            latest = latest_figures(reading, conditions, in_time[-1], found, is_filtered=bool(chosen))
            worst = [figures.category_id for figures in latest.categories]
            changes = _against(reading, conditions, reference, found)
    return Overview(
        trend=trend,
        latest_id=in_time[-1],
        reference_id=None if reference is None else reference.id,
        is_baseline=reference is not None and reference.is_baseline,
        latest=latest,
        changes=changes,
        category_trends=category_trends(counts.categories, worst, in_time),
        evaluations=len(in_time),
    )


def _reference(places: tuple[_Place, ...], cells: CellCounts, in_time: list[int]) -> _Place | None:
    """The baseline of the project, else the latest evaluation before that has a run in common."""
    by_id = {place.id: place for place in places}
    latest = by_id[in_time[-1]]
    before = [by_id[pk] for pk in in_time[:-1] if by_id[pk].project == latest.project]
    baseline = next((place for place in places if place.is_baseline and place.project == latest.project), None)
    if baseline is not None and baseline.id != latest.id:
        return baseline
    runs = cells.of(latest.id).keys()
    return next((place for place in reversed(before) if runs & cells.of(place.id).keys()), None)


def _against(
    reading: Reading, conditions: Conditions, reference: _Place | None, found: dict[str, Numbers]
) -> Changes | None:
    if reference is None:
        return None
    before = read_results(reading, conditions, reference.id, PAIRED_COLUMNS)
    return changes_between(reading, before, found)

"""Pass rates over time: results counted by evaluation and run, or by evaluation and category."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from results.facts.links import GAP, Numbers
from results.facts.reading import Reading
from results.models.results import Outcome
from results.queries.filter_columns import in_ids
from results.statistics import OutcomeCounts

MOST_EVALUATIONS = 40  # the latest ones, that a trend shows
MOST_RUNS = 20  # those with the latest results
MOST_POINTS = 14  # of a category's small line
_OUTCOMES = len(Outcome)
_MOST_CELLS = 4_000_000  # that are counted in an array; more are grouped by SQL


@dataclass(frozen=True)
class TrendPoint:
    """One evaluation's results of one run or category."""

    evaluation_id: int
    outcomes: OutcomeCounts


@dataclass(frozen=True)
class TrendRun:
    """The line of one run, its points in the order of time; evaluations without a counted result have none."""

    run_id: int
    provider: str
    run: str
    points: tuple[TrendPoint, ...]


@dataclass(frozen=True)
class Trend:
    """Pass rates by run.

    Attributes:
        evaluation_ids: those shown, in the order of time.
        runs: those shown, by provider and name.
        outcomes: of everything that is shown.
        all_evaluations, all_runs: how many there are, shown or not.
    """

    evaluation_ids: tuple[int, ...]
    runs: tuple[TrendRun, ...]
    outcomes: OutcomeCounts
    all_evaluations: int
    all_runs: int


@dataclass(frozen=True)
class CellCounts:
    """Results by evaluation and another id (`None` = missing) and outcome."""

    counts: dict[tuple[int, int | None], OutcomeCounts]

    @property
    def evaluation_ids(self) -> set[int]:
        """Evaluations with any result."""
        return {evaluation_id for evaluation_id, _ in self.counts}

    def of(self, evaluation_id: int) -> dict[int | None, OutcomeCounts]:
        """The counts of one evaluation."""
        return {owner: counts for (pk, owner), counts in self.counts.items() if pk == evaluation_id}


@dataclass(frozen=True)
class Counts:
    """Results by evaluation and outcome: of each run, and of each category."""

    runs: CellCounts
    categories: CellCounts


def count_results(reading: Reading, where: str) -> Counts:
    """Count results by evaluation, run, category and outcome under a WHERE clause, in one pass where that is quick."""
    columns = ("evaluation_id", "run_id", "category_id")
    source = reading.table("results", f"{' '.join(columns)} outcome {where}")
    known = (
        np.array(sorted(reading.evaluation_ids), np.int64),
        reading.links("run_versions").values["run_id"],
        reading.links("task_versions").values["category_id"],
    )
    known = tuple(ids[ids != GAP] for ids in known)
    lows = [int(ids.min()) if ids.size else 0 for ids in known]
    sizes = [int(ids.max()) - low + 1 if ids.size else 1 for ids, low in zip(known, lows, strict=True)]
    shape = (sizes[0], sizes[1], sizes[2] + 1, _OUTCOMES)  # the last category means none
    if np.prod(shape, dtype=object) > _MOST_CELLS:
        return Counts(*(_grouped(reading, column, source, where) for column in columns[1:]))
    category = f"coalesce(category_id - {lows[2]}, {sizes[2]})"
    place = f"(evaluation_id - {lows[0]}) * {sizes[1]} + run_id - {lows[1]}"
    cell = f"((({place}) * {shape[2]} + {category}) * {_OUTCOMES} + outcome)::INTEGER"
    cells = reading.arrays(f"SELECT {cell} AS cell FROM {source} {where}")["cell"]
    grid = np.bincount(np.ma.getdata(cells), minlength=int(np.prod(shape))).reshape(shape)
    by_category = _cells(grid.sum(axis=1), lows[0], lows[2], missing=sizes[2])
    return Counts(_cells(grid.sum(axis=2), lows[0], lows[1]), by_category)


def _cells(grid: Numbers, first_evaluation: int, first_owner: int, missing: int = -1) -> CellCounts:
    """A grid of evaluation, owner and outcome as counts; `missing` is the owner that means none."""
    evaluations, owners = np.nonzero(grid.any(axis=2))
    rows = grid[evaluations, owners].tolist()
    places = zip(evaluations.tolist(), owners.tolist(), rows, strict=True)
    return CellCounts(
        {
            (first_evaluation + evaluation, None if owner == missing else first_owner + owner): OutcomeCounts(*row)
            for evaluation, owner, row in places
        }
    )


def _grouped(reading: Reading, column: str, source: str, where: str) -> CellCounts:
    found: dict[tuple[int, int | None], list[int]] = {}
    sql = f"SELECT evaluation_id, {column}, outcome, count(*) FROM {source} {where} GROUP BY ALL"
    for evaluation_id, owner, outcome, results in reading.rows(sql):
        found.setdefault((evaluation_id, owner), [0] * _OUTCOMES)[outcome] = results
    return CellCounts({key: OutcomeCounts(*row) for key, row in found.items()})


def run_trend(reading: Reading, cells: CellCounts, in_time: Sequence[int]) -> Trend:
    """The lines of the runs.

    Args:
        reading: of the facts.
        cells: counts by evaluation and run.
        in_time: evaluations, the earliest first.
    """
    counted = {pk for (pk, _), counts in cells.counts.items() if counts.counted}
    present = [pk for pk in in_time if pk in counted]
    shown = present[-MOST_EVALUATIONS:]
    points: dict[int, list[TrendPoint]] = {}
    for pk in shown:
        for run_id, counts in sorted(cells.of(pk).items(), key=lambda item: item[0] or 0):
            if run_id is not None and counts.counted:
                points.setdefault(run_id, []).append(TrendPoint(pk, counts))
    place = {pk: number for number, pk in enumerate(shown)}
    latest_first = sorted(
        points, key=lambda pk: (-place[points[pk][-1].evaluation_id], -points[pk][-1].outcomes.counted, pk)
    )
    kept = latest_first[:MOST_RUNS]
    names, owners = reading.names("runs", kept), _providers(reading, kept)
    lines = sorted(
        (TrendRun(pk, owners[pk], names[pk], tuple(points[pk])) for pk in kept),
        key=lambda line: (line.provider, line.run, line.run_id),
    )
    all_runs = {run for (_, run), counts in cells.counts.items() if counts.counted}
    return Trend(tuple(shown), tuple(lines), _sum(lines), len(present), len(all_runs))


def _sum(lines: Sequence[TrendRun]) -> OutcomeCounts:
    counted = [point.outcomes for line in lines for point in line.points]
    return OutcomeCounts(
        sum(counts.passed for counts in counted),
        sum(counts.failed for counts in counted),
        sum(counts.errors for counts in counted),
        sum(counts.skipped for counts in counted),
    )


def _providers(reading: Reading, run_ids: Sequence[int]) -> dict[int, str]:
    """The provider of each run."""
    wanted = in_ids("id", list(run_ids))
    owners = dict(reading.rows(f"SELECT id, provider_id FROM runs WHERE {wanted}"))
    names = reading.names("providers", set(owners.values()))
    return {pk: names[owner] for pk, owner in owners.items()}


def category_trends(
    cells: CellCounts, category_ids: Sequence[int | None], in_time: Sequence[int]
) -> tuple[tuple[TrendPoint, ...], ...]:
    """The latest points of some categories (None = unspecified), in the order of time; see `run_trend`."""
    latest = list(in_time)[-MOST_POINTS:]
    nothing = OutcomeCounts()
    return tuple(
        tuple(TrendPoint(pk, counts) for pk in latest if (counts := cells.counts.get((pk, category), nothing)).counted)
        for category in category_ids
    )

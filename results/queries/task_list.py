"""Tasks in one list: how hard, how flaky, how slow, how expensive; each result counts once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from results.facts.engine import answer
from results.facts.links import GAP, Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.dimensions import Task
from results.queries.conditions import Conditions, filtered, in_ids, question
from results.queries.copies import copied_ids, counted_once
from results.queries.cost_sums import NOTHING, costs_by, largest_sums
from results.queries.costs import GroupCosts
from results.queries.evaluation_marks import evaluation_order
from results.queries.flips import FLIP_COLUMNS, LATEST, FlipCounts, Flips, count_flips, distinct
from results.queries.results import MAX_SIZE
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

TASK_SORTS = ("task", "pass_rate", "flips", "duration", "cost", "results")
HARDEST = "pass_rate"
_OUTCOMES = 4
_NO_FLIPS = Flips(0, 0, 0)


@dataclass(frozen=True)
class TaskLine:
    """One task with its counted results.

    Attributes:
        project: its slug; empty until it was looked up.
        suite, category, difficulty: of the version that its latest result used; None = unspecified.
        runs, evaluations: that have a result of it.
        flips: over the latest evaluations.
        median_ns: of model time over counted results with a known one; None when there is none.
        costs: of the model.
    """

    id: int
    name: str
    project: str
    suite: str | None
    category: str | None
    difficulty: str | None
    outcomes: OutcomeCounts
    runs: int
    evaluations: int
    flips: Flips
    median_ns: Decimal | None
    costs: GroupCosts


@dataclass(frozen=True)
class TaskPage:
    """One page of tasks. `total` counts all tasks of the filter, `page` lies in 1..`pages`.

    Attributes:
        never: tasks with counted results of which none passed; always: of which all did.
        copies: results that an older evaluation holds too, of all visible ones; they are left out.
    """

    rows: tuple[TaskLine, ...]
    total: int
    never: int
    always: int
    copies: int
    page: int
    pages: int
    size: int


@dataclass(frozen=True)
class TaskCounts:
    """Results by task and outcome: `counts` has a row a task, in the order of `task_ids`, and a column an outcome."""

    task_ids: Numbers
    counts: "np.ndarray[tuple[int, int], np.dtype[np.int64]]"

    @property
    def counted(self) -> Numbers:
        """Results that count, by task: all but the skipped ones."""
        found: Numbers = self.counts[:, :3].sum(axis=1)
        return found

    @property
    def rates(self) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """Pass rates; 2 for a task without a counted result, which comes after all others."""
        counted = self.counted
        return np.where(counted > 0, self.counts[:, 0] / np.maximum(counted, 1), 2.0)


def task_page(
    visible: VisibleSet, chosen: ResultFilter, sort: str = HARDEST, page: int = 1, size: int = 50, latest: int = LATEST
) -> TaskPage:
    """One page of the tasks that a filter's results are about.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        sort: one of `TASK_SORTS`, `-` before it for descending; anything else = hardest first. Tasks without a value
            come last both ways, then those with more results, then by name.
        page: counted from 1; a page past the end is the last one.
        size: rows per page, 1 to 1,000.
        latest: evaluations of each run and task in which flips are counted.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    name, is_descending = sort.removeprefix("-"), sort.startswith("-")
    order = (name, is_descending) if name in TASK_SORTS else (HARDEST, False)
    asked = _Asked(*order, page, max(1, min(size, MAX_SIZE)), latest)
    copied = copied_ids(visible)
    found = answer(
        visible.evaluation_ids,
        visible.key,
        question("tasks", chosen, asked),
        lambda reading: _page(reading, chosen, visible, asked, copied),
    )
    projects = dict(Task.objects.filter(pk__in=[row.id for row in found.rows]).values_list("pk", "project__slug"))
    return replace(found, rows=tuple(replace(row, project=projects.get(row.id, "")) for row in found.rows))


def count_tasks(reading: Reading, where: str) -> TaskCounts:
    """Count results by task and outcome under a WHERE clause."""
    source = reading.table("results", f"task_id outcome {where}")
    arrays = reading.arrays(f"SELECT task_id, outcome FROM {source} {where}")
    task_ids, tasks = distinct(arrays["task_id"])
    cells = np.bincount(tasks * _OUTCOMES + arrays["outcome"], minlength=task_ids.size * _OUTCOMES)
    return TaskCounts(task_ids, cells.reshape(-1, _OUTCOMES))


@dataclass(frozen=True)
class _Asked:
    sort: str
    is_descending: bool
    page: int
    size: int
    latest: int


def _page(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, asked: _Asked, copied: Numbers
) -> TaskPage:
    with counted_once(reading, copied) as once, filtered(reading, chosen, visible) as conditions:
        counts = count_tasks(reading, conditions.where(once))
        total = counts.task_ids.size
        pages = max(1, -(-total // asked.size))
        page = max(1, min(asked.page, pages))
        places = _ordered(reading, conditions.where(once), counts, asked)
        shown = places[(page - 1) * asked.size : page * asked.size]
        rows = _lines(reading, conditions, once, counts, shown, asked.latest)
    counted, passed = counts.counted, counts.counts[:, 0]
    return TaskPage(
        rows=rows,
        total=total,
        never=int(np.count_nonzero((passed == 0) & (counted > 0))),
        always=int(np.count_nonzero((passed == counted) & (counted > 0))),
        copies=copied.size,
        page=page,
        pages=pages,
        size=asked.size,
    )


def _ordered(reading: Reading, where: str, counts: TaskCounts, asked: _Asked) -> list[int]:
    """The places of all tasks in the order asked for."""
    ids: list[int] = counts.task_ids.tolist()
    names = reading.names("tasks", ids)
    counted: list[int] = counts.counted.tolist()
    by_name = sorted(range(len(ids)), key=lambda place: (-counted[place], names[ids[place]], ids[place]))
    if asked.sort == "task":
        return sorted(by_name, key=lambda place: str(names[ids[place]]), reverse=asked.is_descending)
    values = _VALUES[asked.sort](reading, where, counts, asked)
    known = [place for place in by_name if ids[place] in values]
    known.sort(key=lambda place: values[ids[place]], reverse=asked.is_descending)
    return known + [place for place in by_name if ids[place] not in values]


def _rates(_reading: Reading, _where: str, counts: TaskCounts, _asked: _Asked) -> dict[int, float]:
    is_known = counts.counted > 0
    return dict(zip(counts.task_ids[is_known].tolist(), counts.rates[is_known].tolist(), strict=True))


def _results(_reading: Reading, _where: str, counts: TaskCounts, _asked: _Asked) -> dict[int, float]:
    return dict(zip(counts.task_ids.tolist(), counts.counts.sum(axis=1).tolist(), strict=True))


def _flip_values(reading: Reading, where: str, _counts: TaskCounts, asked: _Asked) -> dict[int, float]:
    """Flips come before the share of steps that they are: two of two is flakier than two of twenty."""
    found = _flips(reading, where, asked.latest)
    shares = found.counts + found.counts / np.maximum(found.steps, 1) / 2
    is_known = found.steps > 0
    return dict(zip(found.task_ids[is_known].tolist(), shares[is_known].tolist(), strict=True))


def _durations(reading: Reading, where: str, _counts: TaskCounts, _asked: _Asked) -> dict[int, float]:
    return {pk: float(median) for pk, median in medians_by(reading, "task_id", where).items()}


def _sums(reading: Reading, where: str, _counts: TaskCounts, _asked: _Asked) -> dict[int, float]:
    return dict(largest_sums(reading, "task_id", where))


_VALUES: dict[str, Callable[[Reading, str, TaskCounts, _Asked], dict[int, float]]] = {
    "pass_rate": _rates,
    "results": _results,
    "flips": _flip_values,
    "duration": _durations,
    "cost": _sums,
}


def medians_by(reading: Reading, key: str, where: str) -> dict[int, Decimal]:
    """The median model time in ns of counted results by one column; nothing where no time is known."""
    value = "duration_ns::DECIMAL(38,1)" if reading.has_large_numbers else "duration_ns"
    counted = f"{where} AND outcome <> 3" if where else "WHERE outcome <> 3"
    source = reading.table("results", f"{key} {value} {counted}")
    rows = reading.rows(f"SELECT {key}, quantile_cont({value}, 0.5) FROM {source} {counted} GROUP BY 1")
    return {owner: Decimal(str(median)) for owner, median in rows if median is not None}


def _flips(reading: Reading, where: str, latest: int) -> FlipCounts:
    source = reading.table("results", f"{FLIP_COLUMNS} {where}")
    found = reading.arrays(f"SELECT {FLIP_COLUMNS} FROM {source} {where}")
    return count_flips(found, evaluation_order(reading.evaluation_ids), latest)


def _lines(
    reading: Reading, conditions: Conditions, once: str, counts: TaskCounts, shown: list[int], latest: int
) -> tuple[TaskLine, ...]:
    if not shown:
        return ()
    ids = [int(counts.task_ids[place]) for place in shown]
    where = conditions.where(" AND ".join(filter(None, [f"({in_ids('task_id', ids)})", once])))
    names, metadata, reach = reading.names("tasks", ids), _metadata(reading, where), _reach(reading, where)
    flips, medians, costs = _flips(reading, where, latest).of(), medians_by(reading, "task_id", where), costs_by(reading, "task_id", where)
    return tuple(
        TaskLine(
            pk,
            names[pk],
            "",
            *metadata[pk],
            OutcomeCounts(*counts.counts[place].tolist()),
            *reach[pk],
            flips.get(pk, _NO_FLIPS),
            medians.get(pk),
            costs.get(pk, NOTHING),
        )
        for pk, place in zip(ids, shown, strict=True)
    )


def _reach(reading: Reading, where: str) -> dict[int, tuple[int, int]]:
    """Runs and evaluations by task."""
    source = reading.table("results", f"task_id run_id evaluation_id {where}")
    rows = reading.rows(
        f"SELECT task_id, count(DISTINCT run_id), count(DISTINCT evaluation_id) FROM {source} {where} GROUP BY 1"
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def _metadata(reading: Reading, where: str) -> dict[int, tuple[str | None, str | None, str | None]]:
    """Suite, category and difficulty by task, as its latest result has them."""
    source = reading.table("results", f"task_id task_version_id started_at_us {where}")
    rows = reading.rows(
        f"SELECT task_id, arg_max(task_version_id, started_at_us) FROM {source} {where} GROUP BY 1"
    )
    links = reading.links("task_versions")
    is_met = np.isin(links.ids, [row[1] for row in rows])
    columns = [links.values[name][is_met].tolist() for name in ("suite_id", "category_id", "difficulty_id")]
    known = {pk: tuple(None if value == GAP else value for value in row) for pk, *row in zip(links.ids[is_met].tolist(), *columns, strict=True)}
    terms = reading.names("terms", {value for row in known.values() for value in row})
    found = {owner: [terms[value] for value in known.get(version, (None, None, None))] for owner, version in rows}
    return {owner: (row[0], row[1], row[2]) for owner, row in found.items()}

"""Tasks in one list: how hard, how flaky, how slow, how expensive; each result counts once."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.dimensions import Task
from results.queries.conditions import filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.cost_sums import largest_sums
from results.queries.flips import LATEST
from results.queries.results import MAX_SIZE
from results.queries.task_counts import TaskCounts, count_tasks, flips_under, medians_by
from results.queries.task_lines import TaskLine, task_lines
from results.queries.visibility import VisibleSet

TASK_SORTS = ("task", "pass_rate", "flips", "duration", "cost", "results")
HARDEST = "pass_rate"


@dataclass(frozen=True)
class TaskListing:
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


def task_page(
    visible: VisibleSet, chosen: ResultFilter, sort: str = HARDEST, page: int = 1, size: int = 50, latest: int = LATEST
) -> TaskListing:
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


@dataclass(frozen=True)
class _Asked:
    sort: str
    is_descending: bool
    page: int
    size: int
    latest: int


def _page(reading: Reading, chosen: ResultFilter, visible: VisibleSet, asked: _Asked, copied: Numbers) -> TaskListing:
    with counted_once(reading, copied) as once, filtered(reading, chosen, visible) as conditions:
        counts = count_tasks(reading, conditions.where(once))
        total = counts.task_ids.size
        pages = max(1, -(-total // asked.size))
        page = max(1, min(asked.page, pages))
        places = _ordered(reading, conditions.where(once), counts, asked)
        shown = places[(page - 1) * asked.size : page * asked.size]
        rows = task_lines(reading, conditions, once, counts, shown, asked.latest)
    counted, passed = counts.counted, counts.counts[:, 0]
    return TaskListing(
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
    found = flips_under(reading, where, asked.latest)
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

"""The lines of a list of tasks: everything that is said of the tasks of one page."""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from results.facts.links import GAP
from results.facts.reading import Reading
from results.queries.conditions import Conditions
from results.queries.cost_sums import NOTHING, costs_by
from results.queries.costs import GroupCosts
from results.queries.filter_columns import in_ids
from results.queries.flips import FLIP_COLUMNS, Flips
from results.queries.task_counts import TaskCounts, flips_under, medians_by
from results.statistics import OutcomeCounts

_SHOWN_COLUMNS = (
    f"{FLIP_COLUMNS} task_version_id started_at_us duration_ns cost_nano file_cost_nano cost_reason currency_id"
)
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


def task_lines(
    reading: Reading, conditions: Conditions, once: str, counts: TaskCounts, shown: list[int], latest: int
) -> tuple[TaskLine, ...]:
    """What a page says of some tasks.

    Args:
        reading: of the facts.
        conditions: of the filter.
        once: condition that leaves copies out; empty = there are none.
        counts: of all tasks of the filter.
        shown: the places of the tasks in `counts`, in the order of the lines.
        latest: evaluations of each run in which flips are counted.

    Returns:
        The lines; their projects are still empty.
    """
    if not shown:
        return ()
    ids = [int(counts.task_ids[place]) for place in shown]
    where = conditions.where(" AND ".join(filter(None, [f"({in_ids('task_id', ids)})", once])))
    with reading.holding(_SHOWN_COLUMNS, where):
        names, metadata, reach = reading.names("tasks", ids), _metadata(reading), _reach(reading)
        flips, medians = flips_under(reading, "", latest).of(), medians_by(reading, "task_id", "")
        costs = costs_by(reading, "task_id", "")
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


def _reach(reading: Reading) -> dict[int, tuple[int, int]]:
    """Runs and evaluations by task."""
    source = reading.table("results", "task_id run_id evaluation_id")
    rows = reading.rows(
        f"SELECT task_id, count(DISTINCT run_id), count(DISTINCT evaluation_id) FROM {source} GROUP BY 1"
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def _metadata(reading: Reading) -> dict[int, tuple[str | None, str | None, str | None]]:
    """Suite, category and difficulty by task, as its latest result has them."""
    source = reading.table("results", "task_id task_version_id started_at_us")
    rows = reading.rows(f"SELECT task_id, arg_max(task_version_id, started_at_us) FROM {source} GROUP BY 1")
    links = reading.links("task_versions")
    is_met = np.isin(links.ids, [row[1] for row in rows])
    columns = [links.values[name][is_met].tolist() for name in ("suite_id", "category_id", "difficulty_id")]
    known = {
        pk: tuple(None if value == GAP else value for value in row)
        for pk, *row in zip(links.ids[is_met].tolist(), *columns, strict=True)
    }
    terms = reading.names("terms", {value for row in known.values() for value in row})
    found = {owner: [terms[value] for value in known.get(version, (None, None, None))] for owner, version in rows}
    return {owner: (row[0], row[1], row[2]) for owner, row in found.items()}

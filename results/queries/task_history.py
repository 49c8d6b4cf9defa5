"""One task through time: what each run made of it in each evaluation; each result counts once."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import Choice, ResultFilter
from results.models.dimensions import Task
from results.queries.conditions import filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.cost_sums import NOTHING, costs_by
from results.queries.costs import GroupCosts
from results.queries.evaluation_marks import EvaluationMark, evaluation_marks, evaluation_order
from results.queries.task_counts import TaskCounts, count_tasks, medians_by
from results.queries.task_strips import SKIPPED, Attempts, TaskResult, TaskRun, attempts_of, task_run
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts, quantile

_COLUMNS = (
    "result_id evaluation_id provider_id run_id task_id task_version_id repeat outcome duration_ns "
    "started_at_us cost_nano file_cost_nano cost_reason currency_id"
)
_READ = "result_id, evaluation_id, provider_id, run_id, repeat, outcome, duration_ns, task_version_id"
_SPREAD = (Fraction(1, 2), Fraction(19, 20))


@dataclass(frozen=True)
class TaskHistory:
    """A task through time.

    Attributes:
        project: its slug.
        evaluations: with a result that is counted, the earliest first.
        runs: by provider and run.
        median_ns, p95_ns: of model time over all counted results; None when none is known.
        costs: over all evaluations.
        attempts: where the task was repeated.
        copies: results that an older evaluation holds too; they are left out.
        rank: place among the tasks of the project, the hardest first, ties together; None without a counted result.
        ranked: tasks that have a place.
        version_results: a result of each version of the task, the newest, by the version's id.
    """

    id: int
    name: str
    project: str
    evaluations: tuple[EvaluationMark, ...]
    runs: tuple[TaskRun, ...]
    outcomes: OutcomeCounts
    median_ns: Fraction | None
    p95_ns: Fraction | None
    costs: GroupCosts
    attempts: tuple[Attempts, ...]
    copies: int
    rank: int | None
    ranked: int
    version_results: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Rank:
    place: int
    total: int


@dataclass(frozen=True)
class _Found:
    """What the facts say; names of evaluations may change while these do not."""

    evaluation_ids: tuple[int, ...]
    runs: tuple[TaskRun, ...]
    durations: tuple[Fraction | None, ...]
    costs: GroupCosts
    copies: int
    version_results: tuple[tuple[int, int], ...]


def task_history(visible: VisibleSet, task_id: int, chosen: ResultFilter) -> TaskHistory | None:
    """The history of a task.

    Args:
        visible: evaluations that may be seen.
        task_id: of the task.
        chosen: further conditions on its results.

    Returns:
        None for an unknown task, and for one of which no result may be seen. With results, but none that the filter
        lets through, its lists are empty.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    known = Task.objects.filter(pk=task_id).values_list("name", "project__slug").first()
    if known is None:
        return None
    name, project = known
    copied = copied_ids(visible)
    found = answer(
        visible.evaluation_ids,
        visible.key,
        question("task", chosen, task_id),
        lambda reading: _find(reading, visible, task_id, chosen, copied),
    )
    if found is None:
        return None
    rank = _rank(visible, task_id, project, copied)
    marks = evaluation_marks(found.evaluation_ids)
    outcomes = [run.outcomes for run in found.runs]
    return TaskHistory(
        id=task_id,
        name=name,
        project=project,
        evaluations=tuple(marks.values()),
        runs=found.runs,
        outcomes=OutcomeCounts(
            *(
                sum(values)
                for values in zip(*((c.passed, c.failed, c.errors, c.skipped) for c in outcomes), strict=True)
            )
        ),
        median_ns=found.durations[0],
        p95_ns=found.durations[1],
        costs=found.costs,
        attempts=attempts_of(found.runs),
        copies=found.copies,
        rank=None if rank is None else rank.place,
        ranked=0 if rank is None else rank.total,
        version_results=found.version_results,
    )


def _find(reading: Reading, visible: VisibleSet, task_id: int, chosen: ResultFilter, copied: Numbers) -> _Found | None:
    own = f"task_id = {task_id}"
    with filtered(reading, chosen, visible) as conditions:
        with reading.holding(_COLUMNS, conditions.where(own)):
            found = _history(reading, copied)
        if not found.runs and not reading.rows(f"SELECT 1 FROM {reading.table('results', own)} WHERE {own} LIMIT 1"):
            return None
    return found


def _history(reading: Reading, copied: Numbers) -> _Found:
    """The history of the results that are held."""
    held = _among_held(reading, copied)
    listed = ", ".join(map(str, held))
    where = f"WHERE result_id NOT IN ({listed})" if listed else ""
    table = reading.table("results", "result_id")
    rows = [TaskResult(*row) for row in reading.rows(f"SELECT {_READ} FROM {table} {where} ORDER BY result_id")]
    order = evaluation_order({row.evaluation_id for row in rows})
    by_run: dict[tuple[int, int], list[TaskResult]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (order.get(row.evaluation_id, 0), row.repeat, row.result_id)):
        by_run[row.provider_id, row.run_id].append(row)
    medians, costs = medians_by(reading, "run_id", where), costs_by(reading, "run_id", where)
    names, providers = (
        reading.names("runs", {key[1] for key in by_run}),
        reading.names("providers", {key[0] for key in by_run}),
    )
    runs = [
        task_run(
            run_id, (providers[provider_id], names[run_id]), members, medians.get(run_id), costs.get(run_id, NOTHING)
        )
        for (provider_id, run_id), members in by_run.items()
    ]
    times = [row.duration_ns for row in rows if row.duration_ns is not None and row.outcome != SKIPPED]
    newest = {row.task_version_id: row.result_id for row in rows}
    return _Found(
        evaluation_ids=tuple(order),
        runs=tuple(sorted(runs, key=lambda run: (run.provider, run.run, run.id))),
        durations=tuple(quantile(times, share) for share in _SPREAD),
        costs=next(iter(costs_by(reading, "task_id", where).values()), NOTHING),
        copies=len(held),
        version_results=tuple(sorted(newest.items())),
    )


def _among_held(reading: Reading, copied: Numbers) -> list[int]:
    """Which of the results that are held are copies; a filter that hides the original does not make one count."""
    if not copied.size:
        return []
    held = np.ma.getdata(reading.arrays(f"SELECT result_id FROM {reading.table('results', 'result_id')}")["result_id"])
    ids: list[int] = np.intersect1d(held, copied).tolist()
    return ids


def _rank(visible: VisibleSet, task_id: int, project: str, copied: Numbers) -> _Rank | None:
    """The place of a task among those of its project, whatever the filter of the page."""
    chosen = ResultFilter(project=Choice((project,)))
    counts = answer(
        visible.evaluation_ids,
        visible.key,
        ("task-counts", project),
        lambda reading: _project_counts(reading, visible, chosen, copied),
    )
    rates = counts.rates[counts.counted > 0]
    own = counts.rates[(counts.task_ids == task_id) & (counts.counted > 0)]
    return _Rank(int(np.count_nonzero(rates < own[0])) + 1, len(rates)) if own.size else None


def _project_counts(reading: Reading, visible: VisibleSet, chosen: ResultFilter, copied: Numbers) -> TaskCounts:
    with counted_once(reading, copied) as once, filtered(reading, chosen, visible) as conditions:
        return count_tasks(reading, conditions.where(once))

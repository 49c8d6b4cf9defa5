"""What each run made of a task: marks by evaluation, counts, flips, and attempts that repeat."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from results.models.results import Outcome
from results.queries.costs import GroupCosts
from results.queries.flips import Flips
from results.statistics import OutcomeCounts

SKIPPED, PASSED = 3, 0


@dataclass(frozen=True)
class Mark:
    """One result in a strip."""

    id: int
    outcome: str
    repeat: int


@dataclass(frozen=True)
class TaskCell:
    """What one run made of the task in one evaluation: a mark a repeat, in their order."""

    evaluation_id: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class TaskRun:
    """One run at the task.

    Attributes:
        cells: of the evaluations that have a result, the earliest first.
        flips: over all its counted results.
        median_ns: of model time over counted results with a known one; None when there is none.
        costs: of the model.
    """

    id: int
    provider: str
    run: str
    cells: tuple[TaskCell, ...]
    outcomes: OutcomeCounts
    flips: Flips
    median_ns: Decimal | None
    costs: GroupCosts


@dataclass(frozen=True)
class Attempts:
    """Counted results of one run in one evaluation where the task was repeated: how many there are, how many passed."""

    results: int
    passed: int


@dataclass(frozen=True)
class TaskResult:
    """One result of the task; all are ids or codes of the facts, and `duration_ns` is model time."""

    result_id: int
    evaluation_id: int
    provider_id: int
    run_id: int
    repeat: int
    outcome: int
    duration_ns: int | None
    task_version_id: int


def task_run(
    run_id: int, names: Sequence[str], rows: list[TaskResult], median_ns: Decimal | None, costs: GroupCosts
) -> TaskRun:
    """One run from its results in order of time; `names` are the provider and the run."""
    cells: dict[int, list[Mark]] = defaultdict(list)
    counts = [0, 0, 0, 0]
    flips = within = steps = 0
    before: TaskResult | None = None
    for row in rows:
        cells[row.evaluation_id].append(Mark(row.result_id, str(Outcome(row.outcome).label), row.repeat))
        counts[row.outcome] += 1
        if row.outcome == SKIPPED:
            continue
        if before is not None:
            is_flip = (before.outcome == PASSED) != (row.outcome == PASSED)
            steps, flips = steps + 1, flips + is_flip
            within += is_flip and before.evaluation_id == row.evaluation_id
        before = row
    return TaskRun(
        id=run_id,
        provider=names[0],
        run=names[1],
        cells=tuple(TaskCell(pk, tuple(marks)) for pk, marks in cells.items()),
        outcomes=OutcomeCounts(*counts),
        flips=Flips(flips, within, steps),
        median_ns=median_ns,
        costs=costs,
    )


def attempts_of(runs: Sequence[TaskRun]) -> tuple[Attempts, ...]:
    """Where a run has several counted results in one evaluation."""
    found = []
    for cell in (cell for run in runs for cell in run.cells):
        outcomes = [mark.outcome for mark in cell.marks if mark.outcome != "skipped"]
        if len(outcomes) > 1:
            found.append(Attempts(len(outcomes), outcomes.count("passed")))
    return tuple(found)

"""Who passed which task: the outcomes of an evaluation by task and run, and how far two runs agree."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.results import Outcome
from results.queries.conditions import filtered
from results.queries.visibility import VisibleSet

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]
ABSENT = 255  # stands for a task that a run did not do
PASSED, SKIPPED = int(Outcome.PASSED), int(Outcome.SKIPPED)
COUNTED = (PASSED, int(Outcome.FAILED), int(Outcome.ERROR))
# Kinds of tasks: some counted results passed and some did not; all passed; none did; nothing counts.
DISAGREE, ALL_PASSED, ALL_FAILED, UNCOUNTED = "disagree", "passed", "failed", "skipped"
KINDS = (DISAGREE, ALL_FAILED, ALL_PASSED, UNCOUNTED)
# What two runs may be to each other at a task that counts for both.
SAME, DIFFERENT, BOTH, FIRST, SECOND = "same", "different", "both", "first", "second"
RELATIONS = (SAME, DIFFERENT, BOTH, FIRST, SECOND)


@dataclass(frozen=True)
class GridRun:
    """One run of one provider."""

    id: int
    provider: str
    name: str


@dataclass(frozen=True)
class GridTask:
    """One task."""

    id: int
    name: str


@dataclass(frozen=True)
class GridResult:
    """One result in a cell."""

    id: int
    outcome: str
    repeat: int


@dataclass(frozen=True)
class GridRow:
    """One task with the results of each run in order of repeats; empty where the run did not do it."""

    task: GridTask
    cells: tuple[tuple[GridResult, ...], ...]
    passed: int
    counted: int


@dataclass(frozen=True)
class Agreement:
    """How far each two runs agree: square, the first run down, the second across, in the order of the grid's runs.

    A pair is a task, and where it was repeated the repetition of one number, that counts for both runs.

    Attributes:
        common: pairs. same: those with the same outcome. first_only: those that only the first run passed.
    """

    common: Counts
    same: Counts
    first_only: Counts


@dataclass(frozen=True)
class OutcomeGrid:
    """The results of one evaluation as numbers; one entry a result in the arrays.

    Attributes:
        runs: by provider and name. tasks: by name. Both code point by code point.
        task, run: places in those. outcome: an `Outcome`.
    """

    runs: tuple[GridRun, ...]
    tasks: tuple[GridTask, ...]
    task: Numbers
    run: Numbers
    outcome: Numbers
    repeat: Numbers
    result_id: Numbers

    @cached_property
    def passed(self) -> Counts:
        """Passed results of each task."""
        return np.bincount(self.task[self.outcome == PASSED], minlength=len(self.tasks))

    @cached_property
    def counted(self) -> Counts:
        """Results of each task that are not skipped."""
        return np.bincount(self.task[self.outcome != SKIPPED], minlength=len(self.tasks))

    @property
    def has_repeats(self) -> bool:
        """Some run did some task several times."""
        return bool((self.repeat > 1).any())

    def only(self, is_wanted: Flags) -> "OutcomeGrid":
        """The same runs with some of the tasks."""
        kept, places = is_wanted[self.task], np.cumsum(is_wanted) - 1
        return OutcomeGrid(
            runs=self.runs,
            tasks=tuple(task for task, is_kept in zip(self.tasks, is_wanted.tolist(), strict=True) if is_kept),
            task=places[self.task[kept]],
            run=self.run[kept],
            outcome=self.outcome[kept],
            repeat=self.repeat[kept],
            result_id=self.result_id[kept],
        )

    def of_kind(self, kind: str) -> Flags:
        """Which tasks are of a kind of `KINDS`; of any other word, all are."""
        passed, counted = self.passed, self.counted
        kinds: dict[str, Flags] = {
            DISAGREE: (passed > 0) & (passed < counted),
            ALL_PASSED: (counted > 0) & (passed == counted),
            ALL_FAILED: (counted > 0) & (passed == 0),
            UNCOUNTED: counted == 0,
        }
        return kinds[kind] if kind in kinds else np.ones(len(self.tasks), np.bool_)

    def related(self, first: int, second: int, relation: str) -> Flags:
        """Which tasks two runs have in common in a certain way.

        Args:
            first: place of a run.
            second: place of another one.
            relation: one of `RELATIONS`.
        """
        one, other = self._slots[:, first], self._slots[:, second]
        is_common = np.isin(one, COUNTED) & np.isin(other, COUNTED)
        is_met = {
            SAME: one == other,
            DIFFERENT: one != other,
            BOTH: (one == PASSED) & (other == PASSED),
            FIRST: (one == PASSED) & (other != PASSED),
            SECOND: (one != PASSED) & (other == PASSED),
        }[relation]
        found = np.zeros(len(self.tasks), np.bool_)
        found[self._slot_tasks[is_common & is_met]] = True
        return found

    def agreement(self) -> Agreement:
        """How far each two runs agree."""
        by_outcome = [(self._slots == outcome).astype(np.float32) for outcome in COUNTED]  # exact below 2^24 pairs
        counted, passed = np.sum(by_outcome, axis=0), by_outcome[0]
        return Agreement(
            common=_whole(counted.T @ counted),
            same=_whole(sum((part.T @ part for part in by_outcome), np.zeros((len(self.runs),) * 2, np.float32))),
            first_only=_whole(passed.T @ (counted - passed)),
        )

    def rows(self, tasks: Numbers) -> tuple[GridRow, ...]:
        """The rows of some tasks, given by their places, in that order."""
        places = {int(task): row for row, task in enumerate(tasks)}
        cells: list[list[list[GridResult]]] = [[[] for _ in self.runs] for _ in places]
        found = np.flatnonzero(np.isin(self.task, tasks))
        found = found[np.lexsort((self.result_id[found], self.repeat[found]))]
        columns = (self.task, self.run, self.result_id, self.outcome, self.repeat)
        for task, run, result_id, outcome, repeat in zip(*(column[found].tolist() for column in columns), strict=True):
            cells[places[task]][run].append(GridResult(result_id, _WORDS[outcome], repeat))
        passed, counted = self.passed, self.counted
        return tuple(
            GridRow(self.tasks[task], tuple(map(tuple, cells[row])), int(passed[task]), int(counted[task]))
            for task, row in places.items()
        )

    @cached_property
    def _pairs(self) -> tuple[Numbers, Numbers]:
        """Distinct tasks with a repeat's number as one number each, and which of them each result has."""
        numbers, places = np.unique(
            self.task * (int(self.repeat.max(initial=0)) + 1) + self.repeat, return_inverse=True
        )
        return numbers, places

    @cached_property
    def _slot_tasks(self) -> Numbers:
        return self._pairs[0] // (int(self.repeat.max(initial=0)) + 1)

    @cached_property
    def _slots(self) -> NDArray[np.uint8]:
        """Outcomes by task and repeat (down) and run (across)."""
        slots = np.full((self._pairs[0].size, len(self.runs)), ABSENT, np.uint8)
        slots[self._pairs[1], self.run] = self.outcome
        return slots


_WORDS = {int(outcome): str(outcome.label) for outcome in Outcome}


def _whole(values: NDArray[np.float32]) -> Counts:
    return np.rint(values).astype(np.int64)


def outcome_grid(visible: VisibleSet, chosen: ResultFilter) -> OutcomeGrid:
    """The outcomes of a filter's results by task and run.

    Args:
        visible: the one evaluation.
        chosen: the filter.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    return answer(visible.evaluation_ids, visible.key, None, lambda reading: _read(reading, chosen, visible))


def _read(reading: Reading, chosen: ResultFilter, visible: VisibleSet) -> OutcomeGrid:
    columns = "task_id, run_id, provider_id, outcome, repeat, result_id"
    with filtered(reading, chosen, visible) as conditions:
        where = conditions.where()
        found = reading.arrays(f"SELECT {columns} FROM {reading.table('results', f'{columns} {where}')} {where}")
    task_ids, run_ids = found["task_id"].astype(np.int64), found["run_id"].astype(np.int64)
    providers = dict(zip(run_ids.tolist(), found["provider_id"].tolist(), strict=True))
    runs = _named_runs(reading, providers)
    names = reading.names("tasks", np.unique(task_ids).tolist())
    tasks = tuple(GridTask(pk, name) for name, pk in sorted((name, pk) for pk, name in names.items() if pk is not None))
    return OutcomeGrid(
        runs=runs,
        tasks=tasks,
        task=_placed(task_ids, [task.id for task in tasks]),
        run=_placed(run_ids, [run.id for run in runs]),
        outcome=found["outcome"].astype(np.int64),
        repeat=found["repeat"].astype(np.int64),
        result_id=found["result_id"].astype(np.int64),
    )


def _named_runs(reading: Reading, providers: dict[int, int]) -> tuple[GridRun, ...]:
    names, provider_names = reading.names("runs", providers), reading.names("providers", set(providers.values()))
    runs = [GridRun(pk, provider_names[provider], names[pk]) for pk, provider in providers.items()]
    return tuple(sorted(runs, key=lambda run: (run.provider, run.name)))


def _placed(ids: Numbers, listed: list[int]) -> Numbers:
    """The place of each id in a list that holds all of them."""
    order = np.argsort(np.array(listed, np.int64))
    return order[np.searchsorted(np.array(listed, np.int64), ids, sorter=order)]

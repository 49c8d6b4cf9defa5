"""Prepared results as rows: of the tables, and of the facts beside them."""

from dataclasses import dataclass
from typing import Any

from results.facts.packed import ColumnValues
from results.facts.writer import FactsColumns
from results.models.evaluations import CALLS_PER_EVALUATION, RESULTS_PER_EVALUATION, Evaluation, TimeSource
from results.store.dimensions import Dimensions, RunIds, TaskIds
from results.store.prepared import PreparedCalls, PreparedChunk, PreparedResults, PreparedUses

Row = tuple[Any, ...]

FROM_TRACE_ID = int(TimeSource.TRACE_ID)


@dataclass(frozen=True)
class RowBatch:
    """Rows of one chunk, ready to be inserted."""

    results: list[Row]
    calls: list[Row]
    uses: list[Row]
    fact_results: FactsColumns
    fact_calls: FactsColumns
    fact_uses: FactsColumns


@dataclass(frozen=True, slots=True)
class Start:
    """When a result started, in microseconds since 1970 UTC, and where that is known from (a `TimeSource`)."""

    at_us: int
    source: int


@dataclass(frozen=True)
class _Place:
    """Where the results of a chunk belong, column by column."""

    ids: list[int]
    runs: list[RunIds]
    tasks: list[TaskIds]


class RowMaker:
    """Turns the results of one evaluation into rows, in document order."""

    def __init__(self, evaluation: Evaluation, fallback: Start) -> None:
        """Begin at ordinal 0.

        Args:
            evaluation: whose results these are.
            fallback: the start of a result whose trace id holds no time.
        """
        self.dimensions = Dimensions(evaluation)
        self.ordinal = self.calls = self.uses = 0  # rows made so far
        self._fallback = fallback
        self._evaluation_id = evaluation.pk
        self._repeats: dict[int, int] = {}
        self.begin_names()

    def begin_names(self) -> None:
        """Expect chunks of a gatherer that begins anew, and with it its numbers for names."""
        self._runs: list[RunIds] = []
        self._tasks: list[TaskIds] = []
        self._words: list[int] = []

    def begin_at(self, *, result: int, call: int, use: int) -> None:
        """Give the next rows these ordinals; those before were given out already, perhaps by another process."""
        self.ordinal, self.calls, self.uses = result, call, use

    def learn(self, chunk: PreparedChunk) -> None:
        """Find or make the ids of the names that a chunk uses first, in short transactions."""
        dimensions = self.dimensions
        dimensions.learn(chunk.new_runs, chunk.new_tasks, chunk.new_words)
        self._runs += [dimensions.runs[key] for key in chunk.new_runs]
        self._tasks += [dimensions.tasks[key] for key in chunk.new_tasks]
        self._words += [dimensions.terms[word] for word in chunk.new_words]

    def rows(self, chunk: PreparedChunk, repeats: list[int] | None = None) -> RowBatch:
        """Make the rows of a chunk whose names are learnt.

        Args:
            chunk: the next results.
            repeats: of each, from 1; None = the results of each run and task are counted.
        """
        results = chunk.results
        first = self._evaluation_id * RESULTS_PER_EVALUATION + self.ordinal
        ids = list(range(first, first + len(results.outcomes)))
        place = _Place(
            ids, [self._runs[number] for number in results.runs], [self._tasks[number] for number in results.tasks]
        )
        self.ordinal += len(ids)
        rows, facts = self._results(results, place, self._counted(place) if repeats is None else repeats)
        calls, fact_calls = self._calls(chunk.calls, place, results.outcomes)
        uses, fact_uses = self._uses(chunk.uses, place)
        return RowBatch(rows, calls, uses, facts, fact_calls, fact_uses)

    def _counted(self, place: _Place) -> list[int]:
        known, repeats = self._repeats, []
        for run, task in zip(place.runs, place.tasks, strict=True):
            pair = run.run_id << 40 | task.task_id  # ids stay far below 2^40
            repeat = known[pair] = known.get(pair, 0) + 1
            repeats.append(repeat)
        return repeats

    def _results(self, results: PreparedResults, place: _Place, repeats: list[int]) -> tuple[list[Row], FactsColumns]:
        ids, runs, tasks, fallback = place.ids, place.runs, place.tasks, self._fallback
        evaluations = [self._evaluation_id] * len(ids)
        run_versions = [run.run_version_id for run in runs]
        task_versions = [task.task_version_id for task in tasks]
        starts = [fallback.at_us if start is None else start for start in results.started_at_us]
        sources = [fallback.source if start is None else FROM_TRACE_ID for start in results.started_at_us]
        keys = (ids, evaluations, run_versions, task_versions, repeats, results.attempts, results.outcomes)
        facts: tuple[ColumnValues, ...] = (
            ids,
            evaluations,
            [run.provider_id for run in runs],
            [run.run_id for run in runs],
            run_versions,
            [run.model_id for run in runs],
            [task.task_id for task in tasks],
            task_versions,
            [task.suite_id for task in tasks],
            [task.category_id for task in tasks],
            [task.difficulty_id for task in tasks],
            [task.tag_set_id for task in tasks],
            repeats,
            results.attempts,
            starts,
            sources,
            results.trace_hashes,
            self._terms(results.error_titles),
            self._terms(results.currencies),
            *results.measures,
        )
        rows = zip(*keys, results.trace_ids, starts, sources, results.durations_ns, strict=True)
        return list(rows), FactsColumns(facts, len(ids))

    def _uses(self, uses: PreparedUses, place: _Place) -> tuple[list[Row], FactsColumns]:
        first = self._evaluation_id * CALLS_PER_EVALUATION + self.uses
        count = len(uses.results)
        self.uses += count
        results = [place.ids[number] for number in uses.results]
        tools = [self._words[number] for number in uses.tools]
        values = (uses.sections, tools, uses.calls, uses.durations_ns)
        rows = list(zip(range(first, first + count), results, *values, strict=True))
        return rows, FactsColumns((results, [self._evaluation_id] * count, *values), count)

    def _calls(self, calls: PreparedCalls, place: _Place, outcomes: list[int]) -> tuple[list[Row], FactsColumns]:
        first = self._evaluation_id * CALLS_PER_EVALUATION + self.calls
        count = len(calls.results)
        self.calls += count
        ids = list(range(first, first + count))
        results, tools = (
            [place.ids[number] for number in calls.results],
            [self._words[number] for number in calls.tools],
        )
        values: tuple[list[Any], ...] = (calls.sections, calls.positions, tools, *calls.numbers)
        facts: tuple[ColumnValues, ...] = (
            results,
            [self._evaluation_id] * count,
            ids,
            [place.runs[number].provider_id for number in calls.results],
            [place.runs[number].run_id for number in calls.results],
            [place.tasks[number].task_id for number in calls.results],
            [outcomes[number] for number in calls.results],
            *values,
        )
        return list(zip(ids, results, *values, strict=True)), FactsColumns(facts, count)

    def _terms(self, numbers: list[int | None]) -> list[int | None]:
        return [None if number is None else self._words[number] for number in numbers]

"""Prepared results as rows: of the tables, and of the facts beside them."""

from dataclasses import dataclass, field
from typing import Any

from results.models.evaluations import CALLS_PER_EVALUATION, RESULTS_PER_EVALUATION, TimeSource
from results.store.dimensions import RunIds, TaskIds
from results.store.prepared import PreparedResult

Row = tuple[Any, ...]

FROM_TRACE_ID = int(TimeSource.TRACE_ID)


@dataclass
class RowBatch:
    """Rows of one chunk, ready to be inserted."""

    results: list[Row] = field(default_factory=list)
    calls: list[Row] = field(default_factory=list)
    uses: list[Row] = field(default_factory=list)
    fact_results: list[Row] = field(default_factory=list)
    fact_calls: list[Row] = field(default_factory=list)
    fact_uses: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Start:
    """When a result started, in microseconds since 1970 UTC, and where that is known from (a `TimeSource`)."""

    at_us: int
    source: int


class RowMaker:
    """Turns the results of one evaluation into rows, in document order."""

    def __init__(self, evaluation_id: int, fallback: Start, terms: dict[str, int]) -> None:
        """Begin at ordinal 0.

        Args:
            evaluation_id: whose results these are.
            fallback: the start of a result whose trace id holds no time.
            terms: text -> term id, filled before a result that needs it is added.
        """
        self.ordinal = 0
        self._fallback = fallback
        self._terms = terms
        self._evaluation_id = evaluation_id
        self._first_result = evaluation_id * RESULTS_PER_EVALUATION
        self._next_call = evaluation_id * CALLS_PER_EVALUATION
        self._next_use = evaluation_id * CALLS_PER_EVALUATION
        self._first_call = self._next_call
        self._repeats: dict[int, int] = {}

    @property
    def calls(self) -> int:
        """Tool calls made into rows so far."""
        return self._next_call - self._first_call

    def begin_at(self, *, result: int, call: int, use: int) -> None:
        """Give the next rows these ordinals; those before were given out already, perhaps by another process."""
        self.ordinal = result
        self._next_call = self._first_call + call
        self._next_use = self._first_call + use

    @property
    def uses(self) -> int:
        """Tool uses made into rows so far."""
        return self._next_use - self._first_call

    def add(
        self, batch: RowBatch, result: PreparedResult, run: RunIds, task: TaskIds, repeat: int | None = None
    ) -> None:
        """Add one result to a batch.

        Args:
            batch: takes the rows.
            result: prepared.
            run: ids of its run version.
            task: ids of its task version.
            repeat: from 1; None = the results of this run and task are counted.
        """
        result_id, evaluation_id = self._first_result + self.ordinal, self._evaluation_id
        self.ordinal += 1
        if repeat is None:
            pair = run.run_id << 40 | task.task_id  # ids stay far below 2^40
            repeat = self._repeats[pair] = self._repeats.get(pair, 0) + 1
        started_at_us, started_source = result.started_at_us, FROM_TRACE_ID
        if started_at_us is None:
            started_at_us, started_source = self._fallback.at_us, self._fallback.source
        batch.results.append(
            (
                result_id,
                evaluation_id,
                run.run_version_id,
                task.task_version_id,
                repeat,
                result.attempts,
                result.outcome,
                result.trace_id,
                started_at_us,
                started_source,
                result.duration_ns,
            )
        )
        batch.fact_results.append(
            (
                result_id,
                evaluation_id,
                run.provider_id,
                run.run_id,
                run.run_version_id,
                run.model_id,
                task.task_id,
                task.task_version_id,
                task.suite_id,
                task.category_id,
                task.difficulty_id,
                task.tag_set_id,
                repeat,
                result.attempts,
                started_at_us,
                started_source,
                result.trace_hash,
                self._terms[result.error_title] if result.error_title else None,
                self._terms[result.currency] if result.currency else None,
                *result.measures,
            )
        )
        if result.uses:
            self._add_uses(batch, result_id, result)
        if result.calls:
            self._add_calls(batch, result_id, result, (run.provider_id, run.run_id, task.task_id, result.outcome))

    def _add_uses(self, batch: RowBatch, result_id: int, result: PreparedResult) -> None:
        for use in result.uses:
            values = (use.section, self._terms[use.tool], use.calls, use.duration_ns)
            batch.uses.append((self._next_use, result_id, *values))
            batch.fact_uses.append((result_id, self._evaluation_id, *values))
            self._next_use += 1

    def _add_calls(self, batch: RowBatch, result_id: int, result: PreparedResult, context: Row) -> None:
        for call in result.calls:
            values = (call.section, call.position, self._terms[call.tool], *call.numbers)
            call_id = self._next_call
            self._next_call += 1
            batch.calls.append((call_id, result_id, *values))
            batch.fact_calls.append((result_id, self._evaluation_id, call_id, *context, *values))

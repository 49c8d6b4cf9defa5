"""Records as rows: of the tables, and of the facts beside them."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from results.answers import trace_time_us
from results.facts.columns import OUTCOMES, currency_of, measures, trace_hash
from results.models.evaluations import CALLS_PER_EVALUATION, RESULTS_PER_EVALUATION, TimeSource
from results.models.results import CallStatus, Section
from results.names import storable
from results.records import RunResult, ToolCallOutput, ToolCallSummary, ToolUsage
from results.store.dimensions import RunIds, TaskIds

Row = tuple[Any, ...]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
STATUSES = {str(status.label): int(status) for status in CallStatus}
ANSWER, VALIDATION, ERROR = int(Section.ANSWER), int(Section.VALIDATION), int(Section.ERROR)


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


def microseconds(moment: datetime) -> int:
    """Count microseconds since 1970 UTC, exactly; a moment without a zone is taken as UTC."""
    difference = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH
    return (difference.days * 86_400 + difference.seconds) * 1_000_000 + difference.microseconds


def tools_of(record: RunResult) -> list[tuple[int, dict[str, ToolUsage], list[ToolCallSummary]]]:
    """List the sections that recorded tools: (section, totals by tool, calls in order)."""
    found = []
    details = record.details
    if (answer := details.answer) is not None and (answer.tool_usage or answer.tool_calls):
        found.append((ANSWER, answer.tool_usage, answer.tool_calls))
    if (judged := details.validation) is not None and (judged.tool_usage or judged.tool_calls):
        found.append((VALIDATION, judged.tool_usage, judged.tool_calls))
    if (error := details.error) is not None and (error.tool_usage or error.tool_calls):
        found.append((ERROR, error.tool_usage, error.tool_calls))
    return found


def texts_of(record: RunResult) -> list[str]:
    """List the texts of a result that need a term beside its task and run: tools, the error title and the currency."""
    error = record.details.error
    texts = [error.title] if error is not None and error.title else []
    if currency := currency_of(record):
        texts.append(currency)
    for _, totals, calls in tools_of(record):
        texts.extend(totals)
        texts.extend([call.tool for call in calls])
    return texts


def _size_of(output: ToolCallOutput | None) -> int | None:
    return None if output is None else output.bytes


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

    def start_of(self, trace_id: str) -> Start:
        """Tell when a result started."""
        at_us = trace_time_us(trace_id)
        return self._fallback if at_us is None else Start(at_us, int(TimeSource.TRACE_ID))

    def add(
        self,
        batch: RowBatch,
        record: RunResult,
        document_bytes: int,
        run: RunIds,
        task: TaskIds,
        repeat: int | None = None,
    ) -> None:
        """Add one result to a batch.

        Args:
            batch: takes the rows.
            record: the result.
            document_bytes: size of its document before compression.
            run: ids of its run version.
            task: ids of its task version.
            repeat: from 1; None = the results of this run and task are counted.
        """
        result_id = self._first_result + self.ordinal
        self.ordinal += 1
        if repeat is None:
            pair = run.run_id << 40 | task.task_id  # ids stay far below 2^40
            repeat = self._repeats[pair] = self._repeats.get(pair, 0) + 1
        trace_id = record.trace_id
        start = self.start_of(trace_id)
        outcome = OUTCOMES[record.kind]
        attempts = None if record.evalboard is None else record.evalboard.attempts
        error = record.details.error
        evaluation_id = self._evaluation_id
        batch.results.append(
            (
                result_id,
                evaluation_id,
                run.run_version_id,
                task.task_version_id,
                repeat,
                attempts,
                outcome,
                storable(trace_id),
                start.at_us,
                start.source,
                record.duration_ns,
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
                attempts,
                start.at_us,
                start.source,
                trace_hash(trace_id),
                self._terms[error.title] if error is not None and error.title else None,
                self._terms[currency] if (currency := currency_of(record)) else None,
                *measures(record, document_bytes),
            )
        )
        for section, totals, calls in tools_of(record):
            self._add_uses(batch, result_id, section, totals)
            context = (result_id, evaluation_id, run.provider_id, run.run_id, task.task_id, outcome, section)
            self._add_calls(batch, context, calls)

    def _add_uses(self, batch: RowBatch, result_id: int, section: int, totals: dict[str, ToolUsage]) -> None:
        for tool, usage in totals.items():
            tool_id = self._terms[tool]
            calls, duration_ns = usage.call_count, usage.total_duration_ns
            batch.uses.append((self._next_use, result_id, section, tool_id, calls, duration_ns))
            batch.fact_uses.append((result_id, self._evaluation_id, section, tool_id, calls, duration_ns))
            self._next_use += 1

    def _add_calls(self, batch: RowBatch, context: Row, calls: list[ToolCallSummary]) -> None:
        result_id, evaluation_id, provider_id, run_id, task_id, outcome, section = context
        for position, call in enumerate(calls):
            numbers = (
                self._terms[call.tool],
                STATUSES.get(call.status),
                call.conversation_turn or None,
                None if call.started_at is None else microseconds(call.started_at),
                call.duration_ns,
                call.wall_time_ns,
                call.exit_code,
                call.timed_out,
                _size_of(call.stdout),
                _size_of(call.stderr),
            )
            call_id = self._next_call
            self._next_call += 1
            batch.calls.append((call_id, result_id, section, position, *numbers))
            batch.fact_calls.append(
                (
                    result_id,
                    evaluation_id,
                    call_id,
                    provider_id,
                    run_id,
                    task_id,
                    outcome,
                    section,
                    position,
                    *numbers,
                )
            )

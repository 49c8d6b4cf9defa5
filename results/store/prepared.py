"""What results say by themselves: all that their rows hold except ids; columns that cross from process to process."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from msgspec import Struct

from results.answers import trace_time_us
from results.facts.columns import MEASURE_COLUMNS, OUTCOMES, Row, currency_of, measures, trace_hash
from results.facts.packed import PackedValues, packed_columns
from results.models.results import CALL_STATUSES, Section
from results.names import storable
from results.records import RunResult, ToolCallOutput, ToolCallSummary, ToolUsage
from results.store.dimensions import Keys, RunKey, TaskKey

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ANSWER, VALIDATION, ERROR = int(Section.ANSWER), int(Section.VALIDATION), int(Section.ERROR)

Name = TypeVar("Name")


class PreparedResults(Struct, frozen=True, gc=False, array_like=True):
    """Results, column by column. Runs, tasks, error titles and currencies are numbers of names; see `PreparedChunk`.

    `started_at_us` is in microseconds since 1970 UTC; None = the trace id holds no time. `measures` are the facts'
    `MEASURE_COLUMNS`.
    """

    runs: list[int]
    tasks: list[int]
    attempts: list[int | None]
    outcomes: list[int]
    durations_ns: list[int | None]
    trace_ids: list[str]
    trace_hashes: list[int | None]
    started_at_us: list[int | None]
    error_titles: list[int | None]
    currencies: list[int | None]
    measures: list[PackedValues]


class PreparedUses(Struct, frozen=True, gc=False, array_like=True):
    """The recorded totals of one tool in one section each; `results` are places in the chunk, `tools` word numbers."""

    results: list[int]
    sections: list[int]
    tools: list[int]
    calls: list[int | None]
    durations_ns: list[int | None]


class PreparedCalls(Struct, frozen=True, gc=False, array_like=True):
    """Tool calls; `numbers` are the columns of their rows from `status` on, the others as in `PreparedUses`."""

    results: list[int]
    sections: list[int]
    positions: list[int]
    tools: list[int]
    numbers: list[list[int | bool | None]]


class PreparedChunk(Struct, frozen=True, gc=False, array_like=True):
    """Some results. Run and task versions and words are numbered from 0 in the order of their first use in a document.

    `new_runs`, `new_tasks` and `new_words` are those that no chunk before used.
    """

    new_runs: list[RunKey]
    new_tasks: list[TaskKey]
    new_words: list[str]
    results: PreparedResults
    uses: PreparedUses
    calls: PreparedCalls


class Numbers(Generic[Name]):
    """Numbers for names, from 0 in the order of their first use."""

    def __init__(self, known: Iterable[Name]) -> None:
        """Begin with names that were used before, in their order."""
        self._numbers = {name: number for number, name in enumerate(known)}
        self._new: list[Name] = []

    def of(self, name: Name) -> int:
        """The number of a name."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._numbers)
            self._new.append(name)
        return number

    def take_new(self) -> list[Name]:
        """The names that were first used since this was asked last."""
        new, self._new = self._new, []
        return new


class Gatherer:
    """Gathers what the rows of results need, until it is taken."""

    def __init__(self, runs: Iterable[RunKey] = (), tasks: Iterable[TaskKey] = (), words: Iterable[str] = ()) -> None:
        """Begin, or go on behind chunks that used these names."""
        self._keys = Keys()
        self._runs, self._tasks, self._words = Numbers(runs), Numbers(tasks), Numbers(words)
        self._clear()

    def add(self, record: RunResult, document_bytes: int) -> None:
        """Read off a record what its rows need.

        Args:
            record: the result.
            document_bytes: size of its document before compression.
        """
        trace_id, error, words = record.trace_id, record.details.error, self._words
        place, currency = len(self._results), currency_of(record)
        self._results.append(
            (
                self._runs.of(self._keys.run_key(record)),
                self._tasks.of(self._keys.task_key(record)),
                None if record.evalboard is None else record.evalboard.attempts,
                OUTCOMES[record.kind],
                record.duration_ns,
                storable(trace_id),
                trace_hash(trace_id),
                trace_time_us(trace_id),
                words.of(error.title) if error is not None and error.title else None,
                words.of(currency) if currency else None,
            )
        )
        self._measures.append(measures(record, document_bytes))
        for section, totals, made in _tools_of(record):
            for tool, usage in totals.items():
                self._uses.append((place, section, words.of(tool), usage.call_count, usage.total_duration_ns))
            for position, call in enumerate(made):
                self._calls.append((place, section, position, words.of(call.tool), *_numbers(call)))

    def take(self) -> PreparedChunk:
        """What was gathered; then begin anew."""
        calls = _columns(self._calls, 13)
        measured = packed_columns(MEASURE_COLUMNS, self._measures) if self._measures else []
        chunk = PreparedChunk(
            self._runs.take_new(),
            self._tasks.take_new(),
            self._words.take_new(),
            PreparedResults(*[*_columns(self._results, 10), measured]),
            PreparedUses(*_columns(self._uses, 5)),
            PreparedCalls(*[*calls[:4], calls[4:]]),
        )
        self._clear()
        return chunk

    def _clear(self) -> None:
        self._results: list[tuple[Any, ...]] = []
        self._measures: list[Row] = []
        self._uses: list[Row] = []
        self._calls: list[Row] = []


def microseconds(moment: datetime) -> int:
    """Count microseconds since 1970 UTC, exactly; a moment without a zone is taken as UTC."""
    difference = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH
    return (difference.days * 86_400 + difference.seconds) * 1_000_000 + difference.microseconds


def _columns(rows: Sequence[Sequence[Any]], width: int) -> list[Any]:
    return [list(values) for values in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def _tools_of(record: RunResult) -> list[tuple[int, dict[str, ToolUsage], list[ToolCallSummary]]]:
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


def _numbers(call: ToolCallSummary) -> tuple[int | bool | None, ...]:
    return (
        CALL_STATUSES.get(call.status),
        call.conversation_turn or None,
        None if call.started_at is None else microseconds(call.started_at),
        call.duration_ns,
        call.wall_time_ns,
        call.exit_code,
        call.timed_out,
        _size_of(call.stdout),
        _size_of(call.stderr),
    )


def _size_of(output: ToolCallOutput | None) -> int | None:
    return None if output is None else output.bytes

"""What a result says by itself: all that its rows hold except ids; plain values that cross from process to process."""

from datetime import UTC, datetime

from msgspec import Struct

from results.answers import trace_time_us
from results.facts.columns import OUTCOMES, Row, currency_of, measures, trace_hash
from results.models.results import CALL_STATUSES, Section
from results.names import storable
from results.records import RunResult, ToolCallOutput, ToolCallSummary, ToolUsage
from results.store.dimensions import RunKey, TaskKey

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ANSWER, VALIDATION, ERROR = int(Section.ANSWER), int(Section.VALIDATION), int(Section.ERROR)


class PreparedUse(Struct, frozen=True, gc=False, array_like=True):
    """The recorded totals of one tool in one section."""

    section: int
    tool: str
    calls: int | None
    duration_ns: int | None


class PreparedCall(Struct, frozen=True, gc=False, array_like=True):
    """One tool call; `numbers` are the columns of its row from `status` on, missing ones None."""

    section: int
    position: int
    tool: str
    numbers: tuple[int | bool | None, ...]


class PreparedResult(Struct, frozen=True, gc=False, array_like=True):
    """One result. `started_at_us` is in microseconds since 1970 UTC; None = its trace id holds no time.

    `measures` are the columns of its facts from `outcome` on; `error_title` and `currency` are empty when it has none.
    """

    run: RunKey
    task: TaskKey
    outcome: int
    attempts: int | None
    duration_ns: int | None
    trace_id: str
    trace_hash: int | None
    started_at_us: int | None
    error_title: str
    currency: str
    measures: Row
    uses: list[PreparedUse]
    calls: list[PreparedCall]


def microseconds(moment: datetime) -> int:
    """Count microseconds since 1970 UTC, exactly; a moment without a zone is taken as UTC."""
    difference = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH
    return (difference.days * 86_400 + difference.seconds) * 1_000_000 + difference.microseconds


def prepare(record: RunResult, run: RunKey, task: TaskKey, document_bytes: int) -> PreparedResult:
    """Read off a record what its rows need.

    Args:
        record: the result.
        run: names its run version.
        task: names its task version.
        document_bytes: size of its document before compression.
    """
    trace_id, error = record.trace_id, record.details.error
    numbers = measures(record, document_bytes)
    uses: list[PreparedUse] = []
    calls: list[PreparedCall] = []
    for section, totals, made in _tools_of(record):
        for tool, usage in totals.items():
            uses.append(PreparedUse(section, tool, usage.call_count, usage.total_duration_ns))
        for position, call in enumerate(made):
            calls.append(PreparedCall(section, position, call.tool, _numbers(call)))
    return PreparedResult(
        run,
        task,
        OUTCOMES[record.kind],
        None if record.evalboard is None else record.evalboard.attempts,
        record.duration_ns,
        storable(trace_id),
        trace_hash(trace_id),
        trace_time_us(trace_id),
        "" if error is None else error.title,
        currency_of(record),
        numbers,
        uses,
        calls,
    )


def words_of(result: PreparedResult) -> list[str]:
    """List the texts of a result that need a term beside its task and run: tools, the error title and the currency."""
    words = [word for word in (result.error_title, result.currency) if word]
    if result.uses:
        words += [use.tool for use in result.uses]
    if result.calls:
        words += [call.tool for call in result.calls]
    return words


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

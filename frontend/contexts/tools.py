"""Tools of one section of a result: recorded totals, and recorded calls in the order in which they began."""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from frontend.contexts.timeline import Bar, Tick, Timeline, wall_ns
from frontend.formats import CALL_STATUSES
from frontend.shown_text import shown_length
from results.records import AnswerDetails, ErrorDetails, ToolCallOutput, ToolCallSummary, ToolUsage, ValidationDetails

SHOWN_CALLS = 50  # the others are in the document
SHOWN_TOOLS = 50  # totals; the others too
SHOWN_PREVIEW = 4_000  # characters of one stream
SHOWN_PREVIEWS = 40_000  # characters of all streams of a section
SHOWN_MESSAGE = 400  # characters
LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class CallCounts:
    """Tool calls counted in two ways that a file may record independently of each other.

    Attributes:
        one_by_one: calls recorded one by one.
        total: calls in the recorded totals of the tools; None = unknown.
    """

    one_by_one: int
    total: int | None

    @property
    def disagree(self) -> bool:
        """Whether both are known and not the same."""
        return self.total is not None and self.total != self.one_by_one


@dataclass(frozen=True)
class Use:
    """The recorded total of one tool."""

    tool: str
    usage: ToolUsage


@dataclass(frozen=True)
class Output:
    """A captured stream that has something to show; `left_out` characters of its preview are not."""

    name: str
    stream: ToolCallOutput
    text: str
    left_out: int


@dataclass(frozen=True)
class Call:
    """One recorded call.

    Attributes:
        badge: the outcome whose look the status takes; empty for a word that we do not know.
        turn: counted from 1; None = unknown.
        wall_ns: as recorded, or from start to end; None = unknown.
        bar: None when the start is unknown.
        message: its beginning; `message_left_out` characters are not shown.
    """

    record: ToolCallSummary
    badge: str
    status: str
    turn: int | None
    wall_ns: int | None
    bar: Bar | None
    outputs: tuple[Output, ...]
    message: str
    message_left_out: int

    @property
    def is_bad(self) -> bool:
        """Whether the status is a known one that is no success."""
        return self.badge not in ("", "passed")

    @classmethod
    def build(cls, record: ToolCallSummary, bar: Bar | None = None, room: int = SHOWN_PREVIEWS) -> "Call":
        """The row of a call.

        Args:
            record: the call.
            bar: its place on the timeline.
            room: characters that its streams may take together.
        """
        badge, status = CALL_STATUSES.get(record.status, ("", record.status))
        outputs: list[Output] = []
        for name, stream in (("stdout", record.stdout), ("stderr", record.stderr)):
            if stream is not None and stream.preview:
                length = shown_length(stream.preview, min(SHOWN_PREVIEW, room))
                outputs.append(Output(name, stream, stream.preview[:length], len(stream.preview) - length))
                room -= length
        length = shown_length(record.error_message, SHOWN_MESSAGE)
        return cls(
            record=record,
            badge=badge,
            status=status,
            turn=record.conversation_turn or None,
            wall_ns=wall_ns(record),
            bar=bar,
            outputs=tuple(outputs),
            message=record.error_message[:length],
            message_left_out=len(record.error_message) - length,
        )


@dataclass(frozen=True)
class ToolPanel:
    """The tools of one section; there is no panel for a section that used none.

    Attributes:
        uses: at most 50 of `use_count`, as recorded.
        calls: at most 50 of `call_count`, by start, those without one last.
        wall_ns, own_ns: sums over the calls that say them; None when none does.
        turns: how many conversation turns had calls; None when no call names its own.
        ticks: of the time axis of the calls shown; empty when no call names its start.
    """

    title: str
    uses: tuple[Use, ...]
    use_count: int
    calls: tuple[Call, ...]
    call_count: int
    calls_failed: int
    wall_ns: int | None
    own_ns: int | None
    turns: int | None
    ticks: tuple[Tick, ...]

    @classmethod
    def build(
        cls,
        title: str,
        section: AnswerDetails | ValidationDetails | ErrorDetails | None,
        started_at: datetime | None = None,
    ) -> "ToolPanel | None":
        """The panel of a section, None when it recorded neither totals nor calls.

        Args:
            title: of the panel.
            section: of the result.
            started_at: when the result began, where its trace id says so.
        """
        if section is None or not (section.tool_usage or section.tool_calls):
            return None
        records = sorted(section.tool_calls, key=lambda record: record.started_at or LATEST)
        timeline = Timeline.build(records[:SHOWN_CALLS], started_at)
        return cls(
            title=title,
            uses=tuple(Use(tool, usage) for tool, usage in islice(section.tool_usage.items(), SHOWN_TOOLS)),
            use_count=len(section.tool_usage),
            calls=_calls(records, timeline),
            call_count=len(records),
            calls_failed=sum(CALL_STATUSES.get(record.status, ("passed", ""))[0] != "passed" for record in records),
            wall_ns=_known_sum([wall_ns(record) for record in records]),
            own_ns=_known_sum([record.duration_ns for record in records]),
            turns=len({record.conversation_turn for record in records if record.conversation_turn}) or None,
            ticks=timeline.ticks,
        )


def _calls(records: list[ToolCallSummary], timeline: Timeline) -> tuple[Call, ...]:
    room = SHOWN_PREVIEWS
    calls: list[Call] = []
    for record, bar in zip(records[:SHOWN_CALLS], timeline.bars, strict=False):
        calls.append(Call.build(record, bar, room))
        room -= sum(len(output.text) for output in calls[-1].outputs)
    return tuple(calls)


def _known_sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None

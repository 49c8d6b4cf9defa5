"""Tools of one section of a result: recorded totals, and recorded calls."""

from dataclasses import dataclass

from results.records import AnswerDetails, ErrorDetails, ToolCallOutput, ToolCallSummary, ToolUsage, ValidationDetails

STATUSES = {  # recorded word: badge, label
    "success": ("passed", "Success"),
    "nonzero_exit": ("failed", "Non-zero exit"),
    "empty_output": ("failed", "Empty output"),
    "timeout": ("error", "Timeout"),
    "invalid_arguments": ("failed", "Invalid arguments"),
    "infrastructure_error": ("error", "Infrastructure error"),
}


@dataclass(frozen=True)
class Use:
    """The recorded total of one tool."""

    tool: str
    usage: ToolUsage


@dataclass(frozen=True)
class Output:
    """A captured stream that has something to show."""

    name: str
    stream: ToolCallOutput


@dataclass(frozen=True)
class Call:
    """One recorded call.

    Attributes:
        badge: the outcome whose look the status takes; empty for a word that we do not know.
        turn: counted from 1; None = unknown.
    """

    record: ToolCallSummary
    badge: str
    status: str
    turn: int | None
    outputs: tuple[Output, ...]

    @classmethod
    def build(cls, record: ToolCallSummary) -> "Call":
        """The row of a call."""
        badge, status = STATUSES.get(record.status, ("", record.status))
        streams = (("stdout", record.stdout), ("stderr", record.stderr))
        outputs = tuple(Output(name, stream) for name, stream in streams if stream is not None and stream.preview)
        return cls(record, badge, status, record.conversation_turn or None, outputs)


@dataclass(frozen=True)
class ToolPanel:
    """The tools of one section; there is no panel for a section that used none."""

    title: str
    uses: tuple[Use, ...]
    calls: tuple[Call, ...]
    calls_failed: int

    @classmethod
    def build(cls, title: str, section: AnswerDetails | ValidationDetails | ErrorDetails | None) -> "ToolPanel | None":
        """The panel of a section, None when it recorded neither totals nor calls."""
        if section is None or not (section.tool_usage or section.tool_calls):
            return None
        calls = tuple(Call.build(record) for record in section.tool_calls)
        return cls(
            title=title,
            uses=tuple(Use(tool, usage) for tool, usage in section.tool_usage.items()),
            calls=calls,
            calls_failed=sum(call.record.status in STATUSES and call.badge != "passed" for call in calls),
        )

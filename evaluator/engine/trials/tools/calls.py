"""What a call of a tool came to: one of six statuses for the result, and a text for the model."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from evaluator.engine.trials.interfaces import ToolReply
from evaluator.engine.trials.sound_json import sound_text
from evaluator.engine.trials.timing import Timing
from evaluator.engine.trials.tools.containers import Ran
from results.records import ToolCallOutput, ToolCallSummary

LONGEST_MESSAGE = 2_000  # characters of an error in a result; MindTrial sets no limit
NS_PER_SECOND = 1_000_000_000


class CallStatus(StrEnum):
    """The six statuses of MindTrial's format."""

    SUCCESS = "success"
    NONZERO_EXIT = "nonzero_exit"
    EMPTY_OUTPUT = "empty_output"
    TIMEOUT = "timeout"
    INVALID_ARGUMENTS = "invalid_arguments"
    INFRASTRUCTURE_ERROR = "infrastructure_error"


@dataclass(frozen=True)
class Call:
    """A call that has begun. `turn` is the conversation's, from 1."""

    tool: str
    call_id: str
    turn: int
    timing: Timing
    started_unix_ns: int
    started_ns: int

    def invalid(self, message: str) -> ToolReply:
        """The arguments are not what the tool takes."""
        text = f"The arguments of `{self.tool}` are not valid: {message}. Correct them and call it again."
        return ToolReply(text, self._summary(CallStatus.INVALID_ARGUMENTS, message))

    def not_prepared(self, message: str) -> ToolReply:
        """Something around the tool failed before it began."""
        text = f"`{self.tool}` could not be run, and not because of its arguments: {message}"
        return ToolReply(text, self._summary(CallStatus.INFRASTRUCTURE_ERROR, message))

    def ended(self, ran: Ran, timeout_seconds: float | None) -> ToolReply:
        """The tool was run, or at least started."""
        if ran.is_timed_out:
            message = f"It was stopped after {timeout_seconds:g} seconds, its time limit."
            text = f"`{self.tool}` gave no result. {message}"
            return ToolReply(text, self._summary(CallStatus.TIMEOUT, message, ran, has_exit_code=False))
        if ran.fault:
            if not ran.has_begun:
                return self.not_prepared(ran.fault)
            text = f"`{self.tool}` could not be run, and not because of its arguments: {ran.fault}"
            return ToolReply(text, self._summary(CallStatus.INFRASTRUCTURE_ERROR, ran.fault, ran))
        if ran.exit_code:
            return self._failed(ran)
        stderr = ran.stderr.record()
        if ran.stdout.is_blank:
            message = "It ended well, but wrote nothing to its standard output."
            text = _with_streams(f"`{self.tool}`: {message}", "", ran.stderr.text())
            stdout = ran.stdout.record(has_preview=False)
            return ToolReply(text, self._summary(CallStatus.EMPTY_OUTPUT, message, ran, stdout, stderr))
        stdout = ran.stdout.record(has_preview=False)
        return ToolReply(ran.stdout.text(), self._summary(CallStatus.SUCCESS, "", ran, stdout, stderr))

    def _failed(self, ran: Ran) -> ToolReply:
        message = f"It ended with exit code {ran.exit_code}."
        if ran.is_out_of_memory:
            message = f"It was killed, as it needed more memory than it may have (exit code {ran.exit_code})."
        stdout, stderr = ran.stdout.text(), ran.stderr.text()
        text = _with_streams(f"`{self.tool}` failed. {message}", stdout, stderr)
        shown = f"{message} {(stderr or stdout).strip()}".strip()
        records = ran.stdout.record(), ran.stderr.record()
        return ToolReply(text, self._summary(CallStatus.NONZERO_EXIT, shown, ran, *records))

    def _summary(
        self,
        status: CallStatus,
        message: str,
        ran: Ran | None = None,
        stdout: ToolCallOutput | None = None,
        stderr: ToolCallOutput | None = None,
        *,
        has_exit_code: bool = True,
    ) -> ToolCallSummary:
        wall_ns = self.timing.monotonic_ns() - self.started_ns
        return ToolCallSummary(
            tool=sound_text(self.tool),
            call_id=sound_text(self.call_id),
            conversation_turn=self.turn,
            started_at=_instant(self.started_unix_ns),
            completed_at=_instant(self.started_unix_ns + wall_ns),
            duration_ns=None if ran is None else ran.duration_ns,
            wall_time_ns=wall_ns,
            exit_code=ran.exit_code if ran is not None and has_exit_code else None,
            timed_out=status is CallStatus.TIMEOUT,
            status=str(status),
            stdout=stdout,
            stderr=stderr,
            error_message=sound_text(message[:LONGEST_MESSAGE]),
        )


def _instant(unix_ns: int) -> datetime:
    return datetime.fromtimestamp(unix_ns / NS_PER_SECOND, UTC)


def _with_streams(text: str, stdout: str, stderr: str) -> str:
    parts = [text]
    parts += [f"Standard output:\n{stdout}"] if stdout.strip() else []
    parts += [f"Standard error:\n{stderr}"] if stderr.strip() else []
    return "\n\n".join(parts)

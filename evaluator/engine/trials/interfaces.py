"""The seams between the parts of a trial: who asks a model, who runs a tool, who judges, who waits."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from evaluator.engine.trials.definitions import (
    JsonValue,
    ProviderDefinition,
    RunDefinition,
    TaskDefinition,
    ToolDefinition,
)
from results.records import TokenUsage, ToolCallSummary, ToolUsage


class FailureKind(StrEnum):
    """Why a conversation came to no answer; the titles are those of MindTrial's results documents."""

    EXECUTION = "Execution Error"
    PARSING = "Response Parsing Error"
    VALIDATION = "Validation Error"
    UNSUPPORTED = "Feature Not Supported"  # makes a skipped result


@dataclass(frozen=True)
class Spent:
    """What a conversation used up to its end, good or bad."""

    usage: TokenUsage | None = None  # None = the service told nothing
    tool_usage: dict[str, ToolUsage] | None = None
    tool_calls: tuple[ToolCallSummary, ...] = ()
    duration_ns: int = 0  # the model's time only, summed over the turns
    messages: tuple[str, ...] = ()  # warnings for the user: ignored settings, withdrawn tools


@dataclass(frozen=True)
class Answer:
    """What a model answered."""

    title: str
    explanation: str
    final_answer: JsonValue
    spent: Spent


class ConversationError(Exception):
    """A conversation that failed.

    `is_transient`: True = worth another try, False = not, None = unknown. `details` go to the result's error details.
    `retry_after_seconds`: how long the service asks to be left alone; None = it does not say.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        spent: Spent | None = None,
        is_transient: bool | None = None,
        details: dict[str, list[str]] | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after_seconds = retry_after_seconds
        self.message = message
        self.spent = spent or Spent()
        self.is_transient = is_transient
        self.details = details or {}


@dataclass(frozen=True)
class ToolReply:
    """What a tool gave."""

    text: str  # what the model reads
    call: ToolCallSummary | None  # None = nothing is recorded: an unknown tool, or one called too often
    note: str = ""  # what the user must know about it; empty = nothing


class Toolbox(Protocol):
    """The tools of one try at one task; closed when the try ends (its shared folders go away)."""

    def offered(self) -> Sequence[ToolDefinition]:
        """The tools that may still be called."""

    async def call(self, tool: str, arguments: str, call_id: str, turn: int) -> ToolReply:
        """Run a tool; a bad call is a reply, never an exception.

        Args:
            tool: its name, as the model wrote it.
            arguments: JSON, as the model wrote it.
            call_id: the service's own id of the call; empty = make one.
            turn: of the conversation, from 1.
        """

    async def close(self) -> None:
        """Remove what the calls left."""


class Asker(Protocol):
    """Asks one run's model; one per run, made in the trial's own loop; closed at the end."""

    async def ask(self, task: TaskDefinition, toolbox: Toolbox | None) -> Answer:
        """Hold one conversation about a task.

        Raises:
            ConversationError: it failed; see there.
        """

    async def close(self) -> None:
        """Close connections."""


class AskerFactory(Protocol):
    """Makes askers: the registry of providers is one."""

    def __call__(self, provider: ProviderDefinition, run: RunDefinition) -> Asker:
        """The asker of a run of a provider."""


class Limiter(Protocol):
    """A token bucket."""

    async def acquire(self) -> None:
        """Wait for one token."""


@dataclass(frozen=True)
class Verdict:
    """What validation came to."""

    is_correct: bool
    title: str
    explanation: tuple[str, ...]
    spent: Spent | None = None  # the judge's; None = no model was asked
    semantic_verdict: JsonValue = None  # the judge's verdict as it was given


class Validator(Protocol):
    """Compares an answer with the accepted ones."""

    async def validate(self, task: TaskDefinition, answer: JsonValue) -> Verdict:
        """Compare.

        Raises:
            ConversationError: the judge failed (kind `VALIDATION`).
        """


class NotConfiguredError(Exception):
    """A task's validator cannot be made from the configuration; the text says why."""


class Validators(Protocol):
    """The validators of one trial; made in its loop, closed at its end."""

    def of(self, task: TaskDefinition) -> Validator:
        """The validator that a task asks for; judges are kept from task to task.

        Raises:
            NotConfiguredError: there is no such judge.
        """

    async def close(self) -> None:
        """Close the judges' connections."""


class Toolboxes(Protocol):
    """Where the tools of trials come from."""

    def problems(self, tools: Sequence[ToolDefinition]) -> list[str]:
        """What keeps these tools from running here, one sentence each. Asked before a trial; may take a while."""

    def open(self, task: TaskDefinition) -> Toolbox:
        """The tools of one try at a task."""

"""Asking a fake model about a task through the real providers: what tests of providers and conversations share."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from evaluator.engine.trials.definitions import (
    AnswerFormat,
    Client,
    JsonValue,
    ProviderDefinition,
    RunDefinition,
    Secret,
    TaskDefinition,
    ToolDefinition,
)
from evaluator.engine.trials.interfaces import Answer, Asker, ConversationError, Toolbox, ToolReply
from evaluator.engine.trials.providers.registry import make_asker
from results.records import ToolCallSummary
from tests.evaluator.trials.fake_models.server import FakeModels

KEY = "sk-test-0123456789abcdef"
VERSIONED = "/v1"  # the path under which those services live that follow OpenAI
UNVERSIONED = ("anthropic", "google")

SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}
TEXT_TASK = TaskDefinition("a task", "What is 2 + 2?", AnswerFormat("a number"), ("4",))
SCHEMA_TASK = TaskDefinition("a task", "What is 2 + 2?", AnswerFormat(schema=SCHEMA), ({"n": 4},))

T = TypeVar("T")


def defined(
    models: FakeModels,
    provider: str,
    model: str = "some-model",
    parameters: Mapping[str, JsonValue] | None = None,
    *,
    timeout: float | None = 20,
    **run_changes: Any,
) -> ProviderDefinition:
    """A provider with one run, served by fake models."""
    run = RunDefinition(provider, "a run", model, parameters=parameters or {}, **run_changes)
    endpoint = models.url + ("" if provider in UNVERSIONED else VERSIONED)
    return ProviderDefinition(provider, Client(Secret(KEY, "${KEY}"), endpoint, timeout), (run,))


def with_asker(provider: ProviderDefinition, use: Callable[[Asker], Awaitable[T]]) -> T:
    """Run something with the asker of a provider's first run, in a loop of its own."""

    async def go() -> T:
        asker = make_asker(provider, provider.runs[0])
        try:
            return await use(asker)
        finally:
            await asker.close()

    return asyncio.run(go())


def ask(provider: ProviderDefinition, task: TaskDefinition = TEXT_TASK, toolbox: Toolbox | None = None) -> Answer:
    """Ask once."""
    return with_asker(provider, lambda asker: asker.ask(task, toolbox))


def failure(
    provider: ProviderDefinition, task: TaskDefinition = TEXT_TASK, toolbox: Toolbox | None = None
) -> ConversationError:
    """Ask once, and get the failure that must come."""
    try:
        answer = ask(provider, task, toolbox)
    except ConversationError as error:
        return error
    raise AssertionError(f"it was answered: {answer}")


CALCULATOR = ToolDefinition(
    "calculator",
    "no-image",
    "Adds numbers.",
    {"type": "object", "properties": {"sum": {"type": "string"}}, "required": ["sum"], "additionalProperties": False},
)


@dataclass
class FakeToolbox:
    """Tools that only say what they were called with; each may be called `max_calls` times."""

    tools: Sequence[ToolDefinition] = (CALCULATOR,)
    max_calls: int = 100
    called: list[tuple[str, str, str, int]] = field(default_factory=list)

    def offered(self) -> Sequence[ToolDefinition]:
        counts = [name for name, *_ in self.called]
        return [tool for tool in self.tools if counts.count(tool.name) < self.max_calls]

    async def call(self, tool: str, arguments: str, call_id: str, turn: int) -> ToolReply:
        self.called.append((tool, arguments, call_id, turn))
        if all(known.name != tool for known in self.tools):
            return ToolReply(f"There is no tool {tool}.", None)
        summary = ToolCallSummary(
            tool=tool, call_id=call_id, conversation_turn=turn, duration_ns=1_000, wall_time_ns=2_000, status="success"
        )
        return ToolReply(f"{tool} says 4", summary)

    async def close(self) -> None:
        """Nothing is left."""

"""Stand-ins for the outside world of a trial: models that answer at once, and definitions of small trials."""

import asyncio
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from evaluator.engine.trials.definitions import (
    AnswerFormat,
    Client,
    ProviderDefinition,
    RunDefinition,
    Secret,
    TaskDefinition,
    ToolDefinition,
    TrialDefinition,
)
from evaluator.engine.trials.finished_results import FinishedResult
from evaluator.engine.trials.interfaces import (
    Answer,
    Asker,
    NotConfiguredError,
    Spent,
    Toolbox,
    ToolReply,
    Validator,
)
from evaluator.engine.trials.matching import ValueValidator
from evaluator.engine.trials.timing import Timing
from results.records import TokenUsage

KEY = "sk-very-secret-0123456789"


def an_answer(text: str = "4", duration_ns: int = 1_000, usage: TokenUsage | None = None) -> Answer:
    return Answer("Sum", "Two and two.", text, Spent(usage=usage, duration_ns=duration_ns))


def a_task(name: str = "sum", **fields: object) -> TaskDefinition:
    task = TaskDefinition(name, "What is 2 + 2?", AnswerFormat(instruction="a number"), accepted=("4",))
    return replace(task, **fields)  # type: ignore[arg-type] # fields of it, by name


def a_run(name: str = "quick", provider: str = "openai", **fields: object) -> RunDefinition:
    return replace(RunDefinition(provider, name, model="m-1"), **fields)  # type: ignore[arg-type]


def a_provider(*runs: RunDefinition, name: str = "openai", shared_limit: int = 0, key: str = KEY) -> ProviderDefinition:
    return ProviderDefinition(name, Client(Secret(key, "${KEY}")), runs or (a_run(provider=name),), shared_limit)


def a_trial(*providers: ProviderDefinition, **fields: object) -> TrialDefinition:
    return replace(TrialDefinition(providers or (a_provider(),)), **fields)  # type: ignore[arg-type]


Reply = Answer | Exception


def always(reply: Reply) -> Callable[[TaskDefinition], Reply]:
    """Give the same reply to every task."""
    return _from(itertools.repeat(reply))


def in_turn(*replies: Reply) -> Callable[[TaskDefinition], Reply]:
    """Give one reply after the other, whatever the task."""
    return _from(iter(replies))


def _from(replies: Iterator[Reply]) -> Callable[[TaskDefinition], Reply]:
    def reply(task: TaskDefinition) -> Reply:
        del task
        return next(replies)

    return reply


@dataclass
class FakeAsker:
    """A model that answers from `replies`; remembers what it was asked, and how many were asked at once."""

    reply: Callable[[TaskDefinition], Reply]
    latency_seconds: float = 0.0
    asked: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    is_closed: bool = False

    async def ask(self, task: TaskDefinition, toolbox: Toolbox | None) -> Answer:
        self.asked.append(task.name)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.latency_seconds)
            if toolbox is not None:
                await toolbox.call("calc", "{}", "", 1)
            reply = self.reply(task)
            if isinstance(reply, Exception):
                raise reply
            return reply
        finally:
            self.at_once -= 1

    async def close(self) -> None:
        self.is_closed = True


class FakeAskers:
    """Makes a fake per run and keeps it: `askers[run name]`."""

    def __init__(self, reply: Callable[[TaskDefinition], Reply] | None = None, latency_seconds: float = 0.0) -> None:
        self.made: dict[str, FakeAsker] = {}
        self._reply = reply or always(an_answer())
        self._latency_seconds = latency_seconds

    def __call__(self, provider: ProviderDefinition, run: RunDefinition) -> Asker:
        del provider
        asker = self.made[run.name] = FakeAsker(self._reply, self._latency_seconds)
        return asker

    def __getitem__(self, run: str) -> FakeAsker:
        return self.made[run]


class FakeValidators:
    """Compares by value, unless another validator is given; `missing` is why there is none."""

    def __init__(self, validator: Validator | None = None, missing: str = "") -> None:
        self._validator = validator or ValueValidator()
        self._missing = missing

    def of(self, task: TaskDefinition) -> Validator:
        del task
        if self._missing:
            raise NotConfiguredError(self._missing)
        return self._validator

    async def close(self) -> None:
        pass


@dataclass
class FakeToolbox:
    """Tools that say nothing; remembers its calls and whether it was closed."""

    calls: list[str] = field(default_factory=list)
    is_closed: bool = False

    def offered(self) -> Sequence[ToolDefinition]:
        return []

    async def call(self, tool: str, arguments: str, call_id: str, turn: int) -> ToolReply:
        del arguments, call_id, turn
        self.calls.append(tool)
        return ToolReply("done", None)

    async def close(self) -> None:
        self.is_closed = True


@dataclass
class FakeToolboxes:
    """Opens fakes and keeps them."""

    found: list[str] = field(default_factory=list)
    opened: list[FakeToolbox] = field(default_factory=list)

    def problems(self, tools: Sequence[ToolDefinition]) -> list[str]:
        del tools
        return self.found

    def open(self, task: TaskDefinition) -> Toolbox:
        del task
        toolbox = FakeToolbox()
        self.opened.append(toolbox)
        return toolbox


class FakeTime:
    """A clock that moves when somebody sleeps, and only then; `slept` holds the pauses."""

    def __init__(self) -> None:
        self.now_ns = 1_800_000_000_000_000_000
        self.slept: list[float] = []

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_ns += round(seconds * 1e9)
        await asyncio.sleep(0)

    def timing(self, chance: float = 0.0) -> Timing:
        return Timing(lambda: self.now_ns, lambda: self.now_ns, self._sleep, lambda: chance)


def names_of(results: Sequence[FinishedResult]) -> list[tuple[str, str]]:
    return [(result.key.run, result.key.task) for result in results]

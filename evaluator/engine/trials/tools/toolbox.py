"""Tools in Docker containers: each call is a container of its own, without network, rights or a trace left."""

import asyncio
import json
import os
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from docker.errors import DockerException
from requests import RequestException

from evaluator.engine.trials.answer_schemas import value_fault
from evaluator.engine.trials.attachments import content_of
from evaluator.engine.trials.definitions import JsonValue, TaskDefinition, ToolDefinition, ToolLimits
from evaluator.engine.trials.interfaces import ConversationError, Toolbox, ToolReply
from evaluator.engine.trials.timing import REAL, Timing
from evaluator.engine.trials.tools.calls import Call
from evaluator.engine.trials.tools.containers import Command, ContainerRun, Ran
from evaluator.engine.trials.tools.engine import Engine, in_words
from evaluator.engine.trials.tools.workspace import NamedFile, Workspace, make_parent
from evaluator.engine.trials.trace_ids import TraceIds

BYTES_PER_MB = 1024**2
NANO_CPUS_PER_PERCENT = 10**7
MOST_AT_ONCE = 64  # containers that one process runs at a time; further calls wait
STOPPERS = 8
AS_ROOT = (
    "the tool `{tool}` ran as root, though without any capability: its image does not start for another user. "
    "Let everybody read and run its command, or name a user in the image."
)

T = TypeVar("T")


class InvalidArgumentsError(Exception):
    """The arguments of a call are not what the tool takes; the text says why, for the model."""


class DockerToolboxes:
    """The tools of all trials of a process (`Toolboxes`). Leaving it removes everything that is left of them."""

    def __init__(
        self, tools: Sequence[ToolDefinition], *, root: Path | None = None, engine: Engine | None = None
    ) -> None:
        """Connect to nothing yet.

        Args:
            tools: those of the configuration.
            root: where folders that containers see are made; it must be visible to the engine under the same path.
                None = a folder of this user in the folder for temporary files.
            engine: to be used; None = the one that `DOCKER_HOST` names, or this machine's.
        """
        self.tools = {tool.name: tool for tool in tools}
        self.engine = engine or Engine()
        self.runs = ThreadPoolExecutor(MOST_AT_ONCE, "tool")
        self.stops = ThreadPoolExecutor(STOPPERS, "tool stop")
        self._root = root or Path(tempfile.gettempdir()) / f"evalboard-tools-{os.getuid()}"
        self._parent: Path | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def problems(self, tools: Sequence[ToolDefinition]) -> list[str]:
        """What keeps these tools from running; removes what earlier processes left, too."""
        if (problem := self.engine.problem()) is not None:
            return [problem]
        try:
            self.engine.sweep()
            return [
                f"The image {tool.image!r} of the tool {tool.name!r} is not on this machine: build or pull it."
                for tool in tools
                if not self.engine.has_image(tool.image)
            ]
        except (DockerException, RequestException) as error:
            return [f"The Docker engine cannot be asked about images: {in_words(error)}"]

    def open(self, task: TaskDefinition) -> Toolbox:
        """The tools of one try at a task."""
        return DockerToolbox(self, task)

    def workspace(self) -> Workspace:
        """A new one.

        Raises:
            OSError: it cannot be made.
        """
        with self._lock:
            if self._parent is None:
                self._parent = make_parent(self._root)
        return Workspace(self._parent)

    def close(self) -> None:
        """End the threads and the connection. No call may be under way."""
        self.runs.shutdown()
        self.stops.shutdown()
        self.engine.close()
        if self._parent is not None:
            with suppress(OSError):  # another trial of this process is under way there
                self._parent.rmdir()


class DockerToolbox:
    """The tools of one try at a task (`Toolbox`)."""

    def __init__(self, shop: DockerToolboxes, task: TaskDefinition, timing: Timing = REAL) -> None:
        """Make nothing yet."""
        self._shop = shop
        self._task = task
        self._timing = timing
        self._limits = {limits.name: limits for limits in task.tools if limits.name in shop.tools}
        self._calls = Counter[str]()
        self._files: list[NamedFile] | None = None
        self._workspace: Workspace | None = None
        self._ids = TraceIds(timing)

    def offered(self) -> Sequence[ToolDefinition]:
        """The tools that may still be called."""
        return [self._shop.tools[name] for name, limits in self._limits.items() if not self._is_used_up(limits)]

    async def call(self, tool: str, arguments: str, call_id: str, turn: int) -> ToolReply:
        """Run a tool; see `Toolbox`."""
        limits = self._limits.get(tool)
        if limits is None:
            names = ", ".join(f"`{offered.name}`" for offered in self.offered()) or "none"
            return ToolReply(f"There is no tool `{tool}`. Those that may be called: {names}.", None)
        if self._is_used_up(limits):
            text = f"`{tool}` may not be called again: {limits.max_calls} calls is the most. Answer without it."
            return ToolReply(text, None)
        call = Call(
            tool, call_id or self._ids.new(), turn, self._timing, self._timing.unix_ns(), self._timing.monotonic_ns()
        )
        definition = self._shop.tools[tool]
        try:
            values = checked_arguments(definition, arguments)
        except InvalidArgumentsError as error:
            return call.invalid(str(error))
        try:
            command = await self._command(definition, limits, values)
        except ConversationError as error:
            return call.not_prepared(error.message)
        except (DockerException, RequestException, OSError, ValueError) as error:
            return call.not_prepared(in_words(error))
        ran = await self._run(command)
        if ran.has_begun:
            self._calls[tool] += 1
        reply = call.ended(ran, limits.timeout_seconds)
        return replace(reply, note=AS_ROOT.format(tool=tool)) if ran.is_as_root else reply

    async def close(self) -> None:
        """Remove the folders of this try."""
        if self._workspace is not None:
            await _in_thread(self._shop.stops, self._workspace.close)

    def _is_used_up(self, limits: ToolLimits) -> bool:
        return limits.max_calls is not None and self._calls[limits.name] >= limits.max_calls

    async def _command(self, tool: ToolDefinition, limits: ToolLimits, values: dict[str, JsonValue]) -> Command:
        if tool.auxiliary_dir is not None and self._files is None:
            self._files = [NamedFile(file.name, await content_of(file)) for file in self._task.files]
        return await _in_thread(self._shop.runs, lambda: self._prepared(tool, limits, values))

    def _prepared(self, tool: ToolDefinition, limits: ToolLimits, values: dict[str, JsonValue]) -> Command:
        engine = self._shop.engine
        if self._workspace is None:
            self._workspace = self._shop.workspace()
        percent = limits.cpu_percent
        return Command(
            tool=tool.name,
            image=tool.image,
            command=tool.command,
            environment=tool.environment,
            folders=self._workspace.folders_of_call(tool, values, self._files or []),
            user=engine.user_of(tool.image),
            memory_bytes=None if limits.max_memory_mb is None else limits.max_memory_mb * BYTES_PER_MB,
            nano_cpus=None if percent is None else engine.cpus * percent * NANO_CPUS_PER_PERCENT,
            timeout_seconds=limits.timeout_seconds,
        )

    async def _run(self, command: Command) -> Ran:
        run = ContainerRun(self._shop.engine, command)
        running = asyncio.get_running_loop().run_in_executor(self._shop.runs, run.run)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await _in_thread(self._shop.stops, run.stop)
            await running
            raise


def checked_arguments(tool: ToolDefinition, written: str) -> dict[str, JsonValue]:
    """Read a call's arguments.

    Args:
        tool: with the schema of its arguments.
        written: JSON, as the model wrote it; empty stands for no arguments.

    Raises:
        InvalidArgumentsError: they are no JSON object, or do not conform to the schema.
    """
    try:
        values = json.loads(written or "{}", parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentsError(f"they are not JSON: {error}") from None
    if not isinstance(values, dict):
        raise InvalidArgumentsError("they are not a JSON object")
    if (fault := value_fault(tool.parameters, values)) is not None:
        raise InvalidArgumentsError(fault)
    return values


def _refuse(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON value")


async def _in_thread(pool: ThreadPoolExecutor, call: Callable[[], T]) -> T:
    """Call something short that blocks. Who is cancelled meanwhile leaves when it has ended, not before."""
    calling = asyncio.get_running_loop().run_in_executor(pool, call)
    try:
        return await asyncio.shield(calling)
    except asyncio.CancelledError:
        await asyncio.wait([calling])
        raise

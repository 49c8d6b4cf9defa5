"""Runs one command in one container, and takes the container away whatever happens."""

import threading
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from docker.errors import APIError, DockerException
from docker.types import LogConfig, Mount
from requests import RequestException

from evaluator.engine.trials.timing import REAL
from evaluator.engine.trials.tools.engine import LABEL, OWNER_LABEL, Engine, in_words, me
from evaluator.engine.trials.tools.outputs import OutputHead

MOST_PROCESSES = 256
SCRATCH = "/tmp"  # noqa: S108 - the container's own, in memory
SCRATCH_OPTIONS = "rw,nosuid,nodev,size=256m,mode=1777"
NS_PER_US = 1_000


@dataclass(frozen=True)
class Folder:
    """Something of this machine that a container sees."""

    source: Path
    target: str
    is_writable: bool = False


@dataclass(frozen=True)
class Command:
    """What is run, and within which limits; None = no limit."""

    tool: str
    image: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    folders: tuple[Folder, ...]
    user: str | None  # None = as the image says
    memory_bytes: int | None = None
    nano_cpus: int | None = None
    timeout_seconds: float | None = None


@dataclass
class Ran:
    """How it went; `fault` says what broke around it.

    `has_begun`: a start was tried. `duration_ns` is None where none was, and where the time is not known.
    `is_as_root`: it ran as the image says, which is root, since it did not start for anybody else.
    """

    stdout: OutputHead = field(default_factory=OutputHead)
    stderr: OutputHead = field(default_factory=OutputHead)
    duration_ns: int | None = None
    exit_code: int | None = None
    is_timed_out: bool = False
    is_out_of_memory: bool = False
    fault: str = ""
    has_begun: bool = False
    is_as_root: bool = False


class ContainerRun:
    """One command being run by a thread (`run`); `stop` may be called by another."""

    def __init__(self, engine: Engine, command: Command) -> None:
        """Run nothing yet."""
        self._engine = engine
        self._command = command
        self._lock = threading.Lock()
        self._running: str | None = None
        self._is_stopped = False
        self._ran = Ran()

    def run(self) -> Ran:
        """Run the command to its end; every fault of the engine is told in what it returns.

        An image that only root can read does not start for anybody else: it is then run as it says itself.
        """
        command = self._command
        try:
            if not self._has_run(command) and command.user is not None and not self._is_stopped:
                self._ran = Ran()
                if self._has_run(replace(command, user=None)):
                    self._engine.run_as_root(command.image)
            self._ran.is_as_root = self._engine.is_run_as_root(command.image)
        except (DockerException, RequestException, OSError) as error:
            self._ran.fault = in_words(error)
        return self._ran

    def stop(self) -> None:
        """End it soon: what runs is killed, what has not begun does not begin."""
        with self._lock:
            self._is_stopped = True
            self._kill()

    def _has_run(self, command: Command) -> bool:
        """Run it once in a new container; False when the process could not be started."""
        container_id = self._create(command)
        try:
            output = self._engine.client.api.attach(container_id, stream=True, demux=True)
            # Its own `close` leaves the socket to the garbage collector.
            with closing(output._response):  # noqa: SLF001
                if not self._has_started(container_id):
                    return False
                self._follow(container_id, output)
                return True
        finally:
            with self._lock:
                self._running = None
            self._engine.remove(container_id)

    def _has_started(self, container_id: str) -> bool:
        with self._lock:
            if self._is_stopped:
                self._ran.fault = "it was stopped before it began"
                return False
            self._ran.has_begun = True
            began_ns = REAL.monotonic_ns()
            try:
                self._engine.client.api.start(container_id)
            except APIError as error:
                self._ran.fault = in_words(error)
                self._ran.duration_ns = REAL.monotonic_ns() - began_ns
                return False
            self._running = container_id
            return True

    def _follow(self, container_id: str, output: Iterable[tuple[bytes | None, bytes | None]]) -> None:
        """Read what it writes until it ends, by itself or by the time limit; then read how it ended."""
        ran = self._ran
        timer = threading.Timer(self._command.timeout_seconds or 0, self._expire)
        if self._command.timeout_seconds is not None:
            timer.start()
        try:
            for stdout, stderr in output:
                ran.stdout.add(stdout or b"")
                ran.stderr.add(stderr or b"")
            api = self._engine.client.api
            api.wait(container_id)
            state = api.inspect_container(container_id)["State"]
        finally:
            timer.cancel()
        ran.exit_code = state["ExitCode"]
        ran.is_out_of_memory = state["OOMKilled"]
        ran.duration_ns = between_ns(state["StartedAt"], state["FinishedAt"])

    def _expire(self) -> None:
        with self._lock:
            self._ran.is_timed_out = self._kill()

    def _kill(self) -> bool:
        """Kill what runs; False when nothing does any more."""
        if self._running is None:
            return False
        try:
            self._engine.client.api.kill(self._running)
        except (DockerException, RequestException):
            return False
        return True

    def _create(self, command: Command) -> str:
        api = self._engine.client.api
        in_scratch = any(folder.target.rstrip("/") == SCRATCH for folder in command.folders)
        host = api.create_host_config(
            network_mode="none",
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            pids_limit=MOST_PROCESSES,
            mem_limit=command.memory_bytes,
            memswap_limit=command.memory_bytes,  # no swap on top
            nano_cpus=command.nano_cpus,
            tmpfs={} if in_scratch else {SCRATCH: SCRATCH_OPTIONS},
            mounts=[_mount(folder) for folder in command.folders],
            log_config=LogConfig(type="none"),  # what it writes is read as it comes, and never fills a disk
        )
        return self._engine.create(
            image=command.image,
            command=list(command.command) or None,
            user=command.user,
            environment={"HOME": SCRATCH, **command.environment},
            labels={LABEL: command.tool, OWNER_LABEL: me()},
            host_config=host,
            network_disabled=True,
        )


def _mount(folder: Folder) -> Mount:
    return Mount(folder.target, str(folder.source), type="bind", read_only=not folder.is_writable)


def between_ns(start: str, end: str) -> int | None:
    """The time between two instants as the engine writes them, to the microsecond.

    The engine notes the start a moment after it: a process that ends within this moment ends "before" it began, and how
    long it took is not known (None), but never 0.
    """
    took = (datetime.fromisoformat(end) - datetime.fromisoformat(start)) // timedelta(microseconds=1)
    return took * NS_PER_US if took > 0 else None

"""Runs programs of a project: in a group of their own that is ended whole, with a time limit and bounded output."""

import contextlib
import os
import secrets
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from evaluator.engine.strategies.adoption import adopt_orphans, bury, orphans, started_at
from evaluator.engine.strategies.captured_output import Excerpt, Stream
from evaluator.engine.strategies.child_environment import clean_environment
from evaluator.engine.strategies.command_lines import CommandLine, Step

POLL_SECONDS = 0.05
SECONDS_TO_END = 2.0  # between asking a group to end and killing it
SECONDS_TO_DRAIN = 0.5  # a child left behind may hold the pipes open; its words are not waited for
BLOCK_BYTES = 65536
NOT_FOUND_EXIT = 127  # what shells and npm say for a program that is not there
MOST_HUNTS = 10  # a program may start another while it is looked for
RUN_MARK = "BOBER_RUN"  # every descendant carries it, wherever it moves

LEADERS: set[int] = set()  # programs of groups that run: children of ours that are nobody's orphans

Say = Callable[[str], None]


@dataclass(frozen=True)
class Surroundings:
    """Where and how programs run.

    Attributes:
        folder: the working directory.
        environment: variables beside the cleaned ones.
        cancel: once set, what runs is ended.
        say: gets the output as it comes.
    """

    folder: Path
    cancel: Event
    say: Say
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Finished:
    """How a command ended.

    Attributes:
        exit_code: of the last program that ran; negative = ended by that signal; None = it never ended by itself.
        missing: the program that could not be started, with the reason.
        step: the last one that ran, counted from 0.
        stdout, stderr: of that step.
    """

    exit_code: int | None
    stdout: str
    stderr: str
    excerpt: str
    step: int = 0
    missing: str | None = None
    is_timed_out: bool = False
    is_cancelled: bool = False
    is_cut: bool = False

    @property
    def everything(self) -> str:
        """Both streams, one after the other."""
        return f"{self.stdout}\n{self.stderr}" if self.stderr else self.stdout


def run_command(line: CommandLine, surroundings: Surroundings, timeout_seconds: float) -> Finished:
    """Run the steps of a command one after the other, as long as they succeed.

    Args:
        line: as read.
        surroundings: where.
        timeout_seconds: for all steps together; what still runs then is ended with all that it started.
    """
    deadline = time.monotonic() + timeout_seconds
    excerpt = Excerpt()
    finished = None
    for number, step in enumerate(line.steps):
        finished = _run_step(step, number, surroundings, deadline, excerpt)
        if finished.exit_code != 0:
            break
    assert finished is not None  # noqa: S101 - a command has at least one step
    return finished


class Group:
    """One running program that leads a process group, with everything that it starts."""

    def __init__(self, step: Step, surroundings: Surroundings) -> None:
        """Start it.

        Raises:
            OSError: it cannot be started.
        """
        adopt_orphans()
        self._mark = secrets.token_hex(8)
        environment = clean_environment({**surroundings.environment, **step.environment, RUN_MARK: self._mark})
        words = step.words
        if "/" in words[0]:  # a path is meant from the project's folder, whatever ours is
            words = (str(surroundings.folder / words[0]), *words[1:])
        self.process = subprocess.Popen(  # noqa: S603 - to run the project's programs is what this is for
            words,
            cwd=surroundings.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._started = started_at(self.process.pid)
        LEADERS.add(self.process.pid)

    def end(self) -> None:
        """Ask everything to end, then kill what is left."""
        self._signal(signal.SIGTERM)
        deadline = time.monotonic() + SECONDS_TO_END
        while time.monotonic() < deadline and self.process.poll() is None:
            time.sleep(POLL_SECONDS / 5)
        self.kill()

    def kill(self) -> None:
        """Kill what is left of the group, and of those that left it."""
        self._signal(signal.SIGKILL)
        for _ in range(MOST_HUNTS):
            adopted = [one.pid for one in orphans() if one.started >= self._started and one.pid not in LEADERS]
            strays = {*_marked(self._mark), *adopted}
            for pid in strays:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not strays:
                break
            time.sleep(POLL_SECONDS / 5)
            for pid in adopted:
                bury(pid)
        self.process.wait()
        LEADERS.discard(self.process.pid)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)


def _run_step(step: Step, number: int, surroundings: Surroundings, deadline: float, excerpt: Excerpt) -> Finished:
    if surroundings.cancel.is_set():
        return Finished(None, "", "", excerpt.text(), number, is_cancelled=True)
    try:
        group = Group(step, surroundings)
    except OSError as error:
        reason = f"{step.words[0]}: {error.strerror or error}"
        return Finished(None, "", "", excerpt.text(), number, missing=reason)
    streams = (Stream(), Stream())
    is_timed_out = is_cancelled = False
    try:
        reader = Reader(group, streams, excerpt, surroundings.say)
        while reader.read():
            is_cancelled = surroundings.cancel.is_set()
            is_timed_out = time.monotonic() > deadline
            if is_cancelled or is_timed_out:
                group.end()
                break
        reader.close()
    finally:
        group.kill()
    stdout, stderr = streams
    return Finished(
        exit_code=None if is_timed_out or is_cancelled else group.process.returncode,
        stdout=stdout.text(),
        stderr=stderr.text(),
        excerpt=excerpt.text(),
        step=number,
        is_timed_out=is_timed_out and not is_cancelled,
        is_cancelled=is_cancelled,
        is_cut=stdout.is_cut or stderr.is_cut,
    )


class Reader:
    """Reads both streams of a program as they come, without ever waiting for one of them."""

    def __init__(self, group: Group, streams: tuple[Stream, Stream], excerpt: Excerpt, say: Say) -> None:
        self._process = group.process
        self._excerpt = excerpt
        self._say = say
        self._drained_by: float | None = None
        self._selector = selectors.DefaultSelector()
        for pipe, stream in zip((self._process.stdout, self._process.stderr), streams, strict=True):
            assert pipe is not None  # noqa: S101 - asked for when it was started
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, stream)

    def read(self) -> bool:
        """Take what there is, or wait a moment for it; False once the program has ended and was heard out."""
        is_over = self._process.poll() is not None
        if is_over and self._drained_by is None:
            self._drained_by = time.monotonic() + SECONDS_TO_DRAIN
        if not self._selector.get_map():
            if not is_over:
                time.sleep(POLL_SECONDS)
            return not is_over
        for key, _ in self._selector.select(POLL_SECONDS):
            self._take(key)
        return self._drained_by is None or time.monotonic() < self._drained_by

    def close(self) -> None:
        """Close the pipes."""
        self._selector.close()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _take(self, key: selectors.SelectorKey) -> None:
        block = os.read(key.fd, BLOCK_BYTES)
        if not block:
            self._selector.unregister(key.fileobj)
            return
        stream: Stream = key.data
        stream.add(block)
        self._excerpt.add(block)
        self._say(stream.heard(block))


def _marked(mark: str) -> list[int]:
    """Processes that carry a run's mark in their environment; none where the system does not show that."""
    wanted = f"{RUN_MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found

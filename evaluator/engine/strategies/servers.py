"""A server of the project that runs while a check needs it: started, waited for, and ended with all that it started."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from evaluator.engine.patterns import Pattern
from evaluator.engine.strategies.captured_output import Excerpt, Stream, shorten
from evaluator.engine.strategies.command_lines import CommandLine
from evaluator.engine.strategies.processes import Group, Reader, Surroundings

CONNECT_SECONDS = 0.5
POLL_SECONDS = 0.05
HEARD_BYTES = 2**20  # of its output, in which the ready pattern is looked for
HTTP_PORTS = {"http": 80, "https": 443}


class ServerError(Exception):
    """The server did not become ready; the text says why."""


@dataclass(frozen=True)
class ServerPlan:
    """How to start a server and when it counts as ready.

    Attributes:
        ready: found in its output once it is ready; None = once `address` takes connections.
        address: a URL.
        may_reuse: a server that answers there already is used as it is.
    """

    command: CommandLine
    timeout_seconds: float
    address: str
    ready: Pattern | None = None
    may_reuse: bool = False


@contextmanager
def running_server(plan: ServerPlan, surroundings: Surroundings) -> Iterator[str]:
    """Have a server run.

    Yields:
        What was done, in a few words.

    Raises:
        ServerError: it cannot be started, ended, was not ready in time, or something else has its port.
    """
    if is_listening(plan.address):
        if plan.may_reuse:
            yield f"a server answered at {plan.address} already and was used"
            return
        raise ServerError(f"{plan.address} is in use already. Stop what listens there, or allow its use")
    if len(plan.command.steps) > 1:
        raise ServerError(f"{plan.command.text!r} has several steps. A server is one program; write them into a script")
    try:
        group = Group(plan.command.steps[0], surroundings)
    except OSError as error:
        raise ServerError(f"{plan.command.text!r} cannot be started: {error.strerror or error}") from error
    listener = Listener(group, surroundings)
    try:
        listener.start()
        _wait(plan, group, listener, surroundings)
        yield f"started with {plan.command.text!r}"
    finally:
        group.end()
        listener.join()


def is_listening(address: str) -> bool:
    """Whether something takes connections at a URL's host and port."""
    parts = urlsplit(address)
    host, port = parts.hostname or "localhost", parts.port or HTTP_PORTS.get(parts.scheme, 80)
    try:
        with socket.create_connection((host, port), timeout=CONNECT_SECONDS):
            return True
    except OSError:
        return False


class Listener(threading.Thread):
    """Reads a server's output while it runs, so that it never waits for a reader."""

    def __init__(self, group: Group, surroundings: Surroundings) -> None:
        super().__init__(daemon=True)
        self.stdout, self.stderr = Stream(HEARD_BYTES), Stream(HEARD_BYTES)
        self.excerpt = Excerpt()
        self._reader = Reader(group, (self.stdout, self.stderr), self.excerpt, surroundings.say)

    def run(self) -> None:
        """Read until the server has ended."""
        while self._reader.read():
            pass
        self._reader.close()

    def heard(self) -> str:
        """Everything so far."""
        return f"{self.stdout.text()}\n{self.stderr.text()}"


def _wait(plan: ServerPlan, group: Group, listener: Listener, surroundings: Surroundings) -> None:
    deadline = time.monotonic() + plan.timeout_seconds
    while not surroundings.cancel.is_set():
        if plan.ready.is_in(listener.heard()) if plan.ready else is_listening(plan.address):
            return
        if group.process.poll() is not None:
            listener.join()
            raise ServerError(
                f"{plan.command.text!r} ended with exit code {group.process.returncode} before it was ready: "
                f"{shorten(listener.excerpt.text(), 500) or 'it printed nothing'}"
            )
        if time.monotonic() > deadline:
            awaited = f"print {plan.ready.written!r}" if plan.ready else f"listen at {plan.address}"
            raise ServerError(
                f"{plan.command.text!r} did not {awaited} within {plan.timeout_seconds:g} s: "
                f"{shorten(listener.excerpt.text(), 500) or 'it printed nothing'}"
            )
        time.sleep(POLL_SECONDS)
    raise ServerError("cancelled while it started")

"""Keeps a few child processes alive, and ends them with all that they started."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SHORTEST_PAUSE = 1.0  # seconds before a child that died is started again; doubles with each early death
LONGEST_PAUSE = 30.0
STEADY_SECONDS = 60.0  # a child that lived this long starts with the shortest pause again
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Service:
    """One program to keep running.

    Attributes:
        name: what messages call it.
        command: the program and its arguments.
        environment: variables beside the ones of this process.
        niceness: how much it yields to others, in [0, 19].
        is_chatty: what it says on standard output is not worth reading; what goes wrong it says on standard error.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    niceness: int = 0
    is_chatty: bool = False


class Child:
    """A running service: its process, which leads a group of its own, and how often it died early."""

    def __init__(self, service: Service, folder: Path) -> None:
        self.service = service
        self.folder = folder
        self.early_deaths = 0
        self.start()

    def start(self) -> None:
        """Start the program, away from the terminal's Ctrl-C: the supervisor says when it ends."""
        self.started = time.monotonic()
        self.restart_at: float | None = None
        self.process = subprocess.Popen(  # noqa: S603
            self.service.command,
            cwd=self.folder,
            env={**os.environ, **self.service.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if self.service.is_chatty else None,
            start_new_session=True,
        )
        if self.service.niceness:
            with contextlib.suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, self.process.pid, self.service.niceness)

    def is_alive(self) -> bool:
        """Tell whether the program itself still runs."""
        return self.process.poll() is None

    def plan_restart(self) -> float:
        """Note the death and choose when to start again.

        Returns:
            The pause in seconds.
        """
        lived = time.monotonic() - self.started
        self.early_deaths = 0 if lived >= STEADY_SECONDS else self.early_deaths + 1
        pause = float(min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** max(0, self.early_deaths - 1)))
        self.restart_at = time.monotonic() + pause
        return pause

    def ask_to_stop(self) -> None:
        """Ask the program to end; it ends its own workers in good order."""
        if self.is_alive():
            self.process.terminate()

    def kill_group(self) -> None:
        """End whatever is left of the program and of all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Supervisor:
    """Starts services, restarts the ones that die, stops them all."""

    def __init__(self, folder: Path, say: Callable[[str], None], stop_seconds: float) -> None:
        """Supervise nothing yet.

        Args:
            folder: where programs run.
            say: is told about deaths.
            stop_seconds: for a clean end; then whole groups are killed. A job so cut off is taken up again later.
        """
        self.folder = folder
        self.say = say
        self.stop_seconds = stop_seconds
        self.children: list[Child] = []

    def start(self, service: Service) -> Child:
        """Start a service and keep it running."""
        child = Child(service, self.folder)
        self.children.append(child)
        return child

    def tend(self) -> None:
        """Look at each child once; restart one whose pause is over."""
        for child in self.children:
            if child.restart_at is not None:
                if time.monotonic() >= child.restart_at:
                    child.start()
            elif not child.is_alive():
                code = child.process.returncode
                child.kill_group()
                self.say(
                    f"The {child.service.name} ended (code {code}); it starts again in {child.plan_restart():.0f} s."
                )

    def stop(self) -> None:
        """End every child and its children: politely, then for certain."""
        for child in self.children:
            child.ask_to_stop()
        deadline = time.monotonic() + self.stop_seconds
        while time.monotonic() < deadline and any(child.is_alive() for child in self.children):
            time.sleep(POLL_SECONDS)
        for child in self.children:
            child.kill_group()

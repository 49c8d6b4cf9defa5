"""Supervision: restarts, back-off, and ends that leave nothing behind."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evaluator import supervision
from evaluator.supervision import Service, Supervisor

SLEEP = "import time; time.sleep(60)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{SLEEP}'])"

Start = Callable[[str], Supervisor]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Supervise one Python program; everything is stopped after the test."""
    started: list[Supervisor] = []

    def start_one(program: str) -> Supervisor:
        service = Service("program", [sys.executable, "-c", program], {"MARK": "set"})
        started.append(Supervisor(tmp_path, lambda _text: None, 4.0))
        started[-1].start(service)
        return started[-1]

    yield start_one
    for supervisor in started:
        supervisor.stop()


def wait_for(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Tell whether the condition came true in time."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def group_members(group: int) -> list[int]:
    """Processes of a group that are not zombies."""
    members = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _parent, its_group = path.read_text(encoding="utf-8").rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            members.append(int(path.parent.name))
    return members


def test_a_program_sees_the_variables_of_its_service(start: Start, tmp_path: Path) -> None:
    start("import os, pathlib; pathlib.Path('mark').write_text(os.environ['MARK'])")
    assert wait_for(lambda: (tmp_path / "mark").is_file() and (tmp_path / "mark").read_text() == "set")


def test_a_program_that_dies_is_started_again(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "SHORTEST_PAUSE", 0.01)
    supervisor = start("pass")
    first = supervisor.children[0].process.pid

    def is_another() -> bool:
        supervisor.tend()
        return supervisor.children[0].process.pid != first

    assert wait_for(is_another)


def test_the_pause_doubles_with_each_early_death_up_to_a_limit(start: Start) -> None:
    child = start(SLEEP).children[0]
    assert [child.plan_restart() for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]


def test_a_long_life_makes_the_next_pause_short_again(start: Start) -> None:
    child = start(SLEEP).children[0]
    child.plan_restart()
    child.plan_restart()
    child.started = time.monotonic() - supervision.STEADY_SECONDS
    assert child.plan_restart() == 1


def test_stopping_ends_what_a_program_started(start: Start) -> None:
    supervisor = start(PARENT)
    group = supervisor.children[0].process.pid
    assert wait_for(lambda: len(group_members(group)) == 2)
    supervisor.stop()
    assert wait_for(lambda: group_members(group) == [])


def test_a_program_that_ignores_the_signal_is_killed(start: Start) -> None:
    supervisor = start(STUBBORN)
    supervisor.stop_seconds = 0.2
    supervisor.stop()
    assert not supervisor.children[0].is_alive()


def test_a_chatty_program_is_heard_only_where_it_reports_errors(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = "import sys; print('Warm shutdown', flush=True); print('it broke', file=sys.stderr, flush=True)"
    supervisor = Supervisor(tmp_path, lambda _text: None, 4.0)
    child = supervisor.start(Service("program", [sys.executable, "-c", program], {}, is_chatty=True))
    child.process.wait(timeout=10)
    supervisor.stop()
    assert capfd.readouterr() == ("", "it broke\n")


def test_stopping_twice_does_no_harm(start: Start) -> None:
    supervisor = start(SLEEP)
    supervisor.stop()
    supervisor.stop()
    assert not supervisor.children[0].is_alive()

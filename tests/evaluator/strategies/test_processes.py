"""Programs of a project: ended whole, bounded in time and memory, seen while they run."""

import os
import signal
import threading
import time
from pathlib import Path
from threading import Event

import pytest

from evaluator.engine.strategies.captured_output import Excerpt, Stream, shorten
from evaluator.engine.strategies.command_lines import read_command
from evaluator.engine.strategies.processes import Finished, Surroundings, run_command
from tests.evaluator.strategies.projects import python

# Starts a child that leaves the group, and tells both ids.
FAMILY = "setsid sleep 60 & echo $$ $! > pids; echo ready"
WAITING = f"sh -c '{FAMILY}; sleep 60'"
LEAVING = f"sh -c '{FAMILY}'"


def run(
    folder: Path, text: str, seconds: float = 20.0, cancel: Event | None = None, heard: list[str] | None = None
) -> Finished:
    heard = [] if heard is None else heard
    return run_command(read_command(text), Surroundings(folder, cancel or Event(), heard.append, {}), seconds)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def assert_all_ended(folder: Path) -> None:
    pids = [int(pid) for pid in (folder / "pids").read_text().split()]
    assert [pid for pid in pids if is_alive(pid)] == []


def test_both_streams_and_the_exit_code_are_kept(tmp_path: Path) -> None:
    finished = run(tmp_path, python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"))
    assert (finished.exit_code, finished.stdout, finished.stderr) == (3, "out\n", "err\n")


def test_a_chain_stops_at_the_first_step_that_fails(tmp_path: Path) -> None:
    finished = run(tmp_path, f"{python('print(1)')} && false && {python('print(2)')}")
    assert (finished.exit_code, finished.step, finished.excerpt) == (1, 1, "1\n")


def test_at_a_time_out_everything_that_was_started_is_ended(tmp_path: Path) -> None:
    finished = run(tmp_path, WAITING, seconds=1.0)
    assert (finished.is_timed_out, finished.exit_code, finished.stdout) == (True, None, "ready\n")
    assert_all_ended(tmp_path)


def test_a_cancel_ends_everything_at_once(tmp_path: Path) -> None:
    cancel, heard = Event(), list[str]()
    threading.Thread(target=cancel_once_heard, args=(cancel, heard)).start()
    started = time.monotonic()
    finished = run(tmp_path, WAITING, cancel=cancel, heard=heard)
    assert (finished.is_cancelled, finished.is_timed_out) == (True, False)
    assert time.monotonic() - started < 15
    assert_all_ended(tmp_path)


def cancel_once_heard(cancel: Event, heard: list[str]) -> None:
    for _ in range(200):
        if heard:
            break
        time.sleep(0.05)
    cancel.set()


def test_what_a_program_leaves_behind_is_ended_with_it(tmp_path: Path) -> None:
    finished = run(tmp_path, LEAVING)
    assert finished.exit_code == 0
    assert_all_ended(tmp_path)


def test_a_program_that_ignores_the_polite_request_is_killed(tmp_path: Path) -> None:
    started = time.monotonic()
    assert run(tmp_path, "sh -c 'trap \"\" TERM; sleep 60'", seconds=0.5).is_timed_out
    assert time.monotonic() - started < 30


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    finished = run(tmp_path, "no-such-program-here --x")
    assert finished.missing == "no-such-program-here: No such file or directory"


def test_a_program_ended_by_a_signal_has_a_negative_exit_code(tmp_path: Path) -> None:
    assert run(tmp_path, python("import os; os.kill(os.getpid(), 9)")).exit_code == -signal.SIGKILL


def test_a_flood_of_output_is_bounded_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluator.engine.strategies.captured_output.MOST_PARSED_BYTES", 1000)
    monkeypatch.setattr("evaluator.engine.strategies.captured_output.PARSED_TAIL_BYTES", 100)
    stream, excerpt = Stream(1000), Excerpt()
    for _ in range(100):
        stream.add(b"x" * 10_000)
        excerpt.add(b"y" * 10_000)
    assert (stream.is_cut, len(stream.text())) == (True, 1000 + len("\n") + 100)
    assert "934,464 bytes left out" in excerpt.text()


def test_colours_are_taken_out_of_everything(tmp_path: Path) -> None:
    heard: list[str] = []
    finished = run(tmp_path, python(r"print('\033[31mred\033[0m')"), heard=heard)
    assert (finished.stdout, "".join(heard)) == ("red\n", "red\n")


def test_our_secrets_are_not_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "s3cret")
    assert "s3cret" in os.environ["SOME_API_KEY"]
    assert "s3cret" not in run(tmp_path, python("import os; print(os.environ)")).stdout


def test_standard_input_is_empty(tmp_path: Path) -> None:
    assert run(tmp_path, python("import sys; print(repr(sys.stdin.read()))")).stdout == "''\n"


def test_a_long_text_is_shortened_in_the_middle() -> None:
    assert shorten("a" * 30 + "b" * 70, 40) == "a" * 10 + "\n… 60 characters left out …\n" + "b" * 30


def test_a_program_that_leaves_session_group_and_environment_is_ended_too(tmp_path: Path) -> None:
    (tmp_path / "go.sh").write_text(
        "env -i setsid sh -c 'echo $$ > stray.pid; exec sleep 777' & while ! [ -s stray.pid ]; do sleep 0.1; done"
    )
    assert run(tmp_path, "sh go.sh").exit_code == 0
    assert not is_alive(int((tmp_path / "stray.pid").read_text()))

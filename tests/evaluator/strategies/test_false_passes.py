"""Commands that end with exit code 0 although something is wrong: none of them passes."""

from pathlib import Path

import pytest

from evaluator.engine.strategies import captured_output
from evaluator.engine.strategies.captured_output import Stream
from evaluator.engine.strategies.configuration import Commands
from evaluator.engine.strategies.output_parsers import eslint, junit, mypy, ruff, tap
from evaluator.engine.strategies.states import Reason, State
from tests.evaluator.strategies.projects import PYTHON, choice, run, write

RUFF_FULL = """\
F401 [*] `os` imported but unused
 --> x.py:1:8
  |
1 | import os
  |        ^^

Found 1 error.
[*] 1 fixable with the `--fix` option.
"""
ESLINT = """\

/p/a.js
  1:5  error    'x' is assigned a value but never used  no-unused-vars
  2:1  warning  Unexpected console statement            no-console

\u2716 2 problems (1 error, 1 warning)
"""


def test_the_end_of_a_long_output_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(captured_output, "PARSED_TAIL_BYTES", 10)
    stream = Stream(10)
    for block in (b"0123456789", b"x" * 100, b"\n2 passed!"):
        stream.add(block)
    assert (stream.text(), stream.is_cut) == ("0123456789\nxxxxxxxxxx\n2 passed!", True)


@pytest.mark.parametrize("kind", ["lint", "typecheck", "build"])
@pytest.mark.parametrize("command", ["nope_missing || true", "nope_missing; exit 0", "nope_missing | tee log"])
def test_a_command_that_swallows_exit_codes_cannot_be_judged(tmp_path: Path, kind: str, command: str) -> None:
    outcome = run(tmp_path, choice(kind, command=command, shell=True))
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.UNREADABLE)
    assert "ends with exit code 0 whatever happens in it" in outcome.details


def test_a_chain_that_goes_on_only_after_success_is_judged(tmp_path: Path) -> None:
    assert run(tmp_path, choice("lint", command="true && echo done", shell=True)).state is State.PASS


def test_what_a_linter_prints_counts_whatever_the_exit_code_is(tmp_path: Path) -> None:
    write(tmp_path, {"x.py": "import os\n"})
    command = f"{PYTHON} -m ruff check --isolated --no-cache x.py || true"
    assert run(tmp_path, choice("lint", command=command, shell=True)).state is State.FAIL


def test_a_linter_that_looked_at_no_file_does_not_pass(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    outcome = run(tmp_path, choice("lint", command=f"{PYTHON} -m ruff check --isolated --no-cache empty"))
    assert outcome.state is State.SKIPPED
    assert "Nothing was checked" in outcome.details


@pytest.mark.parametrize("command", ["true", "echo all good"])
def test_tests_that_nobody_counted_do_not_pass(tmp_path: Path, command: str) -> None:
    outcome = run(tmp_path, choice("unit-test"), commands=Commands(test=command))
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.UNREADABLE)


def test_the_default_outputs_of_linters_are_read() -> None:
    full, stylish = ruff.recognise(RUFF_FULL), eslint.recognise(ESLINT)
    assert full is not None
    assert [(one.file, one.line, one.code) for one in full.problems] == [("x.py", 1, "F401")]
    grouped = ruff.recognise("x.py:\n  1:8 F401 [*] `os` imported but unused\n\nFound 1 error.\n")
    assert grouped is not None
    assert grouped.errors == 1
    assert stylish is not None
    assert (stylish.errors, stylish.warnings) == (1, 1)
    assert [(one.file, one.line, one.code) for one in stylish.problems] == [
        ("/p/a.js", 1, "no-unused-vars"),
        ("/p/a.js", 2, "no-console"),
    ]
    counted = mypy.recognise("Found 3 errors in 2 files (checked 9 source files)\n")
    assert counted is not None
    assert counted.errors == 3


def test_tests_in_tap_are_counted() -> None:
    found = tap.recognise(
        "TAP version 14\n1..5\nok 1 - a\nnot ok 2 - b\nok 3 # SKIP no net\n    not ok 1 - inner\nok 4\n"
    )
    assert found is not None
    assert (found.passed, found.failed, found.skipped, found.broken) == (2, 1, 1, 1)
    assert found.problems[0].test == "b"


def test_the_worse_of_a_suites_counts_and_its_cases_counts() -> None:
    found = junit.recognise('<testsuite tests="3" failures="2"><testcase name="a"/></testsuite>')
    assert found is not None
    assert (found.passed, found.failed, found.broken) == (1, 0, 2)
    whole = junit.recognise(
        '<testsuites failures="1"><testsuite failures="1"><testcase><failure/></testcase></testsuite></testsuites>'
    )
    assert whole is not None
    assert (whole.failed, whole.broken) == (1, 0)


@pytest.mark.parametrize(
    ("printed", "state"),
    [
        ('{"step":1}\\n{"passed":false}', State.FAIL),
        ('{"passed":"false"}', State.ERROR),
        ('{"passed":0}', State.ERROR),
        ('{"passed":null}', State.ERROR),
        ('{"step":1}\\n{"passed":true}', State.PASS),
    ],
)
def test_only_a_plugins_last_plain_verdict_counts(tmp_path: Path, printed: str, state: State) -> None:
    outcome = run(tmp_path, choice("custom", command=f"printf '{printed}\\n'", parseOutput="json"))
    assert outcome.state is state

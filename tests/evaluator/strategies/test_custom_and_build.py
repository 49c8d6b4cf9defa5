"""Commands of the project's own: custom checks, builds, and whatever else a configuration names."""

import json
import os
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from evaluator.engine.strategies.configuration import Commands
from evaluator.engine.strategies.states import Outcome, Reason, State
from tests.evaluator.strategies.projects import PYTHON, choice, python, run, write

DENIED = python("print('checking …'); print('{\"passed\": false}')")
REPORT = '<testsuite><testcase name="a"/><testcase name="b"><failure message="no"/></testcase></testsuite>'


def custom(folder: Path, command: str, **config: Any) -> Outcome:
    return run(folder, choice("custom", command=command, **config))


def printing(value: object) -> str:
    return python(f"print({json.dumps(value)!r})")


@pytest.mark.parametrize(
    ("command", "state"),
    [("true", State.PASS), ("false", State.FAIL), ("true && false", State.FAIL), ("false && true", State.FAIL)],
)
def test_the_exit_code_decides_also_in_a_chain(tmp_path: Path, command: str, state: State) -> None:
    assert custom(tmp_path, command).state is state


def test_output_that_says_false_is_no_pass_whatever_the_exit_code(tmp_path: Path) -> None:
    outcome = custom(tmp_path, DENIED)
    assert (outcome.state, outcome.exit_code) == (State.FAIL, 0)
    assert outcome.details == 'The command ended with exit code 0, but its output says "passed": false.'


@pytest.mark.parametrize(
    ("value", "condition", "state"),
    [
        ({"passed": True, "sizeKb": 12}, "output.passed === true", State.PASS),
        ({"sizeKb": 12}, "output.sizeKb <= config.maxSizeKb && exitCode === 0", State.PASS),
        ({"sizeKb": 900}, "output.sizeKb <= config.maxSizeKb", State.FAIL),
        ({"sizeKb": 900}, "output.size.kb", State.ERROR),
        ([1, 2], "output.length", State.ERROR),
    ],
)
def test_a_pass_condition_decides(tmp_path: Path, value: object, condition: str, state: State) -> None:
    outcome = custom(tmp_path, printing(value), parseOutput="json", passCondition=condition, maxSizeKb=500)
    assert outcome.state is state


def test_a_pass_condition_sees_the_text_where_it_is_not_parsed(tmp_path: Path) -> None:
    assert custom(tmp_path, "echo all 12 fine", passCondition="/\\d+ fine/.test(output)").state is State.PASS


def test_a_failed_command_is_not_saved_by_its_condition(tmp_path: Path) -> None:
    command = python("print('{}'); raise SystemExit(2)")
    outcome = custom(tmp_path, command, parseOutput="json", passCondition="true")
    assert (outcome.state, outcome.exit_code) == (State.FAIL, 2)


def test_output_that_is_not_json_is_unreadable(tmp_path: Path) -> None:
    outcome = custom(tmp_path, "echo fine", parseOutput="json", passCondition="true")
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.UNREADABLE)


def test_a_plugin_finds_its_config_in_its_environment(tmp_path: Path) -> None:
    code = "import os; print(os.environ['BOBER_MAX_SIZE_KB'], os.environ['BOBER_CONFIG'])"
    outcome = custom(tmp_path, python(code), maxSizeKb=500)
    assert outcome.output == '500 {"maxSizeKb": 500}'


def test_a_shell_only_where_the_configuration_says_so(tmp_path: Path) -> None:
    refused = custom(tmp_path, "echo a | grep a")
    assert (refused.state, refused.reason) == (State.ERROR, Reason.CONFIGURATION)
    assert custom(tmp_path, "echo a | grep a", shell=True).state is State.PASS
    assert custom(tmp_path, "no-such-program-here", shell=True).reason is Reason.TOOL_MISSING


def test_time_out_missing_program_and_cancel_have_their_own_reasons(tmp_path: Path) -> None:
    late = run(tmp_path, choice("custom", command="sleep 60", timeout=300))
    missing = custom(tmp_path, "no-such-program-here")
    cancel = Event()
    cancel.set()
    cancelled = run(tmp_path, choice("custom", command="sleep 60"), cancel=cancel)
    assert [late.reason, missing.reason, cancelled.reason] == [
        Reason.TIMED_OUT,
        Reason.TOOL_MISSING,
        Reason.CANCELLED,
    ]


@pytest.mark.parametrize(
    ("files", "config", "state"),
    [
        ({}, {}, State.PASS),
        ({}, {"verifyOutput": True, "outputDir": "out"}, State.FAIL),
        ({"out/.keep/x": ""}, {"verifyOutput": True, "outputDir": "out"}, State.PASS),
        ({"out/a.js": "x" * 3000}, {"outputDir": "out", "maxSizeKb": 2.9}, State.FAIL),
        ({"out/a.js": "x" * 3000}, {"outputDir": "out", "maxSizeKb": 3}, State.PASS),
        ({}, {"verifyOutput": True, "outputDir": "../.."}, State.ERROR),
    ],
)
def test_what_a_build_leaves_behind_is_verified(
    tmp_path: Path, files: dict[str, str], config: dict[str, Any], state: State
) -> None:
    outcome = run(write(tmp_path, files), choice("build", **config), commands=Commands(build="true"))
    assert outcome.state is state


def test_an_empty_output_folder_is_no_build(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    outcome = run(tmp_path, choice("build", verifyOutput=True), commands=Commands(build="true"))
    assert (outcome.state, outcome.details) == (
        State.FAIL,
        "The build succeeded, but its output folder dist is empty.",
    )


def test_a_build_that_reports_errors_with_exit_code_0_fails(tmp_path: Path) -> None:
    command = "echo 'src/a.ts(2,14): error TS2322: Wrong.'"
    outcome = run(tmp_path, choice("build"), commands=Commands(build=command))
    assert (outcome.state, outcome.exit_code, outcome.problems[0].line) == (State.FAIL, 0, 2)


def test_the_end_of_the_output_is_the_problem_where_no_format_is_known(tmp_path: Path) -> None:
    command = python("import sys; print('loading'); sys.exit('kiln.cfg: no such glaze')")
    outcome = run(tmp_path, choice("build"), commands=Commands(build=command))
    assert (outcome.state, outcome.exit_code) == (State.FAIL, 1)
    assert outcome.problems[0].message.endswith("ended with exit code 1: loading\nkiln.cfg: no such glaze")


def test_nothing_to_run_is_skipped_and_says_what_was_looked_for(tmp_path: Path) -> None:
    outcome = run(tmp_path, choice("build"))
    assert (outcome.state, outcome.reason, outcome.is_configuration_issue) == (
        State.SKIPPED,
        Reason.NOTHING_TO_RUN,
        True,
    )
    assert "a script 'build' in package.json, Cargo.toml or go.mod was looked for" in outcome.details


def test_a_script_that_is_not_there_is_a_configuration_issue(tmp_path: Path) -> None:
    command = python("import sys; sys.exit('npm error Missing script: \"lint\"')")
    outcome = run(tmp_path, choice("lint"), commands=Commands(lint=command))
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.CONFIGURATION)


@pytest.mark.parametrize(
    ("kind", "config", "commands"),
    [
        ("typecheck", {"strict": True}, Commands(typecheck="true")),
        ("lint", {"fix": True}, Commands(lint="true")),
        ("lint", {"maxWarnings": 0}, Commands(lint="true")),
        ("unit-test", {"coverage": True}, Commands(test="true")),
        ("unit-test", {"testMatch": "*.txt"}, Commands(test="true")),
    ],
)
def test_an_option_that_cannot_be_honoured_is_never_ignored(
    tmp_path: Path, kind: str, config: dict[str, Any], commands: Commands
) -> None:
    outcome = run(write(tmp_path, {"a.txt": ""}), choice(kind, **config), commands=commands)
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.CONFIGURATION)


def test_a_report_that_the_command_writes_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"make.py": f"open('r.xml', 'w').write({REPORT!r})"})
    outcome = run(tmp_path, choice("unit-test", report="r.xml"), commands=Commands(test=f"{PYTHON} make.py"))
    assert (outcome.state, outcome.details) == (State.FAIL, "2 tests: 1 passed, 1 failed.")


def test_a_report_of_an_earlier_run_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, {"r.xml": REPORT})
    os.utime(tmp_path / "r.xml", (1, 1))
    outcome = run(tmp_path, choice("unit-test", report="r.xml"), commands=Commands(test="true"))
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.UNREADABLE)


@pytest.mark.parametrize(
    ("printed", "state"),
    [
        ("2 passed in 0.1s", State.PASS),
        ("1 failed, 2 passed in 0.1s", State.FAIL),
        ("no tests ran in 0.1s", State.SKIPPED),
        ("Ran 0 tests in 0.1s", State.SKIPPED),
        ("fine", State.ERROR),
    ],
)
def test_counts_in_the_output_of_any_runner_count(tmp_path: Path, printed: str, state: State) -> None:
    outcome = run(tmp_path, choice("unit-test"), commands=Commands(test=f"echo '{printed}'"))
    assert outcome.state is state


def test_passing_tests_with_another_exit_code_are_no_pass(tmp_path: Path) -> None:
    outcome = run(tmp_path, choice("unit-test"), commands=Commands(test="echo '2 passed in 0.1s' && false"))
    assert outcome.state is State.FAIL


def test_a_known_program_of_another_kind_is_judged_by_what_it_prints(tmp_path: Path) -> None:
    write(tmp_path, {"m.py": "import os\n"})
    command = f"{PYTHON} -m ruff check m.py --no-cache --isolated"
    outcome = run(tmp_path, choice("unit-test"), commands=Commands(test=command))
    assert (outcome.state, outcome.exit_code) == (State.FAIL, 1)

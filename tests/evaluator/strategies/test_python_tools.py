"""The real pytest, ruff and mypy in small projects."""

from pathlib import Path

import pytest

from evaluator.engine.strategies.configuration import Commands
from evaluator.engine.strategies.states import Problem, Reason, State
from tests.evaluator.strategies.projects import PYTHON, choice, run, write

# Without the plugins of our own environment, which take seconds to load.
PYTEST = Commands(test=f"PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 {PYTHON} -m pytest -p no:cacheprovider --confcutdir=.")
RUFF = Commands(lint=f"{PYTHON} -m ruff check . --no-cache --isolated --output-format=github")
PASSING = "def test_heat():\n    assert True\n"
FAILING = "def test_heat():\n    value = 3\n    assert value == 4\n"


def test_pytest_passes(tmp_path: Path) -> None:
    outcome = run(write(tmp_path, {"test_a.py": PASSING}), choice("unit-test"), commands=PYTEST)
    assert (outcome.state, outcome.exit_code, outcome.details) == (State.PASS, 0, "1 test: 1 passed, 0 failed.")


def test_pytest_says_where_it_failed_and_what_could_not_be_imported(tmp_path: Path) -> None:
    write(tmp_path, {"test_a.py": FAILING, "test_b.py": "import nowhere_at_all\n"})
    commands = Commands(test=f"{PYTEST.test} --continue-on-collection-errors")
    outcome = run(tmp_path, choice("unit-test"), commands=commands)
    assert (outcome.state, outcome.error_count) == (State.FAIL, 2)
    by_file = {problem.file: problem for problem in outcome.problems}
    assert by_file["test_a.py"] == Problem("assert 3 == 4", file="test_a.py", line=3, test="test_a.test_heat")
    assert by_file["test_b.py"].message == "ModuleNotFoundError: No module named 'nowhere_at_all'"


@pytest.mark.parametrize("files", [{}, {"test_a.py": "import pytest\n@pytest.mark.skip\ndef test_x(): pass\n"}])
def test_pytest_without_a_test_that_ran_is_no_pass(tmp_path: Path, files: dict[str, str]) -> None:
    outcome = run(write(tmp_path, files), choice("unit-test"), commands=PYTEST)
    assert (outcome.state, outcome.reason, outcome.is_configuration_issue) == (State.SKIPPED, Reason.NO_TESTS, True)


def test_a_wrong_option_of_pytest_is_unreadable(tmp_path: Path) -> None:
    commands = Commands(test=f"{PYTEST.test} --no-such-option")
    outcome = run(write(tmp_path, {"test_a.py": PASSING}), choice("unit-test"), commands=commands)
    assert (outcome.state, outcome.reason, outcome.exit_code) == (State.ERROR, Reason.UNREADABLE, 4)


def test_coverage_without_the_package_that_measures_it_is_a_missing_tool(tmp_path: Path) -> None:
    outcome = run(write(tmp_path, {"test_a.py": PASSING}), choice("unit-test", coverage=True), commands=PYTEST)
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.TOOL_MISSING)


def test_tests_that_take_too_long_are_a_time_out(tmp_path: Path) -> None:
    write(tmp_path, {"test_a.py": "import time\ndef test_x(): time.sleep(60)\n"})
    outcome = run(tmp_path, choice("unit-test", timeout=1000), commands=PYTEST)
    assert (outcome.state, outcome.reason, outcome.exit_code) == (State.ERROR, Reason.TIMED_OUT, None)
    assert "Not done within 1 s" in outcome.details
    assert not outcome.is_configuration_issue


def test_ruff_says_where_and_by_which_rule(tmp_path: Path) -> None:
    outcome = run(write(tmp_path, {"m.py": "import os\n"}), choice("lint"), commands=RUFF)
    assert (outcome.state, outcome.error_count) == (State.FAIL, 1)
    assert outcome.problems == (Problem("`os` imported but unused", file="m.py", line=1, column=8, code="F401"),)
    assert outcome.output == "m.py:1: F401: `os` imported but unused"


def test_ruff_passes_and_repairs_when_asked(tmp_path: Path) -> None:
    outcome = run(write(tmp_path, {"m.py": "import os\n"}), choice("lint", fix=True), commands=RUFF)
    assert (outcome.state, (tmp_path / "m.py").read_text()) == (State.PASS, "")


def test_mypy_checks_types(tmp_path: Path) -> None:
    commands = Commands(typecheck=f"{PYTHON} -m mypy --no-incremental --cache-dir=/dev/null m.py")
    outcome = run(write(tmp_path, {"m.py": 'x: int = "a"\n'}), choice("typecheck"), commands=commands)
    assert (outcome.state, outcome.error_count) == (State.FAIL, 1)
    assert (outcome.problems[0].line, outcome.problems[0].code) == (1, "assignment")


def test_a_module_that_is_not_installed_is_a_missing_tool(tmp_path: Path) -> None:
    commands = Commands(test=f"{PYTHON} -I -S -m pytest")
    outcome = run(write(tmp_path, {"test_a.py": PASSING}), choice("unit-test"), commands=commands)
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.TOOL_MISSING)

"""JUnit XML and pytest's use of it."""

from pathlib import Path

import pytest

from evaluator.engine.strategies.output_parsers import junit
from evaluator.engine.strategies.output_parsers import pytest as pytest_parser
from evaluator.engine.strategies.output_parsers.printed import UnreadableError
from evaluator.engine.strategies.states import Problem, TestRun
from tests.evaluator.strategies.output_parsers.outputs import printed

JUNIT = """<?xml version="1.0"?>
<testsuites>
  <testsuite name="s" tests="4">
    <testcase classname="kiln.Oven" name="heats"/>
    <testcase classname="kiln.Oven" name="cools" file="Oven.java" line="12">
      <failure message="expected 1 but was 2" type="X">at Oven.java:13</failure>
    </testcase>
    <testsuite name="inner"><testcase name="later"><skipped/></testcase></testsuite>
    <testcase name="breaks"><error>first
last line</error></testcase>
  </testsuite>
  <testsuite name="crashed" tests="0" errors="1"/>
</testsuites>"""
PYTEST = """<testsuites><testsuite>
<testcase classname="tests.test_a" name="test_ok" file="tests/test_a.py" line="1"/>
<testcase classname="tests.test_a" name="test_bad" file="tests/test_a.py" line="2">
<failure message="assert 3 == 4">def test_bad():
>       assert value == 4
E       assert 3 == 4

tests/test_a.py:5: AssertionError</failure></testcase>
<testcase classname="" name="tests.test_b" file="tests/test_b.py"><error message="collection failure">
tests/test_b.py:1: in &lt;module&gt;
    import nothing_there
E   ModuleNotFoundError: No module named 'nothing_there'</error></testcase>
</testsuite></testsuites>"""
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuites><testcase name="&b;"/></testsuites>'


def test_nested_suites_are_counted_and_a_crashed_one_is_broken() -> None:
    run = junit.parse(JUNIT)
    assert (run.passed, run.failed, run.skipped, run.broken) == (1, 2, 1, 1)
    assert run.problems == (
        Problem("expected 1 but was 2", file="Oven.java", line=12, test="kiln.Oven.cools"),
        Problem("first\nlast line", test="breaks"),
    )


@pytest.mark.parametrize("text", ["", "<a/>", "<testsuites>", BOMB])
def test_what_is_no_report_and_what_is_a_trap_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError):
        junit.parse(text)


def test_a_report_within_an_output_is_found() -> None:
    assert junit.recognise(f"running …\n{JUNIT}\ndone") == junit.parse(JUNIT)
    assert junit.recognise("no report") is None


def test_pytest_failures_are_where_they_happened_and_a_file_that_cannot_be_imported_is_broken(tmp_path: Path) -> None:
    run = pytest_parser.read(printed(tmp_path, exit_code=1, reports={pytest_parser.REPORT: PYTEST}))
    assert (run.passed, run.failed, run.skipped, run.broken) == (1, 1, 0, 1)
    assert run.problems == (
        Problem("assert 3 == 4", file="tests/test_a.py", line=5, test="tests.test_a.test_bad"),
        Problem(
            "ModuleNotFoundError: No module named 'nothing_there'", file="tests/test_b.py", line=1, test="tests.test_b"
        ),
    )


def test_pytest_without_a_report_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        pytest_parser.read(printed(tmp_path, stderr="ERROR: usage: pytest", exit_code=4))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("=== 1 failed, 2 passed, 1 skipped, 1 error in 0.12s ===", TestRun((), 2, 1, 1, broken=1)),
        ("2 passed in 0.01s", TestRun((), 2, 0, 0)),
        ("==== no tests ran in 0.01s ====", TestRun((), 0, 0, 0)),
        ("nothing of that", None),
    ],
)
def test_the_last_line_of_pytest_is_recognised(line: str, expected: TestRun | None) -> None:
    assert pytest_parser.recognise(f"collected 4 items\n\n{line}\n") == expected

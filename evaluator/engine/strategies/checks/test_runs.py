"""Judges what a test runner reported, together with its exit code."""

from dataclasses import replace

from evaluator.engine.strategies.checks.check import stopped
from evaluator.engine.strategies.checks.findings import counted, last_lines
from evaluator.engine.strategies.checks.tool_run import Run
from evaluator.engine.strategies.states import Outcome, Problem, Reason, State, TestRun


def judge_tests(run: Run[TestRun]) -> Outcome:
    """Pass if at least one test passed, none failed, all files could be loaded and the exit code is 0.

    Raises:
        StoppedError: not one test ran.
    """
    if run.report is None:
        return _judge_exit(run)
    tests = run.report
    outcome = replace(run.outcome, tests=tests, error_count=tests.failed + tests.broken, problems=tests.problems)
    said = describe(tests)
    if tests.failed or tests.broken:
        return replace(outcome, state=State.FAIL, problems=_problems(run, tests), details=f"{said}.")
    if not tests.passed:
        why = f"all {counted(tests.skipped, 'test')} are skipped" if tests.skipped else "no tests found"
        raise stopped(
            outcome,
            Reason.NO_TESTS,
            f"Not one test ran: {why}. Tests that do not exist prove nothing, so this is no pass.",
            state=State.SKIPPED,
        )
    if run.exit_code != 0:
        details = f"{said}, yet the exit code is {run.exit_code}, so something outside of the tests failed."
        return replace(outcome, state=State.FAIL, details=details, problems=(_outside(run),))
    return replace(outcome, state=State.PASS, details=f"{said}.")


def describe(tests: TestRun) -> str:
    """The counts in words."""
    parts = [f"{counted(tests.total, 'test')}: {tests.passed:,} passed, {tests.failed:,} failed"]
    parts += [f"{tests.skipped:,} skipped"] if tests.skipped else []
    parts += [f"{counted(tests.broken, 'file')} could not be loaded or failed outside of tests"] if tests.broken else []
    return ", ".join(parts)


def _problems(run: Run[TestRun], tests: TestRun) -> tuple[Problem, ...]:
    """The failures; where only their number is known, one problem with the last lines of the output."""
    return tests.problems or (_outside(run),)


def _judge_exit(run: Run[TestRun]) -> Outcome:
    """A failing exit code is a fail; without a count of tests, an exit code of 0 proves nothing.

    Raises:
        StoppedError: the exit code is 0.
    """
    said = f"The command ended with exit code {run.exit_code}; no count of tests was recognised in its output."
    if run.exit_code == 0:
        doubt = f" And {run.doubt}." if run.doubt else ""
        remedy = 'Name the JUnit XML or JSON report that the command writes, as "report" in its config.'
        raise stopped(run.outcome, Reason.UNREADABLE, f"{said}{doubt} So it is not known that one passed. {remedy}")
    return replace(run.outcome, state=State.FAIL, details=said, problems=(_outside(run),))


def _outside(run: Run[TestRun]) -> Problem:
    return Problem(
        f"{run.outcome.command!r} ended with exit code {run.exit_code}: {last_lines(run.printed.everything)}"
    )

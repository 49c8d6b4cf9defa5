"""unit-test: Vitest, Jest, Mocha, pytest, `go test`, `cargo test`, or whatever the configuration names."""

import os
import time
from collections.abc import Sequence
from dataclasses import replace

from evaluator.engine.patterns import PatternError
from evaluator.engine.strategies.checks.check import Context, begin, stopped
from evaluator.engine.strategies.checks.test_runs import judge_tests
from evaluator.engine.strategies.checks.time_limits import seconds_of
from evaluator.engine.strategies.checks.tool_run import Request, Run, relative_to, run_tool
from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.file_patterns import matching_files
from evaluator.engine.strategies.options import TestOptions
from evaluator.engine.strategies.output_parsers.printed import UnreadableError, read_report
from evaluator.engine.strategies.output_parsers.registry import recognise_tests
from evaluator.engine.strategies.states import Outcome, Problem, Reason, State, TestRun

CLOCK_SECONDS = 2.0  # by which a file's time may be earlier than the clock's


def check(choice: StrategyChoice, context: Context) -> Outcome:
    """Run the tests; at least one that passes, none that fails, no file that cannot be loaded and exit code 0 pass.

    Raises:
        StoppedError: it cannot be judged, or there are no tests.
    """
    options = choice.options
    assert isinstance(options, TestOptions)  # noqa: S101 - by its kind
    request = Request(
        choice,
        seconds_of(choice),
        TestRun,
        recognise_tests,
        configured=context.commands.test,
        asked={"coverage": "true"} if options.coverage else {},
        files=_files(choice, options, context),
        environment={"CI": "true"},  # runners that wait for changes then end
    )
    started = time.time()
    run = run_tool(request, context)
    if options.report:
        run = replace(run, report=_own_report(run, options.report, started, context))
    outcome = judge_tests(run)
    if options.coverage:
        outcome = _check_coverage(outcome, run, options.coverage_threshold)
    return relative_to(outcome, context)


def _files(choice: StrategyChoice, options: TestOptions, context: Context) -> Sequence[str] | None:
    if options.test_match is None:
        return None
    try:
        files = matching_files(context.project.folder, options.test_match)
    except PatternError as error:
        raise stopped(begin(choice), Reason.CONFIGURATION, f"testMatch: {error}.") from error
    if not files:
        raise stopped(
            begin(choice),
            Reason.NO_TESTS,
            f"No tests found: no file matches testMatch {options.test_match!r}.",
            state=State.SKIPPED,
        )
    return files


def _own_report(run: Run[TestRun], name: str, started: float, context: Context) -> TestRun:
    """The report that the project's own command wrote.

    Raises:
        StoppedError: it lies outside of the project, was not written by this run, or is of no known format.
    """
    path = context.project.folder / name
    if not path.resolve().is_relative_to(context.project.folder.resolve()):
        raise stopped(
            run.outcome, Reason.CONFIGURATION, f"report {name!r} leads out of the project. Name one within it."
        )
    try:
        is_new = os.stat(path).st_mtime >= started - CLOCK_SECONDS  # noqa: PTH116 - links are followed on purpose
        text = read_report(path) if is_new else None
    except (OSError, UnreadableError):
        text = None
    found = recognise_tests(text) if text else None
    if found is None:
        raise stopped(
            run.outcome,
            Reason.UNREADABLE,
            f"The command wrote no JUnit XML or JSON report of a known kind to {name!r}. Correct report in its config.",
        )
    return found


def _check_coverage(outcome: Outcome, run: Run[TestRun], threshold: float) -> Outcome:
    read = run.tool.read_coverage if run.tool else None
    percent = read(run.printed) if read else None
    if percent is None:
        if outcome.state is not State.PASS:
            return outcome
        raise stopped(
            outcome,
            Reason.UNREADABLE,
            "The tests pass, but no coverage was measured. Install what measures it "
            "(such as @vitest/coverage-v8 or pytest-cov), or leave coverage out.",
        )
    said = f"Coverage is {percent:.1f} %, the threshold {threshold:g} %."
    outcome = replace(outcome, coverage_percent=percent, details=f"{outcome.details} {said}")
    if percent >= threshold:
        return outcome
    problem = Problem(said, code="coverage", expected=f"At least {threshold:g} % of the lines are covered by tests.")
    return replace(
        outcome,
        state=State.FAIL,
        problems=(*outcome.problems, problem),
        error_count=(outcome.error_count or 0) + 1,
    )

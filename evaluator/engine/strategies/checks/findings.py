"""Judges what a compiler or linter reported, together with its exit code."""

from dataclasses import replace

from evaluator.engine.strategies.captured_output import shorten
from evaluator.engine.strategies.checks.tool_run import Run
from evaluator.engine.strategies.states import Findings, Outcome, Problem, State

LAST_LINES = 15
LAST_CHARACTERS = 1_500


def counted(number: int, word: str) -> str:
    """A number with its word, such as `2 errors`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def judge_findings(run: Run[Findings], what: str) -> Outcome:
    """Pass without errors and with exit code 0; anything else is a fail.

    Args:
        run: a command that ran to its end.
        what: what its problems are called, such as `type error`.
    """
    name = run.tool.name if run.tool else "The command"
    if run.report is None:
        return _judge_exit(run, name)
    report = run.report
    found = f"{name} found {counted(report.errors, what)} and {counted(report.warnings, 'warning')}"
    details = f"{found}."
    if not report.errors and run.exit_code != 0:
        details = f"{found}, yet its exit code is {run.exit_code}, so it asks for more than that."
    problems = report.problems
    if not report.errors and run.exit_code != 0 and not problems:
        problems = (failure_without_report(run),)
    return replace(
        run.outcome,
        state=State.PASS if not report.errors and run.exit_code == 0 else State.FAIL,
        details=details,
        error_count=report.errors,
        warning_count=report.warnings,
        problems=problems,
    )


def failure_without_report(run: Run[Findings]) -> Problem:
    """The one problem of a command that failed without saying where: its last lines."""
    said = last_lines(run.printed.everything)
    return Problem(f"{run.outcome.command!r} ended with exit code {run.exit_code}: {said}")


def last_lines(text: str) -> str:
    """The end of an output, where errors stand."""
    lines = [line for line in text.splitlines() if line.strip()]
    return shorten("\n".join(lines[-LAST_LINES:]), LAST_CHARACTERS) or "it printed nothing"


def _judge_exit(run: Run[Findings], name: str) -> Outcome:
    """The exit code decides where the output is of no known format."""
    if run.exit_code == 0:
        return replace(
            run.outcome, state=State.PASS, details=f"{name} ended with exit code 0; its output is of no known format."
        )
    return replace(
        run.outcome,
        state=State.FAIL,
        details=f"{name} ended with exit code {run.exit_code}; its output is of no known format.",
        problems=(failure_without_report(run),),
    )

"""Judges what a compiler or linter reported, together with its exit code."""

from dataclasses import replace

from evaluator.engine.patterns import Pattern
from evaluator.engine.strategies.captured_output import shorten
from evaluator.engine.strategies.checks.check import stopped
from evaluator.engine.strategies.checks.tool_run import Run
from evaluator.engine.strategies.states import Findings, Outcome, Problem, Reason, State

NOTHING_CHECKED = Pattern(
    r"(?m)No Python files found under the given path.*|^There are no \.py\[i\] files in .*|"
    r"No files matching (?:the pattern )?['\"].*|No files were (?:processed|checked|linted).*"
)
REMEDY = "Let the command end with the exit code of the tool, or name a tool that is known here."
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

    Raises:
        StoppedError: it looked at nothing, or its exit code says nothing.
    """
    name = run.tool.name if run.tool else "The command"
    nothing = NOTHING_CHECKED.first(run.printed.everything) if run.report is None or not run.report.problems else None
    if nothing is not None and (run.report is None or not run.report.errors):
        said = f"Nothing was checked: {nothing[0].strip()}. Name the files, or correct the command."
        raise stopped(run.outcome, Reason.NOTHING_TO_RUN, said, state=State.SKIPPED)
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
    """The exit code decides where the output is of no known format.

    Raises:
        StoppedError: it says nothing.
    """
    if run.exit_code == 0 and run.doubt:
        raise stopped(run.outcome, Reason.UNREADABLE, f"It cannot be judged: {run.doubt}. {REMEDY}")
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

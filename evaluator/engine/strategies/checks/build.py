"""build: `npm run build`, `go build`, `cargo build`, or whatever the configuration names; and what it leaves behind."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from evaluator.engine.strategies.checks.check import Context, stopped
from evaluator.engine.strategies.checks.findings import judge_findings
from evaluator.engine.strategies.checks.time_limits import seconds_of
from evaluator.engine.strategies.checks.tool_run import Request, relative_to, run_tool
from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.options import BuildOptions
from evaluator.engine.strategies.output_parsers.registry import recognise_findings
from evaluator.engine.strategies.states import Findings, Outcome, Problem, Reason, State

DEFAULT_OUTPUT = "dist"
KB = 1024


def check(choice: StrategyChoice, context: Context) -> Outcome:
    """Build; exit code 0, no error in the output, and what `verifyOutput` and `maxSizeKb` ask for pass.

    Raises:
        StoppedError: it cannot be judged.
    """
    options = choice.options
    assert isinstance(options, BuildOptions)  # noqa: S101 - by its kind
    request = Request(choice, seconds_of(choice), Findings, recognise_findings, configured=context.commands.build)
    outcome = judge_findings(run_tool(request, context), "error")
    if outcome.state is State.PASS:
        outcome = _check_output(outcome, options, context)
    return relative_to(outcome, context)


def _check_output(outcome: Outcome, options: BuildOptions, context: Context) -> Outcome:
    if not options.verify_output and options.max_size_kb is None:
        return outcome
    name = options.output_dir or DEFAULT_OUTPUT
    folder = context.project.folder / name
    if not folder.resolve().is_relative_to(context.project.folder.resolve()):
        raise stopped(
            outcome, Reason.CONFIGURATION, f"outputDir {name!r} leads out of the project. Name one within it."
        )
    sizes = list(_sizes(folder)) if folder.is_dir() else []
    if not sizes:
        is_there = "is empty" if folder.is_dir() else "is not there"
        return _failed(outcome, f"The build succeeded, but its output folder {name} {is_there}.", name)
    size_kb = sum(sizes) / KB
    if options.max_size_kb is not None and size_kb > options.max_size_kb:
        said = f"{name} has {size_kb:,.1f} KB, but maxSizeKb allows {options.max_size_kb:,.1f} KB."
        return _failed(outcome, said, name)
    return replace(outcome, details=f"{outcome.details} {name} has {len(sizes):,} files, {size_kb:,.1f} KB.")


def _failed(outcome: Outcome, said: str, name: str) -> Outcome:
    problem = Problem(said, file=name, expected=f"The build writes its files into {name}, within the limit.")
    return replace(outcome, state=State.FAIL, details=said, error_count=1, problems=(problem,))


def _sizes(folder: Path) -> Iterator[int]:
    """Sizes of the files in a folder, in bytes; links are not followed."""
    for place, _, names in os.walk(folder):
        for name in names:
            yield (Path(place) / name).lstat().st_size

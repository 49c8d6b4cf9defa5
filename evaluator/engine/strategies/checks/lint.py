"""lint: ESLint, Biome, ruff, clippy, `go vet`, or whatever the configuration names."""

from dataclasses import replace

from evaluator.engine.strategies.checks.check import Context, stopped
from evaluator.engine.strategies.checks.findings import counted, judge_findings
from evaluator.engine.strategies.checks.time_limits import seconds_of
from evaluator.engine.strategies.checks.tool_run import Request, relative_to, run_tool
from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.options import LintOptions
from evaluator.engine.strategies.output_parsers.registry import recognise_findings
from evaluator.engine.strategies.states import Findings, Outcome, Reason, State


def check(choice: StrategyChoice, context: Context) -> Outcome:
    """Lint; no error, exit code 0 and no more warnings than `maxWarnings` pass.

    Raises:
        StoppedError: it cannot be judged.
    """
    options = choice.options
    assert isinstance(options, LintOptions)  # noqa: S101 - by its kind
    request = Request(
        choice,
        seconds_of(choice),
        Findings,
        recognise_findings,
        configured=context.commands.lint,
        asked={"fix": "true"} if options.fix else {},
    )
    run = run_tool(request, context)
    outcome = judge_findings(run, "error")
    if options.max_warnings < 0 or outcome.state is State.FAIL:
        return relative_to(outcome, context)
    if outcome.warning_count is None:
        raise stopped(
            outcome,
            Reason.CONFIGURATION,
            "maxWarnings is set, but the warnings cannot be counted: the output is of no known format. "
            "Name a command of a linter that is known here, or leave maxWarnings out.",
        )
    if outcome.warning_count > options.max_warnings:
        outcome = replace(
            outcome,
            state=State.FAIL,
            details=f"{counted(outcome.warning_count, 'warning')}, but maxWarnings allows {options.max_warnings:,}.",
        )
    return relative_to(outcome, context)

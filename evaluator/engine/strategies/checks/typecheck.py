"""typecheck: tsc, mypy, `go vet`, `cargo check`, or whatever the configuration names."""

from evaluator.engine.strategies.checks.check import Context
from evaluator.engine.strategies.checks.findings import judge_findings
from evaluator.engine.strategies.checks.time_limits import seconds_of
from evaluator.engine.strategies.checks.tool_run import Request, relative_to, run_tool
from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.options import TypecheckOptions
from evaluator.engine.strategies.output_parsers.registry import recognise_findings
from evaluator.engine.strategies.states import Findings, Outcome


def check(choice: StrategyChoice, context: Context) -> Outcome:
    """Check types; no error and exit code 0 pass, warnings do no harm.

    Raises:
        StoppedError: it cannot be judged.
    """
    options = choice.options
    assert isinstance(options, TypecheckOptions)  # noqa: S101 - by its kind
    asked = {"tsconfig": options.tsconfig} if options.tsconfig else {}
    asked |= {"strict": "true"} if options.strict else {}
    request = Request(
        choice,
        seconds_of(choice),
        Findings,
        recognise_findings,
        configured=context.commands.typecheck,
        asked=asked,
    )
    return relative_to(judge_findings(run_tool(request, context), "type error"), context)

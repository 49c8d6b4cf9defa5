"""custom: a command of the project's own, judged by its exit code, its JSON and a pass condition."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evaluator.engine.strategies.captured_output import shorten
from evaluator.engine.strategies.checks.check import Context, begin, stopped
from evaluator.engine.strategies.checks.findings import last_lines
from evaluator.engine.strategies.checks.obstacles import find_obstacle
from evaluator.engine.strategies.checks.time_limits import seconds_of
from evaluator.engine.strategies.command_lines import CommandLineError, read_command
from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.options import CustomOptions
from evaluator.engine.strategies.output_parsers.printed import json_documents
from evaluator.engine.strategies.pass_condition import ConditionError, evaluate_condition
from evaluator.engine.strategies.processes import Finished, run_command
from evaluator.engine.strategies.states import Outcome, Problem, Reason, State

NOTHING = object()
SHOWN_VALUE = 100
VERDICT_KEYS = ("passed", "pass", "success", "ok")
CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
PREFIX = "BOBER_"  # of the variables in which a plugin finds its config


def check(choice: StrategyChoice, context: Context) -> Outcome:
    """Run the command; exit code 0, no `"passed": false` in its JSON and a pass condition that is true pass.

    Raises:
        StoppedError: it cannot be judged.
    """
    options = choice.options
    assert isinstance(options, CustomOptions)  # noqa: S101 - by its kind
    begun = replace(begin(choice), command=choice.own_command)
    try:
        line = read_command(choice.own_command or "", is_shell=options.shell)
    except CommandLineError as error:
        raise stopped(begun, Reason.CONFIGURATION, f"{error}.") from error
    seconds = seconds_of(choice)
    finished = run_command(line, context.surroundings(plugin_environment(choice.given or {})), seconds)
    begun = replace(
        begun,
        exit_code=finished.exit_code,
        output=shorten(finished.excerpt),
    )
    obstacle = find_obstacle(finished, seconds)
    if obstacle is not None:
        raise stopped(begun, obstacle.reason, obstacle.details)
    return _judge(begun, finished, options, choice.given or {})


def plugin_environment(given: Mapping[str, Any]) -> dict[str, str]:
    """The variables in which a plugin finds its config: the whole of it as JSON, and each plain value by its name."""
    named = {
        PREFIX + CAPITAL.sub("_", key).upper(): value if isinstance(value, str) else json.dumps(value)
        for key, value in given.items()
        if isinstance(value, str | int | float | bool) and key.isidentifier() and "\0" not in str(value)
    }
    return {**named, f"{PREFIX}CONFIG": json.dumps(given)}


def _judge(begun: Outcome, finished: Finished, options: CustomOptions, given: Mapping[str, Any]) -> Outcome:
    exit_code = finished.exit_code
    if options.parse_output == "json":
        output = read_output(finished.stdout)
        if output is NOTHING and exit_code == 0:
            raise stopped(
                begun, Reason.UNREADABLE, "parseOutput is json, but the output is not JSON. Correct one of them."
            )
    else:
        output = read_output(finished.stdout)
    if exit_code != 0:
        return _failed(begun, f"The command ended with exit code {exit_code}.", last_lines(finished.everything))
    denied = next((key for key in VERDICT_KEYS if isinstance(output, dict) and output.get(key) is False), None)
    if denied:
        return _failed(
            begun, f'The command ended with exit code 0, but its output says "{denied}": false.', begun.output
        )
    if options.pass_condition is None and isinstance(output, dict) and "passed" in output:
        _require_truth(begun, output["passed"])
    if options.pass_condition is None:
        return replace(begun, state=State.PASS, details="The command ended with exit code 0.", error_count=0)
    return _ask(begun, options.pass_condition, _values(output, finished, options, given))


def _require_truth(begun: Outcome, said: object) -> None:
    """Stop where `passed` is no truth value: `"false"`, 0 and null are not a pass, and 12 is a number of something."""
    if not isinstance(said, bool):
        shown = shorten(json.dumps(said), SHOWN_VALUE)
        details = (
            f'The output says "passed": {shown}, which is neither true nor false. Print one, or write a passCondition.'
        )
        raise stopped(begun, Reason.UNREADABLE, details)


def _values(output: object, finished: Finished, options: CustomOptions, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the names of a pass condition stand for; `output` is the text where it is not to be parsed."""
    shown = output if options.parse_output == "json" else finished.stdout
    return {"output": shown, "exitCode": finished.exit_code, "config": dict(given)}


def _ask(begun: Outcome, condition: str, values: dict[str, Any]) -> Outcome:
    try:
        is_met = evaluate_condition(condition, values)
    except ConditionError as error:
        raise stopped(begun, Reason.CONFIGURATION, f"{error}.") from error
    if is_met:
        return replace(begun, state=State.PASS, details=f"Exit code 0, and {condition} is true.", error_count=0)
    return _failed(begun, f"passCondition {condition} is false.", begun.output, expected=f"{condition} is true.")


def _failed(begun: Outcome, said: str, output: str, *, expected: str | None = None) -> Outcome:
    problem = Problem(f"{begun.name}: {said} {output}".strip(), expected=expected)
    return replace(begun, state=State.FAIL, details=said, error_count=1, problems=(problem,))


def read_output(text: str) -> object:
    """The JSON that a program printed; `NOTHING` if there is none.

    It is the whole of its output; else the last object in it that says whether it passed; else the first document.
    """
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        documents = list(json_documents(text))
        verdicts = [
            value for value in documents if isinstance(value, dict) and not value.keys().isdisjoint(VERDICT_KEYS)
        ]
        return (verdicts[-1:] or documents[:1] or [NOTHING])[0]
    return value

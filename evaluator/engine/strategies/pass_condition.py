"""Asks a JavaScript expression for true or false, in a short-lived process with little memory and little time."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MEMORY_BYTES = 64 * 2**20
SECONDS = 2.0
SECONDS_TO_START = 20.0  # beyond those: for a busy machine to start Python at all
CHILD = Path(__file__).with_name("pass_condition_child.py")
SHOWN = 200


class ConditionError(ValueError):
    """The expression gave neither true nor false; the text says why."""


def evaluate_condition(condition: str, values: Mapping[str, Any]) -> bool:
    """Evaluate an expression.

    Args:
        condition: JavaScript, such as `output.passed === true`.
        values: what its names stand for; any JSON.

    Raises:
        ConditionError: it is no expression, throws, takes too long or too much memory, or gives something else.
    """
    request = {
        "condition": condition,
        "values": {name: json.dumps(value) for name, value in values.items()},
        "memory_bytes": MEMORY_BYTES,
        "seconds": SECONDS,
    }
    try:
        ended = subprocess.run(  # noqa: S603 - our own program; what it is given is data
            [sys.executable, "-I", str(CHILD)],
            input=json.dumps(request).encode(),
            capture_output=True,
            check=False,
            timeout=SECONDS + SECONDS_TO_START,
            env={},
        )
    except subprocess.TimeoutExpired as error:
        raise ConditionError(_too_long(condition)) from error
    if ended.returncode != 0:
        raise ConditionError(_too_long(condition) if ended.returncode < 0 else "passCondition could not be evaluated")
    return _truth(json.loads(ended.stdout), condition)


def _truth(answer: dict[str, Any], condition: str) -> bool:
    if "error" in answer:
        raise ConditionError(f"passCondition {condition[:SHOWN]!r} cannot be evaluated: {answer['error'][:SHOWN]}")
    if not isinstance(answer["value"], bool):
        shown = json.dumps(answer["value"]) if answer["kind"] != "Object" else "an object"
        raise ConditionError(
            f"passCondition {condition[:SHOWN]!r} gives {shown[:SHOWN]}, not true or false. Compare it with something"
        )
    return answer["value"]


def _too_long(condition: str) -> str:
    return f"passCondition {condition[:SHOWN]!r} took longer than {SECONDS:g} s and was ended"

"""Biome: its JSON report, in the form of version 2 and of the ones before."""

from typing import Any

from evaluator.engine.strategies.output_parsers.printed import (
    Printed,
    UnreadableError,
    find_json,
    number_in,
    objects,
    text_in,
)
from evaluator.engine.strategies.states import Findings, Problem, Severity

ERRORS = frozenset({"error", "fatal"})


def read(printed: Printed) -> Findings:
    """Read Biome's report from its output.

    Raises:
        UnreadableError: there is none.
    """
    found = recognise(printed.stdout)
    if found is None:
        raise UnreadableError("Biome printed no JSON report")
    return found


def recognise(text: str) -> Findings | None:
    """Biome's JSON in a text; None if there is none."""
    value = find_json(text)
    if not isinstance(value, dict) or not isinstance(value.get("summary"), dict) or "diagnostics" not in value:
        return None
    problems = tuple(_problem(item) for item in objects(value["diagnostics"]))
    listed = sum(problem.severity is Severity.ERROR for problem in problems)
    errors = number_in(value["summary"], "errors")
    warnings = number_in(value["summary"], "warnings")
    return Findings(
        problems,
        max(listed, errors or 0),  # it may list fewer than it counts
        max(len(problems) - listed, warnings or 0),
    )


def _problem(item: dict[str, Any]) -> Problem:
    location = item.get("location")
    location = location if isinstance(location, dict) else {}
    path = location.get("path")
    start = location.get("start")
    start = start if isinstance(start, dict) else {}
    return Problem(
        message=_message(item),
        severity=Severity.ERROR if item.get("severity") in ERRORS else Severity.WARNING,
        file=path if isinstance(path, str) else text_in(path, "file") if isinstance(path, dict) else None,
        line=number_in(start, "line"),
        column=number_in(start, "column"),
        code=text_in(item, "category"),
    )


def _message(item: dict[str, Any]) -> str:
    """The message, written as one text, or as parts with markup in older versions."""
    message = item.get("message")
    if isinstance(message, list):
        return "".join(text_in(part, "content") or "" for part in objects(message))
    return message if isinstance(message, str) else text_in(item, "description") or ""

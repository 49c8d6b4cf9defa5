"""ruff: its JSON report; also what it prints otherwise: concise, full and grouped."""

import re
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

REPORT = "ruff.json"
KEYS = frozenset({"filename", "location", "message"})
CONCISE = re.compile(
    r"^(?P<file>\S[^:\n]*):(?P<line>\d{1,9}):(?P<column>\d{1,9}): "
    r"(?P<code>[A-Z]+\d{1,9}|invalid-syntax|SyntaxError):? (?P<text>.+)$",
    re.MULTILINE,
)
# The default form, with the place below the message, and the one with the file above its lines
FULL = re.compile(
    r"^(?P<code>[A-Z]+\d{1,9}|invalid-syntax|SyntaxError):? (?P<text>[^\n]+)\n"
    r"[ \t]*+--> (?P<file>[^\n]+?):(?P<line>\d{1,9}):\d{1,9}$",
    re.MULTILINE,
)
GROUPED = re.compile(r"^ +(?P<line>\d{1,9}):\d{1,9} +(?P<code>[A-Z]+\d{1,9}) (?P<text>[^\n]+)$", re.MULTILINE)
SUMMARY = re.compile(r"^Found (\d{1,9}) errors?(?: \(|\.)", re.MULTILINE)
CLEAN = "All checks passed!"


def read(printed: Printed) -> Findings:
    """Read ruff's report.

    Raises:
        UnreadableError: there is none, mostly because its own configuration is wrong.
    """
    found = _findings(printed.json_report(REPORT, "ruff"))
    if found is None:
        raise UnreadableError("the report of ruff is not a list of violations")
    return found


def recognise(text: str) -> Findings | None:
    """What ruff printed, in whichever form; None if it is not there."""
    found = _findings(find_json(text))
    if found is not None and found.problems:
        return found
    lines = [*CONCISE.finditer(text)] or [*FULL.finditer(text)]
    problems = tuple(
        Problem(line["text"].removeprefix("[*] "), file=line["file"], line=int(line["line"]), code=line["code"])
        for line in lines
    ) or tuple(
        Problem(line["text"].removeprefix("[*] "), line=int(line["line"]), code=line["code"])
        for line in GROUPED.finditer(text)
    )
    if problems:
        return Findings(problems, len(problems), 0)
    if (summary := SUMMARY.search(text)) is not None:
        return Findings((), int(summary[1]), 0)
    return Findings((), 0, 0) if CLEAN in text else None


def _findings(value: object) -> Findings | None:
    items = objects(value)
    if not isinstance(value, list) or len(items) != len(value) or any(not item.keys() >= KEYS for item in items):
        return None
    problems = tuple(_problem(item) for item in items)
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    return Findings(problems, errors, len(problems) - errors)


def _problem(item: dict[str, Any]) -> Problem:
    location = item["location"] if isinstance(item["location"], dict) else {}
    return Problem(
        message=text_in(item, "message") or "",
        severity=Severity.WARNING if item.get("severity") == "warning" else Severity.ERROR,
        file=text_in(item, "filename"),
        line=number_in(location, "row"),
        column=number_in(location, "column"),
        code=text_in(item, "code"),
    )

"""ESLint: its JSON report, a list of files with their messages; also its default output for people."""

import re

from evaluator.engine.strategies.output_parsers.printed import (
    Printed,
    UnreadableError,
    find_json,
    number_in,
    objects,
    text_in,
)
from evaluator.engine.strategies.states import Findings, Problem, Severity

REPORT = "eslint.json"
STYLISH = re.compile(r"[ \t]++(?P<line>\d{1,9}):\d{1,9}[ \t]++(?P<severity>error|warning)[ \t]++(?P<text>.+)")
SUMMARY = re.compile(r"^\S{1,3} \d{1,9} problems? \((\d{1,9}) errors?, (\d{1,9}) warnings?\)", re.MULTILINE)
ERROR = 2  # as ESLint numbers it; 1 is a warning


def read(printed: Printed) -> Findings:
    """Read ESLint's report.

    Raises:
        UnreadableError: there is none, mostly because its own configuration is wrong.
    """
    found = _findings(printed.json_report(REPORT, "ESLint"))
    if found is None:
        raise UnreadableError("the report of ESLint is not a list of files with messages")
    return found


def recognise(text: str) -> Findings | None:
    """ESLint's JSON in a text, or what it prints by default; None if there is neither."""
    return _findings(find_json(text)) or _stylish(text)


def _stylish(text: str) -> Findings | None:
    summary = SUMMARY.search(text)
    if summary is None:
        return None
    problems: list[Problem] = []
    file = None
    for line in text[: summary.start()].splitlines():
        match = STYLISH.fullmatch(line)
        if match:
            message, _, rule = match["text"].rstrip().rpartition("  ")
            severity = Severity(match["severity"])
            problems.append(Problem(message.strip() or rule, severity, file, int(match["line"]), code=rule or None))
        elif line.strip():
            file = line.strip()
    return Findings(tuple(problems), int(summary[1]), int(summary[2]))


def _findings(value: object) -> Findings | None:
    files = objects(value)
    if not isinstance(value, list) or len(files) != len(value) or any("messages" not in file for file in files):
        return None
    if not files:
        return None if value else Findings((), 0, 0)
    problems = [
        Problem(
            message=text_in(message, "message") or "",
            severity=Severity.ERROR if message.get("severity") == ERROR else Severity.WARNING,
            file=text_in(file, "filePath"),
            line=number_in(message, "line"),
            column=number_in(message, "column"),
            code=text_in(message, "ruleId"),
        )
        for file in files
        for message in objects(file["messages"])
    ]
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    return Findings(tuple(problems), errors, len(problems) - errors)

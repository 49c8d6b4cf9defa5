"""ESLint: its JSON report, a list of files with their messages."""

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
    """ESLint's JSON in a text; None if there is none."""
    return _findings(find_json(text))


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

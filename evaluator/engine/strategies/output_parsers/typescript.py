"""tsc: `file(line,column): error TS2322: message`, also in its pretty form; further lines of a message are indented."""

import re

from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError
from evaluator.engine.strategies.states import Findings, Problem, Severity

MESSAGE = r"(?P<severity>error|warning) (?P<code>TS\d{1,9}): (?P<text>.*)"
PLAIN = re.compile(r"(?P<file>\S.*?)\((?P<line>\d{1,9}),(?P<column>\d{1,9})\): " + MESSAGE)
PRETTY = re.compile(r"(?P<file>[^\s:][^:\n]*):(?P<line>\d{1,9}):(?P<column>\d{1,9}) - " + MESSAGE)
MESSAGE_LINES = 12
WITHOUT_FILE = re.compile(MESSAGE)


def read(printed: Printed) -> Findings:
    """Read what tsc printed.

    Raises:
        UnreadableError: it failed without naming an error.
    """
    found = recognise(printed.stdout) or recognise(printed.stderr)
    if found is None and printed.exit_code != 0:
        raise UnreadableError("tsc failed, but its output names no error")
    return found or Findings((), 0, 0)


def recognise(text: str) -> Findings | None:
    """The errors in a text; None if it has none in this form."""
    problems: list[Problem] = []
    more = 0  # further lines of the last message that may follow
    for line in text.splitlines():
        match = PLAIN.fullmatch(line) or PRETTY.fullmatch(line) or WITHOUT_FILE.fullmatch(line)
        if match:
            problems.append(_problem(match))
            more = 0 if match.re is PRETTY else MESSAGE_LINES
        elif more and line.startswith("  ") and line.strip():
            more -= 1
            last = problems.pop()
            problems.append(Problem(**{**vars(last), "message": f"{last.message}\n{line.strip()}"}))
        else:
            more = 0
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    return Findings(tuple(problems), errors, len(problems) - errors) if problems else None


def _problem(match: re.Match[str]) -> Problem:
    found = match.groupdict()
    return Problem(
        message=found["text"].strip(),
        severity=Severity(found["severity"]),
        file=found.get("file"),
        line=int(found["line"]) if found.get("line") else None,
        column=int(found["column"]) if found.get("column") else None,
        code=found["code"],
    )

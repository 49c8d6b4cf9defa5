"""Cargo: errors and warnings of the compiler and of clippy, and the results of `cargo test`, from its plain output."""

import re

from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError
from evaluator.engine.strategies.states import Findings, Problem, Severity, TestRun

MESSAGE = re.compile(
    r"^(?P<severity>error|warning)(?:\[(?P<code>[A-Za-z0-9_:]+)\])?: (?P<text>.+)\n"
    r"[ \t]*+--> (?P<file>[^\n]+?):(?P<line>\d{1,9}):(?P<column>\d{1,9})$",
    re.MULTILINE,
)
RESULT = re.compile(r"^test result: \w+\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;", re.MULTILINE)
FAILURE = re.compile(
    r"^---- (?P<test>\S++)(?: - [^\n]*)? stdout ----\n(?P<body>.*?)(?=^---- |^failures:|\Z)", re.MULTILINE | re.DOTALL
)
PANIC = re.compile(
    r"panicked at (?P<file>[^\n:]{1,500}):(?P<line>\d{1,9}):\d+:\n(?P<text>.*?)(?=^note: |^stack backtrace:|\Z)",
    re.MULTILINE | re.DOTALL,
)
OLDER_PANIC = re.compile(
    r"panicked at '(?P<text>.{0,1000}?)', (?P<file>[^\n:]{1,500}):(?P<line>\d{1,9}):\d+", re.DOTALL
)
MOST_SEARCHED = 20_000  # characters of what one test printed
NOT_COMPILED = re.compile(r"^error: could not compile", re.MULTILINE)


def read_findings(printed: Printed) -> Findings:
    """Read what `cargo build`, `check` or `clippy` printed.

    Raises:
        UnreadableError: it failed without naming an error in a file.
    """
    found = recognise_findings(printed.everything)
    if (found is None or not found.errors) and printed.exit_code != 0:
        raise UnreadableError("cargo failed, but its output names no file")
    return found or Findings((), 0, 0)


def recognise_findings(text: str) -> Findings | None:
    """Messages of the compiler in a text, each counted once; None if there are none."""
    problems = tuple(dict.fromkeys(_problem(match) for match in MESSAGE.finditer(text)))
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    return Findings(problems, errors, len(problems) - errors) if problems else None


def read_tests(printed: Printed) -> TestRun:
    """Read what `cargo test` printed.

    Raises:
        UnreadableError: neither results nor errors of the compiler are there.
    """
    run = recognise_tests(printed.everything)
    if run is None:
        raise UnreadableError("cargo test printed no test result")
    return run


def recognise_tests(text: str) -> TestRun | None:
    """The results in a text, of all test programs together; None if there are none.

    What does not compile has no tests: that counts as one broken file for each error.
    """
    results = [tuple(map(int, counts)) for counts in RESULT.findall(text)]
    errors = [problem for problem in map(_problem, MESSAGE.finditer(text)) if problem.severity is Severity.ERROR]
    is_broken = NOT_COMPILED.search(text) is not None
    if not results and not is_broken:
        return None
    broken = list(dict.fromkeys(errors)) or [Problem("The project does not compile.")] if is_broken else []
    return TestRun(
        problems=(*(_failed(match) for match in FAILURE.finditer(text)), *broken),
        passed=sum(result[0] for result in results),
        failed=sum(result[1] for result in results),
        skipped=sum(result[2] for result in results),
        broken=len(broken),
    )


def _problem(match: re.Match[str]) -> Problem:
    return Problem(
        message=match["text"],
        severity=Severity(match["severity"]),
        file=match["file"],
        line=int(match["line"]),
        column=int(match["column"]),
        code=match["code"],
    )


def _failed(match: re.Match[str]) -> Problem:
    body = match["body"][:MOST_SEARCHED]
    panic = PANIC.search(body) or OLDER_PANIC.search(body)
    return Problem(
        message=(panic["text"] if panic else body).strip() or "the test failed without a message",
        file=panic["file"] if panic else None,
        line=int(panic["line"]) if panic else None,
        test=match["test"],
        reproduction=f"cargo test {match['test']}",
    )

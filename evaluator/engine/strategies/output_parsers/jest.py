"""Vitest and Jest: the same JSON report, in which a file that cannot be loaded has no tests but a message."""

from typing import Any

from evaluator.engine.patterns import Pattern
from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError, find_json, objects, text_in
from evaluator.engine.strategies.output_parsers.stack_traces import place_in_stack
from evaluator.engine.strategies.states import Problem, TestRun

REPORT = "tests.json"
COVERAGE_REPORT = "coverage-summary.json"
EXPECTED = Pattern(
    r"(?m)^[ \t]*Expected: (.+)$|"
    r"expected .{1,200}? to (?:be|equal|deeply equal|strictly equal|match) (.{1,500}?)(?: //|$)"
)
NOT_RUN = frozenset({"pending", "skipped", "todo", "disabled"})
MESSAGE_LINES = 12
NO_NEWS = ("at ", "\u25cf Test suite failed to run")  # lines of a stack, and what is said anyway


def read(printed: Printed) -> TestRun:
    """Read the report of Vitest or Jest.

    Raises:
        UnreadableError: there is none; `No tests found` of Jest is a run of no tests.
    """
    if printed.report(REPORT) is None and "No tests found" in printed.everything:
        return TestRun((), 0, 0, 0)
    run = _run(printed.json_report(REPORT, "the test runner"))
    if run is None:
        raise UnreadableError("the report of the test runner has no testResults")
    return run


def recognise(text: str) -> TestRun | None:
    """The JSON report in a text; None if there is none."""
    return _run(find_json(text))


def read_coverage(printed: Printed) -> float | None:
    """The covered lines in percent; None if they were not measured."""
    text = printed.report(COVERAGE_REPORT)
    if text is None:
        return None
    total = find_json(text)
    lines = total.get("total", {}).get("lines", {}) if isinstance(total, dict) else {}
    percent = lines.get("pct") if isinstance(lines, dict) else None
    return float(percent) if isinstance(percent, int | float) else None


def _run(value: object) -> TestRun | None:
    if not isinstance(value, dict) or not isinstance(value.get("testResults"), list):
        return None
    passed = failed = skipped = broken = 0
    problems: list[Problem] = []
    for file in objects(value["testResults"]):
        tests = objects(file.get("assertionResults"))
        failures = [test for test in tests if test.get("status") == "failed"]
        passed += sum(test.get("status") == "passed" for test in tests)
        skipped += sum(test.get("status") in NOT_RUN for test in tests)
        failed += len(failures)
        problems += [_failed_test(test, file) for test in failures]
        if file.get("status") == "failed" and not failures:
            broken += 1
            problems.append(_broken_file(file))
    return TestRun(tuple(problems), passed, failed, skipped, broken)


def _failed_test(test: dict[str, Any], file: dict[str, Any]) -> Problem:
    messages = test.get("failureMessages")
    text = "\n".join(str(message) for message in messages) if isinstance(messages, list) else ""
    path = text_in(file, "name")
    expected = EXPECTED.first(text)
    return Problem(
        message=_without_stack(text) or "the test failed without a message",
        file=path,
        line=place_in_stack(text, path),
        test=text_in(test, "fullName") or text_in(test, "title"),
        expected=next((part for part in expected[1:] if part), None) if expected else None,
    )


def _broken_file(file: dict[str, Any]) -> Problem:
    text = text_in(file, "message") or "the file could not be loaded"
    path = text_in(file, "name")
    return Problem(
        message=f"The test file cannot be loaded: {_without_stack(text)}", file=path, line=place_in_stack(text, path)
    )


def _without_stack(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith(NO_NEWS)]
    return "\n".join(lines[:MESSAGE_LINES]).strip()

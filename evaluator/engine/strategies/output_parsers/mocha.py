"""Mocha: its JSON report, which lists passes, failures and pending tests."""

from typing import Any

from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError, find_json, objects, text_in
from evaluator.engine.strategies.output_parsers.stack_traces import place_in_stack
from evaluator.engine.strategies.states import Problem, TestRun

REPORT = "mocha.json"
NO_FILES = "No test files found"


def read(printed: Printed) -> TestRun:
    """Read Mocha's report.

    Raises:
        UnreadableError: there is none.
    """
    if printed.report(REPORT) is None:
        if NO_FILES in printed.everything:
            return TestRun((), 0, 0, 0)
        if "Exception during run" in printed.everything:  # a file cannot be loaded: Mocha then runs nothing
            return TestRun((_broken(printed.everything),), 0, 0, 0, broken=1)
    run = _run(printed.json_report(REPORT, "Mocha"))
    if run is None:
        raise UnreadableError("the report of Mocha has no stats and failures")
    return run


def recognise(text: str) -> TestRun | None:
    """Mocha's JSON in a text; None if there is none."""
    return _run(find_json(text))


def _run(value: object) -> TestRun | None:
    if not isinstance(value, dict) or not isinstance(value.get("stats"), dict):
        return None
    if not {"passes", "failures", "pending"} <= value.keys():
        return None
    failures = objects(value["failures"])
    return TestRun(
        problems=tuple(_failed(test) for test in failures),
        passed=len(objects(value["passes"])),
        failed=len(failures),
        skipped=len(objects(value["pending"])),
    )


def _failed(test: dict[str, Any]) -> Problem:
    error = test.get("err")
    error = error if isinstance(error, dict) else {}
    file = text_in(test, "file")
    return Problem(
        message=(text_in(error, "message") or text_in(error, "stack") or "the test failed without a message").strip(),
        file=file,
        line=place_in_stack(text_in(error, "stack") or "", file),
        test=text_in(test, "fullTitle") or text_in(test, "title"),
        expected=text_in(error, "expected"),
    )


def _broken(text: str) -> Problem:
    _, _, said = text.partition("Exception during run: ")
    stack = [line.strip()[2:] for line in said.splitlines() if line.startswith("- ")]
    return Problem(
        message=f"A test file cannot be loaded: {said.partition(chr(10))[0].strip()}", file=stack[0] if stack else None
    )

"""Playwright: its JSON report, suites within suites; a test that passes in a retry is flaky, and passed."""

from collections.abc import Iterator
from typing import Any

from evaluator.engine.strategies.captured_output import plain_text
from evaluator.engine.strategies.output_parsers.printed import (
    Printed,
    UnreadableError,
    find_json,
    number_in,
    objects,
    text_in,
)
from evaluator.engine.strategies.states import Problem, TestRun

REPORT = "playwright.json"
NO_TESTS = "No tests found"
MOST_DEPTH = 50
MESSAGE_LINES = 15


def read(printed: Printed) -> TestRun:
    """Read Playwright's report.

    Raises:
        UnreadableError: there is none.
    """
    if printed.report(REPORT) is None and NO_TESTS in printed.everything:
        return TestRun((), 0, 0, 0)
    run = _run(printed.json_report(REPORT, "Playwright"))
    if run is None:
        raise UnreadableError("the report of Playwright has no config and suites")
    return run


def recognise(text: str) -> TestRun | None:
    """Playwright's JSON in a text; None if there is none."""
    return _run(find_json(text))


def _run(value: object) -> TestRun | None:
    if not isinstance(value, dict) or not {"config", "suites"} <= value.keys():
        return None
    passed = failed = skipped = 0
    problems: list[Problem] = []
    for spec, titles in _specs(objects(value["suites"]), (), 0):
        for test in objects(spec.get("tests")):
            status = test.get("status")
            passed += status in {"expected", "flaky"}
            skipped += status == "skipped"
            if status == "unexpected":
                failed += 1
                problems.append(_failed(spec, test, titles))
    errors = [error for error in objects(value.get("errors")) if NO_TESTS not in (text_in(error, "message") or "")]
    problems += [_error(error) for error in errors]
    return TestRun(tuple(problems), passed, failed, skipped, broken=len(errors))


def _specs(
    suites: list[dict[str, Any]], titles: tuple[str, ...], depth: int
) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
    if depth > MOST_DEPTH:
        return
    for suite in suites:
        inner = (*titles, text_in(suite, "title") or "") if depth else ()  # the outermost is the file
        for spec in objects(suite.get("specs")):
            yield spec, inner
        yield from _specs(objects(suite.get("suites")), inner, depth + 1)


def _failed(spec: dict[str, Any], test: dict[str, Any], titles: tuple[str, ...]) -> Problem:
    results = objects(test.get("results"))
    last = results[-1] if results else {}
    error = last.get("error")
    error = error if isinstance(error, dict) else next(iter(objects(last.get("errors"))), {})
    location = error.get("location")
    location = location if isinstance(location, dict) else {}
    name = " › ".join([*titles, text_in(spec, "title") or ""])  # noqa: RUF001 - as Playwright writes it
    project = text_in(test, "projectName")
    message = _message(error) or f"the test ended as {last.get('status') or 'unexpected'}"
    return Problem(
        message=message,
        file=text_in(location, "file") or text_in(spec, "file"),
        line=number_in(location, "line") or number_in(spec, "line"),
        test=f"[{project}] {name}" if project else name,
        expected=next((line[10:].strip() for line in message.splitlines() if line.startswith("Expected: ")), None),
    )


def _error(error: dict[str, Any]) -> Problem:
    location = error.get("location")
    location = location if isinstance(location, dict) else {}
    return Problem(message=_message(error), file=text_in(location, "file"), line=number_in(location, "line"))


def _message(error: dict[str, Any]) -> str:
    lines = plain_text(text_in(error, "message") or "").splitlines()
    return "\n".join([line.rstrip() for line in lines if line.strip()][:MESSAGE_LINES])

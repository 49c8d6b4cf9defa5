"""pytest: its JUnit report, in which the text of a failure says where it happened; also its last line on a terminal."""

import re
from dataclasses import replace
from typing import Any

from defusedxml.ElementTree import fromstring

from evaluator.engine.strategies.output_parsers import junit
from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError, find_json
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.states import Problem, TestRun

REPORT = "pytest.xml"
COVERAGE_REPORT = "coverage.json"
MESSAGE_LINES = 10
PLACE = re.compile(r"^(\S[^:\n]*\.py):(\d{1,9}): ", re.MULTILINE)
# `=== 2 failed, 1 passed, 1 skipped, 1 error in 0.12s ===`, or `no tests ran in 0.01s`
LAST_LINE = re.compile(r"^=* ?((?:\d{1,9} [a-z]+(?:, )?)+|no tests ran) in [0-9.]+s", re.MULTILINE)
COUNT = re.compile(r"(\d{1,9}) (passed|failed|errors?|skipped|xfailed|xpassed|deselected)")
TEST_FILE = re.compile(r"(?:^|/)(?:tests?/|test_[^/]*\.py$|[^/]*_test\.py$|conftest\.py$)")


def read(printed: Printed) -> TestRun:
    """Read pytest's report.

    Raises:
        UnreadableError: there is none, mostly because of a wrong option.
    """
    text = printed.report(REPORT)
    if text is None:
        raise UnreadableError("pytest wrote no report")
    run = junit.parse(text, "the report of pytest")
    root = fromstring(text)
    bodies = [child.text or "" for case in root.iter("testcase") for child in case if child.tag in {"failure", "error"}]
    located = tuple(_located(problem, body) for problem, body in zip(run.problems, bodies, strict=True))
    return replace(run, problems=located)


def read_coverage(printed: Printed) -> float | None:
    """The covered lines in percent; None if they were not measured.

    Test files, which run whole, are left out where the project does not say itself what is measured.
    """
    found = find_json(printed.report(COVERAGE_REPORT) or "")
    if not isinstance(found, dict):
        return None
    files, totals = found.get("files"), found.get("totals")
    if isinstance(files, dict) and not ProjectFiles(printed.project).configures_coverage:
        totals = _sum_of_code(files) or totals
    percent = totals.get("percent_covered") if isinstance(totals, dict) else None
    return float(percent) if isinstance(percent, int | float) else None


def _sum_of_code(files: dict[str, Any]) -> dict[str, float] | None:
    """The sum over all files but tests; None where nothing else was measured."""
    code = [file["summary"] for name, file in files.items() if not TEST_FILE.search(name)]
    lines = sum(summary["num_statements"] for summary in code)
    return {"percent_covered": 100 * sum(summary["covered_lines"] for summary in code) / lines} if lines else None


def recognise(text: str) -> TestRun | None:
    """The counts of pytest's last line in a text; None if there is none."""
    lines = LAST_LINE.findall(text)
    if not lines:
        return None
    counts = {word: int(number) for number, word in COUNT.findall(lines[-1])}
    broken = counts.get("error", 0) + counts.get("errors", 0)
    return TestRun(
        problems=(),
        passed=counts.get("passed", 0) + counts.get("xpassed", 0),
        failed=counts.get("failed", 0),
        skipped=counts.get("skipped", 0) + counts.get("xfailed", 0),
        broken=broken,
    )


def _located(problem: Problem, body: str) -> Problem:
    """A failure with the place where it happened; the report's own line counts from 0 and is where the test begins."""
    if problem.file is None:
        return problem
    places = [int(line) for file, line in PLACE.findall(body) if file == problem.file]
    begins = None if problem.line is None else problem.line + 1
    said = [line[1:].strip() for line in body.splitlines() if line.startswith("E ")]
    return replace(
        problem, line=places[-1] if places else begins, message="\n".join(said[:MESSAGE_LINES]) or problem.message
    )

"""The last lines of test runners on a terminal: only counts, for commands whose runner we cannot ask for a report."""

import re
from collections.abc import Callable

from evaluator.engine.strategies.states import TestRun

# `Tests  1 failed | 2 passed | 1 skipped (4)` of Vitest, `Tests: 1 failed, 2 passed, 3 total` of Jest
VITEST = re.compile(r"^[ \t]*+Tests  +(?:no tests|((?:\d{1,9} [a-z]+(?: \| )?)+) ?\(\d{1,9}\))", re.MULTILINE)
VITEST_FILES = re.compile(r"^[ \t]*+Test Files +(\d{1,9}) failed", re.MULTILINE)
JEST = re.compile(r"^Tests: +((?:\d{1,9} [a-z]+(?:, )?)+)$", re.MULTILINE)
JEST_SUITES = re.compile(r"^Test Suites: +(\d{1,9}) failed", re.MULTILINE)
COUNT = re.compile(r"(\d{1,9}) (passed|failed|skipped|todo|pending)")
MOCHA = re.compile(r"^[ \t]*+(\d{1,9}) (passing|failing|pending)\b", re.MULTILINE)
# Node's own runner: `# tests 3` as TAP, with the sign for information otherwise
NODE = re.compile(r"^(?:#|\u2139) (tests|pass|fail|cancelled|skipped|todo) (\d{1,9})$", re.MULTILINE)
# Python's unittest
UNITTEST = re.compile(r"^Ran (\d{1,9}) tests? in ", re.MULTILINE)
UNITTEST_END = re.compile(r"^(?:OK|FAILED|NO TESTS RAN)(?: \(([^)]*)\))?$", re.MULTILINE)
NAMED = re.compile(r"(failures|errors|skipped)=(\d{1,9})")
NONE_FOUND = re.compile(r"No test files found|No tests found|no tests ran|collected 0 items", re.IGNORECASE)


def recognise(text: str) -> TestRun | None:
    """The counts that a text ends with; None if no runner's are there."""
    found = next((run for reader in READERS if (run := reader(text))), None)
    return found or (TestRun((), 0, 0, 0) if NONE_FOUND.search(text) else None)


def _vitest(text: str) -> TestRun | None:
    return _counted(VITEST.findall(text), VITEST_FILES.search(text), has_line=VITEST.search(text) is not None)


def _jest(text: str) -> TestRun | None:
    return _counted(JEST.findall(text), JEST_SUITES.search(text), has_line=JEST.search(text) is not None)


def _counted(lines: list[str], files: re.Match[str] | None, *, has_line: bool) -> TestRun | None:
    if not has_line:
        return None
    counts = {word: int(number) for number, word in COUNT.findall(lines[-1])}
    failed = counts.get("failed", 0)
    skipped = sum(counts.get(word, 0) for word in ("skipped", "todo", "pending"))
    # A failed file without a failed test could not be loaded.
    return TestRun((), counts.get("passed", 0), failed, skipped, int(files[1]) if files and not failed else 0)


def _mocha(text: str) -> TestRun | None:
    counts = {word: int(number) for number, word in MOCHA.findall(text)}
    if "passing" not in counts:
        return None
    return TestRun((), counts["passing"], counts.get("failing", 0), counts.get("pending", 0))


def _node(text: str) -> TestRun | None:
    counts = {word: int(number) for word, number in NODE.findall(text)}
    if "tests" not in counts:
        return None
    failed = counts.get("fail", 0) + counts.get("cancelled", 0)
    return TestRun((), counts.get("pass", 0), failed, counts.get("skipped", 0) + counts.get("todo", 0))


def _unittest(text: str) -> TestRun | None:
    ran = UNITTEST.findall(text)
    if not ran:
        return None
    ends = UNITTEST_END.findall(text)
    counts = {word: int(number) for word, number in NAMED.findall(ends[-1] if ends else "")}
    failed = counts.get("failures", 0) + counts.get("errors", 0)
    skipped = counts.get("skipped", 0)
    return TestRun((), max(0, int(ran[-1]) - failed - skipped), failed, skipped)


READERS: tuple[Callable[[str], TestRun | None], ...] = (_vitest, _jest, _node, _unittest, _mocha)

"""TAP, the Test Anything Protocol: a plan, and one line for each test."""

import re

from evaluator.engine.strategies.states import Problem, TestRun

PLAN = re.compile(r"^1\.\.(\d{1,9})[ \t]*(?:#.*)?$", re.MULTILINE)
VERSION = re.compile(r"^TAP version \d", re.MULTILINE)
# Only what is not indented: subtests are summed up by a line of their parent.
TEST = re.compile(r"^(?P<not>not )?ok\b(?: \d{1,9})?(?P<text>[^\n]*)$", re.MULTILINE)
EXCUSED = re.compile(r"# *(?:skip|todo)\b", re.IGNORECASE)
BAIL_OUT = re.compile(r"^Bail out!.*", re.MULTILINE)


def recognise(text: str) -> TestRun | None:
    """The tests in a text; None if it is no TAP. Tests that the plan has and that did not come count as broken."""
    plan = PLAN.search(text)
    if plan is None and VERSION.search(text) is None:
        return None
    passed = skipped = 0
    problems: list[Problem] = []
    for line in TEST.finditer(text):
        if EXCUSED.search(line["text"]):
            skipped += 1
        elif line["not"]:
            name = line["text"].strip().removeprefix("- ")
            problems.append(Problem("the test failed", test=name or None))
        else:
            passed += 1
    missing = max(0, int(plan[1]) - passed - skipped - len(problems)) if plan else 0
    return TestRun(tuple(problems), passed, len(problems), skipped, max(missing, int(bool(BAIL_OUT.search(text)))))

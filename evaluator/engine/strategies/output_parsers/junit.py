"""JUnit XML, as most test runners write it; entities and other traps of XML are refused."""

import re
from xml.etree.ElementTree import Element

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from evaluator.engine.strategies.output_parsers.printed import UnreadableError
from evaluator.engine.strategies.states import Problem, TestRun

DOCUMENT = re.compile(r"<testsuites?[\s>/]")
ROOTS = frozenset({"testsuites", "testsuite"})
FAULTS = frozenset({"failure", "error"})
COLLECTION = "collection failure"  # pytest, for a file that cannot be imported
MESSAGE_LINES = 12


def parse(text: str, what: str = "the JUnit report") -> TestRun:
    """Read a whole document.

    Raises:
        UnreadableError: it is not JUnit XML.
    """
    try:
        root = fromstring(text)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise UnreadableError(f"{what} is not XML: {error}") from error
    if _name(root) not in ROOTS:
        raise UnreadableError(f"{what} begins with <{_name(root)}>, not with <testsuites>")
    return _run(root)


def recognise(text: str) -> TestRun | None:
    """JUnit XML in a text; None if there is none."""
    beginning = DOCUMENT.search(text)
    if beginning is None:
        return None
    end = max(text.rfind(f"</{root}>") + len(root) + 3 for root in ROOTS)
    try:
        return parse(text[beginning.start() : max(end, beginning.end())])
    except UnreadableError:
        return None


def _run(root: Element) -> TestRun:
    passed = failed = skipped = broken = 0
    problems: list[Problem] = []
    for case in root.iter():
        kind = _name(case)
        if kind != "testcase":
            continue
        fault = next((child for child in case if _name(child) in FAULTS), None)
        if fault is None:
            is_skipped = any(_name(child) == "skipped" for child in case)
            skipped, passed = skipped + is_skipped, passed + (not is_skipped)
        elif fault.get("message") == COLLECTION:
            broken += 1
            problems.append(_problem(case, fault))
        else:
            failed += 1
            problems.append(_problem(case, fault))
    return TestRun(tuple(problems), passed, failed, skipped, broken + _unlisted(root))


def _unlisted(root: Element) -> int:
    """How many failures and errors the suites count beyond those of their cases: the worse of the two is true."""
    found: dict[Element, int] = {}
    missing: dict[Element, int] = {}
    for element in reversed(list(root.iter())):  # what lies within comes before what it lies in
        parts = list(element)
        found[element] = sum(found.pop(part, 0) + (_name(part) in FAULTS) for part in parts)
        missing[element] = sum(missing.pop(part, 0) for part in parts)
        if _name(element) in ROOTS:
            declared = _count(element, "errors") + _count(element, "failures")
            missing[element] = max(missing[element], declared - found[element])
    return missing[root]


def _problem(case: Element, fault: Element) -> Problem:
    body = (fault.text or "").strip()
    message = (fault.get("message") or "").strip()
    if not message or message == COLLECTION:
        message = "\n".join(body.splitlines()[-MESSAGE_LINES:]) or message or "the test failed without a message"
    place, name = case.get("classname"), case.get("name")
    return Problem(
        message=message,
        file=case.get("file"),
        line=int(line) if (line := case.get("line") or "").isdigit() else None,
        test=f"{place}.{name}" if place and name else name or place,
    )


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _count(element: Element, key: str) -> int:
    value = element.get(key, "0")
    return int(value) if value.isdigit() else 0

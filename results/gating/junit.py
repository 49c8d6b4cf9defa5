"""A gate's report as JUnit XML: a suite for each run, a test for each check."""

import re
from xml.etree.ElementTree import Element, SubElement, tostring

from results.exports.shown_text import visible
from results.gating.checks import Check, CheckState
from results.gating.report import GateReport
from results.gating.words import TITLES, outcomes_words, run_name, task_name
from results.queries.compare_rows import ComparedRow

WHOLE = "gate"  # the suite of what is about all runs
_NO_XML = re.compile("[\ufffe\uffff]")  # what XML 1.0 cannot hold beside control characters


def as_junit(report: GateReport, base_url: str) -> bytes:
    """The report. What failed is a failure, what could not be judged is an error: tools count skipped tests as fine.

    Args:
        report: of the gate.
        base_url: where Evalboard is, for addresses in messages; empty = paths alone.
    """
    suites: dict[str, list[Check]] = {}
    for check in report.checks:
        suites.setdefault(WHOLE if check.pairing is None else _text(run_name(check.pairing)), []).append(check)
    root = Element("testsuites", {"name": "Evalboard gate", **_counts(report.checks)})
    for name, checks in suites.items():
        suite = SubElement(root, "testsuite", {"name": name, **_counts(checks)})
        for check in checks:
            _add(suite, name, check, report, base_url)
    found: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return found + b"\n"


def _counts(checks: "list[Check] | tuple[Check, ...]") -> dict[str, str]:
    states = [check.state for check in checks]
    return {
        "tests": str(len(states)),
        "failures": str(states.count(CheckState.FAILED)),
        "errors": str(states.count(CheckState.UNJUDGED)),
        "skipped": "0",
        "time": "0",
    }


def _add(suite: Element, name: str, check: Check, report: GateReport, base_url: str) -> None:
    case = SubElement(suite, "testcase", {"classname": name, "name": TITLES[check.rule], "time": "0"})
    if check.state is CheckState.PASSED:
        return
    tag = "failure" if check.state is CheckState.FAILED else "error"
    message = _text(check.message)
    body = SubElement(case, tag, {"type": check.rule, "message": message})
    lines = [message, *([f"{base_url}{check.address}"] if check.address else []), *_tasks(check, report)]
    body.text = "\n".join(lines)


def _tasks(check: Check, report: GateReport) -> list[str]:
    """The tasks that the check is about, for the two rules that are about tasks."""
    tasks = next((run.tasks for run in report.runs if run.pairing is check.pairing), None)
    rows: tuple[ComparedRow, ...] = ()
    if tasks is not None and check.rule in ("max_regressions", "tasks"):
        rows = tasks.regressed if check.rule == "max_regressions" else tasks.missing
    return [_text(f"{task_name(row)}: {outcomes_words(row)}") for row in rows]


def _text(text: str) -> str:
    return _NO_XML.sub("\ufffd", visible(text))

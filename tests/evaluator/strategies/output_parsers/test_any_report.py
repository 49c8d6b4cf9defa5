"""Whatever stands in a report, a parser reads it, finds nothing, or calls it unreadable."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.engine.strategies.output_parsers import biome, eslint, go, jest, junit, mocha, playwright, ruff
from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError
from evaluator.engine.strategies.output_parsers.registry import recognise_findings, recognise_tests
from evaluator.engine.strategies.states import Findings, TestRun

NAMES = """testResults assertionResults status name failureMessages fullName stats passes failures pending err stack
    config suites specs tests results error errors location message file line title filePath messages severity summary
    diagnostics path start filename code row column warnings Action Package Test Output ImportPath totals"""
KEYS = st.sampled_from(NAMES.split())
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["failed", "passed", "unexpected", "fail", "", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)
READERS = {
    biome.read: None,
    eslint.read: eslint.REPORT,
    jest.read: jest.REPORT,
    mocha.read: mocha.REPORT,
    playwright.read: playwright.REPORT,
    ruff.read: ruff.REPORT,
    go.read_tests: None,
}


@settings(max_examples=150)
@given(st.dictionaries(KEYS, VALUES, max_size=8) | st.lists(VALUES, max_size=3))
def test_any_json_is_read_or_refused(tmp_path_factory: Any, value: Any) -> None:
    folder: Path = tmp_path_factory.getbasetemp()
    text = json.dumps(value)
    for reader, name in READERS.items():
        if name:
            (folder / name).write_text(text)
        try:
            found = reader(Printed(text, "", 1, folder, folder))
        except UnreadableError:
            continue
        assert isinstance(found, Findings | TestRun)
    assert isinstance(recognise_findings(text), Findings | None)
    assert isinstance(recognise_tests(text), TestRun | None)


@settings(max_examples=100)
@given(st.text(alphabet="<>/=\"' testsuiecasfailur&;x1\n", max_size=80))
def test_any_xml_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(junit.parse(f"<testsuites>{text}</testsuites>"), TestRun)
    except UnreadableError:
        return

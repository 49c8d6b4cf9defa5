"""ESLint, Biome and ruff: errors and warnings from their reports."""

import json
from pathlib import Path

import pytest

from evaluator.engine.strategies.output_parsers import biome, eslint, ruff
from evaluator.engine.strategies.output_parsers.printed import UnreadableError
from evaluator.engine.strategies.states import Findings, Problem, Severity
from tests.evaluator.strategies.output_parsers.outputs import printed

ESLINT = [
    {"filePath": "/p/a.js", "messages": []},
    {
        "filePath": "/p/b.js",
        "messages": [
            {"ruleId": "no-unused-vars", "severity": 2, "message": "'x' is never used.", "line": 1, "column": 5},
            {"ruleId": "prefer-const", "severity": 1, "message": "Use 'const'.", "line": 2, "column": 1},
            {"ruleId": None, "severity": 2, "fatal": True, "message": "Parsing error: Unexpected token", "line": 3},
        ],
    },
]
BIOME = {
    "summary": {"errors": 1, "warnings": 1},
    "diagnostics": [
        {
            "severity": "warning",
            "message": "This variable x is unused.",
            "category": "lint/correctness/noUnusedVariables",
            "location": {"path": "c.js", "start": {"line": 1, "column": 5}},
        },
        {
            "severity": "error",
            "message": "Unexpected debugger.",
            "category": "lint/suspicious/noDebugger",
            "location": {"path": "c.js", "start": {"line": 2, "column": 1}},
        },
    ],
    "command": "lint",
}
OLDER_BIOME = {
    "summary": {"errors": 3, "warnings": 0},
    "diagnostics": [
        {
            "severity": "error",
            "description": "Unexpected debugger.",
            "message": [{"elements": [], "content": "Unexpected "}, {"elements": ["Emphasis"], "content": "debugger."}],
            "category": "lint/suspicious/noDebugger",
            "location": {"path": {"file": "c.js"}, "span": [10, 18]},
        }
    ],
}
RUFF = [
    {
        "code": "F401",
        "filename": "/p/m.py",
        "location": {"row": 1, "column": 8},
        "message": "`os` imported but unused",
        "severity": "error",
    },
    {"code": None, "filename": "/p/n.py", "location": {"row": 3, "column": 7}, "message": "Expected a parameter"},
]


def test_eslint_errors_and_warnings_are_told_apart(tmp_path: Path) -> None:
    found = eslint.read(printed(tmp_path, exit_code=1, reports={eslint.REPORT: json.dumps(ESLINT)}))
    assert (found.errors, found.warnings) == (2, 1)
    assert found.problems[0] == Problem(
        "'x' is never used.", Severity.ERROR, file="/p/b.js", line=1, column=5, code="no-unused-vars"
    )
    assert found.problems[1].severity is Severity.WARNING


def test_eslint_in_an_output_is_found_between_other_lines() -> None:
    found = eslint.recognise(f"> kiln@1.0.0 lint\n> eslint . -f json\n\n{json.dumps(ESLINT)}\nnpm error code 1\n")
    assert found is not None
    assert (found.errors, found.warnings) == (2, 1)


def test_eslint_without_a_report_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="wrote no report"):
        eslint.read(printed(tmp_path, stderr="Oops! Something went wrong!", exit_code=2))


def test_biome_is_read_with_its_places(tmp_path: Path) -> None:
    found = biome.read(printed(tmp_path, json.dumps(BIOME) + "\n", exit_code=1))
    assert (found.errors, found.warnings) == (1, 1)
    assert found.problems[1] == Problem(
        "Unexpected debugger.", Severity.ERROR, file="c.js", line=2, column=1, code="lint/suspicious/noDebugger"
    )


def test_an_older_biome_is_read_and_its_count_wins_over_its_list(tmp_path: Path) -> None:
    found = biome.read(printed(tmp_path, json.dumps(OLDER_BIOME), exit_code=1))
    assert (found.errors, found.problems[0].message, found.problems[0].file) == (3, "Unexpected debugger.", "c.js")


def test_ruff_is_read_syntax_errors_included(tmp_path: Path) -> None:
    found = ruff.read(printed(tmp_path, exit_code=1, reports={ruff.REPORT: json.dumps(RUFF)}))
    assert found == Findings(
        (
            Problem("`os` imported but unused", file="/p/m.py", line=1, column=8, code="F401"),
            Problem("Expected a parameter", file="/p/n.py", line=3, column=7),
        ),
        2,
        0,
    )


def test_concise_lines_of_ruff_are_recognised() -> None:
    found = ruff.recognise("m.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n")
    assert found is not None
    assert found.problems == (Problem("`os` imported but unused", file="m.py", line=1, code="F401"),)


@pytest.mark.parametrize("text", ["", "all good", "[]", "[1, 2]", '{"a": 1}', "[" * 100_000])
def test_other_texts_are_no_report(text: str) -> None:
    assert biome.recognise(text) is None
    assert ruff.recognise(text) is None
    assert (eslint.recognise(text) or Findings((), 0, 0)).problems == ()

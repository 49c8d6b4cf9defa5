"""Globs of test files."""

from pathlib import Path

import pytest

from evaluator.engine.patterns import PatternError
from evaluator.engine.strategies.file_patterns import compile_glob, matching_files
from tests.evaluator.strategies.projects import write


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("**/*.test.{ts,tsx}", "a.test.ts", True),
        ("**/*.test.{ts,tsx}", "src/deep/a.test.tsx", True),
        ("**/*.test.{ts,tsx}", "src/a.test.js", False),
        ("*.ts", "src/a.ts", False),
        ("./src/?.ts", "src/a.ts", True),
        ("src/**", "src/a/b.ts", True),
        ("a,b}.ts", "a,b}.ts", True),
        ("{a,{b,c}}.ts", "c.ts", True),
    ],
)
def test_a_glob_matches_whole_paths(pattern: str, name: str, expected: bool) -> None:
    assert compile_glob(pattern).is_whole(name) is expected


def test_an_open_brace_is_refused() -> None:
    with pytest.raises(PatternError, match="brace"):
        compile_glob("{a,b")


def test_packages_are_not_searched(tmp_path: Path) -> None:
    write(tmp_path, {"b.test.ts": "", "src/a.test.ts": "", "node_modules/x/c.test.ts": "", "dist/d.test.ts": ""})
    assert matching_files(tmp_path, "**/*.test.ts") == ["b.test.ts", "src/a.test.ts"]

"""Known programs behind wrappers and scripts."""

import json
from pathlib import Path

import pytest

from evaluator.engine.strategies.command_lines import read_command
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.tools.registry import missing_program, recognise
from evaluator.engine.strategies.tools.tool import without_flags
from tests.evaluator.strategies.projects import write

SCRIPTS = {
    "lint": "eslint . --max-warnings 0",
    "test": "cross-env CI=1 vitest",
    "check": "prisma generate && tsc --noEmit",
    "piped": "eslint . | tee log",
}


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("npx tsc --noEmit", "tsc"),
        ("npx --no-install eslint src", "ESLint"),
        ("node_modules/.bin/eslint src", "ESLint"),
        ("pnpm exec biome check .", "Biome"),
        ("npm run lint", "ESLint"),
        ("npm test", "Vitest"),
        ("yarn lint", "ESLint"),
        ("pnpm run check", "tsc"),
        ("NODE_ENV=test npx jest", "Jest"),
        ("npx mocha -r ts-node/register", "Mocha"),
        ("npx playwright test", "Playwright"),
        (".venv/bin/python -m pytest -q", "pytest"),
        ("uv run pytest", "pytest"),
        ("poetry run mypy .", "mypy"),
        ("ruff check src", "ruff"),
        ("go test ./...", "go test"),
        ("go vet ./...", "go"),
        ("cargo clippy -- -D warnings", "cargo"),
        ("cargo test", "cargo test"),
        ("make test", None),
        ("ruff format .", None),
        ("npx playwright install", None),
        ("npm run piped", None),
        ("npm run nothing", None),
    ],
)
def test_the_program_of_a_command_is_recognised(tmp_path: Path, command: str, tool: str | None) -> None:
    write(tmp_path, {"package.json": json.dumps({"scripts": SCRIPTS})})
    found = recognise(read_command(command), ProjectFiles(tmp_path))
    assert (found.tool.name if found else None) == tool


def test_arguments_for_a_script_of_npm_need_a_separator(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": json.dumps({"scripts": SCRIPTS})})
    separators = {}
    for command in ("npm run lint", "yarn lint", "npx eslint ."):
        found = recognise(read_command(command), ProjectFiles(tmp_path))
        assert found is not None
        separators[command] = found.separator
    assert separators == {"npm run lint": ("--",), "yarn lint": (), "npx eslint .": ()}


def test_a_program_that_npx_would_download_is_missing(tmp_path: Path) -> None:
    write(tmp_path, {"node_modules/.bin/there": "", "inner/package.json": "{}"})
    project = ProjectFiles(tmp_path / "inner")

    def missing(command: str) -> str | None:
        return missing_program(read_command(command).steps[0], project)

    assert missing("npx there") is None
    assert missing("npx not-there --x") == "not-there"
    assert missing("npx --yes not-there") is None


def test_a_report_format_of_the_command_gives_way_to_ours(tmp_path: Path) -> None:
    assert without_flags(("ruff", "check", "--output-format=github", "-o", "f", "."), ("--output-format", "-o")) == (
        "ruff",
        "check",
        ".",
    )
    write(tmp_path, {"package.json": json.dumps({"scripts": {"lint": "biome lint . --reporter=github"}})})
    in_script = recognise(read_command("npm run lint"), ProjectFiles(tmp_path))
    direct = recognise(read_command("npx biome lint . --reporter=github"), ProjectFiles(tmp_path))
    assert in_script is not None
    assert direct is not None
    assert (in_script.can_be_asked, direct.can_be_asked) == (False, True)

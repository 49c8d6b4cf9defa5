"""What a folder tells about how its project is built, checked and tested."""

import json
from pathlib import Path

import pytest

from evaluator.engine.strategies.detection import detect, detect_kind
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.runner import detected_configuration
from tests.evaluator.strategies.projects import write


def package(**fields: object) -> dict[str, str]:
    return {"package.json": json.dumps(fields)}


@pytest.mark.parametrize(
    ("files", "preset", "reason"),
    [
        (package(dependencies={"next": "15", "react": "19"}), "nextjs", "package.json lists next"),
        (package(dependencies={"react": "19"}, devDependencies={"vite": "7"}), "react-vite", "lists react and vite"),
        (package(name="x"), "brownfield", "package.json is there"),
        ({"pyproject.toml": ""}, "python", "pyproject.toml is there"),
        ({"go.mod": "module x"}, "go", "go.mod is there"),
        ({"Cargo.toml": ""}, "rust", "Cargo.toml is there"),
        ({"a.py": ""}, "python", "a.py is there"),
        ({"README.md": ""}, "generic", "no file"),
    ],
)
def test_the_kind_of_a_project_is_told_with_its_reason(
    tmp_path: Path, files: dict[str, str], preset: str, reason: str
) -> None:
    kind = detect_kind(ProjectFiles(write(tmp_path, files)))
    assert kind.preset == preset
    assert reason in kind.reason


@pytest.mark.parametrize(
    ("strategy", "files", "command", "reason"),
    [
        ("typecheck", {"tsconfig.json": ""}, "npx tsc --noEmit", "tsconfig.json is there"),
        (
            "typecheck",
            package(scripts={"type-check": "vue-tsc"}),
            "npm run type-check",
            "the script 'type-check': vue-tsc",
        ),
        ("typecheck", {"mypy.ini": ""}, "python3 -m mypy .", "mypy.ini is there"),
        ("typecheck", {"setup.cfg": "[mypy]\nstrict = true\n"}, "python3 -m mypy .", "section for mypy"),
        ("typecheck", {"mypy.ini": "[mypy]\nfiles = src\n"}, "python3 -m mypy", "mypy.ini is there"),
        ("typecheck", {"pyproject.toml": "[tool.mypy]\npackages = ['a']\n"}, "python3 -m mypy", "[tool.mypy]"),
        ("typecheck", {"setup.cfg": "[mypy]\nmodules = a\n"}, "python3 -m mypy", "section for mypy"),
        ("lint", {".venv/bin/ruff": ""}, "python3 -m ruff check .", ".venv/bin/ruff is there"),
        ("lint", package(scripts={"lint": "eslint ."}), "npm run lint", "the script 'lint': eslint ."),
        ("lint", {".eslintrc.json": ""}, "npx eslint .", ".eslintrc.json is there"),
        ("lint", package(devDependencies={"eslint": "10"}), "npx eslint .", "package.json lists eslint"),
        ("lint", {"biome.json": ""}, "npx biome lint .", "biome.json is there"),
        ("lint", package(devDependencies={"@biomejs/biome": "2"}), "npx biome lint .", "lists @biomejs/biome"),
        ("lint", {"pyproject.toml": "[tool.ruff]\n"}, "python3 -m ruff check .", "[tool.ruff]"),
        ("lint", {"requirements.txt": "Ruff==0.1\n"}, "python3 -m ruff check .", "requirements list ruff"),
        ("lint", {"go.mod": ""}, "go vet ./...", "go.mod is there"),
        ("unit-test", package(scripts={"test": "vitest run"}), "npm test", "the script 'test'"),
        ("unit-test", {"vitest.config.ts": ""}, "npx vitest run", "vitest.config.ts is there"),
        ("unit-test", package(devDependencies={"jest": "30"}), "npx jest", "lists jest"),
        ("unit-test", package(devDependencies={"mocha": "12"}), "npx mocha", "lists mocha"),
        ("unit-test", {"tests/test_a.py": ""}, "python3 -m pytest", "tests/test_a.py is there"),
        ("unit-test", {"Cargo.toml": ""}, "cargo test", "Cargo.toml is there"),
        ("build", package(scripts={"build": "vite build"}), "npm run build", "the script 'build'"),
        ("build", {"go.mod": ""}, "go build ./...", "go.mod is there"),
        ("playwright", {"playwright.config.ts": ""}, "npx playwright test", "playwright.config.ts is there"),
        ("playwright", {"node_modules/.bin/playwright": ""}, "npx playwright test", "node_modules has playwright"),
    ],
)
def test_a_command_is_found_with_its_reason(
    tmp_path: Path, strategy: str, files: dict[str, str], command: str, reason: str
) -> None:
    found = detect(strategy, ProjectFiles(write(tmp_path, files)))
    assert found is not None
    assert found.command == command
    assert reason in found.reason


@pytest.mark.parametrize(
    ("strategy", "files"),
    [
        ("build", {"pyproject.toml": ""}),
        ("typecheck", package(name="x")),
        ("unit-test", package(scripts={"test": 'echo "Error: no test specified" && exit 1'})),
        ("lint", {"package.json": "not json"}),
        ("lint", {"pyproject.toml": "not [toml"}),
        ("playwright", package(name="x")),
    ],
)
def test_where_nothing_speaks_for_a_command_there_is_none(tmp_path: Path, strategy: str, files: dict[str, str]) -> None:
    assert detect(strategy, ProjectFiles(write(tmp_path, files))) is None


def test_the_python_of_the_project_is_used(tmp_path: Path) -> None:
    write(tmp_path, {".venv/bin/python": "", "pytest.ini": ""})
    found = detect("unit-test", ProjectFiles(tmp_path))
    assert found is not None
    assert found.command == ".venv/bin/python -m pytest"


def test_without_a_configuration_what_is_found_is_required_and_the_rest_shows(tmp_path: Path) -> None:
    write(tmp_path, {"test_a.py": "", "ruff.toml": ""})
    found = detected_configuration(ProjectFiles(tmp_path))
    assert [(choice.type, choice.required) for choice in found.strategies] == [
        ("typecheck", False),
        ("lint", True),
        ("unit-test", True),
    ]
    assert found.notes == (
        "no configuration; the project looks like python: test_a.py is there",
        "lint: python3 -m ruff check . (ruff.toml is there)",
        "unit-test: python3 -m pytest (test_a.py is there)",
    )

"""Finds out how a project builds, checks and tests itself, and says what it found and why."""

from collections.abc import Callable
from dataclasses import dataclass

from evaluator.engine.strategies.project_files import PYTHON_FOLDERS, ProjectFiles

ESLINT_FILES = ("eslint.config.*", ".eslintrc", ".eslintrc.*")
BIOME_FILES = ("biome.json", "biome.jsonc")
RUFF_FILES = ("ruff.toml", ".ruff.toml")
MYPY_FILES = ("mypy.ini", ".mypy.ini")
PYTEST_FILES = ("pytest.ini", "conftest.py", "tests/conftest.py", "tests/test_*.py", "test_*.py", "tests/*_test.py")
PYTHON_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "requirements*.txt")
PLAYWRIGHT_FILES = ("playwright.config.*",)
NO_TESTS_YET = "no test specified"  # what npm writes into the script of a new package


@dataclass(frozen=True)
class Detected:
    """A command for a strategy, and what in the project speaks for it."""

    command: str
    reason: str


@dataclass(frozen=True)
class Kind:
    """What kind of project this is: the preset that fits, and why."""

    preset: str
    reason: str


def detect_kind(project: ProjectFiles) -> Kind:
    """The preset that fits a project best; `generic` where nothing speaks for another."""
    packages = project.node_packages
    if "next" in packages:
        return Kind("nextjs", "package.json lists next")
    if "react" in packages and "vite" in packages:
        return Kind("react-vite", "package.json lists react and vite")
    for preset, files in (
        ("rust", ("Cargo.toml",)),
        ("go", ("go.mod",)),
        ("brownfield", ("package.json",)),
        ("python", PYTHON_FILES),
    ):
        found = project.has(*files)
        if found:
            return Kind(preset, f"{found} is there")
    found = project.has(*PYTEST_FILES, "*.py")
    return Kind("python", f"{found} is there") if found else Kind("generic", "no file tells a kind of project")


def detect(strategy: str, project: ProjectFiles) -> Detected | None:
    """The command for a strategy; None where nothing in the project speaks for one."""
    return next((found for detector in DETECTORS.get(strategy, ()) if (found := detector(project))), None)


def sought(strategy: str) -> str:
    """What would have to be there for a strategy to be found, and the remedy, for the message that it is not."""
    key = COMMAND_KEYS.get(strategy)
    remedy = f' Or write the command into the configuration: {key}, such as "{EXAMPLES[strategy]}".' if key else ""
    return f"{SOUGHT[strategy]} was looked for and not found.{remedy}"


def _node_program(project: ProjectFiles, package: str, files: tuple[str, ...], command: str) -> Detected | None:
    found = project.has(*files) if files else None
    if found:
        return Detected(command, f"{found} is there")
    return Detected(command, f"package.json lists {package}") if package in project.node_packages else None


def _script(project: ProjectFiles, name: str, command: str) -> Detected | None:
    text = project.scripts.get(name)
    if not text or not text.strip() or NO_TESTS_YET in text:
        return None
    return Detected(command, f"package.json has the script {name!r}: {text}")


def _tsc(project: ProjectFiles) -> Detected | None:
    found = project.has("tsconfig.json")
    return Detected("npx tsc --noEmit", f"{found} is there") if found else None


def _mypy(project: ProjectFiles) -> Detected | None:
    # What the project itself names as the code to check is more than a guess of ours, which would override it.
    return _python_tool(project, "mypy", MYPY_FILES, "mypy" if project.names_code_for_mypy else "mypy .")


def _ruff(project: ProjectFiles) -> Detected | None:
    found = _python_tool(project, "ruff", RUFF_FILES, "ruff check .")
    if found is not None:
        return found
    installed = project.has(*(f"{folder}/bin/ruff" for folder in PYTHON_FOLDERS))  # it works without a configuration
    return Detected(f"{project.python_program} -m ruff check .", f"{installed} is there") if installed else None


def _pytest(project: ProjectFiles) -> Detected | None:
    return _python_tool(project, "pytest", PYTEST_FILES, "pytest")


def _python_tool(project: ProjectFiles, name: str, files: tuple[str, ...], arguments: str) -> Detected | None:
    command = f"{project.python_program} -m {arguments}"
    found = project.has(*files)
    if found:
        return Detected(command, f"{found} is there")
    if name in project.python_tools:
        return Detected(command, f"pyproject.toml has [tool.{name}]")
    if project.setup_sections & {name, f"tool:{name}"}:
        return Detected(command, f"setup.cfg or tox.ini has a section for {name}")
    return Detected(command, f"the project's requirements list {name}") if name in project.python_packages else None


def _with_file(name: str, command: str) -> Callable[[ProjectFiles], Detected | None]:
    return lambda project: Detected(command, f"{name} is there") if project.has(name) else None


def _playwright(project: ProjectFiles) -> Detected | None:
    command = "npx playwright test"
    for package, files in (("@playwright/test", PLAYWRIGHT_FILES), ("playwright", ())):
        found = _node_program(project, package, files, command)
        if found:
            return found
    return Detected(command, "node_modules has playwright") if project.installed_program("playwright") else None


DETECTORS: dict[str, tuple[Callable[[ProjectFiles], Detected | None], ...]] = {
    "build": (
        lambda project: _script(project, "build", "npm run build"),
        _with_file("Cargo.toml", "cargo build"),
        _with_file("go.mod", "go build ./..."),
    ),
    "typecheck": (
        lambda project: _script(project, "typecheck", "npm run typecheck"),
        lambda project: _script(project, "type-check", "npm run type-check"),
        _tsc,
        _with_file("Cargo.toml", "cargo check"),
        _with_file("go.mod", "go vet ./..."),
        _mypy,
    ),
    "lint": (
        lambda project: _script(project, "lint", "npm run lint"),
        lambda project: _node_program(project, "eslint", ESLINT_FILES, "npx eslint ."),
        lambda project: _node_program(project, "@biomejs/biome", BIOME_FILES, "npx biome lint ."),
        _with_file("Cargo.toml", "cargo clippy"),
        _with_file("go.mod", "go vet ./..."),
        _ruff,
    ),
    "unit-test": (
        lambda project: _script(project, "test", "npm test"),
        lambda project: _node_program(project, "vitest", ("vitest.config.*",), "npx vitest run"),
        lambda project: _node_program(project, "jest", ("jest.config.*",), "npx jest"),
        lambda project: _node_program(project, "mocha", (".mocharc.*",), "npx mocha"),
        _with_file("Cargo.toml", "cargo test"),
        _with_file("go.mod", "go test ./..."),
        _pytest,
    ),
    "playwright": (_playwright,),
}
COMMAND_KEYS = {
    "build": "commands.build",
    "typecheck": "commands.typecheck",
    "lint": "commands.lint",
    "unit-test": "commands.test",
}
EXAMPLES = {"build": "make", "typecheck": "mypy src", "lint": "ruff check .", "unit-test": "pytest"}
SOUGHT = {
    "build": "a script 'build' in package.json, Cargo.toml or go.mod",
    "typecheck": "a script 'typecheck' in package.json, tsconfig.json, Cargo.toml, go.mod or a configuration of mypy",
    "lint": "a script 'lint' in package.json, ESLint, Biome, Cargo.toml, go.mod or ruff, which .venv may hold,",
    "unit-test": "a script 'test' in package.json, Vitest, Jest, Mocha, Cargo.toml, go.mod or pytest",
    "playwright": "@playwright/test in package.json or a playwright.config file",
    "api-check": "endpoints in its config, or requests such as `GET /path` in the contract",
}

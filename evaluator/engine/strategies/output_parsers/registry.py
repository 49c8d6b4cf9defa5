"""The formats that are recognised in the output of a command whose tool is not known: one line each."""

from collections.abc import Callable

from evaluator.engine.strategies.output_parsers import (
    biome,
    cargo,
    counted_lines,
    eslint,
    go,
    jest,
    junit,
    mocha,
    mypy,
    playwright,
    pytest,
    ruff,
    tap,
    typescript,
)
from evaluator.engine.strategies.states import Findings, TestRun

FINDING_FORMATS: dict[str, Callable[[str], Findings | None]] = {
    "tsc": typescript.recognise,
    "ESLint": eslint.recognise,
    "Biome": biome.recognise,
    "ruff": ruff.recognise,
    "mypy": mypy.recognise,
    "cargo": cargo.recognise_findings,
    "go": go.recognise_findings,
}
TEST_FORMATS: dict[str, Callable[[str], TestRun | None]] = {
    "Vitest or Jest": jest.recognise,
    "Mocha": mocha.recognise,
    "Playwright": playwright.recognise,
    "JUnit": junit.recognise,
    "go test": go.recognise_tests,
    "cargo test": cargo.recognise_tests,
    "pytest": pytest.recognise,
    "a known test runner": counted_lines.recognise,
    "TAP": tap.recognise,
}


def recognise_findings(text: str) -> Findings | None:
    """What a compiler or linter says in a text; None if no format is known in it."""
    return next((found for recognise in FINDING_FORMATS.values() if (found := recognise(text))), None)


def recognise_tests(text: str) -> TestRun | None:
    """What a test runner says in a text; None if no format is known in it."""
    return next((found for recognise in TEST_FORMATS.values() if (found := recognise(text))), None)

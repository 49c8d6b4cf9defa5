"""The programs of the Node world."""

from collections.abc import Sequence
from pathlib import Path

from evaluator.engine.strategies.output_parsers import biome, eslint, jest, mocha, playwright, typescript
from evaluator.engine.strategies.states import Findings, TestRun
from evaluator.engine.strategies.tools.tool import Tool, fixed, plain_files, runs

TSC = Tool(
    name="tsc",
    matches=runs("tsc", "vue-tsc", "tsgo"),
    report=Findings,
    read=typescript.read,
    report_arguments=lambda _, __: ("--pretty", "false"),
    options={"strict": fixed("--strict"), "tsconfig": lambda value, _: ("-p", value)},
)


def _eslint_report(_: Sequence[str], folder: Path) -> tuple[str, ...]:
    return ("--format", "json", "--output-file", str(folder / eslint.REPORT))


ESLINT = Tool(
    name="ESLint",
    matches=runs("eslint"),
    report=Findings,
    read=eslint.read,
    report_arguments=_eslint_report,
    options={"fix": fixed("--fix")},
)
BIOME = Tool(
    name="Biome",
    matches=runs("biome", first=("check", "lint", "ci")),
    report=Findings,
    read=biome.read,
    report_arguments=lambda _, __: ("--reporter=json", "--max-diagnostics=none"),
    report_flags=("--reporter", "--max-diagnostics"),
    options={"fix": fixed("--write")},
)


def _vitest_report(words: Sequence[str], folder: Path) -> tuple[str, ...]:
    once = () if {"run", "--run"} & set(words) else ("--run",)  # without it Vitest may wait for changes
    return (*once, "--reporter=default", "--reporter=json", f"--outputFile.json={folder / jest.REPORT}")


def _whole_paths(files: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Vitest takes any part of a path for a filter: `a.test.ts` would mean `src/a.test.ts`, too."""
    return tuple(str(folder / file) for file in files)


VITEST = Tool(
    name="Vitest",
    matches=runs("vitest"),
    report=TestRun,
    read=jest.read,
    report_arguments=_vitest_report,
    report_flags=("--outputFile",),
    options={
        "coverage": lambda _, folder: (
            "--coverage",
            "--coverage.reporter=json-summary",
            f"--coverage.reportsDirectory={folder}",
        )
    },
    files=_whole_paths,
    read_coverage=jest.read_coverage,
)
JEST = Tool(
    name="Jest",
    matches=runs("jest"),
    report=TestRun,
    read=jest.read,
    report_arguments=lambda _, folder: ("--json", f"--outputFile={folder / jest.REPORT}"),
    options={
        "coverage": lambda _, folder: (
            "--coverage",
            "--coverageReporters=json-summary",
            f"--coverageDirectory={folder}",
        )
    },
    files=lambda files, _: ("--runTestsByPath", *files),
    read_coverage=jest.read_coverage,
)
MOCHA = Tool(
    name="Mocha",
    matches=runs("mocha"),
    report=TestRun,
    read=mocha.read,
    report_arguments=lambda _, folder: ("--reporter", "json", "--reporter-option", f"output={folder / mocha.REPORT}"),
    files=plain_files,
)
PLAYWRIGHT = Tool(
    name="Playwright",
    matches=runs("playwright", first=("test",)),
    report=TestRun,
    read=playwright.read,
    report_arguments=lambda _, __: ("--reporter=line,json",),
    report_environment=lambda folder: {"PLAYWRIGHT_JSON_OUTPUT_NAME": str(folder / playwright.REPORT)},
    options={"project": lambda value, _: ("--project", value), "retries": lambda value, _: ("--retries", value)},
)

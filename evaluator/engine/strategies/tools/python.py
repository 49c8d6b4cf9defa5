"""The programs of the Python world."""

from evaluator.engine.strategies.output_parsers import mypy, pytest, ruff
from evaluator.engine.strategies.states import Findings, TestRun
from evaluator.engine.strategies.tools.tool import Tool, fixed, plain_files, runs

PYTEST = Tool(
    name="pytest",
    matches=runs("pytest", "py.test"),
    report=TestRun,
    read=pytest.read,
    # The older family of reports is the one that names files.
    report_arguments=lambda _, folder: (f"--junitxml={folder / pytest.REPORT}", "-o", "junit_family=xunit1"),
    # Else it would leave its data in the project.
    report_environment=lambda folder: {"COVERAGE_FILE": str(folder / "coverage")},
    options={"coverage": lambda _, folder: ("--cov", f"--cov-report=json:{folder / pytest.COVERAGE_REPORT}")},
    files=plain_files,
    read_coverage=pytest.read_coverage,
)
RUFF = Tool(
    name="ruff",
    matches=runs("ruff", first=("check",)),
    report=Findings,
    read=ruff.read,
    report_arguments=lambda _, folder: ("--output-format=json", f"--output-file={folder / ruff.REPORT}"),
    report_flags=("--output-format", "--output-file", "-o"),
    options={"fix": fixed("--fix")},
)
MYPY = Tool(
    name="mypy",
    matches=runs("mypy"),
    report=Findings,
    read=mypy.read,
    report_arguments=lambda _, __: ("--no-pretty", "--show-column-numbers"),
    options={"strict": fixed("--strict")},
)

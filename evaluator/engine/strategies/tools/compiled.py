"""The programs of Go and Rust, which build, check and test in one."""

from evaluator.engine.strategies.output_parsers import cargo, go
from evaluator.engine.strategies.states import Findings, TestRun
from evaluator.engine.strategies.tools.tool import Tool, runs

GO = Tool(name="go", matches=runs("go", first=("build", "vet")), report=Findings, read=go.read_findings)
GO_TEST = Tool(
    name="go test",
    matches=runs("go", first=("test",)),
    report=TestRun,
    read=go.read_tests,
    report_arguments=lambda _, __: ("-json",),
    options={"coverage": lambda _, folder: (f"-coverprofile={folder / go.COVERAGE_REPORT}",)},
    read_coverage=go.read_coverage,
)
CARGO = Tool(
    name="cargo",
    matches=runs("cargo", first=("build", "check", "clippy", "b", "c")),
    report=Findings,
    read=cargo.read_findings,
)
CARGO_TEST = Tool(name="cargo test", matches=runs("cargo", first=("test", "t")), report=TestRun, read=cargo.read_tests)

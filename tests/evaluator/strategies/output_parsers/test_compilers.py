"""tsc, mypy, Go's and Rust's compilers: errors with their places, and outputs that are none."""

from pathlib import Path

import pytest

from evaluator.engine.strategies.output_parsers import cargo, go, mypy, typescript
from evaluator.engine.strategies.output_parsers.printed import UnreadableError
from evaluator.engine.strategies.states import Findings, Problem, Severity
from tests.evaluator.strategies.output_parsers.outputs import printed

TSC = """\
src/a.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.
src/b (1).tsx(10,3): error TS2345: Argument of type '{}' is not assignable.
  Property 'name' is missing.
    Deep inside.
error TS5058: The specified path does not exist: 'x.json'.
"""
TSC_PRETTY = """\
src/a.ts:2:14 - error TS2322: Type 'string' is not assignable to type 'number'.

2 export const n: number = "x";
               ~

Found 1 error in src/a.ts:2
"""
MYPY = """\
app/m.py:2:10: error: Incompatible types in assignment  [assignment]
app/m.py:2: note: See the docs
app/n.py:7: error: Missing return
Found 2 errors in 2 files (checked 3 source files)
"""
GO_BUILD = """\
# example.org/kiln/oven
oven/oven.go:12:9: undefined: heat
./main.go:3:2: "os" imported and not used
"""
GO_VET = "# example.org/kiln\nvet: ./main.go:5:2: undefined: x\n"
CARGO = """\
   Compiling kiln v0.1.0 (/home/me/kiln)
warning: unused variable: `x`
 --> src/lib.rs:3:9
  |
3 |     let x = 1;
error[E0308]: mismatched types
  --> src/lib.rs:12:21
   |
error: could not compile `kiln` (lib) due to 1 previous error; 1 warning emitted
"""


def test_tsc_errors_have_file_line_code_and_all_lines_of_their_message(tmp_path: Path) -> None:
    assert typescript.read(printed(tmp_path, TSC, exit_code=2)).problems == (
        Problem("Type 'string' is not assignable to type 'number'.", file="src/a.ts", line=2, column=14, code="TS2322"),
        Problem(
            "Argument of type '{}' is not assignable.\nProperty 'name' is missing.\nDeep inside.",
            file="src/b (1).tsx",
            line=10,
            column=3,
            code="TS2345",
        ),
        Problem("The specified path does not exist: 'x.json'.", code="TS5058"),
    )


def test_the_pretty_form_of_tsc_is_read_too(tmp_path: Path) -> None:
    (problem,) = typescript.read(printed(tmp_path, TSC_PRETTY, exit_code=2)).problems
    assert (problem.file, problem.line, problem.code) == ("src/a.ts", 2, "TS2322")


def test_mypy_errors_are_read_and_notes_are_left_out(tmp_path: Path) -> None:
    assert mypy.read(printed(tmp_path, MYPY, exit_code=1)).problems == (
        Problem("Incompatible types in assignment", file="app/m.py", line=2, column=10, code="assignment"),
        Problem("Missing return", file="app/n.py", line=7),
    )


def test_go_errors_are_read(tmp_path: Path) -> None:
    assert go.read_findings(printed(tmp_path, stderr=GO_BUILD, exit_code=1)).problems == (
        Problem("undefined: heat", file="oven/oven.go", line=12, column=9),
        Problem('"os" imported and not used', file="main.go", line=3, column=2),
    )
    assert go.read_findings(printed(tmp_path, stderr=GO_VET, exit_code=1)).errors == 1


def test_cargo_errors_and_warnings_are_told_apart(tmp_path: Path) -> None:
    found = cargo.read_findings(printed(tmp_path, stderr=CARGO, exit_code=101))
    assert (found.errors, found.warnings) == (1, 1)
    assert found.problems[0] == Problem("unused variable: `x`", Severity.WARNING, file="src/lib.rs", line=3, column=9)
    assert found.problems[1].code == "E0308"


@pytest.mark.parametrize("read", [typescript.read, mypy.read, go.read_findings, cargo.read_findings])
def test_silence_with_exit_code_0_is_no_error(read: object, tmp_path: Path) -> None:
    assert callable(read)
    assert read(printed(tmp_path)) == Findings((), 0, 0)


@pytest.mark.parametrize("read", [typescript.read, mypy.read, go.read_findings, cargo.read_findings])
def test_a_failure_that_names_no_error_is_unreadable(read: object, tmp_path: Path) -> None:
    assert callable(read)
    with pytest.raises(UnreadableError):
        read(printed(tmp_path, "Segmentation fault", exit_code=139))

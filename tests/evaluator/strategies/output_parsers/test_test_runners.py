"""Vitest, Jest, Mocha, Playwright, Go and Cargo: counts and failures of tests."""

import json
from pathlib import Path

import pytest

from evaluator.engine.strategies.output_parsers import cargo, counted_lines, go, jest, mocha, playwright
from evaluator.engine.strategies.output_parsers import pytest as pytest_report
from evaluator.engine.strategies.output_parsers.printed import UnreadableError
from evaluator.engine.strategies.states import Problem, TestRun
from tests.evaluator.strategies.output_parsers.outputs import printed

FAILED_ASSERTION = """AssertionError: expected 2 to be 3 // Object.is equality
    at /p/x.js:9:1
    at /p/src/a.test.js:3:36"""
VITEST = {
    "numTotalTests": 3,
    "success": False,
    "testResults": [
        {
            "name": "/p/src/a.test.js",
            "status": "failed",
            "message": "",
            "assertionResults": [
                {"fullName": "adds", "status": "passed", "failureMessages": []},
                {
                    "fullName": "breaks",
                    "status": "failed",
                    "failureMessages": [FAILED_ASSERTION],
                },
                {"fullName": "later", "status": "skipped"},
            ],
        },
        {
            "name": "/p/src/b.test.js",
            "status": "failed",
            "message": "Cannot find module './missing.js' imported from /p/src/b.test.js",
            "assertionResults": [],
        },
    ],
}
JEST_FAILURE = (
    "Error: expect(received).toBe(expected)\n\nExpected: 3\nReceived: 2\n    at Object.toBe (/p/a.test.js:2:62)"
)
MOCHA = {
    "stats": {"tests": 3},
    "passes": [{"fullTitle": "a ok"}],
    "pending": [{"fullTitle": "a later"}],
    "failures": [
        {
            "fullTitle": "a bad",
            "file": "/p/test/m.spec.cjs",
            "err": {
                "message": "Expected values to be strictly equal:\n\n1 !== 2\n",
                "stack": "AssertionError: x\n    at Context.<anonymous> (test/m.spec.cjs:2:68)",
                "expected": "2",
            },
        }
    ],
}


def playwright_test(title: str, status: str, *results: dict[str, object]) -> dict[str, object]:
    test = {"projectName": "chromium", "status": status, "results": list(results)}
    return {"title": title, "file": "a.spec.js", "line": 3, "tests": [test]}


PLAYWRIGHT = {
    "config": {},
    "suites": [
        {
            "title": "a.spec.js",
            "specs": [playwright_test("shows", "expected", {"status": "passed"})],
            "suites": [
                {
                    "title": "kiln",
                    "specs": [
                        playwright_test(
                            "heats",
                            "unexpected",
                            {
                                "status": "failed",
                                "error": {
                                    "message": '\u001b[2mError\u001b[22m: failed\n\nExpected: "hot"\nReceived: "cold"',
                                    "location": {"file": "/p/e2e/a.spec.js", "line": 7, "column": 3},
                                },
                            },
                        ),
                        playwright_test("hangs", "unexpected", {"status": "timedOut"}),
                        playwright_test("wobbles", "flaky", {"status": "failed"}, {"status": "passed"}),
                        playwright_test("waits", "skipped"),
                    ],
                }
            ],
        }
    ],
    "errors": [],
}
GO = [
    {"Action": "start", "Package": "example.org/kiln/oven"},
    {"Action": "run", "Package": "example.org/kiln/oven", "Test": "TestHeat"},
    {
        "Action": "output",
        "Package": "example.org/kiln/oven",
        "Test": "TestHeat/low",
        "Output": "=== RUN   TestHeat/low\n",
    },
    {
        "Action": "output",
        "Package": "example.org/kiln/oven",
        "Test": "TestHeat/low",
        "Output": "    oven_test.go:12: got 1, want 2\n",
    },
    {"Action": "fail", "Package": "example.org/kiln/oven", "Test": "TestHeat/low", "Elapsed": 0},
    {"Action": "pass", "Package": "example.org/kiln/oven", "Test": "TestHeat/high"},
    {"Action": "fail", "Package": "example.org/kiln/oven", "Test": "TestHeat"},
    {"Action": "skip", "Package": "example.org/kiln/oven", "Test": "TestLater"},
    {"Action": "fail", "Package": "example.org/kiln/oven"},
    {
        "ImportPath": "example.org/kiln [example.org/kiln.test]",
        "Action": "build-output",
        "Output": "./main.go:3:5: undefined: x\n",
    },
    {"ImportPath": "example.org/kiln [example.org/kiln.test]", "Action": "build-fail"},
    {"Action": "fail", "Package": "example.org/kiln", "FailedBuild": "example.org/kiln [example.org/kiln.test]"},
]
CARGO = """\
running 3 tests
test tests::later ... ignored
test tests::works ... ok
test tests::breaks ... FAILED

failures:

---- tests::breaks stdout ----

thread 'tests::breaks' (32293) panicked at src/lib.rs:8:19:
assertion `left == right` failed
  left: 4
 right: 5
note: run with `RUST_BACKTRACE=1`


failures:
    tests::breaks

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.17s

     Running tests/more.rs
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
"""


def test_vitest_counts_a_file_that_cannot_be_loaded(tmp_path: Path) -> None:
    run = jest.read(printed(tmp_path, exit_code=1, reports={jest.REPORT: json.dumps(VITEST)}))
    assert (run.passed, run.failed, run.skipped, run.broken, run.total) == (1, 1, 1, 1, 3)
    assert run.problems == (
        Problem(
            "AssertionError: expected 2 to be 3 // Object.is equality",
            file="/p/src/a.test.js",
            line=3,
            test="breaks",
            expected="3",
        ),
        Problem(
            "The test file cannot be loaded: Cannot find module './missing.js' imported from /p/src/b.test.js",
            file="/p/src/b.test.js",
        ),
    )


def test_jest_says_what_was_expected() -> None:
    test = {"fullName": "g breaks", "status": "failed", "failureMessages": [JEST_FAILURE]}
    run = jest.recognise(json.dumps({"testResults": [{"name": "/p/a.test.js", "assertionResults": [test]}]}))
    assert run is not None
    assert (run.problems[0].expected, run.problems[0].line) == ("3", 2)


def test_jest_that_finds_no_tests_has_run_none(tmp_path: Path) -> None:
    run = jest.read(printed(tmp_path, stderr="No tests found, exiting with code 1", exit_code=1))
    assert run == TestRun((), 0, 0, 0)


def test_mocha_is_read(tmp_path: Path) -> None:
    run = mocha.read(printed(tmp_path, exit_code=1, reports={mocha.REPORT: json.dumps(MOCHA)}))
    problem = Problem(
        "Expected values to be strictly equal:\n\n1 !== 2",
        file="/p/test/m.spec.cjs",
        line=2,
        test="a bad",
        expected="2",
    )
    assert run == TestRun((problem,), passed=1, failed=1, skipped=1)


def test_a_file_that_mocha_cannot_load_is_broken(tmp_path: Path) -> None:
    said = " Exception during run: Error: Cannot find module './nope'\nRequire stack:\n- /p/test/n.spec.cjs\n"
    run = mocha.read(printed(tmp_path, stderr=said, exit_code=1))
    assert (run.broken, run.total) == (1, 0)
    assert run.problems == (
        Problem("A test file cannot be loaded: Error: Cannot find module './nope'", file="/p/test/n.spec.cjs"),
    )


def test_playwright_counts_flaky_as_passed_and_a_time_out_as_failed(tmp_path: Path) -> None:
    run = playwright.read(printed(tmp_path, exit_code=1, reports={playwright.REPORT: json.dumps(PLAYWRIGHT)}))
    assert (run.passed, run.failed, run.skipped, run.broken) == (2, 2, 1, 0)
    assert run.problems[0] == Problem(
        'Error: failed\nExpected: "hot"\nReceived: "cold"',
        file="/p/e2e/a.spec.js",
        line=7,
        test="[chromium] kiln › heats",  # noqa: RUF001 - as Playwright writes it
        expected='"hot"',
    )
    assert run.problems[1].message == "the test ended as timedOut"


def test_a_file_that_playwright_cannot_load_is_broken() -> None:
    report = {"config": {}, "suites": [], "errors": [{"message": "Error: Cannot find module 'x'"}]}
    run = playwright.recognise(json.dumps(report))
    assert run is not None
    assert (run.broken, run.total) == (1, 0)


def test_no_tests_of_playwright_is_no_broken_file() -> None:
    report = {"config": {}, "suites": [], "errors": [{"message": "Error: No tests found"}]}
    assert playwright.recognise(json.dumps(report)) == TestRun((), 0, 0, 0)


def test_go_counts_leaves_and_packages_that_do_not_build(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.org/kiln\n")
    run = go.read_tests(printed(tmp_path, "\n".join(map(json.dumps, GO)), exit_code=1))
    assert (run.passed, run.failed, run.skipped, run.broken) == (1, 1, 1, 1)
    assert run.problems == (
        Problem(
            "oven_test.go:12: got 1, want 2",
            file="oven/oven_test.go",
            line=12,
            test="TestHeat/low",
            reproduction="go test -run '^TestHeat$' ./oven",
        ),
        Problem("undefined: x", file="main.go", line=3, column=5),
    )


def test_go_without_test_files_has_no_tests(tmp_path: Path) -> None:
    events = [
        {"Action": "output", "Package": "k", "Output": "?   \tk\t[no test files]\n"},
        {"Action": "skip", "Package": "k"},
    ]
    assert go.read_tests(printed(tmp_path, "\n".join(map(json.dumps, events)))) == TestRun((), 0, 0, 0)


def test_go_coverage_is_that_of_statements(tmp_path: Path) -> None:
    profile = "mode: set\nk/a.go:1.1,2.2 3 1\nk/a.go:4.1,5.2 1 0\n"
    assert go.read_coverage(printed(tmp_path, reports={go.COVERAGE_REPORT: profile})) == 75.0


def test_cargo_adds_up_its_test_programs(tmp_path: Path) -> None:
    run = cargo.read_tests(printed(tmp_path, CARGO, exit_code=101))
    assert (run.passed, run.failed, run.skipped, run.broken) == (3, 1, 1, 0)
    assert run.problems == (
        Problem(
            "assertion `left == right` failed\n  left: 4\n right: 5",
            file="src/lib.rs",
            line=8,
            test="tests::breaks",
            reproduction="cargo test tests::breaks",
        ),
    )


def test_what_cargo_cannot_compile_is_broken(tmp_path: Path) -> None:
    said = "error[E0308]: mismatched types\n  --> src/lib.rs:12:21\n   |\nerror: could not compile `rs` (lib test)\n"
    run = cargo.read_tests(printed(tmp_path, stderr=said, exit_code=101))
    assert (run.total, run.broken, run.problems[0].line) == (0, 1, 12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 1 skipped (4)\n", TestRun((), 2, 1, 1)),
        ("\n Test Files  2 failed (2)\n      Tests  no tests\n", TestRun((), 0, 0, 0, broken=2)),
        ("Tests:       1 failed, 1 skipped, 1 passed, 3 total\n", TestRun((), 1, 1, 1)),
        ("Test Suites: 1 failed, 1 total\nTests:       0 total\n", TestRun((), 0, 0, 0, broken=1)),
        ("  2 passing (5ms)\n  1 pending\n  1 failing\n", TestRun((), 2, 1, 1)),
        ("# tests 3\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n", TestRun((), 1, 1, 1)),
        ("Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", TestRun((), 1, 2, 1)),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", TestRun((), 0, 0, 0)),
        ("No test files found, exiting with code 1\n", TestRun((), 0, 0, 0)),
        ("compiling …\ndone\n", None),
    ],
)
def test_counts_at_the_end_of_an_output_are_recognised(text: str, expected: TestRun | None) -> None:
    assert counted_lines.recognise(text) == expected


@pytest.mark.parametrize("report", ["", "{", "[]", '{"a": 1}', "[" * 100_000])
def test_a_damaged_report_is_unreadable(tmp_path: Path, report: str) -> None:
    reports = {jest.REPORT: report, mocha.REPORT: report, playwright.REPORT: report}
    for read in (jest.read, mocha.read, playwright.read):
        with pytest.raises(UnreadableError):
            read(printed(tmp_path, exit_code=1, reports=reports))


def measured(**files: tuple[int, int]) -> str:
    """A coverage report: by file, lines that are covered and lines there are; all of them together are 90 %."""
    listed = {
        name.replace("__", "/") + ".py": {"summary": {"covered_lines": covered, "num_statements": lines}}
        for name, (covered, lines) in files.items()
    }
    return json.dumps({"files": listed, "totals": {"percent_covered": 90.0}})


@pytest.mark.parametrize(
    ("own", "percent"),
    [({}, 60.0), ({".coveragerc": ""}, 90.0), ({"pyproject.toml": "[tool.coverage.run]\nbranch = true\n"}, 90.0)],
)
def test_coverage_of_python_is_that_of_the_code_unless_the_project_says_otherwise(
    tmp_path: Path, own: dict[str, str], percent: float
) -> None:
    for name, text in own.items():
        (tmp_path / name).write_text(text)
    report = measured(kiln=(1, 3), src__testing=(2, 2), tests__test_kiln=(20, 20), conftest=(4, 4), test_x=(1, 1))
    assert pytest_report.read_coverage(printed(tmp_path, reports={"coverage.json": report})) == percent

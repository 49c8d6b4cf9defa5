"""The real tsc, ESLint, Vitest and Mocha in small projects."""

import json
from pathlib import Path

import pytest

from evaluator.engine.strategies.configuration import Commands
from evaluator.engine.strategies.states import Outcome, Problem, Reason, Severity, State
from tests.evaluator.strategies.conftest import MakeProject
from tests.evaluator.strategies.projects import choice, run, write

TSCONFIG = json.dumps(
    {"compilerOptions": {"target": "es2022", "module": "nodenext", "types": [], "strict": False}, "include": ["src"]}
)
WRONG = 'export const heat: number = "hot";\n'
IMPLICIT = "export function twice(x) { return x; }\n"
ESLINT = 'export default [{ rules: { "no-unused-vars": "error", "prefer-const": "warn" } }];\n'
TEST = "import { expect, test } from 'vitest';\n"
PASSING = TEST + "test('adds', () => { expect(1 + 1).toBe(2); });\n"
FAILING = TEST + "test('adds', () => { expect(1 + 1).toBe(3); });\n"
BROKEN = TEST + "import './nowhere.js';\ntest('never', () => {});\n"
# Vitest needs a second only to find out where its caches lie; one worker is enough.
VITEST = "export default { test: { pool: 'threads', maxWorkers: 1, cache: false } };\n"


def shown(outcome: Outcome) -> tuple[State, Reason | None, int | None]:
    return outcome.state, outcome.reason, outcome.error_count


def test_tsc_says_where_a_type_is_wrong(node_project: MakeProject) -> None:
    folder = node_project({"tsconfig.json": TSCONFIG, "src/a.ts": WRONG})
    outcome = run(folder, choice("typecheck"))
    assert shown(outcome) == (State.FAIL, None, 1)
    assert outcome.exit_code == 1
    assert outcome.problems == (
        Problem("Type 'string' is not assignable to type 'number'.", file="src/a.ts", line=1, column=14, code="TS2322"),
    )


def test_strict_and_tsconfig_reach_tsc(node_project: MakeProject) -> None:
    folder = node_project({"tsconfig.check.json": TSCONFIG, "src/a.ts": IMPLICIT})
    commands = Commands(typecheck="npx tsc --noEmit")
    relaxed = run(folder, choice("typecheck", tsconfig="tsconfig.check.json"), commands=commands)
    strict = run(folder, choice("typecheck", tsconfig="tsconfig.check.json", strict=True), commands=commands)
    assert (relaxed.state, strict.state) == (State.PASS, State.FAIL)
    assert strict.problems[0].code == "TS7006"
    assert strict.command == "npx tsc --noEmit -p tsconfig.check.json --strict"


def test_eslint_counts_errors_and_warnings_and_max_warnings_counts(node_project: MakeProject) -> None:
    folder = node_project({"eslint.config.js": ESLINT, "a.js": "let heat = 1;\nexport { heat };\n"})
    tolerant = run(folder, choice("lint"))
    assert (tolerant.state, tolerant.warning_count) == (State.PASS, 1)
    assert tolerant.problems[0].severity is Severity.WARNING
    limited = run(folder, choice("lint", maxWarnings=0))
    assert (limited.state, limited.details) == (State.FAIL, "1 warning, but maxWarnings allows 0.")


def test_eslint_fails_on_an_error_also_behind_a_script(node_project: MakeProject) -> None:
    folder = node_project({"eslint.config.js": ESLINT, "a.js": "const heat = 1;\n"})
    write(folder, {"package.json": '{"type": "module", "scripts": {"lint": "eslint ."}}'})
    outcome = run(folder, choice("lint"))
    assert shown(outcome) == (State.FAIL, None, 1)
    assert (outcome.problems[0].file, outcome.problems[0].code) == ("a.js", "no-unused-vars")
    assert outcome.command == "npm run lint"


def test_eslint_repairs_only_what_it_is_asked_to(node_project: MakeProject) -> None:
    folder = node_project({"eslint.config.js": ESLINT, "a.js": "let heat = 1;\nexport { heat };\n"})
    run(folder, choice("lint", fix=True))
    assert (folder / "a.js").read_text().startswith("const heat")


def test_a_wrong_configuration_of_eslint_is_unreadable_not_a_pass(node_project: MakeProject) -> None:
    folder = node_project({"eslint.config.js": "export default [{ rules: { nothing: 'loud' } }];\n", "a.js": ""})
    outcome = run(folder, choice("lint"))
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.UNREADABLE)
    assert "loud" in outcome.output


def test_vitest_passes_with_the_files_that_are_asked_for(node_project: MakeProject) -> None:
    folder = node_project({"vitest.config.js": VITEST, "src/a.test.js": PASSING, "old/b.test.js": FAILING})
    outcome = run(folder, choice("unit-test", testMatch="src/**/*.test.js"))
    assert shown(outcome) == (State.PASS, None, 0)
    assert outcome.details == "1 test: 1 passed, 0 failed."
    assert outcome.command == "npx vitest run src/a.test.js"


def test_vitest_with_a_failing_test_and_a_file_that_cannot_be_imported_fails(node_project: MakeProject) -> None:
    folder = node_project({"vitest.config.js": VITEST, "a.test.js": FAILING, "b.test.js": BROKEN})
    outcome = run(folder, choice("unit-test"))
    assert shown(outcome) == (State.FAIL, None, 2)
    by_file = {problem.file: problem for problem in outcome.problems}
    assert (by_file["a.test.js"].line, by_file["a.test.js"].expected) == (2, "3")
    assert "nowhere.js" in by_file["b.test.js"].message


def test_only_a_file_that_cannot_be_imported_is_no_pass(node_project: MakeProject) -> None:
    folder = node_project({"vitest.config.js": VITEST, "b.test.js": BROKEN})
    outcome = run(folder, choice("unit-test"))
    assert (outcome.state, outcome.tests and outcome.tests.broken) == (State.FAIL, 1)


def test_vitest_without_tests_is_skipped_and_flagged(node_project: MakeProject) -> None:
    outcome = run(node_project({"vitest.config.js": VITEST}), choice("unit-test"))
    assert (outcome.state, outcome.reason, outcome.is_configuration_issue) == (State.SKIPPED, Reason.NO_TESTS, True)


def test_coverage_of_vitest_is_held_against_the_threshold(node_project: MakeProject) -> None:
    source = "export const hot = 1;\nexport function cold() {\n  const a = 1;\n  return a;\n}\n"
    test = "import { hot } from './a.js';\n" + TEST + "test('is hot', () => { expect(hot).toBe(1); });\n"
    folder = node_project({"vitest.config.js": VITEST, "a.js": source, "a.test.js": test})
    outcome = run(folder, choice("unit-test", coverage=True, coverageThreshold=90))
    assert outcome.state is State.FAIL
    assert outcome.coverage_percent is not None
    assert 0 < outcome.coverage_percent < 90
    assert outcome.problems[0].code == "coverage"


def test_mocha_is_read_from_its_report(node_project: MakeProject) -> None:
    test = "import assert from 'node:assert';\nit('heats', () => { assert.equal(1, 2); });\nit('cools', () => {});\n"
    outcome = run(node_project({"test/a.js": test}), choice("unit-test"), commands=Commands(test="npx mocha"))
    assert shown(outcome) == (State.FAIL, None, 1)
    assert (outcome.problems[0].file, outcome.problems[0].line, outcome.problems[0].test) == ("test/a.js", 2, "heats")


@pytest.mark.parametrize("kind", ["typecheck", "lint", "unit-test"])
def test_a_tool_that_is_not_installed_is_missing_and_not_downloaded(tmp_path: Path, kind: str) -> None:
    commands = Commands(typecheck="npx tsc-not-here", lint="npx eslint-not-here .", test="npx vitest-not-here")
    write(tmp_path, {"package.json": "{}"})
    outcome = run(tmp_path, choice(kind), commands=commands)
    assert (outcome.state, outcome.reason) == (State.ERROR, Reason.TOOL_MISSING)
    assert "is not in node_modules" in outcome.details

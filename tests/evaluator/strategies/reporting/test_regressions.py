"""What worked in the previous iteration and no longer does."""

from datetime import UTC, datetime

from evaluator.engine.strategies.contracts import SprintContract
from evaluator.engine.strategies.reporting.eval_result import Occasion, conclude
from evaluator.engine.strategies.states import Outcome, State, TestRun
from results.iteration_records import EvalResult, Regression
from tests.evaluator.strategies.reporting.outcomes import criterion, outcome, problem

CONTRACT = SprintContract("c", "s", criteria=(criterion(1, "build"), criterion(2, "lint", required=False)))
NOW = datetime(2026, 3, 4, 10, 20, 31, tzinfo=UTC)


def iteration(number: int, *outcomes: Outcome, previous: EvalResult | None = None) -> EvalResult:
    return conclude(outcomes, Occasion(CONTRACT, number, {}, previous), NOW).record


def regressions(before: list[Outcome], after: list[Outcome]) -> list[Regression]:
    return iteration(2, *after, previous=iteration(1, *before)).regressions or []


def test_a_strategy_and_its_criterion_that_passed_before_are_regressions_the_worst_first() -> None:
    broken = outcome("build", State.FAIL, problems=(problem(), problem("other", file="src/b.ts")))
    found = regressions([outcome("lint"), outcome("build")], [outcome("lint", State.FAIL, required=False), broken])
    assert [(item.severity, item.description) for item in found] == [
        ("critical", "build passed in iteration 1 and fails now."),
        ("major", "Criterion sc-1-1 was met in iteration 1 and is not now: Criterion 1 holds."),
        ("minor", "lint passed in iteration 1 and fails now."),
        ("minor", "Criterion sc-1-2 was met in iteration 1 and is not now: Criterion 2 holds."),
    ]
    assert found[0].affected_files == ["src/a.ts", "src/b.ts"]


def test_what_failed_before_is_no_regression() -> None:
    assert regressions([outcome("build", State.FAIL)], [outcome("build", State.FAIL)]) == []


def test_what_cannot_run_any_more_is_one() -> None:
    (found,) = regressions([outcome("unit-test")], [outcome("unit-test", State.ERROR)])
    assert (found.severity, found.description) == (
        "major",
        "unit-test passed in iteration 1 and cannot be evaluated now (timed out).",
    )


def test_tests_that_are_gone_are_told() -> None:
    before = outcome("unit-test", State.FAIL, tests=TestRun((), 10, 2, 0))
    after = outcome("unit-test", State.PASS, tests=TestRun((), 10, 0, 0))
    (found,) = regressions([before], [after])
    assert (found.severity, found.description) == ("minor", "unit-test has 2 tests fewer than in iteration 1.")


def test_feedback_about_a_regression_says_so() -> None:
    record = iteration(
        2,
        outcome("unit-test", State.FAIL, problems=(problem("boom", test="heats"),)),
        previous=iteration(1, outcome("unit-test")),
    )
    (item,) = [item for item in record.generator_feedback or [] if item.file]
    assert (item.category, item.priority) == ("regression", "critical")


def test_without_a_previous_iteration_there_are_none() -> None:
    assert iteration(1, outcome("build", State.FAIL)).regressions == []

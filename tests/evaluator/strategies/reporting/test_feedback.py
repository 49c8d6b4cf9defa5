"""Feedback: one item for each problem, with its place, the critical ones first; and the summary."""

from datetime import UTC, datetime

from evaluator.engine.strategies.contracts import Evidence, SprintContract, Verified
from evaluator.engine.strategies.reporting.eval_result import Occasion, conclude
from evaluator.engine.strategies.states import Outcome, Reason, Severity, State, TestRun
from results.iteration_records import EvalResult, Feedback
from tests.evaluator.strategies.reporting.outcomes import criterion, outcome, problem

NOW = datetime(2026, 3, 4, 10, 20, 31, tzinfo=UTC)


def record(*outcomes: Outcome, contract: SprintContract | None = None, **evidence: Evidence) -> EvalResult:
    contract = contract or SprintContract("sprint-kiln-1", "kiln", number=1)
    named = {name.replace("_", "-"): found for name, found in evidence.items()}
    return conclude(outcomes, Occasion(contract, 1, named), NOW).record


def feedback(*outcomes: Outcome, contract: SprintContract | None = None, **evidence: Evidence) -> list[Feedback]:
    return record(*outcomes, contract=contract, **evidence).generator_feedback or []


def test_problems_are_sorted_by_priority() -> None:
    lint = outcome("lint", State.FAIL, problems=(problem(code="semi"), problem(severity=Severity.WARNING, code="w")))
    tests = outcome("unit-test", State.FAIL, problems=(problem(test="heats"),))
    types = outcome("typecheck", State.FAIL, problems=(problem(code="TS1"), problem(code="TS2")))
    found = feedback(lint, tests, types)
    assert [(item.priority, item.category, (item.description or "")[:4]) for item in found] == [
        ("critical", "bug", "TS1:"),
        ("critical", "bug", "TS2:"),
        ("high", "bug", "Test"),
        ("medium", "quality", "semi"),
        ("low", "quality", "w: w"),
    ]


def test_an_item_says_where_what_and_how_to_see_it() -> None:
    (item,) = feedback(outcome("typecheck", State.FAIL, problems=(problem("No such name.", code="TS2304"),)))
    assert item == Feedback(
        priority="critical",
        category="bug",
        file="src/a.ts",
        line=3,
        description="TS2304: No such name.",
        expected="The types check without errors.",
        reproduction="Run: run typecheck",
    )


def test_an_optional_strategy_is_at_most_medium() -> None:
    (item,) = feedback(outcome("unit-test", State.FAIL, required=False, problems=(problem(),)))
    assert item.priority == "medium"


def test_what_could_not_run_comes_first_where_it_is_required() -> None:
    found = feedback(
        outcome("unit-test", State.FAIL, problems=(problem(),)),
        outcome("build", State.ERROR),
        outcome("playwright", State.SKIPPED, required=False),
    )
    assert [item.priority for item in found] == ["critical", "high", "low"]
    assert found[0].description == "build could not be evaluated (timed out): build is error."


def test_what_several_strategies_report_is_one_item() -> None:
    same = (problem("mismatched types", code="E0308"),)
    (item,) = feedback(outcome("build", State.FAIL, problems=same), outcome("unit-test", State.FAIL, problems=same))
    assert (item.priority, item.reproduction) == ("critical", "Run: run build")


def test_an_optional_strategy_with_nothing_to_run_is_no_news() -> None:
    nothing = outcome("build", State.SKIPPED, required=False, reason=Reason.NOTHING_TO_RUN)
    assert feedback(outcome("lint"), nothing) == []


def test_a_failure_without_a_listed_problem_is_an_item_all_the_same() -> None:
    (item,) = feedback(outcome("custom", State.FAIL))
    assert (item.priority, item.description) == ("high", "custom failed: custom is fail.")


def test_many_problems_are_counted_beyond_a_hundred() -> None:
    found = feedback(outcome("lint", State.FAIL, problems=tuple(problem(str(number)) for number in range(250))))
    assert (len(found), found[-1].description) == (101, "150 more problems of lint are not listed.")


def test_a_problem_names_the_one_criterion_that_it_breaks() -> None:
    contract = SprintContract("c", "s", criteria=(criterion(1, "lint"), criterion(2, "build")))
    (item,) = feedback(outcome("lint", State.FAIL, problems=(problem(),)), outcome("build"), contract=contract)
    assert item.criterion == "sc-1-1"


def test_a_criterion_that_a_person_failed_is_an_item() -> None:
    contract = SprintContract("c", "s", criteria=(criterion(1, "manual"),))
    (item,) = feedback(outcome(), contract=contract, sc_1_1=Evidence(Verified.FAIL, "Only two of three fields."))
    assert (item.priority, item.category, item.description, item.expected, item.criterion) == (
        "high",
        "missing-feature",
        "Only two of three fields.",
        "Criterion 1 holds.",
        "sc-1-1",
    )


def test_the_summary_of_a_fail_names_score_issue_and_focus() -> None:
    contract = SprintContract("c", "s", number=1, criteria=(criterion(1, "build"), criterion(2, "typecheck")))
    types = outcome("typecheck", State.FAIL, problems=(problem("No such name.", code="TS2304"),))
    assert record(outcome("build"), types, contract=contract).summary == (
        "Sprint 1 FAILED: 1 of 2 required criteria and 1 of 2 required strategies passed. "
        "The most critical issue is src/a.ts:3: TS2304: No such name. "
        "The generator should focus on typecheck, sc-1-2."
    )


def test_the_summary_of_a_pass_tells_what_passed_and_what_is_open() -> None:
    contract = SprintContract("c", "s", number=2, criteria=(criterion(1, "manual"),))
    tests = outcome("unit-test", tests=TestRun((), 12, 0, 0))
    assert record(tests, outcome("lint", State.FAIL, required=False), contract=contract).summary == (
        "Sprint 2 PASSED: 0 of 1 required criteria and 1 of 1 required strategies passed. "
        "Passed: unit-test (12 tests). Not blocking: optional lint failed; 1 criterion needs a person to look."
    )


def test_the_summary_says_when_it_could_not_be_evaluated() -> None:
    summary = record(outcome("build"), outcome("unit-test", State.SKIPPED)).summary or ""
    assert summary.startswith("Sprint 1 COULD NOT BE EVALUATED: 1 of 2 required strategies passed.")
    assert summary.endswith("First make it possible to evaluate unit-test.")

"""Criteria judged by the strategy that their verification method names, or by a person."""

import pytest

from evaluator.engine.strategies.contracts import Evidence, SprintContract, Verified
from evaluator.engine.strategies.reporting.criteria import Judge, JudgedCriterion, judge_criteria, strategy_of
from evaluator.engine.strategies.states import Outcome, State
from results.iteration_records import PartResult
from tests.evaluator.strategies.reporting.outcomes import criterion, outcome, problem


def judge(method: str | None, *outcomes: Outcome, evidence: Evidence | None = None) -> JudgedCriterion:
    contract = SprintContract("c", "s", criteria=(criterion(method=method),))
    (judged,) = judge_criteria(contract, outcomes, {"sc-1-1": evidence} if evidence else {})
    return judged


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (State.PASS, PartResult.PASS),
        (State.FAIL, PartResult.FAIL),
        (State.SKIPPED, PartResult.SKIPPED),
        (State.ERROR, PartResult.SKIPPED),
    ],
)
def test_a_criterion_is_what_its_strategy_says(state: State, expected: PartResult) -> None:
    judged = judge("build", outcome("build", state), outcome("lint", State.FAIL))
    assert judged.result is expected
    assert judged.is_not_evaluated is (expected is PartResult.SKIPPED)


def test_evidence_names_command_place_and_code() -> None:
    failed = outcome("typecheck", State.FAIL, problems=(problem("No such name.\nMore.", code="TS2304"),))
    judged = judge("typecheck", failed)
    assert judged.evidence == "run typecheck: typecheck is fail. src/a.ts:3: TS2304: No such name."
    assert judged.feedback == "typecheck failed: src/a.ts:3: TS2304: No such name. Expected: Criterion 1 holds."


def test_of_two_strategies_of_a_type_the_one_that_fails_decides() -> None:
    assert judge("custom", outcome("custom"), outcome("custom", State.FAIL)).result is PartResult.FAIL


def test_a_strategy_that_is_not_configured_leaves_its_criterion_unevaluated() -> None:
    judged = judge("unit-test", outcome("build"))
    assert (judged.result, judged.is_not_evaluated) == (PartResult.SKIPPED, True)
    assert judged.evidence == "Not evaluated: no unit-test strategy is configured."


@pytest.mark.parametrize("method", ["manual", None, "hold it against the sky", "agent-evaluation"])
def test_other_methods_need_a_person(method: str | None) -> None:
    judged = judge(method, outcome("build"))
    assert (judged.result, judged.judge, judged.is_not_evaluated) == (PartResult.SKIPPED, Judge.PERSON, False)


@pytest.mark.parametrize(("found", "expected"), [(Verified.PASS, PartResult.PASS), (Verified.FAIL, PartResult.FAIL)])
def test_what_a_person_found_counts(found: Verified, expected: PartResult) -> None:
    judged = judge("manual", evidence=Evidence(found, "Read src/a.ts: it has two fields."))
    assert (judged.result, judged.evidence) == (expected, "Read src/a.ts: it has two fields.")


@pytest.mark.parametrize(
    ("word", "strategy"), [("Unit-Test", "unit-test"), ("unit_test", "unit-test"), ("e2e", "playwright")]
)
def test_a_method_may_be_written_in_other_words(word: str, strategy: str) -> None:
    assert strategy_of(word) == strategy


def test_a_person_may_stand_in_for_a_strategy_that_did_not_judge() -> None:
    found = Evidence(Verified.PASS, "Called it by hand.")
    assert judge("api-check", outcome("api-check", State.ERROR), evidence=found).result is PartResult.PASS
    assert judge("api-check", outcome("api-check", State.FAIL), evidence=found).result is PartResult.FAIL


def test_a_method_may_name_a_check_of_the_projects_own() -> None:
    assert judge("bundle size", outcome("custom", State.FAIL, label="bundle size")).result is PartResult.FAIL
    assert judge("slither", outcome("slither"), outcome("custom", State.FAIL)).result is PartResult.PASS

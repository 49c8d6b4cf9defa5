"""The verdict: pass, fail, or could not be evaluated."""

import pytest

from evaluator.engine.strategies.contracts import SprintContract
from evaluator.engine.strategies.reporting.criteria import judge_criteria
from evaluator.engine.strategies.reporting.verdict import Exit, decide
from evaluator.engine.strategies.states import State
from results.iteration_records import OverallResult
from tests.evaluator.strategies.reporting.outcomes import criterion, outcome

PASS, FAIL, SKIPPED, ERROR = State.PASS, State.FAIL, State.SKIPPED, State.ERROR


@pytest.mark.parametrize(
    ("required", "optional", "expected"),
    [
        ([PASS, PASS], [], Exit.PASSED),
        ([PASS, FAIL], [PASS], Exit.FAILED),
        ([PASS], [FAIL, ERROR, SKIPPED], Exit.PASSED),
        ([PASS, ERROR], [], Exit.NOT_EVALUATED),
        ([PASS, SKIPPED], [], Exit.NOT_EVALUATED),
        ([FAIL, ERROR], [], Exit.FAILED),
        ([], [PASS, FAIL], Exit.PASSED),
        ([], [SKIPPED, ERROR], Exit.NOT_EVALUATED),
        ([], [], Exit.NOT_EVALUATED),
    ],
)
def test_only_a_judged_pass_is_a_pass(required: list[State], optional: list[State], expected: Exit) -> None:
    outcomes = [outcome("build", state) for state in required]
    outcomes += [outcome("lint", state, required=False) for state in optional]
    verdict = decide(outcomes, ())
    assert verdict.exit is expected
    assert verdict.overall is (OverallResult.PASS if expected is Exit.PASSED else OverallResult.FAIL)


@pytest.mark.parametrize(
    ("method", "required", "state", "expected"),
    [
        ("lint", True, FAIL, Exit.FAILED),
        ("lint", False, FAIL, Exit.PASSED),
        ("lint", True, ERROR, Exit.NOT_EVALUATED),
        ("unit-test", True, PASS, Exit.NOT_EVALUATED),
        ("unit-test", False, PASS, Exit.PASSED),
        ("manual", True, PASS, Exit.PASSED),
    ],
)
def test_a_required_criterion_counts_even_where_its_strategy_is_optional(
    method: str, required: bool, state: State, expected: Exit
) -> None:
    outcomes = [outcome("build"), outcome("lint", state, required=False)]
    contract = SprintContract("c", "s", criteria=(criterion(method=method, required=required),))
    assert decide(outcomes, judge_criteria(contract, outcomes, {})).exit is expected

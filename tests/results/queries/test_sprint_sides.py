"""Iterations side by side: flips, and feedback that stayed or went."""

from typing import Any

import pytest

from results.iteration_records import (
    CriterionResult,
    EvalResult,
    Feedback,
    OverallResult,
    PartResult,
    StrategyResult,
)
from results.queries.sprint_sides import sprint_sides

PASS, FAIL, SKIPPED = PartResult.PASS, PartResult.FAIL, PartResult.SKIPPED


def iteration(number: int, **sections: Any) -> EvalResult:
    return EvalResult(contract_id="kiln", iteration=number, overall_result=OverallResult.PASS, **sections)


def lint(*results: PartResult | None) -> list[StrategyResult]:
    return [StrategyResult(strategy="lint", result=result) for result in results]


@pytest.mark.parametrize(
    ("results", "flips"),
    [
        ([FAIL, PASS], [False, True]),
        ([PASS, PASS], [False, False]),
        ([PASS, None, PASS], [False, False, False]),
        ([FAIL, None, PASS], [False, False, True]),
        ([PASS, SKIPPED, FAIL], [False, True, True]),
    ],
)
def test_a_flip_is_another_result_than_the_last_readable_one(
    results: list[PartResult | None], flips: list[bool]
) -> None:
    (line,) = sprint_sides([iteration(n, strategy_results=lint(r)) for n, r in enumerate(results, 1)]).strategies
    assert [cell.is_flipped for cell in line.cells] == flips


def test_a_part_that_an_iteration_does_not_list_is_not_recorded() -> None:
    part = CriterionResult(criterion_id="sc-1", description="It burns.", result=FAIL)
    (line,) = sprint_sides([iteration(1, criteria_results=[part]), iteration(2)]).criteria
    assert ([cell.is_recorded for cell in line.cells], line.note) == ([True, False], "It burns.")


def test_a_strategy_that_stands_twice_is_two_lines() -> None:
    lines = sprint_sides([iteration(1, strategy_results=lint(PASS, FAIL))]).strategies
    assert [(line.name, line.cells[0].result) for line in lines] == [("lint", PASS), ("lint (2)", FAIL)]


@pytest.mark.parametrize(
    ("columns", "states"),
    [
        ([["a"], ["a"], []], ["new", "repeated", "resolved"]),
        ([["a"], None, ["a"]], ["new", "not recorded", "repeated"]),
        ([None, ["a"]], ["not recorded", "new"]),
        ([[], ["a"], [], ["a"]], ["", "new", "resolved", "new"]),
    ],
)
def test_feedback_is_new_repeated_or_resolved(columns: list[list[str] | None], states: list[str]) -> None:
    records = [
        iteration(n, generator_feedback=None if names is None else [Feedback(description=name) for name in names])
        for n, names in enumerate(columns, 1)
    ]
    (line,) = sprint_sides(records).feedback
    assert [str(state) for state in line.states] == states


def test_the_same_words_at_another_line_and_priority_are_the_same_item() -> None:
    first = Feedback(description="No  fire", file="kiln.py", line=3, priority="high")
    second = Feedback(description="no fire", file="kiln.py", line=9, priority="low")
    records = [iteration(1, generator_feedback=[first]), iteration(2, generator_feedback=[second])]
    assert len(sprint_sides(records).feedback) == 1

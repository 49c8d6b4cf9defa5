"""Outcomes stay small and storable, whatever a tool reports."""

from evaluator.engine.strategies.bounds import bounded, clean
from evaluator.engine.strategies.states import State
from tests.evaluator.strategies.reporting.outcomes import outcome, problem


def test_long_texts_are_shortened_and_problems_are_bounded() -> None:
    many = tuple(problem("x" * 5_000, test="t" * 5_000) for _ in range(2_000))
    small = bounded(outcome("lint", State.FAIL, details="d" * 9_000, problems=many, error_count=2_000))
    assert (len(small.problems), small.error_count) == (1_000, 2_000)
    assert len(small.problems[0].message) < 1_100
    assert len(small.problems[0].test or "") < 400
    assert len(small.details) < 1_100
    assert len(small.output) < 4_100


def test_what_cannot_be_stored_is_taken_out() -> None:
    assert clean("a\x00b \x1b[31mred\x1b[0m \ud800!") == "ab red �!"


def test_the_output_is_the_list_of_problems_where_a_tool_printed_nothing() -> None:
    assert bounded(outcome("lint", State.FAIL, problems=(problem(code="semi"),))).output == "src/a.ts:3: semi: wrong"

"""Changes of outcome against hand-counted ones."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from results.queries.flips import FLIP_COLUMNS, Flips, count_flips

PASSED, FAILED, ERROR = 0, 1, 2


def flips(
    *rows: tuple[int, int, int, int, int], order: dict[int, int] | None = None, latest: int = 10
) -> dict[int, Flips]:
    columns = {
        name: np.array([row[place] for row in rows], np.int32) for place, name in enumerate(FLIP_COLUMNS.split(", "))
    }
    return count_flips(columns, order or {row[2]: row[2] for row in rows}, latest).of()


def test_no_result_has_no_flip() -> None:
    assert flips() == {}


def test_a_task_that_was_evaluated_once_has_no_step() -> None:
    assert flips((7, 1, 1, 1, PASSED)) == {}


def test_a_change_to_an_error_is_a_flip_and_one_from_failed_to_error_is_none() -> None:
    assert flips((7, 1, 1, 1, PASSED), (7, 1, 2, 1, FAILED), (7, 1, 3, 1, ERROR)) == {7: Flips(1, 0, 2)}


def test_evaluations_follow_each_other_in_time_not_by_number() -> None:
    rows = ((7, 1, 1, 1, PASSED), (7, 1, 2, 1, FAILED), (7, 1, 3, 1, PASSED))
    assert flips(*rows, order={1: 0, 3: 1, 2: 2}) == {7: Flips(1, 0, 2)}


def test_repeats_of_one_evaluation_are_told_apart() -> None:
    rows = ((7, 1, 1, 1, PASSED), (7, 1, 1, 2, FAILED), (7, 1, 1, 3, PASSED), (7, 1, 2, 1, FAILED))
    assert flips(*rows) == {7: Flips(3, 2, 3)}


def test_runs_and_tasks_do_not_follow_each_other() -> None:
    rows = ((7, 1, 1, 1, PASSED), (7, 2, 1, 1, FAILED), (8, 1, 1, 1, FAILED), (8, 1, 2, 1, PASSED))
    assert flips(*rows) == {8: Flips(1, 0, 1)}


def test_only_the_latest_evaluations_of_each_run_count() -> None:
    rows = [(7, 1, number, 1, number % 2) for number in range(20)]
    assert flips(*rows, latest=3) == {7: Flips(2, 0, 2)}
    assert flips(*rows, latest=1) == {}


@given(
    st.lists(st.tuples(*(st.integers(1, 3) for _ in range(4)), st.integers(0, 2)), unique_by=lambda row: row[:4]),
    st.integers(1, 4),
)
def test_counting_agrees_with_a_plain_walk(rows: list[tuple[int, int, int, int, int]], latest: int) -> None:
    expected: dict[int, list[int]] = {}
    for task, run in {row[:2] for row in rows}:
        mine = sorted(row for row in rows if row[:2] == (task, run))
        kept = sorted({row[2] for row in mine})[-latest:]
        mine = [row for row in mine if row[2] in kept]
        for first, second in pairwise(mine):
            counts = expected.setdefault(task, [0, 0, 0])
            is_flip = (first[4] == PASSED) != (second[4] == PASSED)
            counts[0] += is_flip
            counts[1] += is_flip and first[2] == second[2]
            counts[2] += 1
    assert flips(*rows, latest=latest) == {task: Flips(*counts) for task, counts in expected.items()}

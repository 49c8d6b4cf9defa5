"""Who passed what, and how far runs agree, against values counted by hand."""

from pathlib import Path

import numpy as np
import pytest

from results.filters import Choice, ResultFilter
from results.queries.outcome_grid import (
    ALL_FAILED,
    ALL_PASSED,
    BOTH,
    DIFFERENT,
    DISAGREE,
    FIRST,
    SAME,
    SECOND,
    UNCOUNTED,
    OutcomeGrid,
    outcome_grid,
)
from results.queries.visibility import VisibleSet
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
KINDS = {"P": "Passed", "F": "Failed", "E": "Error", "S": "Skipped"}


def grid_of(folder: Path, runs: dict[str, dict[str, str]], chosen: ResultFilter | None = None) -> OutcomeGrid:
    """The grid of runs, each with the outcomes of its tasks, one letter a repeat."""
    results = [
        row(number, run=run, task=task, kind=KINDS[letter])
        for number, (run, task, letter) in enumerate(
            (run, task, letter) for run, tasks in runs.items() for task, letters in tasks.items() for letter in letters
        )
    ]
    evaluation_id = stored(folder, "a", *results)
    return outcome_grid(VisibleSet.of(frozenset((evaluation_id,))), chosen or ResultFilter())


def named(grid: OutcomeGrid, is_met: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[str]:
    return [task.name for task, met in zip(grid.tasks, is_met.tolist(), strict=True) if met]


FOUR = {"a": {"t1": "P", "t2": "P", "t3": "F", "t4": "S"}, "b": {"t1": "P", "t2": "F", "t3": "E", "t4": "S"}}


@pytest.mark.parametrize(
    ("kind", "tasks"),
    [
        (DISAGREE, ["t2"]),
        (ALL_PASSED, ["t1"]),
        (ALL_FAILED, ["t3"]),
        (UNCOUNTED, ["t4"]),
        ("", ["t1", "t2", "t3", "t4"]),
    ],
)
def test_each_task_is_of_one_kind(tmp_path: Path, kind: str, tasks: list[str]) -> None:
    grid = grid_of(tmp_path, FOUR)
    assert named(grid, grid.of_kind(kind)) == tasks


def test_a_skipped_result_is_no_disagreement(tmp_path: Path) -> None:
    grid = grid_of(tmp_path, {"a": {"t": "P"}, "b": {"t": "S"}})
    assert named(grid, grid.of_kind(ALL_PASSED)) == ["t"]


def test_repeats_of_one_run_may_disagree(tmp_path: Path) -> None:
    grid = grid_of(tmp_path, {"a": {"t": "PFP"}})
    assert named(grid, grid.of_kind(DISAGREE)) == ["t"]
    ((cell,),) = (grid_row.cells for grid_row in grid.rows(np.array([0])))
    assert [(result.outcome, result.repeat) for result in cell] == [("passed", 1), ("failed", 2), ("passed", 3)]


def test_rows_come_in_the_order_asked_for_with_gaps(tmp_path: Path) -> None:
    grid = grid_of(tmp_path, {"a": {"t1": "P"}, "b": {"t1": "F", "t2": "E"}})
    rows = grid.rows(np.array([1, 0]))
    found = [(item.task.name, [[result.outcome for result in cell] for cell in item.cells]) for item in rows]
    assert found == [("t2", [[], ["error"]]), ("t1", [["passed"], ["failed"]])]
    assert [(item.passed, item.counted) for item in rows] == [(0, 1), (1, 2)]


def test_runs_agree_on_tasks_that_count_for_both(tmp_path: Path) -> None:
    runs = {
        "a": {"t1": "P", "t2": "P", "t3": "F", "t4": "S", "t5": "E"},
        "b": {"t1": "P", "t2": "F", "t3": "F", "t4": "P", "t5": "F"},
        "c": {"t6": "P"},
    }
    agreement = grid_of(tmp_path, runs).agreement()
    assert agreement.common.tolist() == [[4, 4, 0], [4, 5, 0], [0, 0, 1]]
    assert agreement.same.tolist() == [[4, 2, 0], [2, 5, 0], [0, 0, 1]]
    assert agreement.first_only.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("relation", "tasks"),
    [(SAME, ["t1", "t3"]), (DIFFERENT, ["t2", "t5"]), (BOTH, ["t1"]), (FIRST, ["t2"]), (SECOND, [])],
)
def test_the_tasks_behind_a_number_are_known(tmp_path: Path, relation: str, tasks: list[str]) -> None:
    runs = {
        "a": {"t1": "P", "t2": "P", "t3": "F", "t4": "S", "t5": "E"},
        "b": {"t1": "P", "t2": "F", "t3": "F", "t4": "P", "t5": "F"},
    }
    grid = grid_of(tmp_path, runs)
    assert named(grid, grid.related(0, 1, relation)) == tasks


def test_repeats_are_paired_by_their_number(tmp_path: Path) -> None:
    agreement = grid_of(tmp_path, {"a": {"t": "PF"}, "b": {"t": "PPP"}}).agreement()
    assert (agreement.common[0, 1], agreement.same[0, 1], agreement.first_only[1, 0]) == (2, 1, 1)


def test_some_of_the_tasks_can_be_taken(tmp_path: Path) -> None:
    grid = grid_of(tmp_path, FOUR).only(np.array([False, True, True, False]))
    assert [task.name for task in grid.tasks] == ["t2", "t3"]
    assert (grid.passed.tolist(), grid.counted.tolist(), grid.agreement().common.tolist()) == (
        [1, 0],
        [2, 2],
        [[2, 2], [2, 2]],
    )


def test_only_results_of_the_filter_are_read(tmp_path: Path) -> None:
    grid = grid_of(tmp_path, FOUR, ResultFilter(run=Choice(("b",))))
    assert [(run.name, grid.result_id.size) for run in grid.runs] == [("b", 4)]


def test_nothing_makes_an_empty_grid(tmp_path: Path) -> None:
    grid = grid_of(tmp_path, FOUR, ResultFilter(run=Choice(("z",))))
    assert (grid.runs, grid.tasks, grid.agreement().common.shape) == ((), (), (0, 0))

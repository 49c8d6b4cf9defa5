"""Counts by id as counts by what the ids stand for, and marks on the rows of some results."""

import numpy as np

from results.facts.links import GAP, Cells, Links
from results.facts.places import Places, SetPlaces
from results.models.evaluations import RESULTS_PER_EVALUATION


def cells(*pairs: tuple[int, int], missing: int = 0) -> Cells:
    ids, counts = zip(*pairs, strict=True) if pairs else ((), ())
    return Cells(np.array(ids, np.int64), np.array(counts, np.int64), missing)


def test_counts_by_version_add_up_to_counts_by_suite() -> None:
    suites = Links(np.array([1, 2, 3, 4]), {"suite": np.array([10, 20, 10, GAP])})
    found = suites.added_up(cells((1, 5), (3, 7), (4, 2), missing=1), "suite")
    assert found.pairs() == [(10, 12), (None, 3)]


def test_a_set_counts_once_for_each_of_its_tags() -> None:
    tags = Links(np.array([7, 7, 8]), {"tag": np.array([1, 2, 2])})
    assert tags.added_up(cells((7, 3), (8, 4)), "tag").pairs() == [(1, 3), (2, 7)]


def test_only_the_lines_asked_for_count() -> None:
    tags = Links(np.array([7, 7, 8]), {"tag": np.array([1, 2, 2])})
    found = tags.added_up(cells((7, 3), (8, 4)), "tag", among=np.array([True, False, True]))
    assert found.pairs() == [(1, 3), (2, 4)]


def test_ids_that_stand_for_nothing_are_not_counted() -> None:
    assert Links(np.array([7]), {"tag": np.array([1])}).added_up(cells((9, 3)), "tag").pairs() == []
    assert Links(np.array([], np.int64), {"tag": np.array([], np.int64)}).added_up(cells((9, 3)), "tag").pairs() == []


def test_missing_ids_of_a_query_are_one_cell() -> None:
    ids = np.ma.masked_array(np.array([5, 0, 2]), mask=[False, True, False])
    found = Cells.of(ids, np.array([10, 4, 1]))
    assert (found.pairs(), found.total) == ([(2, 1), (5, 10), (None, 4)], 15)


def test_marks_lie_on_the_rows_of_the_results_in_whatever_order_the_rows_are() -> None:
    first, second = 3 * RESULTS_PER_EVALUATION, 900 * RESULTS_PER_EVALUATION
    places = Places.of(np.array([second + 1, first, first + 2, second]))
    wanted = np.array([first - 1, first, first + 1, second + 1, second + 5, second + RESULTS_PER_EVALUATION])
    assert places.marks(wanted).tolist() == [True, True, False, False]
    assert places.marks(np.array([], np.int64)).tolist() == [False] * 4


def test_rows_are_marked_by_their_tool_sets() -> None:
    column = np.ma.array(
        [7, -3, 9, 7, 5], mask=[False, False, False, True, False]
    )  # 9 is not known, the fourth has none
    places = SetPlaces.of(np.array([-3, 5, 7]), column)
    assert places.marks(np.array([7, -3, 9])).tolist() == [True, True, False, False, False]
    assert SetPlaces.of(np.empty(0, np.int64), column).marks(np.array([7])).tolist() == [False] * 5

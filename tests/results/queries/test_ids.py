"""Ids of the results that a filter means, and the filter that means single results."""

from pathlib import Path

import pytest

from results.filters import Choice, ResultFilter
from results.queries.ids import result_ids
from results.queries.results import result_page
from results.queries.visibility import visible_evaluations
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db


def test_ids_come_in_order_of_the_document(tmp_path: Path) -> None:
    rows = [result(number, Kind="Failed" if number % 2 else "Passed") for number in range(5)]
    evaluation = an_evaluation(tmp_path, *rows)
    failed = ResultFilter(outcome=Choice(("failed",)))
    assert result_ids(visible_evaluations(), failed) == [evaluation.result_id(1), evaluation.result_id(3)]


def test_single_results_are_asked_for_and_left_out(tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, *(result(number) for number in range(4)))
    other = an_evaluation(tmp_path, result(9), name="other.json")
    ids = (evaluation.result_id(1), evaluation.result_id(3), other.result_id(0))
    chosen = tuple(map(str, ids))
    assert result_ids(visible_evaluations(), ResultFilter(result=Choice(chosen))) == list(ids)
    assert result_ids(visible_evaluations(), ResultFilter(result=Choice((), chosen))) == [
        evaluation.result_id(0),
        evaluation.result_id(2),
    ]


def test_single_results_still_have_to_meet_the_other_filters(tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(0), result(1, Kind="Failed"))
    chosen = Choice((str(evaluation.result_id(0)), str(evaluation.result_id(1))))
    page = result_page(visible_evaluations(), ResultFilter(result=chosen, outcome=Choice(("failed",))))
    assert [row.id for row in page.rows] == [evaluation.result_id(1)]


def test_an_unknown_result_matches_nothing(tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    assert result_ids(visible_evaluations(), ResultFilter(result=Choice(("999999999999999999",)))) == []

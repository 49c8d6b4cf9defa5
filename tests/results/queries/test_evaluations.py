"""Evaluations in lists, and one result in full."""

from pathlib import Path

import pytest
from pytest_django import DjangoAssertNumQueries

from results.models.evaluations import Evaluation, EvaluationState
from results.queries.detail import result_detail
from results.queries.evaluations import evaluation_row, evaluation_rows
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


def test_an_evaluation_carries_its_counts_and_rate(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(1), row(2, kind="Failed"), row(3, kind="Skipped"))
    found = evaluation_row(visible_evaluations(), evaluation)
    assert found is not None
    assert (found.project, found.results, found.pass_rate.value, found.pass_rate.n) == ("default", 3, 0.5, 2)


def test_the_list_takes_two_queries(tmp_path: Path, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    stored(tmp_path, "a", row(1))
    visible = visible_evaluations()
    with django_assert_num_queries(2):
        assert len(evaluation_rows(visible)) == 1


def test_the_list_can_be_searched_by_file_name(tmp_path: Path) -> None:
    stored(tmp_path, "june", row(1))
    stored(tmp_path, "july", row(2))
    assert [Path(found.file_name).name for found in evaluation_rows(visible_evaluations(), search="JUN")] == [
        "june.json"
    ]


def test_the_list_can_be_of_one_project(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(1))
    other = stored(tmp_path, "b", row(2), project="other")
    assert [found.id for found in evaluation_rows(visible_evaluations(), project="other")] == [other]
    assert visible_evaluations("other").evaluation_ids == {other}


@pytest.mark.parametrize(
    ("state", "is_visible"), [("importing", False), ("running", True), ("ready", True), ("deleting", False)]
)
def test_only_ready_and_running_evaluations_are_visible(tmp_path: Path, state: str, is_visible: bool) -> None:
    evaluation = stored(tmp_path, "a", row(1))
    Evaluation.objects.filter(pk=evaluation).update(state=EvaluationState(state))
    visible = visible_evaluations()
    assert (evaluation_row(visible, evaluation) is not None) == is_visible


def test_equal_visible_sets_have_equal_keys() -> None:
    assert VisibleSet.of(frozenset({1, 2})) == VisibleSet.of(frozenset({2, 1}))
    assert VisibleSet.of(frozenset({1, 2})).key != VisibleSet.of(frozenset({12})).key


def test_a_result_is_shown_with_its_own_bytes(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(1), row(2, task="second"))
    detail = result_detail(visible_evaluations(), evaluation * 2**24 + 1)
    assert detail is not None
    assert (detail.record.task, detail.row.task, detail.evaluation.id) == ("second", "second", evaluation)
    assert b'"Task":"second"' in detail.source


@pytest.mark.parametrize("ordinal", [2, 2**24])
def test_a_result_that_does_not_exist_is_none(tmp_path: Path, ordinal: int) -> None:
    evaluation = stored(tmp_path, "a", row(1), row(2))
    assert result_detail(visible_evaluations(), evaluation * 2**24 + ordinal) is None


def test_a_result_of_a_hidden_evaluation_is_none(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(1))
    assert result_detail(VisibleSet.of(frozenset()), evaluation * 2**24) is None

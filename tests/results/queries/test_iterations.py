"""One sprint and one iteration: joined with contract, revisions, neighbours and other files."""

import pytest
from pytest_django import DjangoAssertNumQueries

from results.iteration_records import PartResult
from results.models.sprints import Sprint
from results.queries.iterations import IterationDetail, iteration_detail, sprint_detail
from tests.fixtures.agent_bober.documents import document
from tests.fixtures.agent_bober.imports import contract, evaluation, import_one, spec

pytestmark = pytest.mark.django_db

CRITERION = {"criterionId": "sc-1-2", "result": "fail", "evidence": "It creaks."}


def detail_of(files: dict[str, bytes]) -> IterationDetail:
    (iteration_id,) = import_one(files).iterations
    return again(iteration_id)


def again(iteration_id: int) -> IterationDetail:
    detail = iteration_detail(iteration_id)
    assert detail is not None
    return detail


def messages(detail: IterationDetail) -> list[str]:
    return [warning.message for warning in detail.warnings]


def test_an_iteration_that_does_not_exist_is_none() -> None:
    assert iteration_detail(1) is None
    assert sprint_detail(1) is None


def test_the_record_and_its_document_come_back() -> None:
    import_one(contract())
    import_one(spec())
    detail = detail_of(evaluation(criteriaResults=document()["criteriaResults"][:2], score=None))
    assert (detail.row.verdict, detail.record.summary) == ("pass", "Passed with a dark lamp.")
    assert detail.source.startswith(b'{"evalId":"eval-sprint-kiln-1-1"')
    assert messages(detail) == []


def test_a_contract_that_comes_later_fills_gaps_and_takes_warnings_away() -> None:
    detail = detail_of(evaluation(criteriaResults=[CRITERION], score=None))
    assert "contract 'sprint-kiln-1' was not imported" in messages(detail)
    assert "spec 'kiln' was not imported" in messages(detail)
    assert detail.is_disagreeing
    import_one(contract())
    import_one(spec())
    later = again(detail.row.id)
    assert later.record.criteria_results is not None
    assert later.record.criteria_results[0].description == "The door stays shut."
    assert (messages(later), later.is_disagreeing) == ([], False)


def test_a_criterion_that_the_contract_does_not_have_is_noted() -> None:
    import_one(contract())
    assert "'sc-1-3' is not in the contract" in messages(detail_of(evaluation()))


def test_another_spec_than_the_contracts_is_noted() -> None:
    import_one(contract())
    assert "is 'other', but the contract belongs to 'kiln'" in messages(detail_of(evaluation(specId="other")))


def test_a_missing_iteration_is_noted_until_it_comes() -> None:
    detail = detail_of(evaluation(2))
    gap = "iteration 2 is recorded, but not iteration 1"
    assert gap in messages(detail)
    import_one(evaluation(1))
    assert gap not in messages(again(detail.row.id))


def test_times_that_run_backwards_are_noted_on_the_later_iteration() -> None:
    first = detail_of(evaluation(1, timestamp="2026-03-05T10:00:00Z"))
    second = detail_of(evaluation(2, timestamp="2026-03-04T10:00:00Z"))
    note = "iteration 2 is dated before iteration 1"
    assert (note in messages(again(first.row.id)), note in messages(second)) == (False, True)
    sprint = sprint_detail(Sprint.objects.get().pk)
    assert sprint is not None
    assert [warning.message for warning in sprint.warnings] == [note]


def test_neighbours_and_results_before_are_found() -> None:
    import_one(evaluation(1, criteriaResults=[CRITERION]))
    detail = detail_of(evaluation(2))
    import_one(evaluation(3))
    third = again(detail.row.id)
    assert third.previous is not None
    assert third.following is not None
    assert (third.previous.iteration, third.following.iteration) == (1, 3)
    assert third.before == {"sc-1-2": PartResult.FAIL}


def test_every_revision_stays_readable() -> None:
    old = detail_of(evaluation(summary="Old."))
    new = detail_of(evaluation(summary="New."))
    assert [row.revision for row in new.revisions] == [2, 1]
    kept = again(old.row.id)
    assert (kept.record.summary, kept.row.is_latest) == ("Old.", False)


def test_an_iteration_named_by_its_file_alone_is_read_again() -> None:
    detail = detail_of(evaluation(4, contractId=None, iteration=None, evalId=None))
    assert (detail.sprint.contract_id, detail.row.iteration) == ("sprint-kiln-1", 4)


def test_a_sprint_lists_its_iterations_in_order() -> None:
    for number in (2, 1):
        import_one(evaluation(number))
    import_one(evaluation(2, overallResult="fail"))
    detail = sprint_detail(Sprint.objects.get().pk)
    assert detail is not None
    assert [(item.row.iteration, item.row.verdict, item.revisions) for item in detail.iterations] == [
        (1, "pass", 1),
        (2, "fail", 2),
    ]


def test_details_take_few_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    import_one(contract())
    import_one(spec())
    import_one(evaluation(1))
    (iteration_id,) = import_one(evaluation(2)).iterations
    with django_assert_num_queries(3):
        iteration_detail(iteration_id)
    sprint_id = Sprint.objects.get(contract_id="sprint-kiln-1").pk
    with django_assert_num_queries(2):
        sprint_detail(sprint_id)

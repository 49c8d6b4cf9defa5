"""Undoing an import that replaced something: what was there before is there again."""

from collections.abc import Mapping
from typing import Any

import pytest

from results.models.jobs import Job
from results.models.sprints import ContractDocument, Iteration, Spec, SpecDocument, Sprint
from results.queries.iterations import iteration_detail, sprint_detail
from results.store.removals import undo
from tests.fixtures.agent_bober.imports import CONTRACT, contract, evaluation, import_one, spec

pytestmark = pytest.mark.django_db

WRITTEN_OUT = "sprint-kiln-3"  # by the fixture's spec


def take(files: Mapping[str, bytes]) -> int:
    """Import one file and give the id of its job."""
    import_one(files)
    return Job.objects.latest("pk").pk


def take_back(*job_ids: int) -> None:
    undo(job_ids, "Undo of an import")


def title_of(contract_id: str) -> str:
    return Sprint.objects.get(contract_id=contract_id).title


def shown_contract(contract_id: str) -> Any:
    detail = sprint_detail(Sprint.objects.get(contract_id=contract_id).pk)
    assert detail is not None
    return detail.contract


def test_the_contract_before_comes_back() -> None:
    take(contract(title="Build the kiln", description="of clay"))
    job = take(contract(title="Build a larger kiln", description="of brick"))
    take_back(job)
    assert (title_of(CONTRACT), shown_contract(CONTRACT).description) == ("Build the kiln", "of clay")


def test_the_spec_before_comes_back() -> None:
    take(spec(title="A kiln"))
    job = take(spec(title="Two kilns"))
    take_back(job)
    assert [(row.title, row.documents.count()) for row in Spec.objects.all()] == [("A kiln", 1)]


def test_the_revision_before_comes_back() -> None:
    first = import_one(evaluation(summary="first")).iterations[0]
    job = take(evaluation(summary="second"))
    take_back(job)
    detail = iteration_detail(Iteration.objects.get(is_latest=True).pk)
    assert detail is not None
    assert (detail.row.id, detail.record.summary) == (first, "first")


@pytest.mark.parametrize("back", [0, 1])
def test_undoing_a_contract_that_was_replaced_already_changes_nothing(back: int) -> None:
    jobs = [take(contract(title=title)) for title in ("one", "two", "three")]
    take_back(jobs[back])
    assert (title_of(CONTRACT), ContractDocument.objects.count()) == ("three", 2)


def test_undoing_a_spec_that_was_replaced_already_changes_nothing() -> None:
    job = take(spec(title="one"))
    take(spec(title="two"))
    take_back(job)
    assert (Spec.objects.get().title, SpecDocument.objects.count()) == ("two", 1)


def test_the_same_contract_again_after_another_one_is_undone_to_that_one() -> None:
    jobs = [take(contract(title=title)) for title in ("one", "two", "one")]
    take_back(jobs[2])
    assert title_of(CONTRACT) == "two"


def test_several_contracts_are_undone_one_after_the_other() -> None:
    jobs = [take(contract(title=title)) for title in ("one", "two", "three")]
    take_back(jobs[2])
    take_back(jobs[1])
    assert title_of(CONTRACT) == "one"


def test_a_contract_that_is_undone_gives_way_to_the_one_written_out_in_its_spec() -> None:
    take(spec())
    written_out = title_of(WRITTEN_OUT)
    job = take(contract(contractId=WRITTEN_OUT, title="Light it well"))
    assert title_of(WRITTEN_OUT) == "Light it well"
    take_back(job)
    assert (title_of(WRITTEN_OUT), written_out) == ("Light the fire", "Light the fire")


def test_a_contract_that_moved_its_sprint_to_another_spec_moves_it_back() -> None:
    take(contract(specId="kiln"))
    job = take(contract(specId="oven"))
    assert [row.spec_id for row in Spec.objects.all()] == ["oven"]
    take_back(job)
    assert [row.spec_id for row in Spec.objects.all()] == ["kiln"]


def test_a_contract_that_named_a_spec_leaves_the_one_that_the_iteration_names() -> None:
    take(evaluation(specId="kiln"))
    job = take(contract(specId="oven"))
    take_back(job)
    assert [row.spec_id for row in Spec.objects.all()] == ["kiln"]


def test_sprints_that_only_the_newer_spec_wrote_out_go_and_those_of_the_older_come_back() -> None:
    take(spec(sprints=[{"contractId": "old", "title": "Old"}]))
    job = take(spec(sprints=[{"contractId": "new", "title": "New"}]))
    take_back(job)
    assert list(Sprint.objects.values_list("contract_id", "title")) == [("old", "Old")]


def test_a_contract_written_out_anew_in_a_newer_spec_is_undone_to_the_older_text() -> None:
    take(spec(sprints=[{"contractId": "kiln-1", "title": "of clay"}]))
    job = take(spec(sprints=[{"contractId": "kiln-1", "title": "of brick"}]))
    take_back(job)
    assert title_of("kiln-1") == "of clay"


def test_undoing_everything_leaves_no_documents() -> None:
    take_back(take(contract()), take(spec()), take(evaluation()), take(contract(title="again")))
    left = [model.objects.count() for model in (ContractDocument, SpecDocument, Sprint, Spec, Iteration)]
    assert left == [0, 0, 0, 0, 0]

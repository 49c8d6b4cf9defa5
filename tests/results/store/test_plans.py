"""Contracts, specs and iterations in the store: any order gives the same sprints."""

from itertools import permutations
from typing import Any

import pytest

from results.models.sprints import ContractDocument, Iteration, Spec, SpecDocument, Sprint
from results.store.iterations import delete_iterations
from results.store.undoing import forget_contracts, forget_specs
from tests.fixtures.agent_bober.imports import CONTRACT, contract, evaluation, import_bodies, import_one, spec

pytestmark = pytest.mark.django_db

FILES = {"evaluation": evaluation(), "contract": contract(), "spec": spec()}


def sprints() -> list[tuple[Any, ...]]:
    fields = ("contract_id", "title", "number", "spec__spec_id", "spec__title")
    return list(Sprint.objects.order_by("contract_id").values_list(*fields))


@pytest.mark.parametrize("order", list(permutations(FILES)))
def test_the_order_of_files_does_not_matter(order: tuple[str, ...]) -> None:
    for name in order:
        import_one(FILES[name])
    assert sprints() == [
        ("sprint-kiln-1", "Build the kiln", 1, "kiln", "A kiln for the village"),
        ("sprint-kiln-3", "Light the fire", 3, "kiln", "A kiln for the village"),
    ]


def test_contracts_and_specs_come_without_an_evaluation() -> None:
    reports = import_bodies(contract() | spec())
    assert [(report.state, report.evaluation, report.iterations) for report in reports] == [("stored", None, [])] * 2
    assert reports[0].contracts == [ContractDocument.objects.get(sprint__contract_id=CONTRACT).pk]
    assert reports[1].specs == [SpecDocument.objects.get().pk]


@pytest.mark.parametrize("files", [contract(), spec(), evaluation()])
def test_the_same_bytes_again_are_nothing_new(files: dict[str, bytes]) -> None:
    assert [import_one(files).state, import_one(files).state] == ["stored", "unchanged"]


def test_a_changed_contract_takes_the_place_of_the_earlier_one() -> None:
    import_one(contract())
    assert import_one(contract(title="Build a larger kiln")).state == "stored"
    assert [row[1] for row in sprints()] == ["Build a larger kiln"]


def test_a_contract_of_its_own_wins_over_one_written_out_in_a_spec() -> None:
    own = contract(contractId="sprint-kiln-3", title="Light it well", sprintNumber=7)
    for files in (spec(), own, spec(title="Again")):
        import_one(files)
    assert sprints() == [("sprint-kiln-3", "Light it well", 7, "kiln", "Again")]


@pytest.mark.parametrize("contract_first", [True, False])
def test_the_spec_of_a_contract_wins_over_that_of_an_iteration(contract_first: bool) -> None:
    files = [contract(specId="real"), evaluation(specId="mistaken")]
    for body in files if contract_first else reversed(files):
        import_one(body)
    assert [row.spec_id for row in Spec.objects.all()] == ["real"]
    assert sprints()[0][3] == "real"


def test_the_place_in_the_spec_numbers_a_sprint_that_nothing_else_does() -> None:
    import_bodies(evaluation(contract="sprint-kiln-door") | spec())
    assert Sprint.objects.get(contract_id="sprint-kiln-door").number == 2


def test_projects_do_not_share_sprints() -> None:
    import_one(contract(), "alpha")
    import_one(evaluation(), "beta")
    assert list(Sprint.objects.order_by("pk").values_list("project__slug", "title")) == [
        ("alpha", "Build the kiln"),
        ("beta", ""),
    ]


def test_changed_bytes_are_a_new_revision_and_the_old_one_stays() -> None:
    first, second = import_one(evaluation()), import_one(evaluation(overallResult="fail"))
    rows = list(Iteration.objects.order_by("revision").values_list("pk", "revision", "is_latest", "verdict"))
    assert rows == [(first.iterations[0], 1, False, "pass"), (second.iterations[0], 2, True, "fail")]


def test_a_deleted_revision_gives_its_place_back() -> None:
    first, second = import_one(evaluation()), import_one(evaluation(overallResult="fail"))
    assert delete_iterations(set(second.iterations)) == 1
    assert list(Iteration.objects.values_list("pk", "is_latest")) == [(first.iterations[0], True)]


def test_deleting_a_replaced_revision_leaves_the_newest_alone() -> None:
    first, second = import_one(evaluation()), import_one(evaluation(overallResult="fail"))
    delete_iterations(set(first.iterations))
    assert list(Iteration.objects.values_list("pk", "is_latest")) == [(second.iterations[0], True)]


def test_the_last_iteration_takes_its_sprint_and_spec_along() -> None:
    report = import_one(evaluation())
    delete_iterations(set(report.iterations))
    assert (Sprint.objects.count(), Spec.objects.count()) == (0, 0)


def test_a_sprint_with_a_contract_outlives_its_iterations() -> None:
    import_one(contract())
    report = import_one(evaluation())
    delete_iterations(set(report.iterations))
    assert [row[0] for row in sprints()] == [CONTRACT]


def test_deleting_what_is_gone_does_no_harm() -> None:
    assert delete_iterations({1, 2}) == 0


def test_undoing_a_contract_leaves_its_iterations() -> None:
    report = import_one(contract())
    import_one(evaluation())
    forget_contracts(set(report.contracts))
    assert sprints() == [(CONTRACT, "", 1, "kiln", "")]  # the number is in the id


def test_undoing_everything_leaves_nothing() -> None:
    reports = import_bodies(evaluation() | contract() | spec())
    delete_iterations({row for report in reports for row in report.iterations})
    forget_contracts({row for report in reports for row in report.contracts})
    forget_specs({row for report in reports for row in report.specs})
    assert (Iteration.objects.count(), Sprint.objects.count(), Spec.objects.count()) == (0, 0, 0)


def test_undoing_a_spec_keeps_what_has_iterations() -> None:
    report = import_one(spec())
    import_one(evaluation(contract="sprint-kiln-3"))
    forget_specs(set(report.specs))
    assert sprints() == [("sprint-kiln-3", "", 3, "kiln", "")]

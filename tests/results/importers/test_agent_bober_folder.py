"""Contracts and specs of a `.bober` folder, and what they add to iterations."""

import json
from pathlib import Path

import msgspec
import pytest

from results.importers.agent_bober_folder import (
    BoberFolder,
    Contract,
    ContractCriterion,
    Member,
    SprintPlace,
    build_folder,
    check_record,
    check_sequence,
    join_contract,
    member_of,
    place_sprint,
    read_contract,
    read_spec,
)
from results.importers.source import ImportRefused, Limits, WarningLog
from results.iteration_records import CriterionResult, EvalResult, OverallResult, PartResult
from results.iteration_verdicts import computed_verdict
from tests.fixtures.agent_bober.documents import document, fixture_bytes, read_document

LIMITS = Limits()


def iteration(number: int = 1, *, contract: str = "sprint-kiln-1", **changes: object) -> EvalResult:
    record = EvalResult(contract_id=contract, spec_id="kiln", iteration=number, overall_result=OverallResult.PASS)
    return msgspec.structs.replace(record, **changes)


def folder() -> BoberFolder:
    contract = read_contract(fixture_bytes("contract.json"), "sprint-kiln-1.json", LIMITS)
    return build_folder([contract], [read_spec(fixture_bytes("spec.json"), "kiln.json", LIMITS)])


def messages(record: EvalResult, known: BoberFolder) -> list[str]:
    log = WarningLog()
    check_record(record, known, log)
    return [f"{warning.path}: {warning.message}" for warning in log.kept]


def test_a_present_contract_is_read() -> None:
    assert read_contract(fixture_bytes("contract.json"), "x.json", LIMITS) == Contract(
        contract_id="sprint-kiln-1",
        spec_id="kiln",
        sprint_number=1,
        title="Build the kiln",
        description="Bricks and a door.",
        status="completed",
        criteria=[
            ContractCriterion(
                criterion_id="sc-1-1",
                description="The kiln heats up to 900 °C.",
                verification_method="unit-test",
                required=True,
            ),
            ContractCriterion(
                criterion_id="sc-1-2", description="The door stays shut.", verification_method="manual", required=False
            ),
        ],
        depends_on=["sprint-kiln-0"],
        features=["feat-1"],
    )


def test_an_older_contract_is_read() -> None:
    contract = read_contract(fixture_bytes("contract_older.json"), "x.json", LIMITS)
    assert (contract.contract_id, contract.title, contract.sprint_number) == ("sprint-glaze-4", "Mix the glaze", None)
    assert contract.criteria == [
        ContractCriterion(
            criterion_id="s4-c1", description="It is blue.", verification_method="hold it against the sky"
        ),
        ContractCriterion(criterion_id="", description="It does not crack."),
    ]


def test_a_contract_without_an_id_has_the_one_of_its_file() -> None:
    assert read_contract(b"{}", "a/.bober/contracts/sprint-x-1.json", LIMITS) == Contract(contract_id="sprint-x-1")


@pytest.mark.parametrize("data", [b"[]", b"{", b"{}"])
def test_what_is_no_contract_is_refused(data: bytes) -> None:
    with pytest.raises(ImportRefused):
        read_contract(data, "", LIMITS)


def test_a_spec_lists_its_sprints_in_order_and_keeps_contracts_written_out_in_it() -> None:
    spec = read_spec(fixture_bytes("spec.json"), "x.json", LIMITS)
    assert (spec.spec_id, spec.title, spec.status) == ("kiln", "A kiln for the village", "completed")
    assert spec.sprints == ["sprint-kiln-1", "sprint-kiln-door", "sprint-kiln-3"]
    assert spec.contracts == [Contract(contract_id="sprint-kiln-3", title="Light the fire")]


@pytest.mark.parametrize(
    ("path", "member"),
    [
        (".bober/contracts/a.json", Member.CONTRACT),
        ("home/.bober/specs/a.JSON", Member.SPEC),
        (".bober\\eval-results\\eval-a-1.json", Member.EVALUATION),
        (".bober/handoffs/a.json", None),
        (".bober/contracts/a.md", None),
        ("contracts.json", None),
    ],
)
def test_a_file_is_told_by_its_folder(path: str, member: Member | None) -> None:
    assert member_of(path) is member


def test_a_criterion_gets_the_description_flag_and_method_of_its_contract() -> None:
    record = iteration(criteria_results=[CriterionResult(criterion_id="sc-1-2", result=PartResult.FAIL)])
    joined = join_contract(record, folder().contracts["sprint-kiln-1"])
    assert joined.criteria_results == [
        CriterionResult(
            criterion_id="sc-1-2",
            result=PartResult.FAIL,
            description="The door stays shut.",
            required=False,
            verification_method="manual",
            is_description_joined=True,
            is_required_joined=True,
        )
    ]


def test_what_a_criterion_records_itself_stays() -> None:
    recorded = CriterionResult(criterion_id="sc-1-1", description="It gets hot.", required=False)
    joined = join_contract(iteration(criteria_results=[recorded]), folder().contracts["sprint-kiln-1"])
    assert joined.criteria_results == [msgspec.structs.replace(recorded, verification_method="unit-test")]


def test_a_joined_flag_changes_the_computed_verdict() -> None:
    record = iteration(
        criteria_results=[
            CriterionResult(criterion_id="sc-1-1", result=PartResult.PASS),
            CriterionResult(criterion_id="sc-1-2", result=PartResult.FAIL),
        ]
    )
    joined = join_contract(record, folder().contracts["sprint-kiln-1"])
    assert (computed_verdict(record), computed_verdict(joined)) == (OverallResult.FAIL, OverallResult.PASS)


def test_a_criterion_id_followed_by_its_text_is_joined_by_the_id() -> None:
    record = iteration(criteria_results=[CriterionResult(criterion_id="sc-1-1 (it heats up)")])
    joined = join_contract(record, folder().contracts["sprint-kiln-1"])
    assert joined.criteria_results is not None
    assert joined.criteria_results[0].required is True


def test_without_a_contract_or_without_criteria_nothing_is_joined() -> None:
    record = iteration()
    assert join_contract(record, None) is record
    assert join_contract(record, folder().contracts["sprint-kiln-1"]) is record


@pytest.mark.parametrize(
    ("contract_id", "title", "number"),
    [
        ("sprint-kiln-1", "Build the kiln", 1),  # its contract
        ("sprint-kiln-door", None, 2),  # its place in the spec
        ("sprint-kiln-3", "Light the fire", 3),  # written out in the spec
        ("sprint-kiln-12", None, 12),  # its own id
        ("other", None, None),
    ],
)
def test_title_and_order_of_a_sprint_come_from_the_best_source(
    contract_id: str, title: str | None, number: int | None
) -> None:
    assert place_sprint(contract_id, "kiln", folder()) == SprintPlace(
        title=title, number=number, spec_id="kiln", spec_title="A kiln for the village"
    )


def test_a_sprint_without_a_recorded_spec_takes_the_one_of_its_contract() -> None:
    assert place_sprint("sprint-kiln-1", None, folder()).spec_id == "kiln"


def test_an_iteration_that_fits_its_folder_has_no_warning() -> None:
    fields = document(criteriaResults=document()["criteriaResults"][:2])
    assert messages(read_document(fields).record, folder()) == []


def test_an_unknown_contract_and_spec_are_warnings() -> None:
    assert messages(iteration(contract="ghost", spec_id="mist"), folder()) == [
        "contractId: contract 'ghost' was not imported",
        "specId: spec 'mist' was not imported",
    ]


def test_a_criterion_that_is_not_in_the_contract_is_a_warning() -> None:
    assert messages(read_document(document()).record, folder()) == [
        "criteriaResults[2].criterionId: 'sc-1-3' is not in the contract"
    ]


def test_an_iteration_without_the_one_before_is_a_warning() -> None:
    found = check_sequence([iteration(2), iteration(5), iteration(1, contract="whole"), iteration(2, contract="whole")])
    assert {key: [warning.message for warning in log.kept] for key, log in found.items()} == {
        "sprint-kiln-1": [
            "iteration 2 is recorded, but not iteration 1",
            "iteration 5 is recorded, but not iteration 3 to 4",
        ]
    }


def test_times_against_the_order_of_iterations_are_a_warning() -> None:
    later, earlier = "2026-03-04T11:00:00Z", "2026-03-04T10:00:00Z"
    found = check_sequence([iteration(2, timestamp=earlier), iteration(1, timestamp=later)])
    assert [warning.message for warning in found["sprint-kiln-1"].kept] == ["iteration 2 is dated before iteration 1"]


def test_every_real_criterion_without_a_description_gets_the_one_of_its_contract(shared_folder: Path) -> None:
    base = shared_folder / "samples" / "agent-bober" / ".bober"
    for path in sorted((base / "eval-results").glob("*.json")):
        fields = json.loads(path.read_bytes())
        contract_path = base / "contracts" / f"{fields['contractId']}.json"
        contract = read_contract(contract_path.read_bytes(), contract_path.name, LIMITS)
        joined = join_contract(read_document(fields, path.name).record, contract)
        assert all(criterion.description for criterion in joined.criteria_results or [])


@pytest.mark.parametrize(
    ("second", "is_noted"),
    [("2026-03-04T00:00:00Z", False), ("2026-03-03T00:00:00Z", True), ("2026-03-04T09:59:59Z", True)],
)
def test_a_day_without_a_time_is_before_another_day_only(second: str, is_noted: bool) -> None:
    records = [iteration(1, timestamp="2026-03-04T10:00:00Z"), iteration(2, timestamp=second)]
    assert bool(check_sequence(records)) is is_noted

"""The files of a sprint around an evaluation."""

import json
import os
from pathlib import Path

import pytest

from evaluator.engine.strategies.configuration import read_configuration
from evaluator.engine.strategies.configuration_problems import ConfigurationError
from evaluator.engine.strategies.contracts import Criterion, Evidence, Verified
from evaluator.engine.strategies.output_parsers.printed import read_report
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.sprint_files import (
    SprintFileError,
    contract_of_project,
    earlier_iterations,
    load_contract,
    load_evidence,
    load_previous,
    reserve_iteration,
    write_result,
)
from results.iteration_records import EvalResult, OverallResult
from tests.evaluator.strategies.projects import write
from tests.fixtures.agent_bober.documents import document, fixture_bytes

RECORD = EvalResult(contract_id="sprint-kiln-1", iteration=1, overall_result=OverallResult.PASS)
FOLDER = ".bober/eval-results"


def test_a_contract_is_read_with_its_criteria(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(fixture_bytes("contract.json"))
    contract = load_contract(tmp_path / "c.json").contract
    assert (contract.contract_id, contract.spec_id, contract.number) == ("sprint-kiln-1", "kiln", 1)
    assert contract.criteria == (
        Criterion("sc-1-1", "The kiln heats up to 900 °C.", "unit-test", required=True),
        Criterion("sc-1-2", "The door stays shut.", "manual", required=False),
    )


def test_an_older_contract_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(fixture_bytes("contract_older.json"))
    contract = load_contract(tmp_path / "c.json").contract
    assert [criterion.criterion_id for criterion in contract.criteria] == ["s4-c1", "criterion-2"]


@pytest.mark.parametrize("text", ["", "[]", '{"contractId": "../../etc"}', '{"contractId": "a/b"}'])
def test_what_is_no_contract_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SprintFileError):
        load_contract(write(tmp_path, {"c.json": text}) / "c.json")


def test_evidence_is_read_and_a_wrong_key_is_named(tmp_path: Path) -> None:
    good = {"sc-1-2": {"result": "fail", "evidence": "It opens."}}
    write(tmp_path, {"good.json": json.dumps(good), "bad.json": '{"sc-1-2": {"result": "fail", "because": "x"}}'})
    assert load_evidence(tmp_path / "good.json") == {"sc-1-2": Evidence(Verified.FAIL, "It opens.")}
    with pytest.raises(SprintFileError, match="because"):
        load_evidence(tmp_path / "bad.json")


def test_the_previous_iteration_is_the_newest_before_that_can_be_read(tmp_path: Path) -> None:
    names = {
        f"{FOLDER}/eval-sprint-kiln-1-{number}.json": json.dumps(document(iteration=number)) for number in (1, 2, 5)
    }
    write(tmp_path, {**names, f"{FOLDER}/eval-sprint-kiln-1-3.json": "{", f"{FOLDER}/eval-sprint-kiln-10-9.json": "{}"})
    found = earlier_iterations(tmp_path, "sprint-kiln-1")
    assert sorted(found) == [1, 2, 3, 5]
    previous = load_previous(found, 4)
    assert previous is not None
    assert previous.iteration == 2


def test_a_result_replaces_its_file_whole(tmp_path: Path) -> None:
    write_result(tmp_path, RECORD, b"one")
    path = write_result(tmp_path, RECORD, b"two")
    assert path == tmp_path / FOLDER / "eval-sprint-kiln-1-1.json"
    assert path.read_bytes() == b"two"
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_a_result_is_not_written_out_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".bober").symlink_to(tmp_path)
    with pytest.raises(SprintFileError, match="leads out of the project"):
        write_result(tmp_path / "project", RECORD, b"x")


@pytest.mark.parametrize(("name", "expected"), [("My kiln/2", "My-kiln-2"), ("…", "project"), (".x.", "x")])
def test_without_a_contract_the_project_gives_the_name(name: str, expected: str) -> None:
    assert contract_of_project(name).contract_id == expected


def test_a_pipe_among_the_files_of_a_project_keeps_nobody_waiting(tmp_path: Path) -> None:
    for name in (f"{FOLDER}/eval-x-1.json", "r.xml", "package.json", "bober.config.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(tmp_path / name)
    assert load_previous(earlier_iterations(tmp_path, "x"), 2) is None
    assert read_report(tmp_path / "r.xml") is None
    assert ProjectFiles(tmp_path).text("package.json") == ""
    with pytest.raises(ConfigurationError, match="it is no regular file"):
        read_configuration(tmp_path / "bober.config.json")
    with pytest.raises(SprintFileError, match="it is no regular file"):
        load_contract(Path("/dev/zero"))


def test_two_runs_at_once_take_two_numbers_and_a_number_that_was_given_back_is_free(tmp_path: Path) -> None:
    first = reserve_iteration(tmp_path, "x", 1)
    second = reserve_iteration(tmp_path, "x", 1)
    assert (first.iteration, second.iteration) == (1, 2)
    first.release()
    second.release()
    write_result(tmp_path, RECORD, b"{}")
    assert reserve_iteration(tmp_path, RECORD.contract_id, 1).iteration == 2

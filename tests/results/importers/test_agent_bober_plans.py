"""Contracts and specs as files: how they are recognised and what is read of them."""

import json
from pathlib import Path

import pytest

from results.importers.registry import detect
from results.importers.source import ContractSource, ImportRefused, Limits, SourceFile, SpecSource
from tests.fixtures.agent_bober.documents import fixture_bytes


def name_of(body: bytes, file_name: str = "x.json") -> str | None:
    found = detect(body, file_name)
    return None if found is None else found.name


def read(folder: Path, body: bytes, file_name: str) -> object:
    path = folder / "copy"
    path.write_bytes(body)
    importer = detect(body, file_name)
    assert importer is not None
    return importer.read(SourceFile(path, file_name, len(body)), Limits())


@pytest.mark.parametrize(
    ("fixture", "name"),
    [
        ("contract.json", "agent-bober-contract"),
        ("contract_older.json", "agent-bober-contract"),
        ("spec.json", "agent-bober-spec"),
        ("documented.json", "agent-bober"),
        ("engine.json", "agent-bober"),
        ("hybrid.json", "agent-bober"),
    ],
)
def test_each_kind_of_document_is_told_by_its_content(fixture: str, name: str) -> None:
    assert name_of(fixture_bytes(fixture)) == name


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        (".bober/contracts/a.json", "agent-bober-contract"),
        ("pack.zip/.bober/specs/a.json", "agent-bober-spec"),
        ("contracts/a.json", None),
        (".bober/handoffs/a.json", None),
    ],
)
def test_a_sparse_document_is_told_by_its_place(file_name: str, name: str | None) -> None:
    assert name_of(b'{"title": "x"}', file_name) == name


def test_a_contract_is_read_with_its_compact_document(tmp_path: Path) -> None:
    source = read(tmp_path, b'{ "contractId": "a-1",  "specId": "a", "successCriteria": [] }', "x.json")
    assert source == ContractSource("a-1", "a", b'{"contractId":"a-1","specId":"a","successCriteria":[]}')


def test_a_spec_brings_the_contracts_written_out_in_it(tmp_path: Path) -> None:
    source = read(tmp_path, fixture_bytes("spec.json"), "kiln.json")
    assert isinstance(source, SpecSource)
    assert (source.spec_id, source.title) == ("kiln", "A kiln for the village")
    written = b'{"contractId":"sprint-kiln-3","title":"Light the fire"}'
    assert source.contracts == [ContractSource("sprint-kiln-3", "kiln", written)]


def test_a_contract_in_a_spec_without_an_id_is_left_out(tmp_path: Path) -> None:
    body = json.dumps({"specId": "a", "sprints": [{"title": "nameless"}, "a-1", 7]}).encode()
    source = read(tmp_path, body, "x.json")
    assert isinstance(source, SpecSource)
    assert source.contracts == []


def test_a_damaged_contract_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused):
        read(tmp_path, b'{"contractId": "a-1", "successCriteria": [', ".bober/contracts/a-1.json")

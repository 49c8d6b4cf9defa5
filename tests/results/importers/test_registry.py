"""Which format a file is."""

import pytest

from results.importers.registry import IMPORTERS, detect
from tests.results.importers.reading import document, row


def test_a_results_document_is_detected() -> None:
    found = detect(document(row()), "results.json")
    assert found is not None
    assert found.name == "mindtrial"


@pytest.mark.parametrize("head", [b"", b"\x00\x01\x02", b"[[[[", b"hello", b"{}"])
def test_what_nobody_knows_is_detected_as_nothing(head: bytes) -> None:
    assert detect(head, "file.bin") is None


def test_every_importer_is_listed_under_its_name() -> None:
    assert [importer.name for importer in IMPORTERS.values()] == list(IMPORTERS)

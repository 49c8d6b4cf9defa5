"""A search that would read too much is left out of the pages of the history, and they say so."""

from pathlib import Path

import pytest
from django.test import Client

from results.models.dimensions import Run, Task
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["/tasks/", "/runs/", "/errors/", "/tasks/{task}/", "/runs/{run}/"])
def test_a_search_that_reads_too_much_is_left_out_and_named(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    stored(tmp_path, "one", row(0, task="first", kind="Failed"), row(1, task="first"))
    monkeypatch.setattr("results.text.search.MAX_SCANNED", 1)
    address = page.format(task=Task.objects.get().pk, run=Run.objects.get().pk)
    text = client.get(address, {"q": 'exact:"nowhere"'}).content.decode()
    assert "2 results are left to read" in text
    assert "Pass rate" in text or "Error rate" in text

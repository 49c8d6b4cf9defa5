"""Saved views: an address by its name, on the overview where it is pinned."""

from pathlib import Path

import pytest
from django.test import Client

from results.models.saved_views import SavedView
from results.queries.saved_views import saved_views
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db


def test_the_address_that_the_browser_shows_is_saved_and_opened_again(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(1), result(2, Kind="Failed"))
    form = {"name": " Failing  now ", "address": "/results/", "pinned": "yes"}
    client.post("/views/save/", form, headers={"Referer": "http://testserver/results/?outcome=failed&sort=-duration"})
    (row,) = saved_views()
    assert (row.name, row.address, row.is_pinned) == ("Failing now", "/results/?outcome=failed&sort=-duration", True)
    assert client.get(row.address).status_code == 200
    page = client.get("/").content.decode()
    assert '<bdi>Failing now</bdi> <small class="muted">Results</small></span><span class="count">1</span>' in page


def test_without_a_referrer_the_address_of_the_form_is_saved(client: Client) -> None:
    client.post("/views/save/", {"name": "Dear ones", "address": "/costs/?by=run"})
    assert [row.address for row in saved_views()] == ["/costs/?by=run"]


@pytest.mark.parametrize(
    "address", ["https://example.org/results/", "//example.org/", "/nowhere/", "/results/review/", ""]
)
def test_only_pages_of_ours_can_be_saved(client: Client, address: str) -> None:
    answer = client.post("/views/save/", {"name": "x", "address": address})
    assert answer["Location"].startswith("/")
    assert not answer["Location"].startswith("//")
    assert saved_views() == ()


def test_a_view_is_renamed_unpinned_and_deleted(client: Client) -> None:
    view = SavedView.objects.create(name="old", path="/runs/", is_pinned=True)
    client.post(f"/views/{view.pk}/edit/", {"name": "new", "shared": "yes"})
    assert [(row.name, row.is_pinned, row.is_shared) for row in saved_views()] == [("new", False, True)]
    assert "new" in client.get("/views/").content.decode()
    client.post(f"/views/{view.pk}/remove/")
    assert saved_views() == ()
    assert client.post(f"/views/{view.pk}/edit/", {}).status_code == 404

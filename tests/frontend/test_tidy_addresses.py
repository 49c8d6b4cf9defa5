"""Addresses and pagers say plainly what they show."""

from pathlib import Path

import pytest
from django.test import Client

from results.models.projects import Project
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db


def page_text(client: Client, address: str) -> str:
    """A page that answers 200, with non-breaking spaces as plain ones."""
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("path", ["/evaluations/", "/sprints/"])
def test_empty_fields_of_a_form_leave_no_keys_in_the_address(client: Client, path: str) -> None:
    assert client.get(f"{path}?q=nightly&from=&to=").headers["Location"] == f"{path}?q=nightly"
    assert client.get(f"{path}?q=&from=").headers["Location"] == path


def test_a_page_behind_the_last_one_is_named(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number) for number in range(60)))
    assert "there is no page 99, this is the last" in page_text(client, "/results/?page=99")
    assert "there is no page" not in page_text(client, "/results/?page=2")


@pytest.mark.parametrize("search", ["in:answer", "-", "*", "in:answer *"])
def test_a_search_that_says_nothing_says_so(client: Client, tmp_path: Path, search: str) -> None:
    an_evaluation(tmp_path)
    assert "holds no word to look for" in page_text(client, f"/results/?q={search}")


@pytest.mark.parametrize("search", ["blue", "-blue", 'exact:"*"', "in:answer blue"])
def test_a_search_that_asks_for_something_is_not_complained_of(client: Client, tmp_path: Path, search: str) -> None:
    an_evaluation(tmp_path)
    assert "holds no word to look for" not in page_text(client, f"/results/?q={search}")


def test_a_project_is_called_by_one_word(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    Project.objects.filter(slug="default").update(name="Something Else")
    text = page_text(client, "/results/?project=default")
    assert '<span title="default">default</span>' in text
    assert "Something Else" not in text

"""Pages for requests that cannot be answered are pages of ours too."""

import pytest
from django.test import Client

from frontend.contexts.evaluations import EvaluationsPage


def broken(*arguments: object) -> EvaluationsPage:
    """Stand in for a page that cannot be built."""
    raise RuntimeError("disk on fire")


@pytest.mark.parametrize("address", ["/nothing/here", "/results/%00/", "/%E2%80%AE"])
def test_an_unknown_address_is_not_found(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert "<h1>Not found</h1>" in response.content.decode()


def test_a_failure_says_nothing_about_the_inside(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    monkeypatch.setattr(EvaluationsPage, "build", broken)
    response = Client(raise_request_exception=False).get("/evaluations/")
    assert response.status_code == 500
    assert "Something went wrong" in response.content.decode()
    assert "fire" not in response.content.decode()


def test_a_page_cannot_be_posted_to(client: Client) -> None:
    assert client.post("/evaluations/").status_code == 405


@pytest.mark.parametrize(
    "query", ["run=%00", "run=%ED%A0%80", "q=%22", "q=exact:%22x", "started=..", "page=-1&sort=--", "tag=-"]
)
def test_an_address_without_sense_never_fails(client: Client, db: None, query: str) -> None:
    assert client.get(f"/results/?{query}").status_code == 200


def test_a_strict_policy_covers_every_page(client: Client, db: None) -> None:
    policy = client.get("/evaluations/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy

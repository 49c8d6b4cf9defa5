"""The theme is a cookie that the server reads; setting it needs no script."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_theme_is_kept_and_the_page_comes_back(client: Client) -> None:
    response = client.post("/theme/", {"theme": "dark", "next": "/results/?outcome=failed"})
    assert response.headers["Location"] == "/results/?outcome=failed"
    assert '<html lang="en" data-theme="dark">' in client.get("/results/").content.decode()


def test_the_system_decides_again(client: Client) -> None:
    client.post("/theme/", {"theme": "dark"})
    client.post("/theme/", {"theme": ""})
    assert '<html lang="en">' in client.get("/results/").content.decode()


@pytest.mark.parametrize("target", ["https://example.org/", "//example.org/", "javascript:alert(1)", "\\\\example.org"])
def test_nobody_is_sent_elsewhere(client: Client, target: str) -> None:
    assert client.post("/theme/", {"theme": "dark", "next": target}).headers["Location"] == "/"


def test_a_theme_that_does_not_exist_is_the_systems(client: Client) -> None:
    client.cookies["theme"] = '"><script>'
    assert '<html lang="en">' in client.get("/results/").content.decode()


def test_a_theme_is_not_set_by_a_link(client: Client) -> None:
    assert client.get("/theme/").status_code == 405


def test_a_foreign_form_is_refused() -> None:
    response = Client(enforce_csrf_checks=True).post("/theme/", {"theme": "dark"})
    assert response.status_code == 403

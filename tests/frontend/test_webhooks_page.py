"""The page of webhooks: made with a secret that is shown once, tried, switched off, removed."""

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from results.intake import find_project
from results.models.webhooks import Webhook, WebhookDelivery, WebhookEvent

pytestmark = pytest.mark.django_db
FORM = {"project": "default", "url": "http://127.0.0.1:9/hook/T0/secret", "format": "slack", "event": "gate.failed"}


@pytest.fixture(autouse=True)
def own_network(settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    find_project("default")


def test_a_secret_of_ours_is_shown_once(client: Client) -> None:
    made = client.post("/webhooks/", FORM).content.decode()
    assert made.count("<code>whsec_") == 1
    page = client.get("/webhooks/").content.decode()
    assert "whsec_" not in page
    assert "http://127.0.0.1:9/…" in page
    assert "T0/secret" not in page


def test_a_form_that_makes_no_sense_says_why_and_keeps_all_but_the_secret(client: Client, settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    answer = client.post("/webhooks/", {**FORM, "secret": "a long enough secret"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "127.0.0.1 is 127.0.0.1, which is not a public address." in page
    assert FORM["url"] in page
    assert "a long enough secret" not in page
    assert not Webhook.objects.exists()


def test_a_test_is_a_delivery_like_any_other(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.views.webhooks.tell_webhooks", lambda: None)
    client.post("/webhooks/", FORM)
    client.post(f"/webhooks/{Webhook.objects.get().pk}/test/")
    assert WebhookDelivery.objects.get().event == WebhookEvent.TEST
    assert "not tried yet" in client.get("/webhooks/").content.decode()


def test_a_webhook_is_switched_off_and_removed(client: Client) -> None:
    client.post("/webhooks/", {**FORM, "secret": "a long enough secret"})
    address = f"/webhooks/{Webhook.objects.get().pk}/edit/"
    client.post(address, {"do": "disable"})
    assert not Webhook.objects.get().is_enabled
    client.post(address, {"do": "remove"})
    assert not Webhook.objects.exists()
    assert client.post(address, {"do": "remove"}).status_code == 404

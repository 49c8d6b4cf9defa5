"""Webhooks: what is told, signed and sent to a real server, tried again, and where it may not lead."""

import hmac
import json
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from evaluator.jobs import send_webhooks
from evaluator.webhook_addresses import AddressRefusedError, check_url, find_place, shown_url
from evaluator.webhook_receivers import make_webhook, receiver_of, remove_webhook
from evaluator.webhook_sending import PAUSES, deliver, due_deliveries
from results.intake import find_project
from results.models.webhooks import DeliveryState, Webhook, WebhookDelivery, WebhookEvent, WebhookFormat
from results.webhooks import notify
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db
SECRET = "whsec_" + b64encode(b"0123456789abcdef0123").decode()


class Receiver:
    """A server that keeps what it gets and answers what it is told to."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 204
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(receiver.status)
                self.send_header("Location", f"{receiver.url}elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?token=abc"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    found = Receiver()
    yield found
    found.stop()


def a_webhook(receiver: Receiver, form: str = "generic", events: tuple[str, ...] = ("gate.failed",)) -> Webhook:
    return make_webhook(find_project("default"), receiver.url, SECRET, form, events).webhook


def told(receiver: Receiver, **payload: Any) -> WebhookDelivery:
    assert notify(WebhookEvent.GATE_FAILED, find_project("default"), payload) == 1
    (pk,) = due_deliveries()
    deliver(pk)
    return WebhookDelivery.objects.get()


def test_a_message_carries_a_signature_that_its_receiver_can_check(receiver: Receiver) -> None:
    a_webhook(receiver)
    delivery = told(receiver, title="Pass rate 0.7 < 0.9", path="/evaluations/3/")
    ((headers, body),) = receiver.got
    signed = f"{delivery.message}.{headers['webhook-timestamp']}.".encode() + body
    expected = hmac.digest(b64decode(SECRET.removeprefix("whsec_")), signed, "sha256")
    assert headers["webhook-id"] == delivery.message
    assert headers["webhook-signature"] == f"v1,{b64encode(expected).decode()}"
    data = json.loads(body)
    assert (data["type"], data["data"]["project"], data["data"]["title"]) == (
        "gate.failed",
        "default",
        "Pass rate 0.7 < 0.9",
    )
    assert data["data"]["url"].endswith("/evaluations/3/")
    assert (delivery.state, delivery.status, delivery.attempts, delivery.error) == (DeliveryState.DELIVERED, 204, 1, "")


def test_slack_gets_a_text_in_which_nothing_from_a_file_is_markup(receiver: Receiver) -> None:
    a_webhook(receiver, WebhookFormat.SLACK)
    told(receiver, title="<!channel> & more", path="/jobs/1/")
    text = json.loads(receiver.got[0][1])["text"]
    assert text.startswith("*A gate failed* in project default\n&lt;!channel&gt; &amp; more <http")


def test_a_failed_attempt_is_made_again_after_a_pause_and_given_up_in_the_end(receiver: Receiver) -> None:
    a_webhook(receiver)
    receiver.status = 500
    delivery = told(receiver)
    assert (delivery.state, delivery.status, delivery.error) == (DeliveryState.WAITING, 500, "answered 500")
    assert due_deliveries() == []
    now = timezone.now()
    for pause in PAUSES:
        now += pause + timedelta(seconds=1)
        assert deliver(delivery.pk, now) is not None
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts) == (DeliveryState.FAILED, len(PAUSES) + 1)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    a_webhook(receiver)
    receiver.status = 302
    assert told(receiver).error == "a redirect, which is not followed"
    assert len(receiver.got) == 1


def test_an_attempt_that_got_lost_is_made_again(receiver: Receiver) -> None:
    hook = a_webhook(receiver)
    notify(WebhookEvent.GATE_FAILED, hook.project, {})
    (pk,) = due_deliveries()
    WebhookDelivery.objects.update(due_at=timezone.now() + timedelta(seconds=60), attempts=1)  # a worker died here
    assert deliver(pk) is None
    assert due_deliveries(timezone.now() + timedelta(seconds=61)) == [pk]
    assert deliver(pk, timezone.now() + timedelta(seconds=61)) is not None
    assert WebhookDelivery.objects.get().state == DeliveryState.DELIVERED


def test_a_receiver_that_is_not_there_is_an_error_without_its_address(receiver: Receiver) -> None:
    a_webhook(receiver)
    receiver.stop()
    delivery = told(receiver)
    assert (delivery.status, delivery.state) == (None, DeliveryState.WAITING)
    assert "refused" in delivery.error
    assert "token" not in delivery.error
    receiver.server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)  # for the fixture to stop
    receiver.thread = threading.Thread(target=receiver.server.serve_forever, daemon=True)
    receiver.thread.start()


def test_an_import_tells_those_who_want_to_know(receiver: Receiver, tmp_path: Path) -> None:
    a_webhook(receiver, events=("import.finished",))
    evaluation = an_evaluation(tmp_path)
    send_webhooks()
    data = json.loads(receiver.got[0][1])["data"]
    assert (data["state"], data["evaluations"], data["totals"]["results"]) == ("succeeded", [evaluation.pk], 1)


def test_who_is_switched_off_or_wants_other_events_is_told_nothing(receiver: Receiver) -> None:
    hook = a_webhook(receiver)
    assert notify(WebhookEvent.TRIAL_FINISHED, hook.project, {}) == 0
    Webhook.objects.update(is_enabled=False)
    assert notify(WebhookEvent.GATE_FAILED, hook.project, {}) == 0


def test_address_and_secret_lie_in_a_private_file_and_in_no_row(receiver: Receiver, var_dir: Path) -> None:
    hook = a_webhook(receiver)
    (path,) = (var_dir / "secrets").glob("webhook-*.json")
    assert path.stat().st_mode & 0o777 == 0o600
    assert receiver_of(hook.pk) == {"url": receiver.url, "secret": SECRET}
    assert "token" not in str(Webhook.objects.values())
    remove_webhook(hook.pk)
    assert not path.exists()


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "10.1.2.3",
        "192.168.0.9",
        "169.254.169.254",
        "[::1]",
        "[fe80::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "100.64.0.1",
        "224.0.0.1",
        "2130706433",
    ],
)
def test_a_webhook_into_the_own_network_is_refused(host: str) -> None:
    with pytest.raises(AddressRefusedError):
        find_place(f"http://{host}/x")


def test_a_public_address_is_the_one_that_is_connected_to() -> None:
    place = find_place("https://1.1.1.1:8443/a?b=c")
    assert (place.ip, place.port, place.target, place.host_header) == ("1.1.1.1", 8443, "/a?b=c", "1.1.1.1:8443")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://h/x",
        "https://",
        "//h/x",
        "https://u:p@h/x",
        "https://h/a b",
        "https://h:99999/",
        "https://h/\r\nX: y",
        "hö",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefusedError):
        check_url(url)


def test_what_is_shown_of_an_address_holds_no_secret() -> None:
    assert shown_url("https://hooks.slack.com/services/T0/B0/XyZ") == "https://hooks.slack.com/…"


def test_a_failed_gate_tells_those_who_want_to_know_and_a_passed_one_does_not(
    receiver: Receiver, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_webhook(receiver)
    evaluation = an_evaluation(tmp_path, result(1), result(2, Kind="Failed"))
    call_command("gate", "--candidate", str(evaluation.pk), "--min-pass-rate", "0.5")
    with pytest.raises(SystemExit) as ended:
        call_command("gate", "--candidate", str(evaluation.pk), "--min-pass-rate", "0.9")
    send_webhooks()
    data = json.loads(receiver.got[0][1])["data"]
    assert (ended.value.code, len(receiver.got)) == (1, 1)
    assert (data["evaluation"], data["title"]) == (evaluation.pk, "results: 1 of 1 checks failed")

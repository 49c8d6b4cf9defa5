"""Sending what webhooks are told: claimed, signed, sent to the checked address, and tried again with growing pauses."""

import http.client
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from evaluator.webhook_addresses import AddressRefusedError, Place, find_place
from evaluator.webhook_messages import body_of, headers_of
from evaluator.webhook_receivers import receiver_of
from results.models.webhooks import DeliveryState, WebhookDelivery

CONNECT_SECONDS = 5.0  # also between two bytes
WHOLE_SECONDS = 10.0  # of one attempt, however slowly the answer comes
LEASE = timedelta(seconds=60)  # after which an attempt counts as lost
# Pauses after each failed attempt; after the last one it is given up: about seven hours.
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1800, 3600, 3600 * 5))
SUCCESS = range(200, 300)
ERROR_CHARACTERS = 300


@dataclass(frozen=True)
class Attempt:
    """How an attempt went: the HTTP status (None = no answer) and what went wrong (empty = nothing)."""

    status: int | None
    error: str


def due_deliveries(now: datetime | None = None) -> list[int]:
    """Deliveries whose time has come, those of attempts that got lost among them."""
    due = WebhookDelivery.objects.filter(state=DeliveryState.WAITING, due_at__lte=now or timezone.now())
    return list(due.order_by("due_at").values_list("pk", flat=True))


def deliver(delivery_id: int, now: datetime | None = None) -> Attempt | None:
    """Make an attempt at a delivery that is due; safe to call twice.

    Returns:
        How it went; None when it is not due, or somebody else is at it.
    """
    now = now or timezone.now()
    due = WebhookDelivery.objects.filter(pk=delivery_id, state=DeliveryState.WAITING, due_at__lte=now)
    if due.update(due_at=now + LEASE, attempts=F("attempts") + 1) != 1:
        return None
    delivery = WebhookDelivery.objects.select_related("webhook").get(pk=delivery_id)
    attempt = _attempt(delivery, now)
    changes = {"status": attempt.status, "error": attempt.error}
    held = WebhookDelivery.objects.filter(pk=delivery_id, attempts=delivery.attempts)
    if not attempt.error:
        held.update(**changes, state=DeliveryState.DELIVERED, ended_at=timezone.now())
    elif delivery.attempts > len(PAUSES):
        held.update(**changes, state=DeliveryState.FAILED, ended_at=timezone.now())
    else:
        held.update(**changes, due_at=now + PAUSES[delivery.attempts - 1])
    return attempt


def _attempt(delivery: WebhookDelivery, now: datetime) -> Attempt:
    receiver = receiver_of(delivery.webhook_id)
    if not receiver:
        return Attempt(None, "its address and secret are not on this machine; remove the webhook and add it again")
    body = body_of(delivery, delivery.webhook.format)
    try:
        place = find_place(receiver["url"])
        status = _post(place, body, headers_of(delivery.message, body, receiver["secret"], now))
    except AddressRefusedError as error:
        return Attempt(None, str(error))
    except (OSError, http.client.HTTPException, ValueError) as error:
        # Not the text of the error: it may hold the address.
        return Attempt(None, f"no answer: {type(error).__name__}{_reason(error)}"[:ERROR_CHARACTERS])
    if status in SUCCESS:
        return Attempt(status, "")
    return Attempt(status, "a redirect, which is not followed" if status in range(300, 400) else f"answered {status}")


def _reason(error: Exception) -> str:
    return f", {error.strerror}" if isinstance(error, OSError) and error.strerror else ""


def _post(place: Place, body: bytes, headers: dict[str, str]) -> int:
    """Send to the checked address; the answer's body is not read."""
    connection = http.client.HTTPConnection(place.host, place.port)
    connection.sock = socket.create_connection((place.ip, place.port), timeout=CONNECT_SECONDS)
    end = threading.Timer(WHOLE_SECONDS, _shut, (connection,))
    end.daemon = True
    end.start()
    try:
        if place.scheme == "https":
            context = ssl.create_default_context()
            connection.sock = context.wrap_socket(
                connection.sock, server_hostname=place.host, do_handshake_on_connect=False
            )
            connection.sock.do_handshake()
        connection.putrequest("POST", place.target, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": place.host_header, **headers, "Content-Length": str(len(body))}.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        return connection.getresponse().status
    finally:
        end.cancel()
        connection.close()


def _shut(connection: http.client.HTTPConnection) -> None:
    """End a connection from beside; whoever reads from it gets an error."""
    with suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)

"""How a webhook's message is written and signed.

Source: the Standard Webhooks specification, https://www.standardwebhooks.com.
"""

import binascii
import hmac
import json
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from results.models.webhooks import WebhookDelivery, WebhookFormat

SECRET_PREFIX = "whsec_"  # noqa: S105  (before secrets in base64, says the specification)
TITLES = {
    "import.finished": "An import finished",
    "trial.finished": "A live trial finished",
    "gate.failed": "A gate failed",
    "test": "A test of this webhook",
}


def body_of(delivery: WebhookDelivery, form: str) -> bytes:
    """The JSON that is sent."""
    payload = delivery.payload
    link = f"{settings.PUBLIC_URL}{payload['path']}" if payload.get("path") else ""
    title = str(payload.get("title") or TITLES[delivery.event])
    if form == WebhookFormat.SLACK:
        where = f" in project {payload['project']}" if payload.get("project") else ""
        text = f"*{TITLES[delivery.event]}*{_slack(where)}\n{_slack(title)}{f' <{link}|Open>' if link else ''}"
        return json.dumps({"text": text}, ensure_ascii=False).encode()
    told: dict[str, Any] = {
        "type": delivery.event,
        "timestamp": delivery.created_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "data": {**payload, "title": title, "url": link or None},
    }
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")


def headers_of(message: str, body: bytes, secret: str, now: datetime) -> dict[str, str]:
    """The headers: what the message is, when it is sent, and the signature over both and the body.

    Args:
        message: the delivery's id, the same in each attempt, so that a receiver knows a second one.
        body: what is sent.
        secret: `whsec_` and base64, else taken as it is.
        now: of this attempt; a receiver refuses old ones.
    """
    timestamp = str(int(now.timestamp()))
    signed = b".".join((message.encode(), timestamp.encode(), body))
    signature = b64encode(hmac.digest(_key(secret), signed, "sha256")).decode()
    return {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": f"Evalboard/{settings.VERSION}",
        "webhook-id": message,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }


def _key(secret: str) -> bytes:
    if secret.startswith(SECRET_PREFIX):
        try:
            return b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
        except (binascii.Error, ValueError):
            pass
    return secret.encode()


def _slack(text: str) -> str:
    """Text from files, which Slack must not take for its markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

"""Webhooks: made, changed, removed; their addresses and secrets in files, never in a table or on a page."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_bytes

from evaluator.private_files import private_path, read_private, write_private
from evaluator.webhook_addresses import AddressRefusedError, check_url, find_place, shown_url
from evaluator.webhook_messages import SECRET_PREFIX
from results.models.projects import Project
from results.models.webhooks import Webhook, WebhookEvent, WebhookFormat

SHORTEST_SECRET = 16
LONGEST_SECRET = 500
SECRET_BYTES = 32
EVENTS = tuple(event for event in WebhookEvent if event != WebhookEvent.TEST)


@dataclass(frozen=True)
class MadeWebhook:
    """A new webhook, and the secret that was made for it, which nobody can read again; empty = it was given."""

    webhook: Webhook
    made_secret: str


def make_webhook(project: Project, url: str, secret: str, form: str, events: Sequence[str]) -> MadeWebhook:
    """Make a webhook of a project.

    Args:
        project: whose events it is told.
        url: where to.
        secret: that signs its messages; empty = one is made.
        form: one of `WebhookFormat`.
        events: words of `EVENTS`.

    Raises:
        AddressRefusedError: something of it makes no sense; the message says what.
    """
    wanted = [str(event) for event in EVENTS if event in events]
    if not wanted:
        raise AddressRefusedError("Choose at least one event.")
    if form not in WebhookFormat.values:
        raise AddressRefusedError(f"{form} is no format: choose one of {', '.join(WebhookFormat.values)}.")
    if secret and not (SHORTEST_SECRET <= len(secret) <= LONGEST_SECRET and secret.isprintable()):
        raise AddressRefusedError(
            f"A secret has {SHORTEST_SECRET} to {LONGEST_SECRET} characters; leave it empty for one of ours."
        )
    check_url(url)
    find_place(url)
    made = "" if secret else SECRET_PREFIX + b64encode(token_bytes(SECRET_BYTES)).decode()
    webhook = Webhook.objects.create(project=project, shown_url=shown_url(url), format=form, events=wanted)
    write_private(_name(webhook.pk), {"url": url, "secret": secret or made})
    return MadeWebhook(webhook, made)


def remove_webhook(webhook_id: int) -> None:
    """Remove a webhook with its secret and its deliveries."""
    private_path(_name(webhook_id)).unlink(missing_ok=True)
    Webhook.objects.filter(pk=webhook_id).delete()


def receiver_of(webhook_id: int) -> dict[str, str]:
    """The `url` and `secret` of a webhook; empty when they are not on this machine."""
    return read_private(_name(webhook_id))


def _name(webhook_id: int) -> str:
    return f"webhook-{webhook_id}.json"

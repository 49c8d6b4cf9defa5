"""Telling the webhooks of a project that something happened: a row for each delivery, which a worker sends."""

from secrets import token_hex
from typing import Any

from django.db import transaction
from django.utils import timezone

from results.models.projects import Project
from results.models.webhooks import Webhook, WebhookDelivery, WebhookEvent

KEPT_DELIVERIES = 200  # of one webhook


def notify(event: WebhookEvent, project: Project, payload: dict[str, Any]) -> int:
    """Write a delivery for each webhook of a project that is told such events.

    Args:
        event: what happened.
        project: where.
        payload: more about it, as JSON: `title` is one sentence for people, `path` the page to open, from / on.

    Returns:
        How many will be sent; `evaluator.webhook_sending` sends them.
    """
    hooks = Webhook.objects.filter(project=project, is_enabled=True)
    told = [hook for hook in hooks if event in hook.events]
    for hook in told:
        write_delivery(hook, event, payload | {"project": project.slug})
    return len(told)


def write_delivery(hook: Webhook, event: WebhookEvent, payload: dict[str, Any]) -> WebhookDelivery:
    """Write one delivery, due now, and forget the oldest ones that have ended."""
    now = timezone.now()
    with transaction.atomic():
        delivery = WebhookDelivery.objects.create(
            webhook=hook, message=f"msg_{token_hex(12)}", event=event, payload=payload, due_at=now
        )
        kept = hook.deliveries.order_by("-pk").values_list("pk", flat=True)
        oldest = kept[KEPT_DELIVERIES : KEPT_DELIVERIES + 1].first()
        if oldest is not None:
            hook.deliveries.filter(pk__lte=oldest, ended_at__isnull=False).delete()
    return delivery

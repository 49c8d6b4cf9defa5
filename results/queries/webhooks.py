"""Webhooks and their deliveries as a page reads them."""

from dataclasses import dataclass
from datetime import datetime

from results.models.webhooks import Webhook
from results.reach import within

SHOWN_DELIVERIES = 10


@dataclass(frozen=True)
class DeliveryRow:
    """One delivery and how its last attempt went; `due_at` is of the next one."""

    id: int
    event: str
    state: str
    attempts: int
    status: int | None
    error: str
    created_at: datetime
    due_at: datetime


@dataclass(frozen=True)
class WebhookRow:
    """One webhook and its latest deliveries, the latest first."""

    id: int
    project: str
    shown_url: str
    format: str
    events: tuple[str, ...]
    is_enabled: bool
    deliveries: tuple[DeliveryRow, ...]


def webhook_rows() -> tuple[WebhookRow, ...]:
    """Every webhook of the projects within reach, by project."""
    return tuple(map(_row, within(Webhook.objects.select_related("project")).order_by("project__slug", "pk")))


def _row(hook: Webhook) -> WebhookRow:
    return WebhookRow(
        id=hook.pk,
        project=hook.project.slug,
        shown_url=hook.shown_url,
        format=hook.format,
        events=tuple(hook.events),
        is_enabled=hook.is_enabled,
        deliveries=tuple(
            DeliveryRow(row.pk, row.event, row.state, row.attempts, row.status, row.error, row.created_at, row.due_at)
            for row in hook.deliveries.order_by("-pk")[:SHOWN_DELIVERIES]
        ),
    )

"""Webhooks: who is told when something happened in a project, and every delivery; their secrets are no rows."""

from django.db import models

from results.models.projects import Project


class WebhookFormat(models.TextChoices):
    """How a message is written."""

    GENERIC = "generic"
    SLACK = "slack"


class WebhookEvent(models.TextChoices):
    """What happened."""

    IMPORT_FINISHED = "import.finished"
    TRIAL_FINISHED = "trial.finished"
    GATE_FAILED = "gate.failed"
    TEST = "test"


class DeliveryState(models.TextChoices):
    """Where a delivery stands; the last two are final."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


class Webhook(models.Model):
    """One receiver. Its address and its secret lie in a file below `var/secrets`."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="webhooks")
    shown_url = models.TextField(help_text="the address without what may be secret in it")
    format = models.CharField(max_length=20, choices=WebhookFormat, default=WebhookFormat.GENERIC)
    events = models.JSONField(default=list, help_text="the words of `WebhookEvent` that it is told")
    is_enabled = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)


class WebhookDelivery(models.Model):
    """One message to one receiver, and how its last attempt went."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message = models.CharField(max_length=40, unique=True, help_text="the id that its receiver sees, on each attempt")
    event = models.CharField(max_length=30, choices=WebhookEvent)
    payload = models.JSONField(help_text="what happened, before it is written in a format")
    state = models.CharField(max_length=20, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(help_text="of the next attempt; while one runs, when it counts as lost")
    status = models.PositiveIntegerField(null=True, help_text="HTTP status of the last answer; null = there was none")
    error = models.TextField(default="", help_text="why the last attempt failed")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["state", "due_at"], name="delivery_due")]

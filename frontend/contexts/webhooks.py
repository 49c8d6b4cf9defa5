"""Webhooks: who is told what, how it went, and a form for another one."""

from dataclasses import dataclass

from django.http import QueryDict

from evaluator.webhook_receivers import EVENTS
from frontend.contexts.shell import Shell
from results.models.projects import Project
from results.models.webhooks import WebhookFormat
from results.queries.webhooks import WebhookRow, webhook_rows
from results.reach import within

EVENT_WORDS = {
    "import.finished": "an import finished",
    "trial.finished": "a live trial finished",
    "gate.failed": "a gate failed",
    "test": "a test",
}


@dataclass(frozen=True)
class EventChoice:
    """One event that a webhook can be told."""

    value: str
    label: str
    is_checked: bool


@dataclass(frozen=True)
class WebhooksPage:
    """What `webhooks_list.html` reads.

    Attributes:
        problem: why the form was refused; empty = it was not. The form then holds what it held, but for the secret.
        made_secret: of the webhook that was just made, shown this once; empty = none was made.
    """

    shell: Shell
    hooks: tuple[WebhookRow, ...]
    projects: tuple[str, ...]
    formats: tuple[str, ...]
    events: tuple[EventChoice, ...]
    project: str
    format: str
    url: str
    problem: str
    made_secret: str

    @classmethod
    def build(
        cls, shell: Shell, given: QueryDict | None = None, *, problem: str = "", made_secret: str = ""
    ) -> "WebhooksPage":
        """The page; `given` is a form that was refused."""
        held = given or QueryDict()
        wanted = held.getlist("event") if problem else list(EVENT_WORDS)
        return cls(
            shell=shell,
            hooks=webhook_rows(),
            projects=tuple(within(Project.objects.all(), "pk").order_by("slug").values_list("slug", flat=True)),
            formats=tuple(WebhookFormat.values),
            events=tuple(EventChoice(event, EVENT_WORDS[event], event in wanted) for event in EVENTS),
            project=held.get("project", ""),
            format=held.get("format", ""),
            url=held.get("url", ""),
            problem=problem,
            made_secret=made_secret,
        )

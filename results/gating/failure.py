"""What happens when a gate fails, beside its exit code: the one place where others are told."""

import logging

from django.db import DatabaseError

from results.gating.checks import CheckState
from results.gating.report import GateReport
from results.models.projects import Project
from results.models.webhooks import WebhookEvent
from results.webhooks import notify

log = logging.getLogger(__name__)


def report_failure(report: GateReport) -> None:
    """Tell the project's webhooks that a gate failed; one that passed or could not be judged is nobody's news."""
    candidate = report.candidate
    if report.state is not CheckState.FAILED or candidate is None:
        return
    failed = report.count(CheckState.FAILED)
    payload = {
        "title": f"{candidate.name}: {failed} of {len(report.checks)} checks failed",
        "path": f"/evaluations/{candidate.id}/",
        "evaluation": candidate.id,
        "baseline": None if report.baseline is None else report.baseline.id,
        "failed_checks": failed,
        "checks": len(report.checks),
    }
    try:
        notify(WebhookEvent.GATE_FAILED, Project.objects.get(slug=candidate.project), payload)
    except (DatabaseError, Project.DoesNotExist) as error:
        log.error("nobody could be told that a gate failed: %s", error)  # noqa: TRY400  (its exit code tells it too)

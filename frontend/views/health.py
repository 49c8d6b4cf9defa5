"""What programs ask that watch over this server: does it live, can it answer, how is it doing."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluator.findings import Finding, Level
from evaluator.readiness import readiness
from frontend.exposition import CONTENT_TYPE, exposition
from frontend.measures import counter, total
from results.queries.operation import present_operation

UNAVAILABLE = 503


@never_cache
@require_safe
def say_alive(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (Django passes it)
    """The process answers; nothing else is asked, the database neither."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def show_readiness(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (Django passes it)
    """What pages need is there, or 503. Remedies are for the operator, who has `manage.py doctor`."""
    findings = readiness()
    is_ready = all(finding.level is not Level.PROBLEM for finding in findings)
    answer = {"is_ready": is_ready, "checks": [_shown(finding) for finding in findings]}
    return JsonResponse(answer, status=200 if is_ready else UNAVAILABLE)


@never_cache
@require_safe
def show_metrics(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (Django passes it)
    """Figures for Prometheus."""
    return HttpResponse(exposition(present_operation(), total(counter)), content_type=CONTENT_TYPE)


def _shown(finding: Finding) -> dict[str, str]:
    return {"about": finding.about, "level": finding.level.value}

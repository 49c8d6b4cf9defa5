"""Pages about parts of one evaluation: who passed what, and how far runs agree."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.evaluation_agreement import EvaluationAgreementPage
from frontend.contexts.evaluation_grid import EvaluationGridPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page


@require_safe
def show_grid(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """Each task of an evaluation and who passed it."""
    shell = Shell.build(request, "Evaluations")
    page = EvaluationGridPage.build(shell, visible_evaluations(request), evaluation_id, request.GET)
    if page is None:
        raise Http404
    return render_page(request, "evaluation_grid.html", page)


@require_safe
def show_agreement(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """How often each two runs of an evaluation come to the same outcome."""
    shell = Shell.build(request, "Evaluations")
    page = EvaluationAgreementPage.build(shell, visible_evaluations(request), evaluation_id, request.GET)
    if page is None:
        raise Http404
    return render_page(request, "evaluation_agreement.html", page)

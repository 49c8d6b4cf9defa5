"""Pages about evaluations."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.evaluation import EvaluationPage
from frontend.contexts.evaluations import EvaluationsPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page


@require_safe
def list_evaluations(request: HttpRequest) -> HttpResponse:
    """Every visible evaluation, newest first unless the query says otherwise."""
    page = EvaluationsPage.build(Shell.build(request, "Evaluations"), visible_evaluations(request), request.GET)
    return render_page(request, "evaluations_list.html", page, part="evaluations-table")


@require_safe
def show_evaluation(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """One evaluation and its results."""
    shell = Shell.build(request, "Evaluations")
    page = EvaluationPage.build(shell, visible_evaluations(request), evaluation_id, request.GET)
    if page is None:
        raise Http404
    return render_page(request, "evaluation_show.html", page, part="results-table")

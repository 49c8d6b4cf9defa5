"""Pages about parts of one evaluation: who passed what, charts, the heat map, and how far runs agree."""

from typing import TypeAlias

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.evaluation_agreement import EvaluationAgreementPage
from frontend.contexts.evaluation_categories import EvaluationCategoriesPage
from frontend.contexts.evaluation_charts import EvaluationChartsPage
from frontend.contexts.evaluation_grid import EvaluationGridPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from results.queries.evaluations import evaluation_row

EvaluationPart: TypeAlias = (
    EvaluationGridPage | EvaluationAgreementPage | EvaluationCategoriesPage | EvaluationChartsPage
)


@require_safe
def show_grid(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """Each task of an evaluation and who passed it."""
    return _show_part(request, evaluation_id, EvaluationGridPage, "evaluation_grid.html")


@require_safe
def show_charts(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """Outcomes, cost, model time and tokens of an evaluation's runs, drawn."""
    return _show_part(request, evaluation_id, EvaluationChartsPage, "evaluation_charts.html")


@require_safe
def show_categories(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """Pass rates of an evaluation's runs by category."""
    return _show_part(request, evaluation_id, EvaluationCategoriesPage, "evaluation_categories.html")


@require_safe
def show_agreement(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """How often each two runs of an evaluation come to the same outcome."""
    return _show_part(request, evaluation_id, EvaluationAgreementPage, "evaluation_agreement.html")


def _show_part(
    request: HttpRequest,
    evaluation_id: int,
    part: type[EvaluationPart],
    template: str,
) -> HttpResponse:
    row = evaluation_row(visible_evaluations(request), evaluation_id)
    if row is None:
        raise Http404
    return render_page(request, template, part.build(Shell.build(request, "Evaluations"), row, request.GET))

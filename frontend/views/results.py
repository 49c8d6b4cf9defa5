"""Pages about results."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.result import ResultPage
from frontend.contexts.results import ResultsPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from frontend.views.tidying import with_tidy_address


@require_safe
@with_tidy_address
def list_results(request: HttpRequest) -> HttpResponse:
    """The results of every visible evaluation that the query's filters let through."""
    page = ResultsPage.build(Shell.build(request, "Results"), visible_evaluations(request), request.GET)
    return render_page(request, "results_list.html", page, part="results-table")


@require_safe
def show_result(request: HttpRequest, result_id: int) -> HttpResponse:
    """One result."""
    page = ResultPage.build(Shell.build(request, "Results"), visible_evaluations(request), result_id, request)
    if page is None:
        raise Http404
    return render_page(request, "result_show.html", page)

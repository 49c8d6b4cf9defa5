"""Pages about runs."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.run import RunPage
from frontend.contexts.runs import RunsPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from frontend.views.tidying import with_tidy_address


@require_safe
@with_tidy_address
def list_runs(request: HttpRequest) -> HttpResponse:
    """The runs of every visible evaluation, the best pass rate first unless the query says otherwise."""
    page = RunsPage.build(Shell.build(request, "Runs"), visible_evaluations(request), request.GET)
    return render_page(request, "runs_list.html", page)


@require_safe
@with_tidy_address
def show_run(request: HttpRequest, run_id: int) -> HttpResponse:
    """One run."""
    page = RunPage.build(Shell.build(request, "Runs"), visible_evaluations(request), run_id, request.GET)
    if page is None:
        raise Http404
    return render_page(request, "run_show.html", page)

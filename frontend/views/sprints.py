"""Pages about sprints and their iterations."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.contexts.iteration import IterationPage
from frontend.contexts.shell import Shell
from frontend.contexts.sprint import SprintPage
from frontend.contexts.sprint_charts import SprintChartsPage
from frontend.contexts.sprints import SprintsPage
from frontend.rendering import render_page
from frontend.views.tidying import without_blanks


@require_safe
@without_blanks
def list_sprints(request: HttpRequest) -> HttpResponse:
    """Every sprint, under its spec unless the query says otherwise."""
    page = SprintsPage.build(Shell.build(request, "Sprints"), request.GET)
    return render_page(request, "sprints_list.html", page, part="sprints-table")


@require_safe
@without_blanks
def chart_sprints(request: HttpRequest) -> HttpResponse:
    """Sprints in figures, by project, spec or month."""
    page = SprintChartsPage.build(Shell.build(request, "Sprints"), request.GET)
    return render_page(request, "sprints_charts.html", page)


@require_safe
def show_sprint(request: HttpRequest, sprint_id: int) -> HttpResponse:
    """One sprint: its contract and its iterations."""
    page = SprintPage.build(Shell.build(request, "Sprints"), sprint_id)
    if page is None:
        raise Http404
    return render_page(request, "sprint_show.html", page)


@require_safe
def show_iteration(request: HttpRequest, iteration_id: int) -> HttpResponse:
    """One revision of an iteration."""
    page = IterationPage.build(Shell.build(request, "Sprints"), iteration_id)
    if page is None:
        raise Http404
    return render_page(request, "iteration_show.html", page)

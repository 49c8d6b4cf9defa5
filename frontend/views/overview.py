"""The first page: what is new, and what needs a look."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.overview import OverviewPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from frontend.views.tidying import with_tidy_address
from frontend.visits import Visit


@require_safe
@with_tidy_address
def show_overview(request: HttpRequest) -> HttpResponse:
    """The overview of every visible evaluation, with what is new since this browser's last visit."""
    visit = Visit.of(request)
    page = OverviewPage.build(Shell.build(request, "Overview"), visible_evaluations(request), request.GET, visit.since)
    response = render_page(request, "overview.html", page)
    visit.keep(request, response)
    return response

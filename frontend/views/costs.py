"""The page about money."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.costs import CostsPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from frontend.views.tidying import with_tidy_address


@require_safe
@with_tidy_address
def show_costs(request: HttpRequest) -> HttpResponse:
    """What the models of the filter's results cost."""
    page = CostsPage.build(Shell.build(request, "Costs"), visible_evaluations(request), request.GET)
    return render_page(request, "costs.html", page)

"""The page about errors."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.error_list import ErrorsPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from frontend.views.tidying import with_tidy_address


@require_safe
@with_tidy_address
def list_errors(request: HttpRequest) -> HttpResponse:
    """What went wrong in the visible evaluations, by title."""
    page = ErrorsPage.build(Shell.build(request, "Errors"), visible_evaluations(request), request.GET)
    return render_page(request, "errors_list.html", page)

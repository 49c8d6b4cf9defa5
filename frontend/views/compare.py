"""The page that compares runs."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.compare import ComparePage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page


@require_safe
def compare_runs(request: HttpRequest) -> HttpResponse:
    """Runs of evaluations side by side; the address names the columns, the first is the baseline."""
    page = ComparePage.build(Shell.build(request, "Compare"), visible_evaluations(request), request.GET)
    return render_page(request, "compare.html", page)

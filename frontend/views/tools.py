"""Pages about tools."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.shell import Shell
from frontend.contexts.tools_list import ToolPage, ToolsPage
from frontend.rendering import render_page
from frontend.views.tidying import with_tidy_address


@require_safe
@with_tidy_address
def list_tools(request: HttpRequest) -> HttpResponse:
    """Every tool that a model used in the results of the query's filters."""
    page = ToolsPage.build(Shell.build(request, "Tools"), visible_evaluations(request), request.GET)
    return render_page(request, "tools_list.html", page)


@require_safe
@with_tidy_address
def show_tool(request: HttpRequest, tool_id: int) -> HttpResponse:
    """One tool."""
    page = ToolPage.build(Shell.build(request, "Tools"), visible_evaluations(request), tool_id, request.GET)
    if page is None:
        raise Http404
    return render_page(request, "tool_show.html", page)

"""One way from a page's dataclass to a response: the whole page, or the part that htmx asked for."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def render_page(request: HttpRequest, template: str, page: object, part: str = "", status: int = 200) -> HttpResponse:
    """Render a page.

    Args:
        request: the one to answer.
        template: its file.
        page: its frozen dataclass, the only thing that the template reads.
        part: name of the partial that answers a request of htmx; empty when the page has none.
        status: of the HTTP response.
    """
    is_restoring = request.headers.get("HX-History-Restore-Request") == "true"
    if part and request.headers.get("HX-Request") == "true" and not is_restoring:
        template = f"{template}#{part}"
    return render(request, template, {"page": page}, status=status)

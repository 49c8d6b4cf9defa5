"""Pages for requests that cannot be answered."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.contexts.error import ErrorPage
from frontend.rendering import render_page


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  (Django passes them)
    """Say that there is nothing at this address."""
    text = "Nothing is kept at this address. What stood here may have been deleted, or its import has not finished."
    return render_page(request, "error.html", ErrorPage.build(request, "Not found", text), status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  (Django passes them)
    """Say that the request makes no sense."""
    text = "The server could not make sense of this request."
    return render_page(request, "error.html", ErrorPage.build(request, "Bad request", text), status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None, reason: str = "") -> HttpResponse:  # noqa: ARG001  (Django passes them)
    """Say that the request was refused; also the answer to a form without its token."""
    text = "The form is too old, or was not sent from a page of this server. Reload the page and try again."
    if isinstance(exception, PermissionDenied) and str(exception):
        text = str(exception)
    return render_page(request, "error.html", ErrorPage.build(request, "Refused", text), status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that we failed, with a page that needs nothing that could fail again."""
    return render(request, "500.html", status=500)

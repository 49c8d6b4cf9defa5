"""What happens to every request and response."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse]
API = "/api/"
JSON = "application/json"
ERRORS = {
    400: ("unreadable", "The request cannot be read.", ""),
    404: ("not_found", "There is no such address; /api/v1/docs lists them.", "path"),
    405: (
        "method_not_allowed",
        "This address does not take this method; the header Allow names those it takes.",
        "path",
    ),
    413: ("too_large", "The body is too large.", "body"),
}
READING = ("GET", "HEAD", "OPTIONS", "TRACE")
OWN_SITES = ("same-origin", "none")


class ReplaceNul:
    """Takes NUL out of addresses: no name holds one as it is, PostgreSQL refuses it, and a page must not repeat it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Put U+FFFD in its place before anything reads the query string."""
        query = request.META.get("QUERY_STRING", "")
        if "%00" in query or "\x00" in query:
            request.META["QUERY_STRING"] = query.replace("%00", "%EF%BF%BD").replace("\x00", "%EF%BF%BD")
        return self.get_response(request)


class VaryOnHtmx:
    """Tells caches that one URL answers a page to a browser and a part of it to htmx."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add `HX-Request` to the response's `Vary` header."""
        response = self.get_response(request)
        patch_vary_headers(response, ["HX-Request"])
        return response


class GuardApi:
    """Refuses changes that a page of another site asks a browser for; programs send neither of the two headers.

    What Django answers before the API is asked (no such address or method, a body that is too large) gets the API's
    shape of errors.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or refuse with 403."""
        if not request.path.startswith(API):
            return self.get_response(request)
        if request.method not in READING and _is_foreign(request):
            return _error(
                403, "foreign_origin", "A page of another site may not change anything here.", "header.origin"
            )
        response = self.get_response(request)
        if response.status_code not in ERRORS or response.headers.get("Content-Type", "").startswith(JSON):
            return response
        shaped = _error(response.status_code, *ERRORS[response.status_code])
        if "Allow" in response.headers:
            shaped.headers["Allow"] = response.headers["Allow"]
        return shaped


def _error(status: int, code: str, message: str, path: str) -> HttpResponse:
    return JsonResponse({"error": {"code": code, "message": message, "path": path}}, status=status)


def _is_foreign(request: HttpRequest) -> bool:
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None and site not in OWN_SITES:
        return True
    return origin is not None and urlsplit(origin).netloc != request.get_host()

"""What happens to every request and response."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse]
API = "/api/"
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
    """Refuses changes that a page of another site asks a browser for; programs send neither of the two headers."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or refuse with 403 in the API's shape of errors."""
        if request.path.startswith(API) and request.method not in READING and _is_foreign(request):
            message = "A page of another site may not change anything here."
            error = {"code": "foreign_origin", "message": message, "path": "header.origin"}
            return JsonResponse({"error": error}, status=403)
        return self.get_response(request)


def _is_foreign(request: HttpRequest) -> bool:
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None and site not in OWN_SITES:
        return True
    return origin is not None and urlsplit(origin).netloc != request.get_host()

"""What happens to every response."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse]


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

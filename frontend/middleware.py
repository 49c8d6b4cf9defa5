"""What happens to every response."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse]


class VaryOnHtmx:
    """Tells caches that one URL answers a page to a browser and a part of it to htmx."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add `HX-Request` to the response's `Vary` header."""
        response = self.get_response(request)
        patch_vary_headers(response, ["HX-Request"])
        return response

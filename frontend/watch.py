"""What is noted of every request: its id, one line in the log, and how long its answer took."""

import logging
import re
import time
from collections.abc import Callable
from secrets import token_hex

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from evaluator.logs import request_id
from frontend.measures import counter

HEADER = "X-Request-ID"
SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
STATIC, NOWHERE = "(static files)", "(no such address)"

log = logging.getLogger("evalboard.requests")
Get = Callable[[HttpRequest], HttpResponseBase]


class WatchRequests:
    """The outermost middleware."""

    def __init__(self, get_response: Get) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Give the request an id, answer, and note what came of it."""
        given = request.headers.get(HEADER, "")
        own = given if SANE_ID.fullmatch(given) else token_hex(8)
        request_id.set(own)  # until this thread's next request: a streamed answer is made after this returned
        began = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - began
        response.headers[HEADER] = own
        route = route_of(request)
        counter.count(route, response.status_code, seconds)
        path = shown_path(request)
        facts = {
            "method": request.method,
            "path": path,
            "route": route,
            "status": response.status_code,
            "milliseconds": round(seconds * 1000, 1),
        }
        log.info(
            "%s %s: %d in %.1f ms",
            request.method,
            path,
            response.status_code,
            seconds * 1000,
            extra={"facts": facts},
        )
        return response


def shown_path(request: HttpRequest) -> str:
    """The address without what people search for (its query string) and without words that open something."""
    match = request.resolver_match
    return route_of(request) if match is not None and "token" in match.kwargs else request.path


def route_of(request: HttpRequest) -> str:
    """The address as the table of addresses has it, with names instead of ids."""
    if request.resolver_match is not None:
        return f"/{request.resolver_match.route}"
    return STATIC if request.path.startswith(settings.STATIC_URL) else NOWHERE

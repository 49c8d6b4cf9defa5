"""Who says something of results: a name that is typed once and kept in a cookie, as long as there are no accounts."""

from typing import Final
from urllib.parse import quote, unquote

from django.http import HttpRequest, HttpResponse

from results.store.reviewing import clean_author

COOKIE: Final = "reviewer"
COOKIE_AGE_SECONDS: Final = 365 * 24 * 3600
FIELD: Final = "author"  # of the forms that ask for the name


def reviewer(request: HttpRequest) -> str:
    """The name of who asks: what the form says, else what was kept; empty when nobody gave one."""
    typed = request.POST.get(FIELD)
    return clean_author(unquote(request.COOKIES.get(COOKIE, "")) if typed is None else typed)


def keep_reviewer(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Keep the name that a form gave for the next one."""
    if FIELD in request.POST:
        response.set_cookie(
            COOKIE,
            quote(reviewer(request)),
            COOKIE_AGE_SECONDS,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response

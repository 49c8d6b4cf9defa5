"""Who says something of results: the account, or without accounts a name that is typed once and kept in a cookie."""

from typing import Final
from urllib.parse import quote, unquote

from django.http import HttpRequest, HttpResponse

from frontend.access import account_of
from results.store.reviewing import clean_author

COOKIE: Final = "reviewer"
COOKIE_AGE_SECONDS: Final = 365 * 24 * 3600
FIELD: Final = "author"  # of the forms that ask for the name


def reviewer(request: HttpRequest) -> str:
    """The name of who asks: the account's, else what the form says, else what was kept; empty when nobody gave one."""
    user = account_of(request)
    if user is not None:
        return clean_author(user.get_username())
    typed = request.POST.get(FIELD)
    return clean_author(unquote(request.COOKIES.get(COOKIE, "")) if typed is None else typed)


def author_of(request: HttpRequest, given: str) -> str:
    """Who a program says that it speaks for; with accounts it is the account, whatever it says."""
    user = account_of(request)
    return given if user is None else user.get_username()


def keep_reviewer(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Keep the name that a form gave for the next one."""
    if FIELD in request.POST and account_of(request) is None:
        response.set_cookie(
            COOKIE,
            quote(reviewer(request)),
            COOKIE_AGE_SECONDS,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response

"""Words about what was done, for the page that comes after a form: kept in a signed cookie that the page takes away."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE: Final = "toast"
AGE_SECONDS: Final = 60  # a page that comes later than this is about something else
MOST_CHARACTERS: Final = 200  # of its words: names may have any length, a cookie may not


@dataclass(frozen=True)
class Toast:
    """What was done, with a link to what came of it; empty where there is nothing to open."""

    text: str
    href: str = ""
    label: str = ""


def leave(response: HttpResponse, toast: Toast) -> HttpResponse:
    """Have the next page say what was done.

    Args:
        response: the redirect to that page.
        toast: long words are cut.

    Returns:
        The response.
    """
    words = toast.text if len(toast.text) <= MOST_CHARACTERS else f"{toast.text[: MOST_CHARACTERS - 1]}…"
    value = signing.dumps({**asdict(toast), "text": words}, salt=COOKIE)
    response.set_cookie(COOKIE, value, AGE_SECONDS, httponly=True, samesite="Lax")
    return response


def take(request: HttpRequest) -> Toast | None:
    """What the page before left; the response takes it away. None for nothing, or for words that are not ours."""
    if COOKIE not in request.COOKIES:
        return None
    request.META[COOKIE] = "taken"
    try:
        return Toast(**signing.loads(request.COOKIES[COOKIE], salt=COOKIE, max_age=AGE_SECONDS))
    except (signing.BadSignature, TypeError):
        return None


class ForgetToasts:
    """Takes the cookie of a toast away once a page has said it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and forget what was said."""
        response = self.get_response(request)
        if request.META.get(COOKIE) == "taken" and COOKIE not in response.cookies:
            response.delete_cookie(COOKIE, samesite="Lax")
        return response

"""The colour theme: a cookie that the server reads, so that a page never flashes in the wrong one."""

from typing import Final

from django.http import HttpRequest

COOKIE: Final = "theme"
COOKIE_AGE_SECONDS: Final = 365 * 24 * 3600
SYSTEM: Final = ""
LABELS: Final = {SYSTEM: "System", "light": "Light", "dark": "Dark"}


def chosen_theme(request: HttpRequest) -> str:
    """`light`, `dark`, or empty when the system decides; any other cookie counts as empty."""
    value = request.COOKIES.get(COOKIE, SYSTEM)
    return value if value in LABELS else SYSTEM

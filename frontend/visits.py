"""When somebody was here last: a cookie with the end of the visit before and the latest moment of this one."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

COOKIE: Final = "visit"
COOKIE_AGE_SECONDS: Final = 365 * 24 * 3600
PAUSE: Final = timedelta(minutes=30)  # after a longer one a new visit begins
MOST_DIGITS: Final = 11  # of seconds since 1970


@dataclass(frozen=True)
class Visit:
    """The present visit: `since` is the end of the one before; None on the first one."""

    since: datetime | None
    now: datetime

    @classmethod
    def of(cls, request: HttpRequest) -> "Visit":
        """What the cookie says; one that makes no sense counts as none."""
        now = timezone.now()
        since, latest = (_moment(text, now) for text in f"{request.COOKIES.get(COOKIE, '')}.".split(".")[:2])
        if latest is None:
            return cls(None, now)
        return cls(latest if now - latest > PAUSE else since, now)

    def keep(self, request: HttpRequest, response: HttpResponse) -> None:
        """Put it into the cookie of a response."""
        since = "" if self.since is None else int(self.since.timestamp())
        value = f"{since}.{int(self.now.timestamp())}"
        response.set_cookie(
            COOKIE, value, COOKIE_AGE_SECONDS, secure=request.is_secure(), httponly=True, samesite="Lax"
        )


def _moment(text: str, now: datetime) -> datetime | None:
    """Seconds since 1970 as a moment that is not ahead; None for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return None
    found = datetime.fromtimestamp(int(text), UTC)
    return found if found <= now else None

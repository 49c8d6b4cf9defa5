"""Links by which others read a report without an account: secret, expiring, revocable."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256
from secrets import token_urlsafe

from django.db.models import F
from django.utils import timezone

from results.models.reports import ReportLink

TOKEN_BYTES = 32
MOST_DAYS = 365


class LinkState(Enum):
    """Whether a link opens its report."""

    OPEN = "open"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True)
class LinkRow:
    """One link as its report's page lists it; the token itself is not known any more."""

    id: int
    state: LinkState
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None
    uses: int


@dataclass(frozen=True)
class OpenedLink:
    """What a token leads to."""

    report_id: int
    state: LinkState


def create_link(report_id: int, days: int) -> str:
    """Make a link that expires after some days, 1 to 365; the token that it answers to is known only now."""
    token = token_urlsafe(TOKEN_BYTES)
    expires_at = timezone.now() + timedelta(days=max(1, min(days, MOST_DAYS)))
    ReportLink.objects.create(report_id=report_id, digest=_digest(token), expires_at=expires_at)
    return token


def links_of(report_id: int) -> tuple[LinkRow, ...]:
    """The links of a report, the newest first."""
    now = timezone.now()
    return tuple(
        LinkRow(row.pk, _state(row, now), row.created_at, row.expires_at, row.revoked_at, row.last_used_at, row.uses)
        for row in ReportLink.objects.filter(report_id=report_id).order_by("-pk")
    )


def revoke_link(report_id: int, link_id: int) -> bool:
    """Let a link of a report open nothing from now on; False when there is none that still does."""
    found = ReportLink.objects.filter(pk=link_id, report_id=report_id, revoked_at=None)
    return found.update(revoked_at=timezone.now()) == 1


def open_link(token: str) -> OpenedLink | None:
    """What a token leads to, noting that it was used; None for one that never was."""
    row = ReportLink.objects.filter(digest=_digest(token)).first()
    if row is None:
        return None
    state = _state(row, timezone.now())
    if state == LinkState.OPEN:
        ReportLink.objects.filter(pk=row.pk).update(last_used_at=timezone.now(), uses=F("uses") + 1)
    return OpenedLink(row.report_id, state)


def _state(row: ReportLink, now: datetime) -> LinkState:
    if row.revoked_at is not None:
        return LinkState.REVOKED
    return LinkState.OPEN if row.expires_at > now else LinkState.EXPIRED


def _digest(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()

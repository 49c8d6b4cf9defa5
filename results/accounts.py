"""Roles in projects, tokens of programs, and the log of changes."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from results.models.accounts import ApiToken, AuditEntry, Membership, Role
from results.models.projects import Project
from results.names import storable
from results.reach import Reach

TOKEN_PREFIX = "evb_"  # noqa: S105  (what a leaked token is found by)
TOKEN_BYTES = 32
SHOWN_CHARACTERS = 10  # of a token, to tell it from others
USE_NOTED_EVERY = timedelta(minutes=1)  # so that a busy program does not write a row with each request
FAILED_LOGIN = "log in (failed)"
PATIENCE = timedelta(minutes=15)
MOST_FAILURES = 5  # of one name from one address, within `PATIENCE`
MOST_FAILURES_OF_ADDRESS = 30
MOST_FAILURES_OF_NAME = 100


@dataclass(frozen=True)
class TokenUse:
    """A token that is valid now: whose it is, and what it narrows that person's rights to."""

    user: User
    may_write: bool
    project_id: int | None


@dataclass(frozen=True)
class Standing:
    """The roles of one person.

    Attributes:
        everywhere: in every project, also those that are made later; 0 = none.
        by_project: in single projects, by their ids.
    """

    everywhere: int
    by_project: dict[int, int]

    def reach(self, role: Role) -> Reach:
        """The projects in which the person has at least a role."""
        if self.everywhere >= role:
            return None
        return frozenset(pk for pk, own in self.by_project.items() if own >= role)


def standing_of(user: User) -> Standing:
    """The roles of a person, in one query; administrators of the installation have the highest everywhere."""
    if not user.is_active:
        return Standing(0, {})
    if user.is_superuser:
        return Standing(Role.ADMIN, {})
    found: dict[int | None, int] = dict(Membership.objects.filter(user=user).values_list("project_id", "role"))
    return Standing(found.get(None, 0), {pk: role for pk, role in found.items() if pk is not None})


def set_role(user: User, project: Project | None, role: Role | None) -> None:
    """Give a person a role in a project (None = in every one), or take it away."""
    if role is None:
        Membership.objects.filter(user=user, project=project).delete()
    else:
        Membership.objects.update_or_create(user=user, project=project, defaults={"role": role})


def make_token(
    user: User, name: str, *, may_write: bool = False, project: Project | None = None, days: int | None = None
) -> str:
    """Make a token for programs.

    Args:
        user: whose rights it has at most.
        name: what it is for.
        may_write: it may change something; otherwise it only reads.
        project: the only one that it opens; None = all of the person's.
        days: after which it no longer works; None = never.

    Returns:
        The token, which nobody can see again.
    """
    token = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    ApiToken.objects.create(
        user=user,
        name=name,
        digest=digest_of(token),
        beginning=token[:SHOWN_CHARACTERS],
        may_write=may_write,
        project=project,
        expires_at=None if days is None else timezone.now() + timedelta(days=days),
    )
    return token


def digest_of(token: str) -> str:
    """What is kept of a token: it is random and long, so that a plain digest cannot be guessed from."""
    return hashlib.sha256(token.encode()).hexdigest()


def use_token(token: str) -> TokenUse | None:
    """Look a token up and note that it was used.

    Returns:
        None for one that does not exist, has expired, was revoked, or belongs to a closed account.
    """
    found = ApiToken.objects.select_related("user").filter(digest=digest_of(token), revoked_at__isnull=True).first()
    now = timezone.now()
    if found is None or not found.user.is_active or (found.expires_at is not None and found.expires_at <= now):
        return None
    if found.last_used_at is None or now - found.last_used_at > USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(last_used_at=now)
    return TokenUse(found.user, found.may_write, found.project_id)


def note(actor: str, action: str, *, target: str = "", address: str = "", project_id: int | None = None) -> None:
    """Write one line of the log of changes."""
    AuditEntry.objects.create(
        actor=actor[:200],
        action=action[:120],
        target=storable(target),
        address=storable(address)[:45],
        project_id=project_id,
    )


def locked_until(name: str, address: str) -> datetime | None:
    """Until when nobody may try this name from this address: there were too many failures. None = go on.

    The log of changes is what is counted, so that all web processes count together. A name that is tried from many
    addresses stays open for its owner until there are very many tries.
    """
    failures = AuditEntry.objects.filter(action=FAILED_LOGIN, at__gt=timezone.now() - PATIENCE)
    counted = (
        (failures.filter(actor=name[:200], address=address), MOST_FAILURES),
        (failures.filter(address=address), MOST_FAILURES_OF_ADDRESS),
        (failures.filter(actor=name[:200]), MOST_FAILURES_OF_NAME),
    )
    for found, most in counted:
        latest = list(found.order_by("-at").values_list("at", flat=True)[:most])
        if len(latest) == most:
            return latest[-1] + PATIENCE
    return None

"""People, their roles, and what they changed."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from results.models.accounts import AuditEntry, Membership, Role
from results.reach import present_reach, within


@dataclass(frozen=True)
class RoleLine:
    """The role that one person has in one project; an empty project is every one."""

    user_id: int
    user: str
    project: str
    role: str


@dataclass(frozen=True)
class PersonLine:
    """One account."""

    id: int
    name: str
    is_active: bool
    is_site_admin: bool
    last_login: datetime | None


@dataclass(frozen=True)
class AuditLine:
    """One line of the log of changes."""

    at: datetime
    actor: str
    address: str
    action: str
    target: str
    project: str


def role_lines() -> list[RoleLine]:
    """The roles in the projects within reach, by name and project; those in every project are always among them."""
    found = Membership.objects.select_related("user", "project").order_by("user__username", "project__slug")
    reach = present_reach()
    rows = [row for row in found if reach is None or row.project_id is None or row.project_id in reach]
    return [
        RoleLine(
            row.user_id,
            row.user.get_username(),
            "" if row.project is None else row.project.slug,
            str(Role(row.role).label),
        )
        for row in rows
    ]


def people() -> list[PersonLine]:
    """All accounts, by name."""
    fields = ("pk", "username", "is_active", "is_superuser", "last_login")
    return [PersonLine(*row) for row in User.objects.order_by("username").values_list(*fields)]


def changes(start: int, size: int) -> tuple[list[AuditLine], int]:
    """Some lines of the log of changes, the newest first, and how many there are; of projects within reach."""
    found = within(AuditEntry.objects.order_by("-pk"))
    fields = ("at", "actor", "address", "action", "target", "project__slug")
    rows = found.values_list(*fields)[start : start + size]
    lines = [AuditLine(at, who, place, what, to, slug or "") for at, who, place, what, to, slug in rows]
    return lines, found.count()

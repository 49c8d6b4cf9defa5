"""One's own account: its rights, its password, its tokens."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.http import HttpRequest

from frontend.contexts.shell import Shell
from results.models.accounts import ApiToken
from results.models.projects import Project
from results.queries.people import RoleLine, role_lines
from results.queries.projects import project_slugs


@dataclass(frozen=True)
class TokenLine:
    """One token that was not revoked; an empty project is all of the person's."""

    id: int
    name: str
    beginning: str
    may_write: bool
    project: str
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True)
class AccountPage:
    """What `account.html` reads.

    Attributes:
        token: one that was just made, shown this once; empty otherwise.
        token_problem, password_problems: what was wrong with a form; empty = nothing.
        days: choices for how long a token works.
    """

    shell: Shell
    name: str
    is_site_admin: bool
    roles: tuple[RoleLine, ...]
    tokens: tuple[TokenLine, ...]
    projects: tuple[str, ...]
    token: str = ""
    token_problem: str = ""
    password_problems: tuple[str, ...] = ()
    days: tuple[int, ...] = (7, 30, 90, 365)

    @classmethod
    def build(
        cls,
        request: HttpRequest,
        user: User,
        *,
        token: str = "",
        token_problem: str = "",
        password_problems: tuple[str, ...] = (),
    ) -> "AccountPage":
        """The page of the one who asks."""
        return cls(
            shell=Shell.build(request),
            name=user.get_username(),
            is_site_admin=user.is_superuser,
            roles=tuple(line for line in role_lines() if line.user_id == user.pk),
            tokens=tuple(_line(row) for row in _tokens(user)),
            projects=project_slugs(),
            token=token,
            token_problem=token_problem,
            password_problems=password_problems,
        )


def _tokens(user: User) -> list[ApiToken]:
    return list(ApiToken.objects.select_related("project").filter(user=user, revoked_at__isnull=True).order_by("-pk"))


def _line(row: ApiToken) -> TokenLine:
    project: Project | None = row.project
    return TokenLine(
        id=row.pk,
        name=row.name,
        beginning=row.beginning,
        may_write=row.may_write,
        project="" if project is None else project.slug,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
    )

"""Who has which role, and the accounts of the installation."""

from dataclasses import dataclass, field

from django.http import HttpRequest, QueryDict

from frontend.access import has_right
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from frontend.rights import Right
from results.models.accounts import Role
from results.queries.people import AuditLine, PersonLine, RoleLine, changes, people, role_lines
from results.queries.projects import project_slugs
from results.reach import present_reach

CHANGES_OF_PAGE = 100
ROLES = tuple(str(role.label) for role in Role)


@dataclass(frozen=True)
class PeoplePage:
    """What `people.html` reads.

    Attributes:
        people: all accounts; empty for somebody who administers projects only.
        has_everywhere: roles in every project may be given.
        password: of an account that was just made or given a new one, shown this once, with `password_of`.
        problem: what was wrong with the form.
    """

    shell: Shell
    is_site_admin: bool
    has_everywhere: bool
    people: tuple[PersonLine, ...]
    roles: tuple[RoleLine, ...]
    projects: tuple[str, ...]
    password: str = field(default="", repr=False)
    password_of: str = ""
    problem: str = ""
    role_names: tuple[str, ...] = ROLES

    @classmethod
    def build(
        cls, request: HttpRequest, *, password: str = "", password_of: str = "", problem: str = ""
    ) -> "PeoplePage":
        """The page; what it lists lies within the reach of the one who asks."""
        is_site_admin = has_right(request, Right.INSTALLATION)
        return cls(
            shell=Shell.build(request),
            is_site_admin=is_site_admin,
            has_everywhere=present_reach() is None,
            people=tuple(people()) if is_site_admin else (),
            roles=tuple(role_lines()),
            projects=project_slugs(),
            password=password,
            password_of=password_of,
            problem=problem,
        )


@dataclass(frozen=True)
class ChangesPage:
    """What `changes.html` reads: the log of changes."""

    shell: Shell
    lines: tuple[AuditLine, ...]
    pager: Pager

    @classmethod
    def build(cls, request: HttpRequest, params: QueryDict) -> "ChangesPage":
        """One page of it, the newest first."""
        page = page_of(params)
        lines, total = changes((page - 1) * CHANGES_OF_PAGE, CHANGES_OF_PAGE)
        return cls(Shell.build(request), tuple(lines), Pager.build(page, CHANGES_OF_PAGE, total, params))

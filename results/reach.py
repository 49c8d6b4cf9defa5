"""Whose projects the present work may touch: all of them, unless whoever asked for it may touch only some."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from django.db.models import Model, QuerySet

Reach = frozenset[int] | None  # ids of projects; None = every project, also those that are made later
Rows = TypeVar("Rows", bound=Model)

_REACH: ContextVar[Reach] = ContextVar("reach", default=None)


class OutOfReachError(Exception):
    """The work would touch a project that whoever asked for it may not touch.

    Args:
        project: its slug.
    """

    def __init__(self, project: str) -> None:
        super().__init__(f"You may not do this in the project {project}. Ask one of its administrators for the role.")


def present_reach() -> Reach:
    """The projects that may be touched now."""
    return _REACH.get()


def set_present(reach: Reach) -> None:
    """Let the rest of the enclosing `narrowed` touch these projects only."""
    _REACH.set(reach)


@contextmanager
def narrowed(reach: Reach) -> Iterator[None]:
    """Let the work inside touch these projects only."""
    before = _REACH.get()
    _REACH.set(reach)
    try:
        yield
    finally:
        _REACH.set(before)


def within(rows: QuerySet[Rows], project: str = "project") -> QuerySet[Rows]:
    """The rows of projects that may be touched; rows of no project belong to those who may touch every one.

    Args:
        rows: of any table.
        project: the way from a row to its project, such as `sprint__project`.
    """
    reach = _REACH.get()
    return rows if reach is None else rows.filter(**{f"{project}__in": reach})


def require(project_id: int, slug: str) -> None:
    """Go on only where a project may be touched.

    Raises:
        OutOfReachError: it may not.
    """
    reach = _REACH.get()
    if reach is not None and project_id not in reach:
        raise OutOfReachError(slug)


def require_every(slug: str) -> None:
    """Go on only where every project may be touched, as for making a new one.

    Raises:
        OutOfReachError: only some may.
    """
    if _REACH.get() is not None:
        raise OutOfReachError(slug)

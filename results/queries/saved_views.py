"""Saved views as pages and programs read them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from results.models.saved_views import SavedView


@dataclass(frozen=True)
class SavedViewRow:
    """One saved view; `address` is its path with its query."""

    id: int
    name: str
    path: str
    query: str
    author: str
    is_pinned: bool
    is_shared: bool
    created_at: datetime

    @property
    def address(self) -> str:
        """Where it leads."""
        return f"{self.path}?{self.query}" if self.query else self.path


def saved_views(reader: str | None = None, *, only_pinned: bool = False) -> tuple[SavedViewRow, ...]:
    """The saved views by name, the pinned ones first.

    Args:
        reader: the account that sees those that are shared and its own; None = without accounts, all.
        only_pinned: those of the overview.
    """
    found = _seen(reader).filter(is_pinned=True) if only_pinned else _seen(reader)
    return tuple(map(_row, found.order_by("-is_pinned", "name", "pk")))


def saved_view(view_id: int, reader: str | None = None) -> SavedViewRow | None:
    """One saved view that the reader sees; None when there is no such one."""
    found = _seen(reader).filter(pk=view_id).first()
    return None if found is None else _row(found)


def _seen(reader: str | None) -> "QuerySet[SavedView]":
    found = SavedView.objects.all()
    return found if reader is None else found.filter(Q(is_shared=True) | Q(author=reader))


def _row(view: SavedView) -> SavedViewRow:
    return SavedViewRow(
        id=view.pk,
        name=view.name,
        path=view.path,
        query=view.query,
        author=view.author,
        is_pinned=view.is_pinned,
        is_shared=view.is_shared,
        created_at=view.created_at,
    )

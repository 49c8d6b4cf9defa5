"""Saved views: addresses of pages by a name."""

from datetime import datetime
from typing import Annotated

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from frontend.api.answers import ApiError, ErrorAnswer, not_found
from frontend.api.asking import Body, Id, Json
from frontend.contexts.saved_views import own_view, page_of, reader_of
from frontend.reviewer import author_of
from results.queries.saved_views import SavedViewRow, saved_view, saved_views
from results.store.saved_views import change_view, delete_view, save_view

CREATED, GONE = 201, 204
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=r"\S")]

router = Router(tags=["views"])


class ViewAnswer(Schema):
    """One saved view; `address` is its path with its query."""

    id: int
    name: str
    path: str
    query: str
    address: str
    author: str
    is_pinned: bool
    is_shared: bool
    created_at: datetime


class ViewList(Schema):
    """Every saved view by name, the pinned ones first."""

    items: list[ViewAnswer]
    count: int


class NewView(Body):
    """A view to save: the path of a page, from / on, and what follows its ?."""

    name: Name
    path: str = Field(max_length=200)
    query: str = Field(default="", max_length=20_000)
    author: str = Field(default="", max_length=80)
    is_pinned: bool = False


class ViewPatch(Body):
    """What may be changed; what is left out stays."""

    name: Name | None = None
    is_pinned: bool | None = None
    is_shared: bool | None = None


@router.get("", response={200: ViewList})
def list_views(request: HttpRequest) -> Json:
    """The saved views."""
    rows = saved_views(reader_of(request))
    return {"items": [item(row) for row in rows], "count": len(rows)}


@router.post("", response={201: ViewAnswer, 400: ErrorAnswer, 422: ErrorAnswer})
def add_view(request: HttpRequest, asked: NewView) -> Status[Json]:
    """Save a view."""
    if not page_of(asked.path):
        raise ApiError(
            422, "invalid", "This is not the path of a page that can be saved, such as /results/.", "body.path"
        )
    made = save_view(asked.name, asked.path, asked.query, author_of(request, asked.author), is_pinned=asked.is_pinned)
    if made is None:
        raise ApiError(422, "invalid", "The name is blank, or the query too long.", "body")
    return Status(CREATED, item(_row(request, made.pk)))


@router.get("/{view_id}", response={200: ViewAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def show_view(request: HttpRequest, view_id: Id) -> Json:
    """One saved view."""
    return item(_row(request, view_id))


@router.patch(
    "/{view_id}", response={200: ViewAnswer, 400: ErrorAnswer, 403: ErrorAnswer, 404: ErrorAnswer, 422: ErrorAnswer}
)
def edit_view(request: HttpRequest, view_id: Id, patch: ViewPatch) -> Json:
    """Rename a view, pin it to the overview, share it, or no longer."""
    row = _own(request, view_id)
    change_view(
        view_id,
        name=patch.name or "",
        is_pinned=row.is_pinned if patch.is_pinned is None else patch.is_pinned,
        is_shared=row.is_shared if patch.is_shared is None else patch.is_shared,
    )
    return item(_row(request, view_id))


@router.delete("/{view_id}", response={204: None, 403: ErrorAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def remove_view(request: HttpRequest, view_id: Id) -> Status[None]:
    """Delete a view; the page that it leads to stays."""
    delete_view(_own(request, view_id).id)
    return Status(GONE, None)


def item(row: SavedViewRow) -> dict[str, Json]:
    """One view as the API gives it."""
    return {name: getattr(row, name) for name in ViewAnswer.model_fields}


def _row(request: HttpRequest, view_id: int) -> SavedViewRow:
    row = saved_view(view_id, reader_of(request))
    if row is None:
        raise not_found("view", view_id)
    return row


def _own(request: HttpRequest, view_id: int) -> SavedViewRow:
    try:
        row = own_view(request, view_id)
    except PermissionDenied as error:
        raise ApiError(403, "forbidden", str(error), "path.view_id") from error
    if row is None:
        raise not_found("view", view_id)
    return row

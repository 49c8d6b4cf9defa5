"""Saved views: an address kept by a name, renamed, shared, pinned, deleted."""

from results.models.saved_views import SavedView
from results.names import storable
from results.store.reviewing import clean_author

NAME_CHARACTERS = SavedView._meta.get_field("name").max_length or 100
PATH_CHARACTERS = SavedView._meta.get_field("path").max_length or 200
QUERY_CHARACTERS = 20_000


def save_view(name: str, path: str, query: str, author: str, *, is_pinned: bool = False) -> SavedView | None:
    """Keep an address.

    Args:
        name: on one line; blank = nothing is kept.
        path: of a page of ours, from / on.
        query: what follows the ?; longer ones than 20,000 characters are not kept.
        author: who keeps it; empty = nobody gave a name.
        is_pinned: it stands on the overview.

    Returns:
        The view; None when nothing was kept.
    """
    shown, query = clean_name(name), query.removeprefix("?")
    if not shown or len(path) > PATH_CHARACTERS or len(query) > QUERY_CHARACTERS:
        return None
    return SavedView.objects.create(
        name=shown, path=path, query=storable(query), author=clean_author(author), is_pinned=is_pinned
    )


def change_view(view_id: int, *, name: str, is_pinned: bool, is_shared: bool) -> bool:
    """Rename a view, pin it or not, share it or not; a blank name keeps the present one.

    Returns:
        Whether there is such a view.
    """
    changes: dict[str, str | bool] = {"is_pinned": is_pinned, "is_shared": is_shared}
    if shown := clean_name(name):
        changes["name"] = shown
    return SavedView.objects.filter(pk=view_id).update(**changes) == 1


def delete_view(view_id: int) -> bool:
    """Delete a view.

    Returns:
        Whether there was one.
    """
    return SavedView.objects.filter(pk=view_id).delete()[0] > 0


def clean_name(text: str) -> str:
    """A name on one line, cut to what fits."""
    return storable(" ".join(text.split()))[:NAME_CHARACTERS].strip()

"""Saved views: named on the page that they keep, listed, changed, deleted."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from frontend.contexts.saved_views import SavedViewsPage, asked_address, own_view, page_of, reader_of
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from frontend.reviewer import reviewer
from frontend.toasts import Toast, leave
from frontend.views.addresses import way_back
from results.store.saved_views import change_view, delete_view, save_view


@require_safe
def list_views(request: HttpRequest) -> HttpResponse:
    """Every saved view."""
    return render_page(request, "views_list.html", SavedViewsPage.build(Shell.build(request), reader_of(request)))


@require_POST
def add_view(request: HttpRequest) -> HttpResponse:
    """Keep the address of the page that asks, and go back to it."""
    path, query = asked_address(request)
    back, is_pinned = redirect(f"{path}?{query}" if query else path or "/"), "pinned" in request.POST
    if not page_of(path):
        return leave(redirect("views-list"), Toast("This page's address cannot be saved"))
    saved = save_view(request.POST.get("name", ""), path, query, reviewer(request), is_pinned=is_pinned)
    if saved is None:
        return leave(back, Toast("Nothing was saved: give the view a name"))
    return leave(back, Toast(f"View saved: {saved.name}", reverse("views-list"), "All views"))


@require_POST
def edit_view(request: HttpRequest, view_id: int) -> HttpResponse:
    """Rename a view, pin or share it."""
    given = request.POST
    if own_view(request, view_id) is None or not change_view(
        view_id, name=given.get("name", ""), is_pinned="pinned" in given, is_shared="shared" in given
    ):
        raise Http404
    return leave(redirect(way_back(request, reverse("views-list"))), Toast("View saved"))


@require_POST
def remove_view(request: HttpRequest, view_id: int) -> HttpResponse:
    """Delete a view; the page that it led to stays."""
    is_there = own_view(request, view_id) is not None
    words = "View deleted" if is_there and delete_view(view_id) else "The view was gone already"
    return leave(redirect(way_back(request, reverse("views-list"))), Toast(words))

"""Saved views: the list of them, and the panel of the pinned ones on the overview."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, QueryDict
from django.urls import Resolver404, resolve, reverse

from frontend.access import account_of
from frontend.contexts.shell import Shell
from results.filters import ResultFilter
from results.queries.saved_views import SavedViewRow, saved_view, saved_views
from results.queries.summary import summary
from results.queries.visibility import VisibleSet
from results.text.search import TooManyToScanError

# Pages whose address is worth a name -> what the list calls them.
SAVED_PAGES = {
    "home": "Overview",
    "evaluations-list": "Evaluations",
    "evaluation-show": "Evaluation",
    "evaluation-grid": "Evaluation",
    "evaluation-charts": "Evaluation",
    "evaluation-categories": "Evaluation",
    "evaluation-agreement": "Evaluation",
    "results-list": "Results",
    "result-show": "Result",
    "compare": "Compare",
    "tasks-list": "Tasks",
    "task-show": "Task",
    "runs-list": "Runs",
    "run-show": "Run",
    "tools-list": "Tools",
    "tool-show": "Tool",
    "costs": "Costs",
    "errors-list": "Errors",
    "sprints-list": "Sprints",
    "sprints-charts": "Sprints",
    "sprint-show": "Sprint",
    "trials-list": "Trials",
    "trial-show": "Trial",
    "jobs-list": "Jobs",
}


@dataclass(frozen=True)
class ViewLine:
    """One saved view; `count` is of the results of a view of the explorer, None for all others."""

    row: SavedViewRow
    page: str
    count: int | None


@dataclass(frozen=True)
class SavedViewsPage:
    """What `views_list.html` reads."""

    shell: Shell
    lines: tuple[ViewLine, ...]

    @classmethod
    def build(cls, shell: Shell, reader: str | None) -> "SavedViewsPage":
        """The page as an account sees it."""
        return cls(shell, tuple(ViewLine(row, page_of(row.path), None) for row in saved_views(reader)))


def reader_of(request: HttpRequest) -> str | None:
    """The account that sees what is shared and its own; None without accounts."""
    user = account_of(request)
    return None if user is None else user.get_username()


def own_view(request: HttpRequest, view_id: int) -> SavedViewRow | None:
    """A view that may be changed: with accounts by its author and administrators of the installation.

    Raises:
        PermissionDenied: it is somebody else's.
    """
    row, user = saved_view(view_id, reader_of(request)), account_of(request)
    if row is not None and user is not None and not user.is_superuser and row.author != user.get_username():
        raise PermissionDenied("This view is somebody else's. Save one of your own.")
    return row


def pinned_lines(visible: VisibleSet, reader: str | None) -> tuple[ViewLine, ...]:
    """The pinned views, with the number of results where they are views of the explorer."""
    return tuple(
        ViewLine(row, page_of(row.path), _count(visible, row)) for row in saved_views(reader, only_pinned=True)
    )


def page_of(path: str) -> str:
    """What the page of a path is called; empty when its address cannot be saved, or is none of ours."""
    try:
        found = resolve(path)
    except Resolver404:
        return ""
    return SAVED_PAGES.get(found.url_name or "", "")


def asked_address(request: HttpRequest) -> tuple[str, str]:
    """The path and the query that a form of the page wants to keep.

    Where parts of a page were swapped, its form still holds the address that it came with; the browser itself says in
    `Referer` what the address is now.
    """
    given, now = urlsplit(request.POST.get("address", "")), urlsplit(request.headers.get("Referer", ""))
    if now.netloc == request.get_host() and now.path == given.path:
        return now.path, now.query
    return ("", "") if given.netloc else (given.path, given.query)


def _count(visible: VisibleSet, row: SavedViewRow) -> int | None:
    if row.path != reverse("results-list"):
        return None
    try:
        found = summary(visible, ResultFilter.parse(QueryDict(row.query)), (), ())
    except TooManyToScanError:
        return None
    return sum(group.outcomes.total for group in found)

"""The list of evaluations."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from results.queries.evaluations import EvaluationRow, evaluation_rows
from results.queries.visibility import VisibleSet

PAGE_SIZE = 50  # rows
DEFAULT_ORDER = "-started"
COLUMNS = (
    Column("name", "Evaluation"),
    Column("started", "Started", starts_descending=True),
    Column("runs", "Runs", is_number=True, starts_descending=True),
    Column("tasks", "Tasks", is_number=True, starts_descending=True),
    Column("results", "Results", is_number=True, starts_descending=True),
    Column("outcomes", "Outcomes", is_sortable=False),
    Column("pass_rate", "Pass rate", is_number=True, starts_descending=True, hint="passed / (passed + failed + error)"),
    Column("failed", "Failed", is_number=True, starts_descending=True),
    Column("error", "Error", is_number=True, starts_descending=True),
    Column("skipped", "Skipped", is_number=True, starts_descending=True),
    Column("written_by", "Written by"),
    Column("source", "Source"),
    Column("project", "Project"),
)
SORT_KEYS: dict[str, Callable[[EvaluationRow], Any]] = {
    "name": lambda row: row.name.casefold(),
    "started": lambda row: row.started_at or row.imported_at,
    "runs": lambda row: row.runs,
    "tasks": lambda row: row.tasks,
    "results": lambda row: row.results,
    "pass_rate": lambda row: row.pass_rate.value,
    "failed": lambda row: row.failed,
    "error": lambda row: row.errors,
    "skipped": lambda row: row.skipped,
    "written_by": lambda row: (row.app_name, row.app_version),
    "source": lambda row: row.file_name,
    "project": lambda row: row.project,
}


@dataclass(frozen=True)
class EvaluationsPage:
    """What `evaluations_list.html` reads.

    Attributes:
        total_results: of the evaluations that match, on all pages.
        projects: every project that has something visible.
        is_filtered: a search or a project narrows the list.
    """

    shell: Shell
    headers: tuple[Header, ...]
    rows: tuple[EvaluationRow, ...]
    total_results: int
    pager: Pager
    search: str
    project: str
    projects: tuple[str, ...]
    is_filtered: bool

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "EvaluationsPage":
        """The page for a query with `q`, `project`, `sort` and `page`."""
        search, project = params.get("q", "").strip(), params.get("project", "")
        everything = evaluation_rows(visible)
        rows = evaluation_rows(visible, project or None, search) if search or project else everything
        sort = order_of(COLUMNS, params, DEFAULT_ORDER)
        pager = Pager.build(page_of(params), PAGE_SIZE, len(rows), params)
        return cls(
            shell=shell,
            headers=headers(COLUMNS, sort, params),
            rows=tuple(_sorted(rows, sort)[max(0, pager.first - 1) : pager.last]),
            total_results=sum(row.results for row in rows),
            pager=pager,
            search=search,
            project=project,
            projects=tuple(sorted({row.project for row in everything})),
            is_filtered=bool(search or project),
        )


def _sorted(rows: list[EvaluationRow], sort: str) -> list[EvaluationRow]:
    """The rows in the order asked for, newest first among equals; a missing value is last both ways."""
    key = SORT_KEYS[sort.removeprefix("-")]
    newest_first = sorted(rows, key=lambda row: row.id, reverse=True)
    known = [row for row in newest_first if key(row) is not None]
    return sorted(known, key=key, reverse=sort.startswith("-")) + [row for row in newest_first if key(row) is None]

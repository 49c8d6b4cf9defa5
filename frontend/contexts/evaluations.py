"""The list of evaluations."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.evaluation_filter import KEYS, EvaluationFilters, asked_of
from frontend.contexts.filters import Kept
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from results.queries.evaluations import DEFAULT_ORDER, EvaluationRow, evaluation_choices, evaluation_page
from results.queries.visibility import VisibleSet

PAGE_SIZE = 50  # rows
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


@dataclass(frozen=True)
class EvaluationsPage:
    """What `evaluations_list.html` reads.

    Attributes:
        total_results: of the evaluations that match, on all pages.
        earliest, latest: starts of those; None when there are none.
        asked: the filter as the selection's form sends it, so that "all that match" means these.
    """

    shell: Shell
    headers: tuple[Header, ...]
    rows: tuple[EvaluationRow, ...]
    total_results: int
    earliest: datetime | None
    latest: datetime | None
    pager: Pager
    filters: EvaluationFilters
    asked: tuple[Kept, ...]

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "EvaluationsPage":
        """The page for a query with filters, `sort` and `page`."""
        sort = order_of(COLUMNS, params, DEFAULT_ORDER)
        found = evaluation_page(visible, asked_of(params), sort, page=page_of(params), size=PAGE_SIZE)
        return cls(
            shell=shell,
            headers=headers(COLUMNS, sort, params),
            rows=found.rows,
            total_results=found.results,
            earliest=found.earliest,
            latest=found.latest,
            pager=Pager.build(page_of(params), PAGE_SIZE, found.total, params),
            filters=EvaluationFilters.build(evaluation_choices(visible), params),
            asked=tuple(Kept(key, value) for key in KEYS for value in params.getlist(key) if value),
        )

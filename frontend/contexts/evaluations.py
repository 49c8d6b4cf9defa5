"""The list of evaluations."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.evaluation_filter import KEYS, EvaluationFilters, asked_of
from frontend.contexts.filters import Kept
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from results.queries.costs import GroupCosts
from results.queries.evaluation_costs import evaluation_costs
from results.queries.evaluations import DEFAULT_ORDER, EvaluationRow, evaluation_choices, evaluation_page
from results.queries.visibility import VisibleSet

PAGE_SIZE = 50  # rows
COST_HINT = "What the models cost at the prices in the file: an estimate, without judges"
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
    Column("cost", "Cost", is_number=True, hint=COST_HINT, is_sortable=False),
    Column("written_by", "Written by"),
    Column("source", "Source"),
)
PROJECT = Column("project", "Project")  # where there are several


@dataclass(frozen=True)
class EvaluationLine:
    """One row of the list; `cost` is None where nothing was evaluated."""

    row: EvaluationRow
    cost: GroupCosts | None


@dataclass(frozen=True)
class EvaluationsPage:
    """What `evaluations_list.html` reads.

    Attributes:
        has_projects: there are several, so that the rows name theirs.
        total_results: of the evaluations that match, on all pages.
        earliest, latest: starts of those; None when there are none.
        asked: the filter as the selection's form sends it, so that "all that match" means these.
    """

    shell: Shell
    headers: tuple[Header, ...]
    lines: tuple[EvaluationLine, ...]
    has_projects: bool
    total_results: int
    earliest: datetime | None
    latest: datetime | None
    pager: Pager
    filters: EvaluationFilters
    asked: tuple[Kept, ...]

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "EvaluationsPage":
        """The page for a query with filters, `sort` and `page`."""
        choices = evaluation_choices(visible)
        columns = (*COLUMNS, PROJECT) if len(choices.projects) > 1 else COLUMNS
        sort = order_of((*COLUMNS, PROJECT), params, DEFAULT_ORDER)
        found = evaluation_page(visible, asked_of(params), sort, page=page_of(params), size=PAGE_SIZE)
        costs = evaluation_costs(visible, found.rows)
        return cls(
            shell=shell,
            headers=headers(columns, sort, params),
            lines=tuple(EvaluationLine(row, costs.get(row.id)) for row in found.rows),
            has_projects=PROJECT in columns,
            total_results=found.results,
            earliest=found.earliest,
            latest=found.latest,
            pager=Pager.build(page_of(params), PAGE_SIZE, found.total, params),
            filters=EvaluationFilters.build(choices, params, (*COLUMNS, PROJECT)),
            asked=tuple(Kept(key, value) for key in KEYS for value in params.getlist(key) if value),
        )

"""The list of tasks: the hardest, the flakiest, the slowest, the most expensive."""

from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.asked import OrderLink, order_links, with_or_without_text
from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.explorer_links import ExplorerLinks, counted_once
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.outcome_links import COUNTED, with_outcomes
from frontend.contexts.pager import Pager, page_of, size_of
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import asked_with
from results.filters import ResultFilter
from results.queries.flips import LATEST
from results.queries.task_lines import TaskLine
from results.queries.task_list import HARDEST, task_page
from results.queries.visibility import VisibleSet

SIZES, USUAL_SIZE = (50, 100, 200), 50
WINDOWS = (5, 10, 20, 50)  # evaluations in which flips are counted
FLIPS_HINT = "changes between passed and not passed from one result of a run to its next, over the latest evaluations"
COLUMNS = (
    Column("task", "Task"),
    Column(HARDEST, "Pass rate", is_number=True, hint="passed / (passed + failed + error)"),
    Column("outcomes", "Outcomes", is_sortable=False),
    Column("flips", "Flips", is_number=True, starts_descending=True, hint=FLIPS_HINT),
    Column("duration", "Median time", is_number=True, starts_descending=True, hint="model time of one result"),
    Column("cost", "Cost, all", is_number=True, starts_descending=True, hint="of the models, over all results"),
    Column("results", "Results", is_number=True, starts_descending=True),
    Column("reach", "Reach", is_number=True, is_sortable=False, hint="runs × evaluations"),
    Column("category", "Category", is_sortable=False),
    Column("suite", "Suite", is_sortable=False),
    Column("difficulty", "Difficulty", is_sortable=False),
)
ORDERS = {HARDEST: "Hardest", "-flips": "Flakiest", "-duration": "Slowest", "-cost": "Most expensive"}


@dataclass(frozen=True)
class TaskRow:
    """One task; the explorer with its results, and with all but skipped ones."""

    line: TaskLine
    results_href: str
    counted_href: str


@dataclass(frozen=True)
class TasksPage:
    """What `tasks_list.html` reads.

    Attributes:
        orders: the four questions that the list answers, as links.
        windows: how many of the latest evaluations flips are counted in, as links; `latest` is the one in force.
        never, always: tasks that never passed, and those that always did, among all of the filter.
        copies: results that an older evaluation holds too; they are left out.
        has_projects: the rows name their project.
        is_empty: nothing is stored at all.
    """

    shell: Shell
    filters: HistoryFilters
    orders: tuple[OrderLink, ...]
    windows: tuple[OrderLink, ...]
    latest: int
    headers: tuple[Header, ...]
    rows: tuple[TaskRow, ...]
    pager: Pager
    never: int
    always: int
    copies: int
    has_projects: bool
    is_empty: bool

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "TasksPage":
        """The page for a query with filters, `sort`, `latest`, `size` and `page`."""
        known = {"latest": map(str, WINDOWS), "size": map(str, SIZES)}
        asked = asked_with(params, known, {"sort": COLUMNS})
        return with_or_without_text(asked, lambda chosen: cls._of(shell, visible, chosen, params))

    @classmethod
    def _of(cls, shell: Shell, visible: VisibleSet, asked: ResultFilter, params: QueryDict) -> "TasksPage":
        sort, latest = order_of(COLUMNS, params, HARDEST), size_of_window(params)
        size = size_of(params, SIZES, USUAL_SIZE)
        found = task_page(visible, asked, sort, page_of(params), size, latest)
        once = counted_once(asked, found.copies)
        links = [ExplorerLinks(chosen, ("task", "project")) for chosen in (once, with_outcomes(once, COUNTED) or once)]
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("tasks-list"), visible, asked, params),
            orders=order_links(params, "sort", ORDERS, sort, page=None),
            windows=order_links(
                params, "latest", {str(number): str(number) for number in WINDOWS}, str(latest), page=None
            ),
            latest=latest,
            headers=headers(COLUMNS, sort, params),
            rows=tuple(
                TaskRow(line, *(link.href(project=line.project, task=line.name) for link in links))
                for line in found.rows
            ),
            pager=Pager.build(found.page, size, found.total, params, SIZES),
            never=found.never,
            always=found.always,
            copies=found.copies,
            has_projects=len({line.project for line in found.rows}) > 1,
            is_empty=not found.total and not asked and not asked.problems,
        )


def size_of_window(params: QueryDict) -> int:
    """The evaluations in which flips are counted, as the address asks for them."""
    return {str(number): number for number in WINDOWS}.get(params.get("latest", ""), LATEST)

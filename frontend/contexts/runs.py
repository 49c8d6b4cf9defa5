"""The list of runs, under their providers, with their pass rate from evaluation to evaluation."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.asked import with_or_without_text
from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.explorer_links import ExplorerLinks, counted_once
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.outcome_links import COUNTED, with_outcomes
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import asked_with
from results.filters import OUTCOMES, ResultFilter
from results.queries.run_list import RunLine, RunList, run_list
from results.queries.visibility import VisibleSet

PAGE_SIZE = 50  # rows
DEFAULT_ORDER = "-pass_rate"
COLUMNS = (
    Column("run", "Run"),
    Column("provider", "Provider"),
    Column("model", "Model", hint="as the latest evaluation records it"),
    Column("pass_rate", "Pass rate", is_number=True, starts_descending=True, hint="passed / (passed + failed + error)"),
    Column("trend", "Trend", is_sortable=False, hint="pass rate from evaluation to evaluation"),
    Column(
        "change", "Latest", is_number=True, starts_descending=True, hint="pass rate, latest evaluation against before"
    ),
    Column("outcomes", "Outcomes", is_sortable=False),
    Column(
        "error_rate", "Error rate", is_number=True, starts_descending=True, hint="error / (passed + failed + error)"
    ),
    Column("duration", "Median time", is_number=True, starts_descending=True, hint="model time of one result"),
    Column("cost", "Cost, all", is_number=True, starts_descending=True),
    Column(
        "cost_per_pass",
        "Per pass",
        is_number=True,
        starts_descending=True,
        hint="cost of the priced results / passed ones of them",
    ),
    Column("results", "Results", is_number=True, starts_descending=True),
    Column("evaluations", "Evaluations", is_number=True, starts_descending=True),
    Column("last", "Last", starts_descending=True),
)


@dataclass(frozen=True)
class RunRow:
    """One run.

    Attributes:
        change: the latest pass rate less the one before; None when there are no two.
        last: start of its latest evaluation.
        projects: that its results are of; empty where the page is about one project alone.
        results_href, counted_href, error_href: the explorer with its results, all but skipped ones, its errors.
    """

    line: RunLine
    change: float | None
    last: datetime | None
    projects: str
    results_href: str
    counted_href: str
    error_href: str


@dataclass(frozen=True)
class RunsPage:
    """What `runs_list.html` reads.

    Attributes:
        providers: how many have a run.
        copies: results that an older evaluation holds too; they are left out.
        is_empty: nothing is stored at all.
    """

    shell: Shell
    filters: HistoryFilters
    headers: tuple[Header, ...]
    rows: tuple[RunRow, ...]
    pager: Pager
    providers: int
    copies: int
    is_empty: bool

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "RunsPage":
        """The page for a query with filters, `sort` and `page`."""
        asked = asked_with(params, {}, {"sort": COLUMNS})
        return with_or_without_text(asked, lambda chosen: cls._of(shell, visible, chosen, params))

    @classmethod
    def _of(cls, shell: Shell, visible: VisibleSet, asked: ResultFilter, params: QueryDict) -> "RunsPage":
        found = run_list(visible, asked)
        sort = order_of(COLUMNS, params, DEFAULT_ORDER)
        once = counted_once(asked, found.copies)
        links = [
            ExplorerLinks(with_outcomes(once, words) or once, ("provider", "run"))
            for words in (OUTCOMES, COUNTED, ("error",))
        ]
        has_projects = len({mark.project for mark in found.evaluations.values()}) > 1
        rows = _sorted([_row(line, found, links, has_projects=has_projects) for line in found.runs], sort)
        pager = Pager.build(page_of(params), PAGE_SIZE, len(rows), params)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("runs-list"), visible, asked, params),
            headers=headers(COLUMNS, sort, params),
            rows=pager.part(rows),
            pager=pager,
            providers=len({row.line.provider for row in rows}),
            copies=found.copies,
            is_empty=not rows and not asked and not asked.problems,
        )


def _row(line: RunLine, found: RunList, links: list[ExplorerLinks], *, has_projects: bool) -> RunRow:
    rates = [point.outcomes.pass_rate.value for point in line.trend]
    known = [rate for rate in rates if rate is not None]
    marks = [found.evaluations[point.evaluation_id] for point in line.trend if point.evaluation_id in found.evaluations]
    results, counted, errors = (link.href(provider=line.provider, run=line.run) for link in links)
    return RunRow(
        line=line,
        change=known[-1] - known[-2] if len(known) > 1 else None,
        last=marks[-1].started_at if marks else None,
        projects=", ".join(sorted({mark.project for mark in marks})) if has_projects else "",
        results_href=results,
        counted_href=counted,
        error_href=errors,
    )


def _largest(row: RunRow) -> Decimal | None:
    return max((amount.total for amount in row.line.costs.amounts), default=None)


def _largest_per_pass(row: RunRow) -> Decimal | None:
    known = [amount.per_pass for amount in row.line.costs.amounts]
    return max((value for value in known if value is not None), default=None)


SORT_KEYS: dict[str, Callable[[RunRow], Any]] = {
    "run": lambda row: row.line.run,
    "provider": lambda row: row.line.provider,
    "model": lambda row: row.line.model,
    "pass_rate": lambda row: row.line.outcomes.pass_rate.value,
    "change": lambda row: row.change,
    "error_rate": lambda row: row.line.outcomes.error_rate.value,
    "duration": lambda row: row.line.median_ns,
    "cost": _largest,
    "cost_per_pass": _largest_per_pass,
    "results": lambda row: row.line.outcomes.total,
    "evaluations": lambda row: len(row.line.trend),
    "last": lambda row: row.last,
}


def _sorted(rows: list[RunRow], sort: str) -> list[RunRow]:
    """The rows in the order asked for, by provider and name among equals; a missing value is last both ways."""
    key = SORT_KEYS[sort.removeprefix("-")]
    known = [row for row in rows if key(row) is not None]
    return sorted(known, key=key, reverse=sort.startswith("-")) + [row for row in rows if key(row) is None]

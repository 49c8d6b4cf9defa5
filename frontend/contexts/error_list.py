"""Errors: clusters by title, and the messages of the chosen ones."""

from dataclasses import dataclass, replace
from functools import reduce

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.asked import OrderLink, order_links, with_or_without_text
from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.error_rows import CHOOSING, STATES, MessagesPanel, TitleRow, TitleRows
from frontend.contexts.explorer_links import counted_once, explorer_href, narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import asked_with
from results.filters import ResultFilter
from results.queries.error_messages import error_messages
from results.queries.error_titles import ErrorTitle, ErrorTitles, error_titles
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts, Rate

PAGE_SIZE = 50  # titles
MOST_FREQUENT = "-results"
COLUMNS = (
    Column("title", "Title"),
    Column("transient", "Transient", is_number=True, starts_descending=True, hint="may go away when tried again"),
    Column("permanent", "Permanent", is_number=True, starts_descending=True, hint="trying again would not help"),
    Column("unknown", "Unknown", is_number=True, starts_descending=True, hint="the file does not say"),
    Column("results", "Results", is_number=True, starts_descending=True),
    Column("runs", "Runs", is_number=True, starts_descending=True),
    Column("tasks", "Tasks", is_number=True, starts_descending=True),
    Column("evaluations", "Evaluations", is_number=True, starts_descending=True),
    Column("first", "First", starts_descending=True, hint="start of the first result"),
    Column("last", "Last", starts_descending=True, hint="start of the latest result"),
    Column("messages", "Messages", is_sortable=False),
)
NARROWING = (*CHOOSING, "transient")  # what chooses messages, and is left out of the totals
NOTES = {
    "yes": "may go away when tried again",
    "no": "trying again would not help",
    "unknown": "the file does not say",
}


@dataclass(frozen=True)
class ErrorTile:
    """A number of errors, and the explorer with exactly these."""

    label: str
    count: int
    href: str
    note: str


@dataclass(frozen=True)
class ErrorsPage:
    """What `errors_list.html` reads.

    Attributes:
        states: all, transient, permanent or unknown ones, as links.
        rows: errors first, then cancelled work, then what was skipped.
        outcomes: of all results, whatever error is chosen. results_href, errors_href: the explorer with them, and with
            the errors among them.
        tiles: transient, permanent and unknown errors that nobody cancelled, and cancelled work, the same.
        without_cancelled: the error rate as if cancelled work had not been tried; None when none was cancelled.
        messages: of what is chosen; of all errors while nothing is. None where nothing is listed.
        copies: results that an older evaluation holds too; they are left out.
        lagging: evaluations whose texts are still being read, so that cancelled work there is not recognised yet.
        is_empty: nothing is stored at all.
    """

    shell: Shell
    filters: HistoryFilters
    states: tuple[OrderLink, ...]
    headers: tuple[Header, ...]
    rows: tuple[TitleRow, ...]
    pager: Pager
    outcomes: OutcomeCounts
    results_href: str
    errors_href: str
    tiles: tuple[ErrorTile, ...]
    without_cancelled: Rate | None
    messages: MessagesPanel | None
    copies: int
    lagging: int
    is_empty: bool

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "ErrorsPage":
        """The page for a query with filters, `sort` and `page`."""
        asked = asked_with(params, {}, {"sort": COLUMNS})
        return with_or_without_text(asked, lambda chosen: cls._of(shell, visible, chosen, params))

    @classmethod
    def _of(cls, shell: Shell, visible: VisibleSet, asked: ResultFilter, params: QueryDict) -> "ErrorsPage":
        every = reduce(ResultFilter.without, NARROWING, asked)
        totals = error_titles(visible, every)
        listed = replace(every, transient=asked.transient)
        found = error_titles(visible, listed) if asked.transient else totals
        outcomes, cancelled = totals.outcomes, totals.cancelled
        counted = counted_once(every, totals.copies)
        sort = order_of(COLUMNS, params, MOST_FREQUENT)
        titles = _sorted(found.titles, sort)
        pager = Pager.build(page_of(params), PAGE_SIZE, len(titles), params)
        rows = TitleRows(found, outcomes.errors, counted_once(listed, totals.copies), asked, params)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("errors-list"), visible, asked, params),
            states=_states(asked, params),
            headers=headers(COLUMNS, sort, params),
            rows=tuple(rows.row(title) for title in pager.part(titles)),
            pager=pager,
            outcomes=outcomes,
            results_href=explorer_href(counted),
            errors_href=explorer_href(narrowed(counted, outcome="error"), "-started"),
            tiles=_tiles(totals, counted),
            without_cancelled=Rate(outcomes.errors - cancelled, outcomes.counted - cancelled) if cancelled else None,
            messages=_messages(visible, asked) if titles else None,
            copies=found.copies,
            lagging=found.lagging,
            is_empty=not outcomes.total and not asked and not asked.problems,
        )


def _sorted(titles: tuple[ErrorTitle, ...], sort: str) -> list[ErrorTitle]:
    """Errors, cancelled work and skipped results stay apart, each in the order asked for."""
    name = sort.removeprefix("-")
    ordered = sorted(titles, key=lambda title: (title.title is None, title.title or ""))
    if name != "title" or sort.startswith("-"):
        ordered.sort(
            key=lambda title: getattr(title, name) or "" if name == "title" else getattr(title, name),
            reverse=sort.startswith("-"),
        )
    return sorted(ordered, key=lambda title: (title.outcome != "error", title.is_cancelled))


def _tiles(found: ErrorTitles, every: ResultFilter) -> tuple[ErrorTile, ...]:
    errors = narrowed(every, outcome="error")
    tried = narrowed(errors, cancelled="no") if found.cancelled else errors
    mine = [title for title in found.titles if title.outcome == "error" and not title.is_cancelled]
    counts = (sum(getattr(title, label.lower()) for title in mine) for label in STATES.values())
    states = (
        ErrorTile(label, count, explorer_href(narrowed(tried, transient=word), "-started"), NOTES[word])
        for (word, label), count in zip(STATES.items(), counts, strict=True)
    )
    cancelled_href = explorer_href(narrowed(errors, cancelled="yes"), "-started")
    note = "the message says so" if found.cancelled else "no message says so"
    return (*states, ErrorTile("Cancelled work", found.cancelled, cancelled_href, note))


def _messages(visible: VisibleSet, asked: ResultFilter) -> MessagesPanel:
    is_chosen = any(asked.choice(name) for name in CHOOSING)
    meant = asked if is_chosen else narrowed(asked, outcome="error")
    return MessagesPanel.of(error_messages(visible, meant), meant)


def _states(asked: ResultFilter, params: QueryDict) -> tuple[OrderLink, ...]:
    chosen = asked.transient.included
    current = "several" if len(chosen) > 1 else str(chosen[0]) if chosen else ""
    return order_links(params, "transient", {"": "All"} | STATES, current, page=None)

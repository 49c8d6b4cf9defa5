"""Errors: clusters by title, and the messages of the chosen ones."""

from dataclasses import dataclass, replace
from functools import reduce

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.columns import Column, Header, changed, headers, order_of, replaced
from frontend.contexts.explorer_links import explorer_href, narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from frontend.contexts.tasks import OrderLink, with_or_without_text
from results.filters import Choice, ResultFilter, written
from results.queries.error_messages import ErrorMessages, MessageCluster, error_messages
from results.queries.error_titles import ErrorTitle, error_titles
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
NARROWING = ("error", "outcome", "transient")  # what chooses messages, and is left out of the totals
STATES = {"": "All", "yes": "Transient", "no": "Permanent", "unknown": "Unknown"}


@dataclass(frozen=True)
class TitleRow:
    """One title with one outcome.

    Attributes:
        share: of all errors of the filter; None for results that are no errors.
        results_href: the explorer with its results; of cancelled work, with those of the title.
        messages_href: this page with its messages.
        is_chosen: these are shown.
    """

    title: ErrorTitle
    share: Rate | None
    results_href: str
    messages_href: str
    is_chosen: bool


@dataclass(frozen=True)
class MessageRow:
    """Messages of one shape; `results_href` is the explorer with a search for them, empty = there is none."""

    cluster: MessageCluster
    results_href: str


@dataclass(frozen=True)
class MessagesPanel:
    """The messages of what the filter lets through.

    Attributes:
        found: how many there are, and how many were read.
    """

    found: ErrorMessages
    rows: tuple[MessageRow, ...]


@dataclass(frozen=True)
class ErrorsPage:
    """What `errors_list.html` reads.

    Attributes:
        states: all, transient, permanent or unknown ones, as links.
        rows: errors first, then cancelled work, then what was skipped.
        outcomes: of all results, whatever error is chosen.
        transient, permanent, unknown: of the errors that nobody cancelled, the same.
        cancelled: errors that say that somebody cancelled the work.
        without_cancelled: the error rate as if cancelled work had not been tried; None when none was cancelled.
        messages: None until a title is chosen.
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
    transient: int
    permanent: int
    unknown: int
    cancelled: int
    without_cancelled: Rate | None
    messages: MessagesPanel | None
    copies: int
    lagging: int
    is_empty: bool

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "ErrorsPage":
        """The page for a query with filters, `sort` and `page`."""
        asked = ResultFilter.parse(params)
        return with_or_without_text(asked, lambda chosen: cls._of(shell, visible, chosen, params))

    @classmethod
    def _of(cls, shell: Shell, visible: VisibleSet, asked: ResultFilter, params: QueryDict) -> "ErrorsPage":
        every = reduce(ResultFilter.without, NARROWING, asked)
        totals = error_titles(visible, every)
        listed = replace(every, transient=asked.transient)
        found = error_titles(visible, listed) if asked.transient else totals
        sort = order_of(COLUMNS, params, MOST_FREQUENT)
        titles = _sorted(found.titles, sort)
        pager = Pager.build(page_of(params), PAGE_SIZE, len(titles), params)
        tried = [title for title in totals.titles if title.outcome == "error" and not title.is_cancelled]
        outcomes, cancelled = totals.outcomes, totals.cancelled
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("errors-list"), visible, asked, params),
            states=_states(asked, params),
            headers=headers(COLUMNS, sort, params),
            rows=tuple(
                _row(title, outcomes, listed, asked, params) for title in titles[max(0, pager.first - 1) : pager.last]
            ),
            pager=pager,
            outcomes=outcomes,
            transient=sum(title.transient for title in tried),
            permanent=sum(title.permanent for title in tried),
            unknown=sum(title.unknown for title in tried),
            cancelled=cancelled,
            without_cancelled=Rate(outcomes.errors - cancelled, outcomes.counted - cancelled) if cancelled else None,
            messages=_messages(visible, asked) if asked.error.included else None,
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


def _row(
    title: ErrorTitle, outcomes: OutcomeCounts, listed: ResultFilter, asked: ResultFilter, params: QueryDict
) -> TitleRow:
    own = narrowed(listed, error=title.title, outcome=title.outcome)
    copy = params.copy()
    copy.setlist("outcome", [title.outcome])
    (value,) = written(Choice((title.title,)))
    return TitleRow(
        title=title,
        share=Rate(title.results, outcomes.errors) if title.outcome == "error" else None,
        results_href=explorer_href(own, "-started"),
        messages_href=f"{replaced(copy, 'error', [value])}#messages",
        is_chosen=title.title in asked.error.included and asked.outcome.included in ((), (title.outcome,)),
    )


def _messages(visible: VisibleSet, asked: ResultFilter) -> MessagesPanel:
    found = error_messages(visible, asked)
    rows = (
        MessageRow(cluster, explorer_href(narrowed(asked, cluster.search), "-started") if cluster.search else "")
        for cluster in found.clusters
    )
    return MessagesPanel(found, tuple(rows))


def _states(asked: ResultFilter, params: QueryDict) -> tuple[OrderLink, ...]:
    chosen = asked.transient.included
    return tuple(
        OrderLink(label, changed(params, transient=word or None, page=None), chosen == ((word,) if word else ()))
        for word, label in STATES.items()
    )

"""The rows of the page of errors, by title and by message; each number leads to exactly the results that it counts."""

from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.explorer_links import explorer_href, narrowed
from results.filters import Choice, ResultFilter, written
from results.queries.error_messages import ErrorMessages, MessageCluster
from results.queries.error_titles import ErrorTitle, ErrorTitles
from results.statistics import Rate

CHOOSING = ("error", "outcome", "cancelled")  # what tells one row by title from another
STATES = {"yes": "Transient", "no": "Permanent", "unknown": "Unknown"}


@dataclass(frozen=True)
class StateCount:
    """How many results of a line are transient, permanent or neither; `href` leads to them, empty = nowhere."""

    count: int
    href: str


@dataclass(frozen=True)
class TitleRow:
    """One title with one outcome; of errors, cancelled work is a row of its own.

    Attributes:
        share: of all errors of the filter; None for results that are no errors.
        states: transient, permanent, unknown.
        results_href: the explorer with its results. runs_href, tasks_href: the lists of their runs and tasks.
        messages_href: this page with its messages.
        is_chosen: these are shown.
    """

    title: ErrorTitle
    share: Rate | None
    states: tuple[StateCount, ...]
    results_href: str
    runs_href: str
    tasks_href: str
    messages_href: str
    is_chosen: bool


@dataclass(frozen=True)
class MessageRow:
    """Messages of one title and shape.

    Attributes:
        states: transient, permanent, unknown.
        results_href: the explorer with these results; empty = no way leads to them.
        is_search: it is a search for such messages, which may find a few others.
    """

    cluster: MessageCluster
    states: tuple[StateCount, ...]
    results_href: str
    is_search: bool


@dataclass(frozen=True)
class MessagesPanel:
    """Messages: how many there are and were read, and their rows, which name their title where there are several."""

    found: ErrorMessages
    rows: tuple[MessageRow, ...]
    has_titles: bool

    @classmethod
    def of(cls, found: ErrorMessages, meant: ResultFilter) -> "MessagesPanel":
        """The panel of the messages that a filter lets through."""
        rows = tuple(_message_row(cluster, meant) for cluster in found.clusters)
        return cls(found, rows, has_titles=len(meant.error.included) != 1)


@dataclass(frozen=True)
class TitleRows:
    """What the rows of one page have in common.

    Attributes:
        found: everything that the page lists; errors: of the filter, whatever is listed.
        listed: the filter of the list. asked, params: what the address asks for.
    """

    found: ErrorTitles
    errors: int
    listed: ResultFilter
    asked: ResultFilter
    params: QueryDict

    def row(self, title: ErrorTitle) -> TitleRow:
        """The row of a title."""
        own = narrowed(self.listed, error=title.title, outcome=title.outcome)
        same = [other for other in self.found.titles if (other.title, other.outcome) == (title.title, title.outcome)]
        if title.is_cancelled or len(same) > 1:  # without the word, the explorer would show both rows
            own = narrowed(own, cancelled="yes" if title.is_cancelled else "no")
        query = own.to_query()
        return TitleRow(
            title=title,
            share=Rate(title.results, self.errors) if title.outcome == "error" else None,
            states=_state_counts((title.transient, title.permanent, title.unknown), own),
            results_href=explorer_href(own, "-started"),
            runs_href=f"{reverse('runs-list')}?{query}",
            tasks_href=f"{reverse('tasks-list')}?{query}",
            messages_href=self._messages_address(own),
            is_chosen=bool(self.asked.error) and self._is_asked(own),
        )

    def _messages_address(self, own: ResultFilter) -> str:
        copy = self.params.copy()
        for name in CHOOSING:
            copy.setlist(name, written(own.choice(name)))
        copy.pop("page", None)
        return f"?{copy.urlencode()}#messages"

    def _is_asked(self, own: ResultFilter) -> bool:
        wanted = (self.asked.choice(name).included for name in CHOOSING)
        mine = (own.choice(name).included for name in CHOOSING)
        return all(not values or set(values) >= set(value) for values, value in zip(wanted, mine, strict=True))


def _state_counts(counts: tuple[int, int, int], own: ResultFilter) -> tuple[StateCount, ...]:
    """Transient, permanent and unknown ones among the results of a filter."""
    return tuple(
        StateCount(count, explorer_href(narrowed(own, transient=word), "-started") if count else "")
        for word, count in zip(STATES, counts, strict=True)
    )


def _message_row(cluster: MessageCluster, meant: ResultFilter) -> MessageRow:
    counts = (cluster.transient, cluster.permanent, cluster.unknown)
    if cluster.ids:
        own = ResultFilter(result=Choice(tuple(map(str, cluster.ids))))
        return MessageRow(cluster, _state_counts(counts, own), explorer_href(own, "-started"), is_search=False)
    states = tuple(StateCount(count, "") for count in counts)
    if not cluster.search:
        return MessageRow(cluster, states, "", is_search=False)
    own = narrowed(meant, cluster.search, error=cluster.title)
    return MessageRow(cluster, states, explorer_href(own, "-started"), is_search=True)

"""Quick filters above a table of results: outcomes as links, provider and run as fields, the rest as chips."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.columns import changed
from results.filters import OUTCOMES, Choice, ResultFilter
from results.queries.facets import Facet

FIELDS = ("provider", "run")  # filters that have a field of their own
NAMES = {"q": "text"}  # of keys that are no words


@dataclass(frozen=True)
class OutcomeLink:
    """One outcome with its count under the other filters; an empty name stands for all of them."""

    outcome: str
    count: int
    href: str
    is_current: bool


@dataclass(frozen=True)
class Option:
    """One value of a field with its count under the other filters."""

    value: str
    label: str
    count: int
    is_selected: bool


@dataclass(frozen=True)
class Field:
    """A filter that takes one of the values that occur."""

    name: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Chip:
    """An active filter, and the address without it."""

    name: str
    text: str
    remove_href: str


@dataclass(frozen=True)
class Kept:
    """A key of the query that a form carries along."""

    name: str
    value: str


@dataclass(frozen=True)
class QuickFilters:
    """The filters of a page of results.

    Attributes:
        active: every active filter.
        chips: those of them that no link or field shows.
        problems: what the address asks for and cannot be read.
        clear_href: the page without any filter; empty when there is none.
    """

    outcomes: tuple[OutcomeLink, ...]
    fields: tuple[Field, ...]
    active: tuple[Chip, ...]
    chips: tuple[Chip, ...]
    kept: tuple[Kept, ...]
    problems: tuple[str, ...]
    clear_href: str

    @classmethod
    def build(cls, facets: list[Facet], asked: ResultFilter, params: QueryDict) -> "QuickFilters":
        """The filters in the state that the query asks for.

        Args:
            facets: counts under the other filters; those of the outcome and of `FIELDS` are read.
            asked: the filter of the address alone.
            params: the page's query.
        """
        by_name = {facet.name: facet for facet in facets}
        active = dict.fromkeys(name for name, _ in asked.pairs())
        return cls(
            outcomes=_outcomes(by_name["outcome"], asked, params),
            fields=tuple(_field(by_name[name]) for name in FIELDS),
            active=tuple(_chip(name, asked, params) for name in active),
            chips=tuple(_chip(name, asked, params) for name in active if not _is_shown_elsewhere(name, asked)),
            kept=tuple(
                Kept(name, value)
                for name, values in params.lists()
                if name not in (*FIELDS, "page")
                for value in values
            ),
            problems=asked.problems,
            clear_href=changed(params, page=None, **dict.fromkeys(active)) if active else "",
        )


def _is_shown_elsewhere(name: str, asked: ResultFilter) -> bool:
    if name not in (*FIELDS, "outcome"):
        return False
    choice = asked.choice(name)
    return len(choice.included) == 1 and not choice.excluded


def _chip(name: str, asked: ResultFilter, params: QueryDict) -> Chip:
    values = [value for key, value in asked.pairs() if key == name]
    return Chip(
        NAMES.get(name, name.replace("_", " ")), " or ".join(values), changed(params, page=None, **{name: None})
    )


def _outcomes(facet: Facet, asked: ResultFilter, params: QueryDict) -> tuple[OutcomeLink, ...]:
    counts = {option.value: option.count for option in facet.options}
    links = [OutcomeLink("", sum(counts.values()), changed(params, page=None, outcome=None), not asked.outcome)]
    for outcome in OUTCOMES:
        href = changed(params, page=None, outcome=outcome)
        is_current = asked.outcome == Choice((outcome,))
        links.append(OutcomeLink(outcome, counts.get(outcome, 0), href, is_current))
    return tuple(links)


def _field(facet: Facet) -> Field:
    options = (
        Option(_query_value(facet.name, option.value), option.label, option.count, option.selected)
        for option in facet.options
    )
    return Field(facet.name, tuple(sorted(options, key=lambda option: option.label.casefold())))


def _query_value(name: str, value: str | None) -> str:
    """How the address writes one value of a filter, so that it is read back as the same value."""
    return ResultFilter().with_choice(name, Choice((value,))).pairs()[0][1]

"""The filters of a page of results: search, chips, facets and ranges, as one form whose address holds all of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.chips import Chip, chips_of, clear_href
from frontend.contexts.facets import FacetGroup, facet_groups
from frontend.contexts.spans import SpanField, span_fields
from results.filters import SPANS, ResultFilter
from results.queries.facets import Facet

LABELLED = ("evaluation", "outcome")  # facets whose values are not called by themselves
OF_THE_FORM = ("q", "page", "find", *SPANS)  # keys that have a field of their own, or start anew


@dataclass(frozen=True)
class Kept:
    """A key of the query that a form carries along."""

    name: str
    value: str


@dataclass(frozen=True)
class Filters:
    """The filters of a page of results.

    Attributes:
        text: what the search field holds.
        chips: the active filters.
        facets: of every key with values; folded ones have none.
        spans: of every range.
        kept: what the form carries along.
        problems: what the address asks for and cannot be read.
        clear_href: the page without any filter; empty when there is none.
    """

    text: str
    chips: tuple[Chip, ...]
    facets: tuple[FacetGroup, ...]
    spans: tuple[SpanField, ...]
    kept: tuple[Kept, ...]
    problems: tuple[str, ...]
    clear_href: str

    @classmethod
    def build(
        cls, counted: Sequence[Facet], asked: ResultFilter, params: QueryDict, fixed: Iterable[str] = ()
    ) -> "Filters":
        """The filters in the state that the query asks for.

        Args:
            counted: the facets that are shown, each under the other filters.
            asked: the filter of the address alone.
            params: the page's query.
            fixed: keys that the page itself has settled.
        """
        labels = {
            facet.name: {option.value: _label(facet.name, option.label) for option in facet.options}
            for facet in counted
            if facet.name in LABELLED or asked.choice(facet.name)
        }
        fields = {*OF_THE_FORM, *(facet.name for facet in counted)}
        return cls(
            text=asked.text,
            chips=chips_of(asked, labels, params),
            facets=facet_groups(counted, asked, params, fixed),
            spans=span_fields(asked),
            kept=kept(params, {*fields, *fixed}),
            problems=asked.problems,
            clear_href=clear_href(asked, params),
        )


def kept(params: QueryDict, without: Iterable[str]) -> tuple[Kept, ...]:
    """What a form has to carry along, except for the keys that it asks for itself."""
    return tuple(Kept(name, value) for name, values in params.lists() if name not in without for value in values)


def _label(name: str, label: str) -> str:
    return label.lower() if name == "outcome" else label

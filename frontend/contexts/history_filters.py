"""The filters above a list of tasks, runs or errors: menus of values, a range of days, chips."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend import formats
from frontend.contexts.chips import Chip, chips_of, clear_href
from frontend.contexts.evaluation_filter import FilterMenu, MenuOption
from frontend.contexts.filter_words import CHOICE_WORDS
from frontend.contexts.filters import Kept, kept
from frontend.contexts.spans import SpanField, span_fields
from results.filters import UNSPECIFIED, Choice, ResultFilter, written
from results.queries.facets import Facet, FacetOption, facets
from results.queries.projects import project_slugs
from results.queries.visibility import VisibleSet

MENUS = ("project", "suite", "provider", "run")
MOST_OPTIONS = 200  # of a menu; chosen ones are always listed
STARTED = "started"


@dataclass(frozen=True)
class HistoryFilters:
    """What `_history_filters.html` reads.

    Attributes:
        action: the page's own path.
        menus: with values to choose from.
        started: the two fields of the range of days.
        kept: what the form carries along.
        problems: what the address asks for and cannot be read.
        clear_href: the page without any filter; empty when there is none.
    """

    action: str
    menus: tuple[FilterMenu, ...]
    started: SpanField
    chips: tuple[Chip, ...]
    kept: tuple[Kept, ...]
    problems: tuple[str, ...]
    clear_href: str

    @classmethod
    def build(
        cls,
        action: str,
        visible: VisibleSet,
        asked: ResultFilter,
        params: QueryDict,
        names: tuple[str, ...] = MENUS,
        meant: ResultFilter | None = None,
    ) -> "HistoryFilters":
        """The filters in the state that the address asks for.

        Args:
            action: the page's own path.
            visible: evaluations that may be seen.
            asked: the filter of the address.
            params: the page's query.
            names: keys that have a menu; one without a choice has none.
            meant: the filter with what the page itself has settled; None = nothing.
        """
        if "project" in names and len(project_slugs()) <= 1 and not asked.project:
            names = tuple(name for name in names if name != "project")
        counted = facets(visible, meant or asked, names) if names else []
        labels = {facet.name: {option.value: option.label for option in facet.options} for facet in counted}
        fields = {*names, STARTED, f"{STARTED}.from", f"{STARTED}.to", "page"}
        return cls(
            action=action,
            menus=tuple(_menu(facet, asked) for facet in counted if len(facet.options) > 1 or asked.choice(facet.name)),
            started=next(field for field in span_fields(asked) if field.name == STARTED),
            chips=chips_of(asked, labels, params),
            kept=kept(params, fields),
            problems=asked.problems,
            clear_href=clear_href(asked, params),
        )


def _label(option: FacetOption) -> str:
    return option.label if option.value is None else formats.named(option.label, UNSPECIFIED)


def _menu(facet: Facet, asked: ResultFilter) -> FilterMenu:
    chosen = asked.choice(facet.name)
    shown = [option for place, option in enumerate(facet.options) if place < MOST_OPTIONS or option.selected]
    options = tuple(
        MenuOption(written(Choice((option.value,)))[0], _label(option), option.count, option.selected)
        for option in shown
    )
    excluded = tuple(MenuOption(text, f"not {text[1:]}", 0, True) for text in written(Choice((), chosen.excluded)))
    return FilterMenu(
        facet.name, CHOICE_WORDS[facet.name].title, (*excluded, *options), len(chosen.included + chosen.excluded)
    )

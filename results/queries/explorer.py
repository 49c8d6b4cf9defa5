"""One page of the explorer in one question: the rows, what could still be chosen, and how many there are at all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.queries.conditions import Plan, filtered, question
from results.queries.facet_counts import FacetReader
from results.queries.facets import FACETS, Facet, FacetValues, facets_of, known_names, ordered
from results.queries.results import MAX_SIZE, ResultPage, page_under, with_evaluations
from results.queries.sorting import Sort, sort_columns
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class Exploration:
    """A page of results and the facets beside it.

    Attributes:
        total_of: results of the visible evaluations, whatever the filter; `page.total` counts those of the filter.
    """

    page: ResultPage
    facets: tuple[Facet, ...]
    total_of: int


@dataclass(frozen=True)
class _Found:
    """What the facts say; names of evaluations may change while these do not."""

    page: ResultPage
    values: FacetValues
    total_of: int


def explore(
    visible: VisibleSet,
    chosen: ResultFilter,
    sort: str = "",
    page: int = 1,
    size: int = 50,
    names: Sequence[str] = FACETS,
) -> Exploration:
    """What `result_page` and `facets` say, from one reading of the facts and one text search.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        sort: as `result_page` takes it.
        page: the same.
        size: the same.
        names: as `facets` takes them.

    Raises:
        KeyError: a name is not one of `results.filters.CHOICES`.
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    wanted, order = known_names(names), Sort.parse(sort)
    asked = ResultPage((), 0, page, 1, max(1, min(size, MAX_SIZE)))
    key = None if order.name == "evaluation" else question("explore", chosen, order, page, asked.size, keys=wanted)
    found = answer(
        visible.evaluation_ids,
        visible.key,
        key,
        lambda reading: _explore(reading, chosen, visible, order, asked, wanted),
    )
    return Exploration(
        page=replace(found.page, rows=with_evaluations(found.page.rows)),
        facets=tuple(facets_of(found.values, wanted, chosen, visible)),
        total_of=found.total_of,
    )


def _explore(
    reading: Reading,
    chosen: ResultFilter,
    visible: VisibleSet,
    order: Sort,
    asked: ResultPage,
    names: tuple[str, ...],
) -> _Found:
    plan = Plan(f"{FacetReader.columns(names)} {sort_columns(reading, order)}", names)
    with filtered(reading, chosen, visible, plan) as conditions:
        reader = FacetReader(reading, conditions, chosen)
        counts = reader.counts(names)
        page = page_under(reading, conditions, order, asked, reader.total())
    return _Found(page, ordered(counts, names), reading.count())

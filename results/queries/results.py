"""Pages of results: filtered, sorted by any column, missing values always last."""

from dataclasses import dataclass, replace

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation
from results.price_table import price_table
from results.queries.conditions import Conditions, Plan, filtered, question
from results.queries.price_overlay import at_one_price
from results.queries.reviews import UNREVIEWED, reviews_of
from results.queries.rows import ResultRow, named_rows, row_columns
from results.queries.sorting import Sort, sort_columns, sorted_rows
from results.queries.visibility import VisibleSet

__all__ = ["MAX_SIZE", "ResultPage", "ResultRow", "result_page", "result_rows"]

MAX_SIZE = 1_000  # rows of one page


@dataclass(frozen=True)
class ResultPage:
    """One page. `total` counts all results of the filter; `pages` is at least 1; `page` lies in 1..pages."""

    rows: tuple[ResultRow, ...]
    total: int
    page: int
    pages: int
    size: int


def result_page(visible: VisibleSet, chosen: ResultFilter, sort: str = "", page: int = 1, size: int = 50) -> ResultPage:
    """One page of the results that a filter means.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        sort: a name of `sorting.SORTS`, `-` before it for descending; empty or unknown = by id (evaluation, then
            document order). Missing values come last both ways, ties in order of id; names sort by code points.
        page: counted from 1; a page past the end is the last one.
        size: rows per page, 1 to 1,000.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    size = max(1, min(size, MAX_SIZE))
    order = Sort.parse(sort)
    # Names of evaluations may change while the facts do not, so an order by them is not remembered.
    asked = None if order.name == "evaluation" else question("page", chosen, order, page, size)
    found = answer(
        visible.evaluation_ids,
        visible.key,
        asked,
        lambda reading: _page(reading, chosen, visible, order, ResultPage((), 0, page, 1, size)),
    )
    return replace(found, rows=with_evaluations(found.rows))


def result_rows(visible: VisibleSet, result_ids: tuple[int, ...]) -> tuple[ResultRow, ...]:
    """The rows of some results, in the order of the ids; ids that cannot be seen are left out."""
    if not result_ids:
        return ()
    rows = answer(
        visible.evaluation_ids,
        visible.key,
        ("rows", result_ids, price_table().key),
        lambda reading: _rows(reading, visible, result_ids),
    )
    return with_evaluations(rows)


def result_rows_unsaved(visible: VisibleSet, result_ids: tuple[int, ...]) -> tuple[ResultRow, ...]:
    """The same for many results that are asked for once, so the answer is not remembered."""
    return with_evaluations(
        answer(visible.evaluation_ids, visible.key, None, lambda reading: _rows(reading, visible, result_ids))
    )


def _page(reading: Reading, chosen: ResultFilter, visible: VisibleSet, order: Sort, asked: ResultPage) -> ResultPage:
    with filtered(reading, chosen, visible, Plan(sort_columns(reading, order))) as conditions:
        return page_under(reading, conditions, order, asked, conditions.count())


def page_under(reading: Reading, conditions: Conditions, order: Sort, asked: ResultPage, total: int) -> ResultPage:
    """The page of the results that meet some conditions; the names of evaluations, which may change, are empty.

    Args:
        reading: of the facts.
        conditions: of a filter.
        order: of the rows.
        asked: holds the wanted number and size of the page.
        total: how many results meet the conditions.
    """
    pages = max(1, -(-total // asked.size))
    page = max(1, min(asked.page, pages))
    rows = sorted_rows(reading, conditions, order, (page - 1) * asked.size, asked.size)
    return ResultPage(named_rows(reading, rows), total, page, pages, asked.size)


def _rows(reading: Reading, visible: VisibleSet, result_ids: tuple[int, ...]) -> tuple[ResultRow, ...]:
    at_one_price(reading, visible)
    listed = ", ".join(map(str, result_ids))
    evaluations = ", ".join(map(str, {result_id // RESULTS_PER_EVALUATION for result_id in result_ids}))
    columns = row_columns(reading)
    rows = reading.rows(
        f"SELECT {columns} FROM {reading.table('results', columns)} "
        f"WHERE evaluation_id IN ({evaluations}) AND result_id IN ({listed})"
    )
    place = {result_id: number for number, result_id in enumerate(result_ids)}
    return named_rows(reading, sorted(rows, key=lambda row: place[row[0]]))


def with_evaluations(rows: tuple[ResultRow, ...]) -> tuple[ResultRow, ...]:
    """The same rows with the names of their evaluations, and with what people say of them, as both are now."""
    names = dict(Evaluation.objects.filter(pk__in={row.evaluation_id for row in rows}).values_list("pk", "name"))
    reviews = reviews_of([row.id for row in rows])
    return tuple(
        replace(row, evaluation=names.get(row.evaluation_id, ""), review=reviews.get(row.id, UNREVIEWED))
        for row in rows
    )

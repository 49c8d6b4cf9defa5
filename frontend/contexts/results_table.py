"""The table of results with its filters, shared by every page that shows one."""

from dataclasses import dataclass, replace
from functools import reduce

from django.http import QueryDict
from django.urls import reverse

from frontend import formats
from frontend.contexts.columns import Header, headers, order_of
from frontend.contexts.exports import ExportLink, export_links, report_href
from frontend.contexts.facets import shown_facets
from frontend.contexts.filters import Filters
from frontend.contexts.pager import Pager, page_of, size_of
from frontend.contexts.result_columns import COLUMNS, ColumnChooser, shown_columns
from frontend.contexts.selection import Selection
from frontend.contexts.unknown_values import unknown_values
from results.answer_heads import AnswerPreview
from results.filters import OUTCOMES, Choice, ResultFilter
from results.queries.explorer import explore
from results.queries.facets import Facet
from results.queries.previews import answer_previews
from results.queries.results import ResultRow
from results.queries.visibility import VisibleSet
from results.text.index import lagging
from results.text.query import has_words
from results.text.search import TooManyToScanError

SIZES = (25, 50, 100, 200)  # rows of a page
USUAL_SIZE = 50
IN_DOCUMENT_ORDER = "id"
OF_ONE_EVALUATION = ("project", "evaluation")  # keys that are the same for all its results
OF_THE_LIST = ("cols", "size", "page")  # what leads back to this page of the list, beside the filter and the order


@dataclass(frozen=True)
class TableRow:
    """One row; `answer` is the beginning of what it answered: None = not recorded, or the column is hidden."""

    result: ResultRow
    answer: AnswerPreview | None


@dataclass(frozen=True)
class ResultsTable:
    """What `_results_table.html` and its parts read.

    Attributes:
        address: of the page, without a query.
        is_empty: there are no results at all, with or without a filter.
        breakdown: the results that match, by outcome.
        columns: keys of the columns shown.
        rows: of the page.
        row_query: what the link of each row carries, so that its page knows the list it is in.
        total: how many results match; `total_of` counts them without the filter.
        is_across_evaluations: the rows come from several evaluations.
        report_href: the form of a new report about the same rows.
        lagging: how many evaluations are not searchable to the end yet; 0 where no text is asked for.
    """

    address: str
    is_empty: bool
    headers: tuple[Header, ...]
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    row_query: str
    total: int
    total_of: int
    breakdown: str
    pager: Pager
    filters: Filters
    chooser: ColumnChooser
    exports: tuple[ExportLink, ...]
    report_href: str
    selection: Selection
    is_across_evaluations: bool
    lagging: int

    @classmethod
    def build(cls, visible: VisibleSet, params: QueryDict, evaluation_id: int | None = None) -> "ResultsTable":
        """The table for a query with filters, `sort`, `cols`, `size` and `page`.

        Args:
            visible: the evaluations that may be read.
            params: the page's query.
            evaluation_id: the one evaluation that the page is about; None = all that are visible.
        """
        asked = ResultFilter.parse(params)
        asked = replace(asked, problems=(*asked.problems, *_own_problems(params), *_search_problems(asked)))
        try:
            return cls._of(visible, asked, params, evaluation_id)
        except TooManyToScanError as error:
            asked = replace(asked.without("text"), problems=(*asked.problems, str(error)))
            rest = params.copy()
            rest.pop("q", None)
            return cls._of(visible, asked, rest, evaluation_id)

    @classmethod
    def _of(
        cls, visible: VisibleSet, asked: ResultFilter, params: QueryDict, evaluation_id: int | None
    ) -> "ResultsTable":
        fixed: tuple[str, ...] = ()
        meant, scope = asked, visible
        if evaluation_id is not None:
            fixed = OF_ONE_EVALUATION
            asked = reduce(ResultFilter.without, fixed, asked)
            meant = asked.with_choice("evaluation", Choice((str(evaluation_id),)))
            scope = VisibleSet.of(visible.evaluation_ids & {evaluation_id})
        columns, sort = shown_columns(params, fixed), order_of(COLUMNS, params, "")
        size = size_of(params, SIZES, USUAL_SIZE)
        found = explore(scope, asked, sort, page_of(params), size, shown_facets(asked, params, fixed))
        page, keys = found.page, tuple(column.key for column in columns)
        return cls(
            address=reverse("results-list")
            if evaluation_id is None
            else reverse("evaluation-show", args=(evaluation_id,)),
            is_empty=not page.total and not asked and not asked.problems,
            headers=headers(columns, sort, params),
            columns=keys,
            rows=_rows(scope, page.rows, "answer" in keys),
            row_query=_row_query(meant, sort, params) if evaluation_id is None or asked or sort else "",
            total=page.total,
            total_of=found.total_of,
            breakdown=_breakdown(found.facets[0], asked) if page.total else "",
            pager=Pager.build(page.page, page.size, page.total, params, SIZES),
            filters=Filters.build(found.facets, asked, params, fixed),
            chooser=ColumnChooser.build(columns, params, fixed),
            exports=export_links(meant, sort, keys),
            report_href=report_href(meant, sort, keys),
            selection=Selection.build(params, page.total, len(page.rows), evaluation_id),
            is_across_evaluations=evaluation_id is None,
            lagging=_lagging(scope, asked),
        )


def _rows(visible: VisibleSet, rows: tuple[ResultRow, ...], has_answers: bool) -> tuple[TableRow, ...]:
    previews = answer_previews(visible, rows) if has_answers else {}
    return tuple(TableRow(row, previews.get(row.id)) for row in rows)


def _own_problems(params: QueryDict) -> tuple[str, ...]:
    """What is wrong with the order and the part of the list that the address asks for."""
    orders = {} if params.get("sort") == IN_DOCUMENT_ORDER else {"sort": COLUMNS}
    return unknown_values(params, {"size": map(str, SIZES)}, orders)


def _search_problems(asked: ResultFilter) -> tuple[str, ...]:
    """What is wrong with a search that finds everything, because it says nothing to look for."""
    if not asked.text.strip() or has_words(asked.text):
        return ()
    return (f'The search {asked.text} holds no word to look for, so nothing is left out. Signs alone: exact:"…".',)


def _row_query(meant: ResultFilter, sort: str, params: QueryDict) -> str:
    """The query of a result's page; without it, that page takes the result's own evaluation for the list."""
    query = QueryDict(mutable=True)
    for name, value in meant.pairs():
        query.appendlist(name, value)
    query["sort"] = sort or IN_DOCUMENT_ORDER
    for name in OF_THE_LIST:
        if name in params:
            query[name] = params.get(name, "")
    return f"?{query.urlencode()}"


def _breakdown(outcomes: Facet, asked: ResultFilter) -> str:
    """`79 failed, 13 error`, of the outcomes that the filter lets through."""
    included, excluded = asked.outcome.included, asked.outcome.excluded
    counts = {
        option.value: option.count
        for option in outcomes.options
        if option.count and option.value not in excluded and (not included or option.value in included)
    }
    return ", ".join(f"{formats.count(counts[word])} {word}" for word in OUTCOMES if word in counts)


def _lagging(scope: VisibleSet, asked: ResultFilter) -> int:
    if not (asked.text or asked.cancelled):
        return 0
    included = {int(value) for value in asked.evaluation.included if value is not None}
    return len(lagging(scope.evaluation_ids & included if included else scope.evaluation_ids))

"""The table of results, shared by every page that shows one."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict

from frontend.contexts.columns import Column, Header, headers, order_of
from frontend.contexts.filters import FIELDS, QuickFilters
from frontend.contexts.pager import Pager, page_of
from results.filters import Choice, ResultFilter
from results.queries.facets import facets
from results.queries.results import ResultRow, result_page
from results.queries.visibility import VisibleSet
from results.text.search import TooManyToScanError

PAGE_SIZE = 50  # rows
INPUT_HINT = "Effective input tokens: with cache reads and writes where the provider counts them apart"
OUTPUT_HINT = "Effective output tokens: with reasoning where the provider counts it apart"
TASK = Column("task", "Task")
EVALUATION = Column("evaluation", "Evaluation")
COLUMNS = (
    Column("outcome", "Outcome"),
    Column("provider", "Provider"),
    Column("run", "Run"),
    Column("input_tokens", "Input", is_number=True, starts_descending=True, hint=INPUT_HINT),
    Column("output_tokens", "Output", is_number=True, starts_descending=True, hint=OUTPUT_HINT),
    Column("duration", "Model time", is_number=True, starts_descending=True),
    Column("tool_calls", "Tool calls", is_number=True, starts_descending=True),
)


@dataclass(frozen=True)
class ResultsTable:
    """What `_results_table.html` reads.

    Attributes:
        is_across_evaluations: the rows come from several evaluations, so each names its own.
        result_query: goes on the link to each result, so that its page knows the list and its order.
    """

    headers: tuple[Header, ...]
    rows: tuple[ResultRow, ...]
    pager: Pager
    filters: QuickFilters
    is_across_evaluations: bool
    result_query: str

    @classmethod
    def build(cls, visible: VisibleSet, params: QueryDict, evaluation_id: int | None = None) -> "ResultsTable":
        """The table for a query with filters, `sort` and `page`.

        Args:
            visible: the evaluations that may be read.
            params: the page's query.
            evaluation_id: the one evaluation that the page is about; None = all that are visible.
        """
        asked = ResultFilter.parse(params)
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
        meant = asked
        if evaluation_id is not None:
            asked = asked.without("evaluation")
            meant = asked.with_choice("evaluation", Choice((str(evaluation_id),)))
        columns = (TASK, *((EVALUATION,) if evaluation_id is None else ()), *COLUMNS)
        sort = order_of(columns, params, "")
        page = result_page(visible, meant, sort, page_of(params), PAGE_SIZE)
        return cls(
            headers=headers(columns, sort, params),
            rows=page.rows,
            pager=Pager.build(page.page, PAGE_SIZE, page.total, params),
            filters=QuickFilters.build(facets(visible, meant, ("outcome", *FIELDS)), asked, params),
            is_across_evaluations=evaluation_id is None,
            result_query=f"?{urlencode([*meant.pairs(), ('sort', sort or 'id')])}",
        )

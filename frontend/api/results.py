"""Results: filtered, sorted and paged; one result with its document; facets."""

from dataclasses import asdict
from datetime import datetime

import msgspec
from django.http import HttpRequest
from ninja import Query, Router, Schema

from frontend.api.answers import ErrorAnswer, not_found
from frontend.api.asking import (
    USUAL_ROWS,
    Cursor,
    Exact,
    FilterQuery,
    Id,
    Json,
    Limit,
    asked_filter,
    known_sort,
    listed,
    next_cursor,
    page_at,
    require_known,
    visible,
)
from results.filters import CHOICES
from results.models.evaluations import TimeSource
from results.queries.answer_texts import got_text
from results.queries.detail import ResultDetail, result_detail
from results.queries.facets import FACETS, facets
from results.queries.results import result_page
from results.queries.rows import ResultRow

router = Router(tags=["results"])


class ReviewAnswer(Schema):
    """What people say of a result, beside what is recorded."""

    corrected: str | None
    is_confirmed: bool
    reason: str | None
    labels: list[str]
    comments: list[str]


class Result(Schema):
    """One result. `duration_ns` is model time; tokens are effective ones of the model; null = unknown."""

    id: int
    evaluation_id: int
    evaluation: str
    provider: str
    run: str
    model: str | None
    task: str
    suite: str | None
    category: str | None
    difficulty: str | None
    tags: list[str]
    outcome: str
    repeat: int
    attempts: int | None
    duration_ns: int | None
    input_tokens: int | None
    output_tokens: int | None
    tool_calls: int | None
    started_at: datetime
    started_at_source: str
    is_transient: bool | None
    error_title: str | None
    cost: Exact | None
    currency: str | None
    cost_state: str
    review: ReviewAnswer


class ResultList(Schema):
    """One page of results; `count` is of all that match, `next` the cursor of the page that follows."""

    items: list[Result]
    count: int
    next: str | None


class ResultWithDocument(Result):
    """One result with its answer as text and the document that it was read from."""

    trace_id: str
    answer: str | None
    document: Json


class FacetValue(Schema):
    """One value and how many results have it under the other keys; null = unspecified."""

    value: str | None
    label: str
    count: int


class FacetAnswer(Schema):
    """The values of one key, most frequent first."""

    name: str
    values: list[FacetValue]


class FacetList(Schema):
    """The facets asked for."""

    items: list[FacetAnswer]


@router.get("", response={200: ResultList, 422: ErrorAnswer})
def list_results(
    request: HttpRequest,
    filters: Query[FilterQuery],  # type: ignore[valid-type]  # noqa: ARG001
    sort: str = "",
    cursor: Cursor = "",
    limit: Limit = USUAL_ROWS,
) -> Json:
    """Results that the filter lets through, a page at a time; missing values come last both ways."""
    asked = asked_filter(request, "sort", "cursor", "limit")
    page = result_page(visible(request), asked, known_sort(sort), page_at(cursor, limit), limit)
    return {
        "items": [item(row) for row in page.rows],
        "count": page.total,
        "next": next_cursor(page.page, page.pages, limit),
    }


@router.get("/{result_id}", response={200: ResultWithDocument, 404: ErrorAnswer, 422: ErrorAnswer})
def show_result(request: HttpRequest, result_id: Id) -> Json:
    """One result."""
    found = result_detail(visible(request), result_id)
    if found is None:
        raise not_found("result", result_id)
    return _with_document(found)


facet_router = Router(tags=["results"])


@facet_router.get("", response={200: FacetList, 422: ErrorAnswer})
def list_facets(request: HttpRequest, filters: Query[FilterQuery], names: str = "") -> Json:  # type: ignore[valid-type]  # noqa: ARG001
    """How many results have each value of some keys, each counted under the filter's other keys."""
    asked = asked_filter(request, "names")
    wanted = require_known(listed(names), CHOICES, "query.names") or FACETS
    return {
        "items": [{"name": facet.name, "values": facet.options} for facet in facets(visible(request), asked, wanted)]
    }


def item(row: ResultRow) -> dict[str, Json]:
    """One result as the API gives it."""
    return {
        **asdict(row),
        "started_at_source": str(TimeSource(row.started_at_source).label),
        "cost_state": row.cost_reason.state,
    }


def _with_document(found: ResultDetail) -> dict[str, Json]:
    return {
        **item(found.row),
        "trace_id": found.record.trace_id,
        "answer": got_text(bytes(found.record.got)),
        "document": msgspec.Raw(found.source),
    }

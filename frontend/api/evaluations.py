"""Evaluations: listed, read, described, deleted; and the projects that they belong to."""

from dataclasses import asdict
from datetime import datetime

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from evaluator.jobs import send
from frontend.api.answers import ErrorAnswer, not_found
from frontend.api.asking import (
    USUAL_ROWS,
    Body,
    Cursor,
    Id,
    Json,
    Limit,
    known_word,
    next_cursor,
    page_at,
    visible,
)
from frontend.api.jobs import ACCEPTED, JobAnswer, job_answer
from results.models.evaluations import TimeSource
from results.queries.evaluations import (
    DEFAULT_ORDER,
    ORDERS,
    EvaluationFilter,
    EvaluationRow,
    evaluation_choices,
    evaluation_page,
    evaluation_row,
)
from results.store.describing import describe, set_baseline
from results.store.removals import request_removal

router = Router(tags=["evaluations"])
project_router = Router(tags=["evaluations"])


class EvaluationAnswer(Schema):
    """One evaluation. Times say where they come from; rates are null without a denominator."""

    id: int
    project: str
    state: str
    name: str
    note: str
    labels: list[str]
    is_baseline: bool
    format: str
    file_name: str
    digest: str
    size_bytes: int
    app_name: str
    app_version: str
    created_at: datetime | None
    created_at_source: str
    started_at: datetime | None
    started_at_source: str
    imported_at: datetime
    results: int
    n: int
    passed: int
    failed: int
    error: int
    skipped: int
    pass_rate: float | None
    accuracy: float | None
    error_rate: float | None
    runs: int
    tasks: int
    tool_calls_recorded: int


class EvaluationList(Schema):
    """One page of evaluations; `count` is of all that match."""

    items: list[EvaluationAnswer]
    count: int
    next: str | None


class EvaluationQuery(Schema):
    """Which evaluations; values of one key are alternatives, `search` looks in names, notes and labels."""

    project: list[str] = []
    format: list[str] = []
    label: list[str] = []
    search: str = ""
    sort: str = DEFAULT_ORDER
    cursor: Cursor = ""
    limit: Limit = USUAL_ROWS


class EvaluationPatch(Body):
    """What may be changed; what is left out stays."""

    name: str | None = Field(default=None, min_length=1, max_length=10_000, description="one line")
    note: str | None = Field(default=None, max_length=1_000_000)
    labels: list[str] | None = Field(default=None, max_length=100, description="exactly these")
    baseline: bool | None = None


class ProjectAnswer(Schema):
    """One project and how many evaluations it has."""

    slug: str
    evaluations: int


class ProjectList(Schema):
    """The projects with visible evaluations, by name."""

    items: list[ProjectAnswer]


@project_router.get("", response={200: ProjectList})
def list_projects(request: HttpRequest) -> Json:
    """The projects."""
    found = evaluation_choices(visible(request)).projects
    return {"items": [{"slug": slug, "evaluations": count} for slug, count in found.items()]}


@router.get("", response={200: EvaluationList, 422: ErrorAnswer})
def list_evaluations(request: HttpRequest, asked: Query[EvaluationQuery]) -> Json:
    """The visible evaluations, the latest first."""
    known_word(asked.sort.removeprefix("-"), tuple(ORDERS), "query.sort")
    chosen = EvaluationFilter(
        search=asked.search,
        projects=tuple(asked.project),
        formats=tuple(asked.format),
        labels=tuple(asked.label),
    )
    page = page_at(asked.cursor, asked.limit)
    found = evaluation_page(visible(request), chosen, asked.sort, page=page, size=asked.limit)
    following = next_cursor(page, -(-found.total // asked.limit), asked.limit)
    return {"items": [item(row) for row in found.rows], "count": found.total, "next": following}


@router.get("/{evaluation_id}", response={200: EvaluationAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def show_evaluation(request: HttpRequest, evaluation_id: Id) -> Json:
    """One evaluation."""
    return item(_row(request, evaluation_id))


@router.patch(
    "/{evaluation_id}",
    response={200: EvaluationAnswer, 400: ErrorAnswer, 404: ErrorAnswer, 413: ErrorAnswer, 422: ErrorAnswer},
)
def change_evaluation(request: HttpRequest, evaluation_id: Id, patch: EvaluationPatch) -> Json:
    """Change the name, the note or the labels, or make it the baseline of its project, or no longer."""
    row = _row(request, evaluation_id)
    describe(
        evaluation_id,
        name=row.name if patch.name is None else patch.name,
        note=row.note if patch.note is None else patch.note,
        labels=row.labels if patch.labels is None else patch.labels,
    )
    if patch.baseline is not None:
        set_baseline(evaluation_id, is_baseline=patch.baseline)
    return item(_row(request, evaluation_id))


@router.delete("/{evaluation_id}", response={202: JobAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def delete_evaluation(request: HttpRequest, evaluation_id: Id) -> Status[Json]:
    """Hide an evaluation at once; the job that is the answer removes it."""
    job = request_removal([_row(request, evaluation_id).id], "Delete 1 evaluation")
    if job is None:
        raise not_found("evaluation", evaluation_id)
    send(job.pk)
    return Status(ACCEPTED, job_answer(job.pk))


def item(row: EvaluationRow) -> dict[str, Json]:
    """One evaluation as the API gives it."""
    outcomes = row.outcomes
    return {
        **asdict(row),
        "created_at_source": str(TimeSource(row.created_at_source).label),
        "started_at_source": str(TimeSource(row.started_at_source).label),
        "n": outcomes.counted,
        "error": row.errors,
        "pass_rate": outcomes.pass_rate.value,
        "accuracy": outcomes.accuracy.value,
        "error_rate": outcomes.error_rate.value,
        "tool_calls_recorded": row.calls,
    }


def _row(request: HttpRequest, evaluation_id: int) -> EvaluationRow:
    row = evaluation_row(visible(request), evaluation_id)
    if row is None:
        raise not_found("evaluation", evaluation_id)
    return row

"""Specs, sprints and iterations of a code project."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import msgspec
from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from frontend.api.answers import ErrorAnswer, not_found
from frontend.api.asking import LARGEST_ID, USUAL_ROWS, Cursor, Id, Json, Limit, next_cursor, page_at
from results.iteration_verdicts import computed_verdict
from results.queries.iterations import IterationRow, iteration_detail, iteration_page, sprint_detail
from results.queries.sprints import SprintRow, sprint_rows

SprintId = Annotated[int, Field(ge=1, le=LARGEST_ID)]
router = Router(tags=["sprints"])
spec_router = Router(tags=["sprints"])
iteration_router = Router(tags=["sprints"])


class SprintMarkAnswer(Schema):
    """One iteration of a sprint: the revision that counts."""

    id: int
    iteration: int
    verdict: str
    recorded_at: datetime | None


class SprintAnswer(Schema):
    """One sprint: a contract, joined with its spec where that is known; null = not recorded."""

    id: int
    project: str
    contract_id: str
    title: str
    number: int | None
    spec_id: str
    spec_title: str
    verdict: str | None
    passed_on: int | None
    is_first_try: bool | None
    iterations: list[SprintMarkAnswer]


class SprintList(Schema):
    """All sprints, by project, spec and number."""

    items: list[SprintAnswer]


class SpecAnswer(Schema):
    """One spec with the ids of its sprints."""

    id: int
    project: str
    spec_id: str
    title: str
    sprints: list[int]


class SpecList(Schema):
    """The specs that some sprint belongs to."""

    items: list[SpecAnswer]


class IterationAnswer(Schema):
    """One stored revision of an iteration."""

    id: int
    iteration: int
    revision: int
    is_latest: bool
    verdict: str
    digest: str
    file_name: str
    recorded_at: datetime | None
    imported_at: datetime


class SprintDetailAnswer(SprintAnswer):
    """One sprint with the stored revisions that count and its contract's own document; null = never imported."""

    revisions: list[IterationAnswer]
    contract: Json


class SprintIterationAnswer(IterationAnswer):
    """The stored revision of an iteration that counts, and its sprint."""

    sprint_id: int


class IterationList(Schema):
    """One page of iterations; `count` is of all that match."""

    items: list[SprintIterationAnswer]
    count: int
    next: str | None


class WarningAnswer(Schema):
    """Something odd, and where."""

    path: str
    message: str


class IterationDetailAnswer(IterationAnswer):
    """One iteration: the recorded verdict beside ours, and its own document."""

    sprint_id: int
    computed_verdict: str | None
    is_disagreeing: bool
    warnings: list[WarningAnswer]
    document: Json


@router.get("", response={200: SprintList})
def list_sprints(request: HttpRequest, project: str = "", search: str = "") -> Json:  # noqa: ARG001
    """The sprints."""
    return {"items": [_sprint(row) for row in sprint_rows(project or None, search)]}


@router.get("/{sprint_id}", response={200: SprintDetailAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def show_sprint(request: HttpRequest, sprint_id: Id) -> Json:  # noqa: ARG001
    """One sprint."""
    found = sprint_detail(sprint_id)
    if found is None:
        raise not_found("sprint", sprint_id)
    return {
        **_sprint(found.row),
        "revisions": [_iteration(entry.row) for entry in found.iterations],
        "contract": msgspec.Raw(found.source) if found.source else None,
    }


@spec_router.get("", response={200: SpecList})
def list_specs(request: HttpRequest, project: str = "") -> Json:  # noqa: ARG001
    """The specs."""
    found: dict[int, dict[str, Json]] = {}
    for row in sprint_rows(project or None):
        if row.spec is not None:
            usual = {"id": row.spec, "project": row.project, "spec_id": row.spec_id, "title": row.spec_title}
            found.setdefault(row.spec, {**usual, "sprints": []})["sprints"].append(row.id)
    return {"items": list(found.values())}


@iteration_router.get("", response={200: IterationList, 422: ErrorAnswer})
def list_iterations(
    request: HttpRequest,  # noqa: ARG001
    project: str = "",
    sprint: SprintId | None = None,
    cursor: Cursor = "",
    limit: Limit = USUAL_ROWS,
) -> Json:
    """The iterations, the last imported first; of each the revision that counts."""
    page = page_at(cursor, limit)
    found = iteration_page(project, sprint, page, limit)
    items = [{**_iteration(row), "sprint_id": sprint_id} for sprint_id, row in found.rows]
    return {"items": items, "count": found.total, "next": next_cursor(page, -(-found.total // limit), limit)}


@iteration_router.get("/{iteration_id}", response={200: IterationDetailAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def show_iteration(request: HttpRequest, iteration_id: Id) -> Json:  # noqa: ARG001
    """One iteration."""
    found = iteration_detail(iteration_id)
    if found is None:
        raise not_found("iteration", iteration_id)
    return {
        **_iteration(found.row),
        "sprint_id": found.sprint.id,
        "computed_verdict": computed_verdict(found.record),
        "is_disagreeing": found.is_disagreeing,
        "warnings": [{"path": warning.path, "message": warning.message} for warning in found.warnings],
        "document": msgspec.Raw(found.source),
    }


def _sprint(row: SprintRow) -> dict[str, Json]:
    return {
        **asdict(row),
        "verdict": row.verdict,
        "passed_on": row.passed_on,
        "is_first_try": row.is_first_try,
    }


def _iteration(row: IterationRow) -> dict[str, Json]:
    return asdict(row)

"""Background work: listed, read, cancelled; imports and merges begin as jobs."""

from datetime import datetime
from typing import Annotated, Any, BinaryIO, cast

from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from evaluator.jobs import send
from frontend.api.answers import ApiError, ErrorAnswer, not_found
from frontend.api.asking import USUAL_ROWS, Body, Cursor, Id, Json, Limit, next_cursor, page_at, visible
from frontend.upload_handler import StagedFile
from results.importers.registry import IMPORTERS
from results.importers.source import ImportRefused, Limits
from results.importing import reason_of
from results.intake import check_project, find_project, queue_import
from results.jobs import request_cancel
from results.merge_sources import MergeRefused
from results.merging import queue_merge
from results.models.jobs import Job, Upload
from results.queries.jobs import JobRow, job_messages, job_report, job_row, job_rows
from results.reach import within
from results.uploads import stage

ACCEPTED = 202  # the job is queued
MOST_SOURCES = 1_000  # of one merge
_BINARY = {"type": "string", "format": "binary"}
BODY = {
    "application/octet-stream": {"schema": _BINARY},
    "multipart/form-data": {"schema": {"type": "object", "properties": {"file": _BINARY}, "required": ["file"]}},
}
ProjectSlug = Annotated[str, Field(max_length=100, description="an existing project or a new one")]
FileName = Annotated[str, Field(min_length=1, max_length=1_000, description="what the file is called")]

router = Router(tags=["jobs"])
import_router = Router(tags=["jobs"])
merge_router = Router(tags=["jobs"])


class JobMessage(Schema):
    """One line of a job's log."""

    level: str
    text: str
    created_at: datetime


class JobAnswer(Schema):
    """One job. `done` and `total` are in `unit`; null = not known. `report` says what came of it."""

    id: int
    kind: str
    state: str
    project: str | None
    title: str
    done: int
    total: int | None
    unit: str
    error: str
    is_cancel_requested: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class JobDetail(JobAnswer):
    """One job with its log and report."""

    report: dict[str, Any]
    messages: list[JobMessage]


class JobList(Schema):
    """One page of jobs, the newest first."""

    items: list[JobAnswer]
    count: int
    next: str | None


class MergeRequest(Body):
    """Evaluations in the order in which later ones win, and the name of the new one; empty = one is made up."""

    evaluations: list[int] = Field(min_length=1, max_length=MOST_SOURCES)
    name: str = Field(default="", max_length=10_000)


@router.get("", response={200: JobList, 422: ErrorAnswer})
def list_jobs(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL_ROWS) -> Json:  # noqa: ARG001
    """The jobs, the newest first."""
    page = page_at(cursor, limit)
    found = within(Job.objects.order_by("-pk"))
    count = found.count()
    ids = list(found.values_list("pk", flat=True)[(page - 1) * limit : page * limit])
    rows = job_rows(ids)
    items = [_item(rows[pk]) for pk in ids if pk in rows]
    return {"items": items, "count": count, "next": next_cursor(page, -(-count // limit), limit)}


@router.get("/{job_id}", response={200: JobDetail, 404: ErrorAnswer, 422: ErrorAnswer})
def show_job(request: HttpRequest, job_id: Id) -> Json:  # noqa: ARG001
    """One job with its report."""
    return {**job_answer(job_id), "report": job_report(job_id), "messages": job_messages(job_id)}


@router.post("/{job_id}/cancel", response={202: JobAnswer, 404: ErrorAnswer, 409: ErrorAnswer, 422: ErrorAnswer})
def cancel_job(request: HttpRequest, job_id: Id) -> Status[Json]:  # noqa: ARG001
    """Ask a job to stop; what it stored stays only where its report says so."""
    answer = job_answer(job_id)
    if not request_cancel(job_id):
        raise ApiError(409, "ended", f"Job {job_id} has ended: {answer['state']}.", "path.job_id")
    return Status(ACCEPTED, job_answer(job_id))


@import_router.post(
    "",
    response={202: JobAnswer, 400: ErrorAnswer, 413: ErrorAnswer, 422: ErrorAnswer, 507: ErrorAnswer},
    openapi_extra={"requestBody": {"required": True, "content": BODY}},
)
def import_file(
    request: HttpRequest,
    project: ProjectSlug = "default",
    name: FileName = "upload",
    format: str = "",  # noqa: A002
) -> Status[Json]:
    """Import a results file, sent as the body itself or as the field `file` of a form; the answer is the job."""
    if format and format not in IMPORTERS:
        raise ApiError(422, "invalid", f"format={format} is not one of {', '.join(IMPORTERS)}.", "query.format")
    try:
        check_project(project)
        upload = _upload(request, name)
        job = queue_import(find_project(project), upload, **({"format": format} if format else {}))
    except ImportRefused as error:
        is_large = "larger than" in str(error)
        raise ApiError(413 if is_large else 422, "too_large" if is_large else "invalid", reason_of(error)) from error
    except OSError as error:
        raise ApiError(507, "no_room", reason_of(error)) from error
    send(job.pk)
    return Status(ACCEPTED, job_answer(job.pk))


@merge_router.post("", response={202: JobAnswer, 400: ErrorAnswer, 413: ErrorAnswer, 422: ErrorAnswer})
def merge_evaluations(request: HttpRequest, asked: MergeRequest) -> Status[Json]:
    """Make a new evaluation of several: the last result wins per provider, run and task; the sources stay."""
    known = visible(request).evaluation_ids
    for pk in asked.evaluations:
        if pk not in known:
            raise ApiError(422, "invalid", f"There is no evaluation {pk}.", "body.evaluations")
    try:
        job = queue_merge(asked.evaluations, asked.name)
    except MergeRefused as error:
        raise ApiError(422, "invalid", str(error), "body.evaluations") from error
    send(job.pk)
    return Status(ACCEPTED, job_answer(job.pk))


def job_answer(job_id: int) -> dict[str, Json]:
    """One job as the API gives it.

    Raises:
        ApiError: 404 when there is no such job.
    """
    row = job_row(job_id)
    if row is None:
        raise not_found("job", job_id)
    return _item(row)


def _item(row: JobRow) -> dict[str, Json]:
    return {name: getattr(row, name) for name in JobAnswer.model_fields}


def _upload(request: HttpRequest, name: str) -> Upload:
    if request.content_type != "multipart/form-data":
        if request.headers.get("Content-Length", "") in ("", "0") and "Transfer-Encoding" not in request.headers:
            raise ApiError(422, "invalid", "The body is empty: send the file's bytes.", "body")
        return stage(cast("BinaryIO", request), name, Limits(file_bytes=settings.MAX_UPLOAD_BYTES))
    files = cast("list[StagedFile]", request.FILES.getlist("file"))
    if len(files) != 1:
        raise ApiError(422, "invalid", "Send one file, as the field `file`.", "body.file")
    return files[0].keep(files[0].name or name)

"""Saved reports: what they are about. Their numbers are those of `summary` and `compare`, their files their pages'."""

from datetime import datetime

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from ninja import Router, Schema, Status
from pydantic import Field

from frontend.api.answers import ApiError, ErrorAnswer, not_found
from frontend.api.asking import Body, Id, Json, known_sort, require_known, visible
from frontend.contexts.report_asked import MOST_NOTES, OF_THE_FILTER, AskedReport
from results.exports.fields import COLUMN_FIELDS
from results.exports.report.asked import CHARTS
from results.saved_reports import SavedReport, delete_report, keep_report, saved_report, saved_reports

CREATED, NO_CONTENT = 201, 204
MOST_QUERY = 20_000  # characters
router = Router(tags=["reports"])


class PickAnswer(Schema):
    """An evaluation that was picked; its id is null when it was deleted."""

    id: int | None
    name: str


class ReportBrief(Schema):
    """One report in the list; `evaluations` counts the picked ones, 0 = all, `links` those that open it now."""

    id: int
    title: str
    project: str | None
    evaluations: int
    baseline_name: str
    changed_at: datetime
    links: int


class ReportList(Schema):
    """The reports, the last changed first."""

    items: list[ReportBrief]
    count: int


class ReportAnswer(Schema):
    """One report; `query` is its filter as the address of the results page has it, `baseline` what it was asked for."""

    id: int
    title: str
    notes: str
    project: str | None
    query: str
    sort: str
    columns: list[str]
    charts: list[str]
    evaluations: list[PickAnswer]
    baseline: str
    baseline_name: str
    created_at: datetime
    changed_at: datetime
    address: str


class ReportBody(Body):
    """A report to be saved."""

    title: str = Field(min_length=1, max_length=10_000, description="one line")
    notes: str = Field(default="", max_length=MOST_NOTES, description="plain text")
    query: str = Field(default="", max_length=MOST_QUERY, description="a filter, as in the address of the results page")
    sort: str = ""
    columns: list[str] = Field(default=[], max_length=len(COLUMN_FIELDS), description="of its rows; none = all")
    charts: list[str] = Field(default=list(CHARTS), max_length=len(CHARTS))
    baseline: str = Field(default="", max_length=100, description="`<evaluation>`, `<evaluation>:<run>`, or empty")


@router.get("", response={200: ReportList})
def list_reports(request: HttpRequest) -> Json:
    """The saved reports."""
    found = saved_reports(visible(request))
    return {"items": found, "count": len(found)}


@router.get("/{report_id}", response={200: ReportAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def show_report(request: HttpRequest, report_id: Id) -> Json:
    """One report."""
    return _answer(request, _report(request, report_id))


@router.post("", response={201: ReportAnswer, 400: ErrorAnswer, 422: ErrorAnswer})
def create_report(request: HttpRequest, body: ReportBody) -> Status[Json]:
    """Save a report."""
    form = QueryDict(mutable=True)
    form.update({"title": body.title, "notes": body.notes, OF_THE_FILTER: body.query, "baseline": body.baseline})
    form["sort"] = known_sort(body.sort)
    form["cols"] = ",".join(require_known(body.columns, tuple(COLUMN_FIELDS), "body.columns"))
    form["charts"] = "chosen"
    form.setlist("chart", list(require_known(body.charts, tuple(CHARTS), "body.charts")))
    if not body.columns:
        del form["cols"]
    asked = AskedReport.from_form(visible(request), form)
    if asked.problems:
        raise ApiError(422, "invalid", asked.problems[0], "body")
    kept = keep_report(visible(request), asked.draft)
    return Status(CREATED, _answer(request, _report(request, kept or 0)))


@router.delete("/{report_id}", response={204: None, 404: ErrorAnswer, 422: ErrorAnswer})
def remove_report(request: HttpRequest, report_id: Id) -> Status[None]:
    """Delete a report with its links."""
    delete_report(_report(request, report_id).id)
    return Status(NO_CONTENT, None)


def _report(request: HttpRequest, report_id: int) -> SavedReport:
    found = saved_report(visible(request), report_id)
    if found is None:
        raise not_found("report", report_id)
    return found


def _answer(request: HttpRequest, report: SavedReport) -> dict[str, Json]:
    return {
        "id": report.id,
        "title": report.title,
        "notes": report.notes,
        "project": report.project,
        "query": report.chosen.to_query(),
        "sort": report.sort,
        "columns": list(report.columns),
        "charts": list(report.charts),
        "evaluations": [{"id": pick.id, "name": pick.name} for pick in report.picks],
        "baseline": AskedReport.from_saved(visible(request), report).baseline,
        "baseline_name": report.baseline_name,
        "created_at": report.created_at,
        "changed_at": report.changed_at,
        "address": request.build_absolute_uri(reverse("report-show", args=(report.id,))),
    }

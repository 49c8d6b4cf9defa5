"""Exports: filtered results in any format, whole evaluations, and iterations of sprints."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Query, Router, Schema

from frontend.api.answers import ApiError, ErrorAnswer, not_found
from frontend.api.asking import FilterQuery, Id, Json, asked_filter, known_sort, listed, require_known, visible
from frontend.downloads import attachment, gathered, iterations_file
from results.exports.documents import NoDocumentError
from results.exports.fields import COLUMN_FIELDS
from results.exports.iterations import file_stem, latest_of_sprint
from results.exports.registry import CONTENT_TYPES, EXPORTS, ITERATION_FORMATS
from results.exports.table import table_of
from results.exports.table_formats import TABLE_FORMATS
from results.models.evaluations import Evaluation
from results.models.sprints import Iteration

OF_RESULTS, OF_AN_EVALUATION, OF_ITERATIONS = "results", "evaluation", "iterations"
COLUMNS = tuple(COLUMN_FIELDS)
_TYPES = [*(form.content_type for form in TABLE_FORMATS.values()), *(form.content_type for form in EXPORTS.values())]
_FILES: dict[str, Any] = {content_type: {"schema": {}} for content_type in (*_TYPES, *CONTENT_TYPES.values())}
DESCRIBED = {"responses": {200: {"description": "the file", "content": _FILES}}}


class ExportFormat(Schema):
    """A format: of filtered `results`, of a whole `evaluation`, or of `iterations`, one or all of a sprint."""

    name: str
    of: str
    content_type: str


class ExportFormatList(Schema):
    """The formats."""

    items: list[ExportFormat]


router = Router(tags=["exports"])


@router.get("", response={200: ExportFormatList})
def list_formats(request: HttpRequest) -> Json:  # noqa: ARG001
    """The formats that there are."""
    tables = [
        {"name": name, "of": OF_RESULTS, "content_type": form.content_type} for name, form in TABLE_FORMATS.items()
    ]
    whole = [
        {"name": name, "of": OF_AN_EVALUATION, "content_type": form.content_type} for name, form in EXPORTS.items()
    ]
    single = [
        {"name": name, "of": OF_ITERATIONS, "content_type": CONTENT_TYPES[form.suffix]}
        for name, form in ITERATION_FORMATS.items()
    ]
    return {"items": [*tables, *whole, *single]}


@router.get("/{format}", response={404: ErrorAnswer, 422: ErrorAnswer}, openapi_extra=DESCRIBED)
def export(
    request: HttpRequest,
    format: str,  # noqa: A002
    filters: Query[FilterQuery],  # type: ignore[valid-type]  # noqa: ARG001
    sort: str = "",
    cols: str = "",
) -> Any:  # noqa: ANN401 (a stream, which ninja sends as it is)
    """Every result that the filter lets through, in order, without a limit; or the evaluation that it names.

    `cols` are columns of the explorer, with commas; none = all.
    """
    if format in EXPORTS:
        return _evaluation(request, format)
    form = TABLE_FORMATS.get(format)
    if form is None:
        raise not_found("format", format)
    asked = asked_filter(request, "sort", "cols")
    columns = require_known(listed(cols), COLUMNS, "query.cols")
    table = table_of(visible(request), asked, known_sort(sort), columns, settings.VERSION)
    headers = attachment(f"results.{form.suffix}")
    return StreamingHttpResponse(gathered(b"", form.write(table)), content_type=form.content_type, headers=headers)


@router.get(
    "/{format}/iterations/{iteration_id}", response={404: ErrorAnswer, 422: ErrorAnswer}, openapi_extra=DESCRIBED
)
def export_iteration(request: HttpRequest, format: str, iteration_id: Id) -> Any:  # noqa: A002, ANN401, ARG001
    """One revision of an iteration: its own document, or a report of it."""
    iteration = Iteration.objects.select_related("sprint").filter(pk=iteration_id).first()
    if iteration is None:
        raise not_found("iteration", iteration_id)
    return _iterations([iteration_id], format, file_stem(iteration))


@router.get("/{format}/sprints/{sprint_id}", response={404: ErrorAnswer, 422: ErrorAnswer}, openapi_extra=DESCRIBED)
def export_sprint(request: HttpRequest, format: str, sprint_id: Id) -> Any:  # noqa: A002, ANN401, ARG001
    """The iterations of a sprint, the latest revision of each."""
    found = latest_of_sprint(sprint_id)
    if not found:
        raise not_found("sprint with iterations", sprint_id)
    return _iterations(found, format, f"sprint-{sprint_id}")


def _iterations(ids: list[int], name: str, stem: str) -> HttpResponse:
    file = iterations_file(ids, name, stem)
    if file is None:
        raise not_found("format of iterations", name)
    return file


def _evaluation(request: HttpRequest, name: str) -> StreamingHttpResponse:
    asked = asked_filter(request)
    named = asked.evaluation.included
    if len(named) != 1 or asked.without("evaluation") or asked.evaluation.excluded:
        raise ApiError(422, "invalid", f"{name} holds a whole evaluation: evaluation=ID alone.", "query.evaluation")
    evaluation_id = int(named[0] or 0)
    evaluation = Evaluation.objects.filter(pk=evaluation_id).first()
    if evaluation is None or evaluation_id not in visible(request).evaluation_ids:
        raise not_found("evaluation", evaluation_id)
    form = EXPORTS[name]
    pieces = form.write(evaluation)
    try:
        first = next(pieces, b"")
    except NoDocumentError as error:
        raise ApiError(404, "not_found", f"Evaluation {evaluation_id} has no {name} document.", "path") from error
    headers = attachment(f"evaluation-{evaluation_id}.{form.suffix}")
    return StreamingHttpResponse(gathered(first, pieces), content_type=form.content_type, headers=headers)

"""Files: filtered results in the order and with the columns of the page, whole evaluations, iterations of sprints."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.columns import order_of
from frontend.contexts.result_columns import COLUMNS, shown_columns
from frontend.downloads import HEADERS, attachment, gathered, iterations_file
from results.exports.documents import NoDocumentError
from results.exports.iterations import file_stem, latest_of_sprint
from results.exports.registry import EXPORTS
from results.exports.table import table_of
from results.exports.table_formats import TABLE_FORMATS
from results.filters import ResultFilter
from results.models.evaluations import Evaluation
from results.models.sprints import Iteration
from results.text.search import TooManyToScanError


@require_safe
def export_results(request: HttpRequest, name: str) -> HttpResponseBase:
    """All results that the query's filters let through, streamed; what the page cannot read is left out here too."""
    form = TABLE_FORMATS.get(name)
    if form is None:
        raise Http404
    columns = [column.key for column in shown_columns(request.GET)]
    asked, sort = ResultFilter.parse(request.GET), order_of(COLUMNS, request.GET, "")
    try:
        table = table_of(visible_evaluations(request), asked, sort, columns, settings.VERSION)
    except TooManyToScanError as error:
        return HttpResponse(f"{error}\n", content_type="text/plain; charset=utf-8", headers=HEADERS, status=400)
    headers = attachment(f"results.{form.suffix}")
    return StreamingHttpResponse(gathered(b"", form.write(table)), content_type=form.content_type, headers=headers)


@require_safe
def export_evaluation(request: HttpRequest, evaluation_id: int, name: str) -> HttpResponseBase:
    """A whole evaluation in one of the formats that hold one, streamed."""
    form = EXPORTS.get(name)
    evaluation = Evaluation.objects.filter(pk=evaluation_id).first()
    if form is None or evaluation is None or evaluation_id not in visible_evaluations(request).evaluation_ids:
        raise Http404
    pieces = form.write(evaluation)
    try:
        first = next(pieces, b"")
    except NoDocumentError as error:
        raise Http404 from error
    headers = attachment(f"evaluation-{evaluation_id}.{form.suffix}")
    return StreamingHttpResponse(gathered(first, pieces), content_type=form.content_type, headers=headers)


@require_safe
def export_iteration(_request: HttpRequest, iteration_id: int, name: str) -> HttpResponse:
    """One revision of an iteration: its own document, or a report of it."""
    iteration = Iteration.objects.select_related("sprint").filter(pk=iteration_id).first()
    if iteration is None:
        raise Http404
    return _found(iterations_file([iteration_id], name, file_stem(iteration)))


@require_safe
def export_sprint(_request: HttpRequest, sprint_id: int, name: str) -> HttpResponse:
    """All iterations of a sprint, the latest revision of each."""
    found = latest_of_sprint(sprint_id)
    if not found:
        raise Http404
    return _found(iterations_file(found, name, f"sprint-{sprint_id}"))


def _found(file: HttpResponse | None) -> HttpResponse:
    if file is None:
        raise Http404
    return file

"""Downloads of source documents: exact bytes, never shown by the browser; and ids of results as plain text."""

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.downloads import HEADERS, attachment, gathered
from frontend.views.tidying import with_tidy_address
from results.exports.documents import NoDocumentError
from results.exports.live import export_live
from results.filters import ResultFilter
from results.models.evaluations import Evaluation
from results.queries.detail import result_document
from results.queries.ids import result_ids
from results.queries.visibility import VisibleSet
from results.text.search import TooManyToScanError


@require_safe
def download_result(request: HttpRequest, result_id: int) -> HttpResponse:
    """The document of one result: compact JSON, every token as imported."""
    source = result_document(visible_evaluations(request), result_id)
    if source is None:
        raise Http404
    return HttpResponse(source, content_type="application/json", headers=attachment(f"result-{result_id}.json"))


@require_safe
def download_evaluation(request: HttpRequest, evaluation_id: int) -> HttpResponseBase:
    """The document of a whole evaluation, streamed: white space removed, everything else as it came."""
    if evaluation_id not in visible_evaluations(request).evaluation_ids:
        raise Http404
    evaluation = Evaluation.objects.filter(pk=evaluation_id).first()
    if evaluation is None:
        raise Http404
    pieces = export_live(evaluation)
    try:
        first = next(pieces, b"")
    except NoDocumentError as error:
        raise Http404 from error
    headers = attachment(f"evaluation-{evaluation_id}.json")
    return StreamingHttpResponse(gathered(first, pieces), content_type="application/json", headers=headers)


@require_safe
@with_tidy_address
def list_ids(request: HttpRequest, evaluation_id: int | None = None) -> HttpResponse:
    """The ids of the results that the query's filters let through, one a line; of one evaluation or of all."""
    visible, asked = visible_evaluations(request), ResultFilter.parse(request.GET)
    if evaluation_id is not None:
        if evaluation_id not in visible.evaluation_ids:
            raise Http404
        visible, asked = VisibleSet.of(frozenset({evaluation_id})), asked.without("evaluation").without("project")
    try:
        lines, status = [str(pk) for pk in result_ids(visible, asked)], 200
    except TooManyToScanError as error:
        lines, status = [str(error)], 400
    text = "".join(f"{line}\n" for line in lines)
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=HEADERS, status=status)

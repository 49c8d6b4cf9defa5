"""Filtered results as a file, in the order and with the columns of the page."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from frontend.access import visible_evaluations
from frontend.contexts.columns import order_of
from frontend.contexts.result_columns import COLUMNS, shown_columns
from frontend.views.documents import HEADERS, attachment, gathered
from results.exports.table import table_of
from results.exports.table_formats import TABLE_FORMATS
from results.filters import ResultFilter
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

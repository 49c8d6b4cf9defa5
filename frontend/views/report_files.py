"""Reports as files, and as pages of their own for whoever has a link to one."""

from collections.abc import Callable, Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from frontend.access import shared_evaluations, visible_evaluations
from frontend.contexts.report_asked import AskedReport
from frontend.contexts.shared import SharedGonePage
from frontend.downloads import HEADERS, attachment, gathered
from frontend.rendering import render_page
from results.exports.report.asked import ReportAsked
from results.exports.report.file import write_report
from results.exports.report.look import look
from results.exports.report.markdown import write_markdown
from results.exports.table import Table, table_of
from results.exports.table_formats import TABLE_FORMATS
from results.report_links import LinkState, open_link
from results.saved_reports import saved_report
from results.text.search import TooManyToScanError

WHOLE: dict[str, Callable[[ReportAsked, Table], Iterator[bytes]]] = {"html": write_report, "markdown": write_markdown}
UNTITLED = "Untitled report"
GONE, MISSING = 410, 404
SECRET = {  # of everything at a secret address
    **HEADERS,
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


@require_safe
def export_report(request: HttpRequest, report_id: int, name: str) -> HttpResponseBase:
    """A report as a file, or its rows in one of the other formats."""
    visible = visible_evaluations(request)
    report = saved_report(visible, report_id)
    if report is None:
        raise Http404
    return _file(report.asked(visible), report.sort, report.columns, name, f"report-{report_id}")


@require_safe
def export_unsaved(request: HttpRequest, name: str) -> HttpResponseBase:
    """The report that an address asks for, as a file, without saving it."""
    visible = visible_evaluations(request)
    draft = AskedReport.from_address(visible, request.GET).draft
    title = draft.title or UNTITLED
    asked = ReportAsked(title, draft.notes, visible, draft.chosen, draft.baseline, draft.charts)
    return _file(asked, draft.sort, draft.columns, name, "report")


@require_safe
def show_shared(request: HttpRequest, token: str) -> HttpResponseBase:
    """A report for whoever has its link: read-only, by itself, without an account."""
    opened = open_link(token)
    if opened is None or opened.state != LinkState.OPEN:
        page = SharedGonePage.of(opened)
        response: HttpResponseBase = render_page(
            request, "shared_gone.html", page, status=MISSING if opened is None else GONE
        )
        return with_secrecy(response)
    report = saved_report(None, opened.report_id)
    if report is None:
        raise Http404
    asked = report.asked(shared_evaluations(report))
    response = _file(asked, report.sort, report.columns, "html", "")
    response.headers["Content-Security-Policy"] = f"{look().policy}; frame-ancestors 'none'"
    return with_secrecy(response)


def with_secrecy(response: HttpResponseBase) -> HttpResponseBase:
    """Let a secret address be kept by nobody: no cache, no index, no page that is opened from here."""
    for header, value in SECRET.items():
        response.headers[header] = value
    return response


def _file(asked: ReportAsked, sort: str, columns: tuple[str, ...], name: str, stem: str) -> HttpResponseBase:
    """A report's file; without a stem it is shown instead of saved."""
    form = TABLE_FORMATS.get(name)
    if form is None:
        raise Http404
    try:
        table = table_of(asked.visible, asked.chosen, sort, columns, settings.VERSION)
    except TooManyToScanError as error:
        return HttpResponse(f"{error}\n", content_type="text/plain; charset=utf-8", headers=HEADERS, status=400)
    pieces = WHOLE[name](asked, table) if name in WHOLE else form.write(table)
    headers = attachment(f"{stem}.{form.suffix}") if stem else {}
    return StreamingHttpResponse(gathered(b"", pieces), content_type=form.content_type, headers=headers)

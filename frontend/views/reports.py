"""Pages about saved reports."""

import ipaddress

from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from frontend.access import visible_evaluations
from frontend.contexts.confirm import ConfirmPage
from frontend.contexts.report import DAYS, ReportPage
from frontend.contexts.report_asked import AskedReport
from frontend.contexts.report_form import ReportFormPage
from frontend.contexts.reports import ReportsPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from results.report_links import create_link, revoke_link
from results.saved_reports import SavedReport, delete_report, keep_report, saved_report

PLACE = "Reports"
UNPROCESSABLE = 422


@require_safe
def list_reports(request: HttpRequest) -> HttpResponse:
    """Every report, the last changed first."""
    page = ReportsPage.build(Shell.build(request, PLACE), visible_evaluations(request))
    return render_page(request, "reports_list.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
def new_report(request: HttpRequest) -> HttpResponse:
    """The form of a new report, filled with what the address asks for; a POST saves it and leads to it."""
    visible = visible_evaluations(request)
    if request.method != "POST":
        return _form(request, AskedReport.from_address(visible, request.GET))
    return _saved(request, None)


@require_safe
def show_report(request: HttpRequest, report_id: int) -> HttpResponse:
    """One report with its numbers of today."""
    return _page(request, _report(request, report_id))


@require_http_methods(["GET", "HEAD", "POST"])
def edit_report(request: HttpRequest, report_id: int) -> HttpResponse:
    """The form of a report; a POST changes it and leads back."""
    report = _report(request, report_id)
    if request.method != "POST":
        return _form(request, AskedReport.from_saved(visible_evaluations(request), report), report_id)
    return _saved(request, report_id)


@require_http_methods(["GET", "HEAD", "POST"])
def remove_report(request: HttpRequest, report_id: int) -> HttpResponse:
    """Ask whether a report shall be deleted; a POST deletes it with its links."""
    report = _report(request, report_id)
    if request.method != "POST":
        return render_page(
            request, "confirm.html", ConfirmPage.for_report(Shell.build(request, PLACE), report), part="question"
        )
    delete_report(report_id)
    return leave(redirect("reports-list"), Toast(f"Report deleted: {report.title}"))


@require_POST
def share_report(request: HttpRequest, report_id: int) -> HttpResponse:
    """Make a link to a report. This answer is the page itself: the link is known now, and never again."""
    report = _report(request, report_id)
    days = request.POST.get("days", "")
    if days not in {str(number) for number in DAYS}:
        raise Http404
    token = create_link(report.id, int(days))
    response = _page(request, report, request.build_absolute_uri(reverse("report-shared", args=(token,))))
    response.headers["Cache-Control"] = "no-store"
    return response


@require_POST
def revoke_share(request: HttpRequest, report_id: int, link_id: int) -> HttpResponse:
    """Let a link open nothing any more."""
    _report(request, report_id)
    words = "The link opens nothing any more." if revoke_link(report_id, link_id) else "The link was revoked already."
    return leave(redirect("report-show", report_id), Toast(words))


def _report(request: HttpRequest, report_id: int) -> SavedReport:
    report = saved_report(visible_evaluations(request), report_id)
    if report is None:
        raise Http404
    return report


def _page(request: HttpRequest, report: SavedReport, new_link: str = "") -> HttpResponse:
    page = ReportPage.build(
        Shell.build(request, PLACE),
        visible_evaluations(request),
        report,
        new_link=new_link,
        is_local=is_local(request.get_host()),
    )
    return render_page(request, "report_show.html", page)


def _form(request: HttpRequest, asked: AskedReport, report_id: int | None = None, status: int = 200) -> HttpResponse:
    params = request.POST if request.method == "POST" else request.GET
    shell = Shell.build(request, PLACE)
    page = ReportFormPage.build(shell, visible_evaluations(request), asked, params, report_id)
    return render_page(request, "report_edit.html", page, status=status)


def _saved(request: HttpRequest, report_id: int | None) -> HttpResponse:
    visible = visible_evaluations(request)
    asked = AskedReport.from_form(visible, request.POST)
    if "update" in request.POST:  # the ticked evaluations bring their runs into the form
        return _form(request, asked, report_id)
    if asked.problems:
        return _form(request, asked, report_id, UNPROCESSABLE)
    kept = keep_report(visible, asked.draft, report_id)
    if kept is None:
        raise Http404
    return leave(redirect("report-show", kept), Toast(f"Saved: {asked.draft.title}"))


def is_local(host: str) -> bool:
    """Whether a host, as a request names it, is this machine for whoever asks."""
    name = split_domain_port(host)[0].strip("[]")
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"

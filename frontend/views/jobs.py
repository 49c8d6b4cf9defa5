"""Pages about background work."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluator.jobs import send
from frontend.access import visible_evaluations
from frontend.contexts.confirm import ConfirmPage, chosen_jobs, jobs_address
from frontend.contexts.job import JobPage
from frontend.contexts.jobs import JobsPage
from frontend.contexts.shell import Shell
from frontend.formats import plural
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from results.jobs import request_cancel
from results.models.jobs import Job
from results.queries.jobs import job_report, job_row, unfinished_jobs
from results.store.removals import stored_by, undo


@require_safe
def list_jobs(request: HttpRequest) -> HttpResponse:
    """The jobs, the newest first, or those of one batch."""
    page = JobsPage.build(Shell.build(request, counts_jobs=False), visible_evaluations(request), request.GET)
    page = replace(page, shell=Shell.build(request))  # counted last: a job that ends meanwhile is not counted for ever
    return render_page(request, "jobs_list.html", page, part="jobs-live")


@require_safe
def show_job(request: HttpRequest, job_id: int) -> HttpResponse:
    """One job; that of a live trial is shown by the trial's page."""
    page = JobPage.build(Shell.build(request, counts_jobs=False), visible_evaluations(request), job_id)
    if page is None:
        raise Http404
    if page.entry.href != request.path:
        return redirect(page.entry.href)
    page = replace(page, shell=Shell.build(request))  # see above
    return render_page(request, "job_show.html", page, part="job-live")


@require_safe
def count_jobs(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (Django passes it)
    """How many jobs wait or run, in words for the top bar; empty for none."""
    number = unfinished_jobs()
    words = plural(number, "job") if number else ""
    return HttpResponse(words, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})


@require_safe
def download_report(request: HttpRequest, job_id: int) -> HttpResponse:  # noqa: ARG001  (Django passes it)
    """What came of an import, as JSON like the one of the command line."""
    if job_row(job_id) is None:
        raise Http404
    disposition = f'attachment; filename="import-{job_id}.json"'
    return JsonResponse(
        job_report(job_id), json_dumps_params={"indent": 2}, headers={"Content-Disposition": disposition}
    )


@require_POST
def cancel_jobs(request: HttpRequest) -> HttpResponse:
    """Ask jobs to stop, and go back to their page."""
    ids = chosen_jobs(request.POST)
    number = sum(request_cancel(job_id) for job_id in ids)
    return leave(
        redirect(jobs_address(request.POST)),
        Toast(f"Asked to stop: {plural(number, 'job')}" if number else "Nothing was left to stop."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def undo_jobs(request: HttpRequest) -> HttpResponse:
    """Ask whether an import shall be undone; a POST does it and leads back to the job."""
    if request.method != "POST":
        page = ConfirmPage.for_undo(Shell.build(request), visible_evaluations(request), request.GET)
        return render_page(request, "confirm.html", page, part="question")
    ids = chosen_jobs(request.POST)
    is_empty = stored_by(ids).is_empty
    job = undo(ids, "Undo of an import")
    if job is not None:
        send(job.pk)
    return leave(redirect(jobs_address(request.POST)), _undo_toast(job, is_empty=is_empty))


def _undo_toast(job: Job | None, *, is_empty: bool) -> Toast:
    if is_empty:
        return Toast("Nothing of this import was left to undo.")
    return Toast("The import was undone.", *(() if job is None else (reverse("job-show", args=[job.pk]), "The undo")))

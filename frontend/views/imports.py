"""The page that takes files in."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.datastructures import MultiValueDict
from django.views.decorators.http import require_http_methods

from evaluator.jobs import send
from frontend.access import visible_evaluations
from frontend.contexts.imports import ImportPage, Submission, check, submit
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from frontend.upload_handler import StagedFile

UNPROCESSABLE = 422


@require_http_methods(["GET", "HEAD", "POST"])
def import_files(request: HttpRequest) -> HttpResponse:
    """The form; a POST queues a job for each file and leads to the jobs."""
    if request.method != "POST":
        return _page(request, None)
    if request.POST.get("check") == "project":
        return _page(request, check(request.POST), part="import-project")
    submission = submit(request.POST, cast("MultiValueDict[str, StagedFile]", request.FILES))
    for job_id in submission.job_ids:
        send(job_id)
    if submission.problems or submission.project_problem:
        return _page(request, submission)
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=204, headers={"HX-Redirect": submission.address})
    return redirect(submission.address)


def _page(request: HttpRequest, submission: Submission | None, part: str = "import-problems") -> HttpResponse:
    page = ImportPage.build(Shell.build(request), visible_evaluations(request), request.GET, submission)
    is_wrong = submission is not None and bool(submission.problems or submission.project_problem)
    return render_page(request, "import.html", page, part=part, status=UNPROCESSABLE if is_wrong else 200)

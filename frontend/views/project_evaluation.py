"""The page that evaluates a code project."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from evaluator.jobs import send
from frontend.contexts.project_evaluation import EvaluateProjectPage, ProjectRefusedError, submit
from frontend.contexts.shell import Shell
from frontend.rendering import render_page

UNPROCESSABLE = 422


@require_http_methods(["GET", "HEAD", "POST"])
def evaluate_project(request: HttpRequest) -> HttpResponse:
    """What would run in a folder; a POST queues it and leads to its job."""
    shell = Shell.build(request, "Sprints")
    if request.method != "POST":
        return render_page(request, "project_evaluate.html", EvaluateProjectPage.build(shell, request.GET))
    try:
        job = submit(request.POST)
    except ProjectRefusedError as refusal:
        page = EvaluateProjectPage.build(shell, request.POST, str(refusal))
        return render_page(request, "project_evaluate.html", page, status=UNPROCESSABLE)
    send(job.pk)
    return redirect("job-show", job.pk)

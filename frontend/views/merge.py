"""The page that merges evaluations."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from evaluator.jobs import send
from frontend.access import visible_evaluations
from frontend.contexts.confirm import chosen_evaluations
from frontend.contexts.merge import MergePage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page
from results.merge_sources import MergeRefused
from results.merging import queue_merge

UNPROCESSABLE = 422


@require_http_methods(["GET", "HEAD", "POST"])
def merge_evaluations(request: HttpRequest) -> HttpResponse:
    """What a merge would hold; a POST queues it and leads to its job."""
    visible, shell = visible_evaluations(request), Shell.build(request, "Evaluations")
    if request.method != "POST":
        return render_page(request, "merge.html", MergePage.build(shell, visible, request.GET))
    ids = [pk if pk in visible.evaluation_ids else -1 for pk in chosen_evaluations(visible, request.POST)]
    try:
        job = queue_merge(ids, request.POST.get("name", ""))
    except MergeRefused as refusal:
        page = MergePage.build(shell, visible, request.POST, str(refusal).replace("evaluation -1", "such evaluation"))
        return render_page(request, "merge.html", page, status=UNPROCESSABLE)
    send(job.pk)
    return redirect("job-show", job.pk)

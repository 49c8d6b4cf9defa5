"""The page that deletes old evaluations by a rule."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from evaluator.jobs import send
from frontend.access import visible_evaluations
from frontend.contexts.confirm import chosen_evaluations
from frontend.contexts.retention import RetentionPage, read_rule
from frontend.contexts.shell import Shell
from frontend.formats import plural
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from results.retention import carry_out


@require_http_methods(["GET", "HEAD", "POST"])
def delete_old(request: HttpRequest) -> HttpResponse:
    """What the query's rule would delete; a POST deletes what was shown and is still old and not needed."""
    visible = visible_evaluations(request)
    if request.method != "POST":
        page = RetentionPage.build(Shell.build(request, "Evaluations"), visible, request.GET)
        return render_page(request, "retention.html", page)
    rule, _ = read_rule(request.GET)
    job = carry_out(rule, visible.evaluation_ids.intersection(chosen_evaluations(visible, request.POST)))
    if job is None:
        return leave(redirect("retention"), Toast("Nothing was deleted: it was gone already, or is needed by now."))
    send(job.pk)
    toast = Toast(f"{plural(job.total or 0, 'evaluation')} deleted.", reverse("job-show", args=[job.pk]), "The job")
    return leave(redirect("evaluations-list"), toast)

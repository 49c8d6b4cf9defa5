"""Pages about evaluations."""

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluator.jobs import send
from frontend.access import visible_evaluations
from frontend.contexts.confirm import ConfirmPage, chosen_evaluations
from frontend.contexts.evaluation import EvaluationPage
from frontend.contexts.evaluation_edit import EvaluationEditPage
from frontend.contexts.evaluations import EvaluationsPage
from frontend.contexts.shell import Shell
from frontend.formats import plural
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from frontend.views.addresses import way_back
from frontend.views.tidying import with_tidy_address, without_blanks
from results.queries.evaluations import evaluation_names
from results.store.describing import describe, set_baseline
from results.store.removals import request_removal


@require_safe
@without_blanks
def list_evaluations(request: HttpRequest) -> HttpResponse:
    """Every visible evaluation, newest first unless the query says otherwise."""
    page = EvaluationsPage.build(Shell.build(request, "Evaluations"), visible_evaluations(request), request.GET)
    return render_page(request, "evaluations_list.html", page, part="evaluations-table")


@require_safe
@with_tidy_address
def show_evaluation(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """One evaluation and its results."""
    shell = Shell.build(request, "Evaluations")
    page = EvaluationPage.build(shell, visible_evaluations(request), evaluation_id, request.GET)
    if page is None:
        raise Http404
    return render_page(request, "evaluation_show.html", page, part="parts")


@require_http_methods(["GET", "HEAD", "POST"])
def edit_evaluation(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """The form for name, note and labels; a POST keeps them and leads back."""
    visible, back = visible_evaluations(request), way_back(request, reverse("evaluation-show", args=[evaluation_id]))
    if request.method != "POST":
        page = EvaluationEditPage.build(Shell.build(request, "Evaluations"), visible, evaluation_id, back)
        if page is None:
            raise Http404
        return render_page(request, "evaluation_edit.html", page, part="form")
    if evaluation_id not in visible.evaluation_ids:
        raise Http404
    labels = [*request.POST.getlist("label"), *request.POST.get("new_labels", "").split(",")]
    describe(evaluation_id, name=request.POST.get("name", ""), note=request.POST.get("note", ""), labels=labels)
    saved = evaluation_names(visible, [evaluation_id]).get(evaluation_id, "")
    return leave(redirect(back), Toast(f"Saved: name, note and labels of {saved}"))


@require_safe
def ask_to_delete(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """Ask whether this one evaluation shall be deleted."""
    visible = visible_evaluations(request)
    if evaluation_id not in visible.evaluation_ids:
        raise Http404
    page = ConfirmPage.for_evaluations(
        Shell.build(request, "Evaluations"), visible, QueryDict(f"evaluation={evaluation_id}")
    )
    return render_page(request, "confirm.html", page, part="question")


@require_POST
def mark_evaluation(request: HttpRequest, evaluation_id: int) -> HttpResponse:
    """Make an evaluation the baseline of its project, or no longer."""
    name = evaluation_names(visible_evaluations(request), [evaluation_id]).get(evaluation_id)
    if name is None:
        raise Http404
    is_baseline = request.POST.get("baseline") == "yes"
    set_baseline(evaluation_id, is_baseline=is_baseline)
    words = f"The baseline of its project is {name} now" if is_baseline else f"No longer the baseline: {name}"
    return leave(redirect(way_back(request, reverse("evaluation-show", args=[evaluation_id]))), Toast(words))


@require_http_methods(["GET", "HEAD", "POST"])
def delete_evaluations(request: HttpRequest) -> HttpResponse:
    """Ask whether evaluations shall be deleted; a POST hides them at once and leads to the list."""
    visible = visible_evaluations(request)
    if request.method != "POST":
        page = ConfirmPage.for_evaluations(Shell.build(request, "Evaluations"), visible, request.GET)
        return render_page(request, "confirm.html", page, part="question")
    ids = visible.evaluation_ids.intersection(chosen_evaluations(visible, request.POST))
    job = request_removal(ids, f"Delete {plural(len(ids), 'evaluation')}")
    if job is None:
        return leave(redirect("evaluations-list"), Toast("Nothing was deleted: it was gone already."))
    send(job.pk)
    toast = Toast(f"{plural(len(ids), 'evaluation')} deleted.", reverse("job-show", args=[job.pk]), "The job")
    return leave(redirect("evaluations-list"), toast)

"""The way to a new trial: its files, then runs and tasks, then it runs."""

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.views.decorators.http import require_http_methods, require_POST

from evaluator import live, trial_drafts
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.preflight import PreflightError
from evaluator.jobs import send
from evaluator.trial_drafts import Draft
from frontend.access import visible_evaluations
from frontend.contexts.shell import Shell
from frontend.contexts.trial_new import TrialNewPage, carried, draft_of, way_back
from frontend.contexts.trial_pick import TrialPickPage, order_of, state_of
from frontend.contexts.trial_problems import ProblemLine, problem_lines
from frontend.held_uploads import HeldFile
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from frontend.views.trials import given_keys

UNPROCESSABLE = 422


@require_http_methods(["GET", "HEAD", "POST"])
def new_trial(request: HttpRequest) -> HttpResponse:
    """The form for the files; a POST keeps them without their keys, and leads to the picks."""
    visible = visible_evaluations(request)
    problems: tuple[ProblemLine, ...] = ()
    if request.method == "POST":
        try:
            draft = draft_of(visible, request.POST, cast("MultiValueDict[str, HeldFile]", request.FILES))
        except (ConfigurationError, OSError) as error:
            problems = problem_lines(error)
        else:
            return redirect(f"{reverse('trial-pick', args=[draft.token])}{carried(request.POST)}")
    params = request.POST if request.method == "POST" else request.GET
    page = TrialNewPage.build(Shell.build(request, "Trials"), visible, params, problems)
    return render_page(request, "trial_new.html", page, status=UNPROCESSABLE if problems else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def pick_trial(request: HttpRequest, token: str) -> HttpResponse:
    """What of the files is run, and what that comes to; a POST starts it, or shows what was picked without scripts."""
    if request.method == "POST":
        if request.POST.get("do") == "start":
            return _start(request, token)
        if request.POST.get("do") == "back":
            return redirect(f"{reverse('trial-new')}{way_back(token, request.POST)}")
        return redirect(f"{request.path}?{state_of(request.POST).urlencode()}")
    draft = trial_drafts.find_draft(token)
    return _gone(token) if draft is None else _page(request, draft)


@require_POST
def give_keys(request: HttpRequest, token: str) -> HttpResponse:
    """Take keys that are not known, and lead back to the picks."""
    draft = trial_drafts.find_draft(token)
    if draft is None:
        return _gone(token)
    trial_drafts.give_keys(draft, given_keys(request))
    return leave(redirect("trial-pick", token), Toast("The keys are known until the trial ends."))


def _start(request: HttpRequest, token: str) -> HttpResponse:
    draft = trial_drafts.take_draft(token)
    if draft is None:
        return _gone(token)
    try:
        queued = live.queue_trial(order_of(draft, request.POST))
    except (live.TrialRefused, ConfigurationError, PreflightError) as error:
        trial_drafts.put_back(draft)
        return _page(request, draft, problem_lines(error))
    except Exception:
        trial_drafts.put_back(draft)
        raise
    trial_drafts.end_draft(draft, queued.trial_id)
    for job_id in queued.job_ids:
        send(job_id)
    return redirect("trial-show", queued.trial_id)


def _page(request: HttpRequest, draft: Draft, refusals: tuple[ProblemLine, ...] = ()) -> HttpResponse:
    shell, visible = Shell.build(request, "Trials"), visible_evaluations(request)
    params = request.POST if refusals else request.GET
    try:
        page = TrialPickPage.build(shell, visible, draft, params, refusals)
    except ConfigurationError as error:
        again = TrialNewPage.build(shell, visible, request.GET, problem_lines(error))
        return render_page(request, "trial_new.html", again, status=UNPROCESSABLE)
    return render_page(request, "trial_pick.html", page, part="trial-pick", status=UNPROCESSABLE if refusals else 200)


def _gone(token: str) -> HttpResponse:
    """A draft that was begun leads to its trial."""
    trial_id = trial_drafts.begun(token)
    if trial_id is None:
        raise Http404
    return redirect("trial-show", trial_id)

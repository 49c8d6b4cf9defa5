"""Pages about live trials."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from evaluator import live
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.preflight import PreflightError
from evaluator.jobs import send
from frontend.access import visible_evaluations
from frontend.contexts.shell import Shell
from frontend.contexts.trial import TrialPage
from frontend.contexts.trial_problems import missing_key
from frontend.contexts.trials import TrialsPage
from frontend.rendering import render_page
from frontend.toasts import Toast, leave
from results.queries.trial_list import is_trial, trial_texts
from results.queries.trials import RerunKind, places_to_rerun

UNPROCESSABLE = 422
KEY_FIELD = "key."  # before the name that stands for a key
REFUSALS = (live.TrialRefused, ConfigurationError, PreflightError)


@require_safe
def list_trials(request: HttpRequest) -> HttpResponse:
    """The trials, the newest first."""
    page = TrialsPage.build(Shell.build(request, "Trials"), visible_evaluations(request), request.GET)
    return render_page(request, "trials_list.html", page, part="trials-live")


@require_safe
def show_trial(request: HttpRequest, trial_id: int) -> HttpResponse:
    """One trial: how far it is, and what came last."""
    return _page(request, trial_id)


@require_safe
def download_file(request: HttpRequest, trial_id: int, kind: str) -> HttpResponse:
    """The configuration, keys taken out, or the task file of a trial."""
    texts = trial_texts(visible_evaluations(request), trial_id)
    if texts is None or kind not in ("config", "tasks"):
        raise Http404
    text = texts.config if kind == "config" else texts.tasks
    disposition = f'attachment; filename="{kind}-{trial_id}.yaml"'
    headers = {"Content-Disposition": disposition, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


@require_POST
def cancel_trial(request: HttpRequest, trial_id: int) -> HttpResponse:
    """Ask a trial to stop, and go back to its page."""
    _check(request, trial_id)
    is_asked = live.cancel_trial(trial_id)
    words = "The trial was asked to stop. What is finished stays." if is_asked else "The trial had ended already."
    return leave(redirect("trial-show", trial_id), Toast(words))


@require_POST
def resume_trial(request: HttpRequest, trial_id: int) -> HttpResponse:
    """Let a cancelled trial go on with what it is not done with."""
    _check(request, trial_id)
    try:
        queued = live.resume_trial(trial_id, given_keys(request))
    except REFUSALS as error:
        return _page(request, trial_id, problems_of(error))
    return _begun(queued, "The trial goes on.")


@require_POST
def rerun_trial(request: HttpRequest, trial_id: int) -> HttpResponse:
    """Make some results of a trial again, in a trial of its own."""
    _check(request, trial_id)
    try:
        kind = RerunKind(request.POST.get("kind", ""))
        places = places_to_rerun(trial_id, kind)
        queued = live.queue_trial(live.rerun_order(trial_id, places, given_keys(request)))
    except REFUSALS as error:
        return _page(request, trial_id, problems_of(error))
    except ValueError as error:
        raise Http404 from error
    return _begun(queued, "A new trial makes these results again.")


def given_keys(request: HttpRequest) -> dict[str, str]:
    """The keys that a form brought, by the names that stand for them."""
    given = {name: value.strip() for name, value in request.POST.items() if isinstance(value, str)}
    return {name.removeprefix(KEY_FIELD): key for name, key in given.items() if name.startswith(KEY_FIELD) and key}


def problems_of(error: Exception) -> tuple[str, ...]:
    """Why something was refused, one sentence each."""
    if isinstance(error, ConfigurationError):
        keys = [missing_key(problem) for problem in error.problems]
        words = [
            f"The key {key} is not known. Type it into its field." if key else str(problem)
            for key, problem in zip(keys, error.problems, strict=True)
        ]
        return tuple(dict.fromkeys(words))
    if isinstance(error, PreflightError):
        return tuple(str(problem) for problem in error.problems)
    return (str(error),)


def _begun(queued: live.QueuedTrial, words: str) -> HttpResponse:
    for job_id in queued.job_ids:
        send(job_id)
    return leave(redirect("trial-show", queued.trial_id), Toast(words))


def _check(request: HttpRequest, trial_id: int) -> None:
    if not is_trial(visible_evaluations(request), trial_id):
        raise Http404


def _page(request: HttpRequest, trial_id: int, problems: tuple[str, ...] = ()) -> HttpResponse:
    page = TrialPage.build(Shell.build(request, "Trials"), visible_evaluations(request), trial_id, problems)
    if page is None:
        raise Http404
    status = UNPROCESSABLE if problems else 200
    return render_page(request, "trial_show.html", page, part="trial-live", status=status)

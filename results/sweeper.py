"""What is left behind by processes that died: recovered jobs, abandoned imports, half-done deletes, stale files."""

import logging
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from results.facts.manifest import sweep_files
from results.facts.rebuild import catch_up, compact_if_needed
from results.jobs import is_alive, recover
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobState, Upload
from results.models.trials import Trial, TrialState
from results.store.deletion import hide, remove
from results.store.trials import settle
from results.text.index import index_pending

log = logging.getLogger(__name__)

UPLOAD_AGE = timedelta(hours=1)  # a staged file that no live job needs is removed after this


def sweep() -> list[int]:
    """Clean up; safe to run at any time and in several processes at once.

    Returns:
        Ids of jobs that must be sent to the workers again.
    """
    lost = recover()
    for evaluation in Evaluation.objects.filter(state=EvaluationState.IMPORTING).select_related("job"):
        if not is_alive(evaluation.job):
            attempt(f"hiding the abandoned import {evaluation.pk}", hide, evaluation.pk)
    for trial_id in Trial.objects.filter(state=TrialState.RUNNING).values_list("pk", flat=True):
        attempt(f"settling trial {trial_id}", settle, trial_id)
    for evaluation_id in Evaluation.objects.filter(state=EvaluationState.DELETING).values_list("pk", flat=True):
        attempt(f"removing evaluation {evaluation_id}", remove, evaluation_id)
    attempt("removing staged files", sweep_uploads)
    attempt("removing files of facts", sweep_files)
    return lost


def attempt(what: str, step: Callable[..., object], *arguments: object) -> None:
    """Do one step of a sweep; one that fails is logged, and the others go on.

    Args:
        what: it does, for the log.
        step: a function that is safe to call again at the next sweep.
        arguments: of it.
    """
    try:
        step(*arguments)
    except (DatabaseError, OSError) as error:  # a full disk, most of the time: no fault of ours to trace
        log.error("%s failed (%s); the next sweep tries again", what, error)  # noqa: TRY400
    except Exception:
        log.exception("%s failed; the next sweep tries again", what)


def tend_copies() -> None:
    """Bring the copies of the documents up to date: the text index, missing facts, and facts in many small files."""
    attempt("filling the text index", index_pending)
    attempt("making missing facts", catch_up)
    attempt("compacting the facts", compact_if_needed)


def sweep_uploads() -> None:
    """Remove staged files that no waiting or running job needs."""
    old = timezone.now() - UPLOAD_AGE
    needed = Job.objects.filter(state__in=[JobState.QUEUED, JobState.RUNNING], upload__isnull=False)
    unneeded = Upload.objects.filter(created_at__lt=old).exclude(pk__in=needed.values("upload_id"))
    unneeded.delete()
    kept = set(Upload.objects.values_list("stored_name", flat=True))
    folder = settings.VAR_DIR / "uploads"
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name not in kept and path.stat().st_mtime < old.timestamp():
            path.unlink(missing_ok=True)

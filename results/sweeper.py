"""What is left behind by processes that died: recovered jobs, abandoned imports, half-done deletes, stale files."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from results.facts.manifest import sweep_files
from results.facts.rebuild import compact_if_needed
from results.jobs import is_alive, recover
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobState, Upload
from results.models.trials import Trial, TrialState
from results.store.deletion import hide, remove
from results.store.trials import settle
from results.text.index import index_pending

UPLOAD_AGE = timedelta(hours=1)  # a staged file that no live job needs is removed after this


def sweep() -> list[int]:
    """Clean up; safe to run at any time and in several processes at once.

    Returns:
        Ids of jobs that must be sent to the workers again.
    """
    lost = recover()
    for evaluation in Evaluation.objects.filter(state=EvaluationState.IMPORTING).select_related("job"):
        if not is_alive(evaluation.job):
            hide(evaluation.pk)
    for trial_id in Trial.objects.filter(state=TrialState.RUNNING).values_list("pk", flat=True):
        settle(trial_id)
    for evaluation_id in Evaluation.objects.filter(state=EvaluationState.DELETING).values_list("pk", flat=True):
        remove(evaluation_id)
    sweep_uploads()
    sweep_files()
    return lost


def tend_copies() -> None:
    """Bring the copies of the documents up to date: the text index, and facts that are in many small files."""
    index_pending()
    compact_if_needed()


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

"""Whether workers live, judged by what they leave: sweeps, leases, and jobs that wait."""

import time
from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from evaluator.findings import Finding, ok, problem, warning
from evaluator.readiness import sweep_stamp
from results import uploads
from results.jobs import LEASE
from results.models.jobs import Job, JobState

SWEEP_EXPECTED_SECONDS = 300.0  # sweeps come each minute, and take long only after a long pause
WAIT_EXPECTED = timedelta(minutes=5)
START = "Start them with `manage.py serve`, or `manage.py serve --only workers` where the web server runs elsewhere."


def check_workers() -> Iterator[Finding]:
    """The last sweep of this host, lost leases, and jobs that nobody takes."""
    try:
        age = max(0.0, time.time() - sweep_stamp().stat().st_mtime)
    except FileNotFoundError:
        yield warning("housekeeping", "No worker of this state folder has swept yet.", START)
    else:
        if age > SWEEP_EXPECTED_SECONDS:
            yield warning("housekeeping", f"The last sweep was {age / 60:.0f} minutes ago.", START)
        else:
            yield ok("housekeeping", f"The last sweep was {age:.0f} s ago.")
    now = timezone.now()
    lost = Job.objects.filter(state=JobState.RUNNING, lease_until__lt=now - LEASE).count()
    if lost:
        yield problem("jobs", f"{lost} jobs run by nobody: their leases ended, and no sweep took them up.", START)
    running = Job.objects.filter(state=JobState.RUNNING, lease_until__gte=now).count()
    waiting = Job.objects.filter(state=JobState.QUEUED, created_at__lt=now - WAIT_EXPECTED).count()
    if waiting and not running:
        yield problem("jobs", f"{waiting} jobs wait for more than five minutes, and none runs.", START)
    elif not lost:
        yield ok("jobs", f"{running} run; {waiting} wait for more than five minutes.")


def check_uploads() -> Iterator[Finding]:
    """Whether this host sees the files that waiting imports are to read: hosts must have that folder in common."""
    waiting = Job.objects.filter(state=JobState.QUEUED, upload__isnull=False).select_related("upload")
    unseen = [job.pk for job in waiting[:1000] if job.upload is not None and not uploads.is_there(job.upload)]
    if unseen:
        text = f"The file of job {unseen[0]}" + (f" and of {len(unseen) - 1} more" if unseen[1:] else "")
        remedy = "Mount one folder of all hosts at `uploads` in the state folder; see docs/deployment.md."
        yield problem("uploads", f"{text} is not below {uploads.uploads_folder()}.", remedy)
        return
    yield ok("uploads", "The files of all waiting imports are there.")

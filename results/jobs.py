"""The job row: claiming work, holding it by a lease, progress, cancel and the end."""

from dataclasses import dataclass
from datetime import timedelta
from secrets import token_hex
from threading import Event
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from results.models.jobs import Job, JobKind, JobMessage, JobState, Upload
from results.models.projects import Project
from results.reach import within

LEASE = timedelta(seconds=60)  # renewed with every chunk; a chunk takes well under a second
MOST_STARTS = 3
UNITS = {  # of all others: bytes
    JobKind.DELETE: "evaluations",
    JobKind.MERGE: "results",
    JobKind.TRIAL: "results",
    JobKind.STRATEGIES: "strategies",
    JobKind.REVIEW: "results",
}
ENDED_PROCESS = "the process that ran it ended before it was done"


_stop = Event()


class LeaseLostError(Exception):
    """Another process took the job over, or the sweeper did; nothing more may be written."""


class JobCancelledError(Exception):
    """Somebody asked for the job to stop."""


@dataclass(frozen=True)
class JobLease:
    """The right to work on one job; `owner` is this process's own random word for it."""

    job_id: int
    owner: str


_given_up: list[JobLease] = []


def create_job(
    kind: JobKind,
    *,
    project: Project | None = None,
    upload: Upload | None = None,
    title: str = "",
    arguments: dict[str, Any] | None = None,
    is_resumable: bool = False,
    total: int | None = None,
) -> Job:
    """Write a queued job.

    Args:
        kind: what it does.
        project: whose results it brings.
        upload: the staged file that it imports.
        title: what the pages call it.
        arguments: ids and options; `batch` among them is the word that jobs of one call have in common.
        is_resumable: the sweeper may send it again.
        total: how much there is to do in its unit; None while nobody knows.
    """
    given = dict(arguments or {})
    return Job.objects.create(
        kind=kind,
        project=project,
        upload=upload,
        title=title,
        batch=given.pop("batch", ""),
        arguments=given,
        is_resumable=is_resumable,
        total=total,
        unit=UNITS.get(kind, "bytes"),
    )


def first_of_batch(job_id: int) -> int:
    """The import of the same batch that was asked for first and waits still: files come in as they were given.

    Messages may overtake each other; each stands for one job of its batch, whichever is next.

    Returns:
        The job itself where it has no batch, or nothing of its batch waits.
    """
    batch = Job.objects.filter(pk=job_id).values_list("batch", flat=True).first()
    if not batch:
        return job_id
    waiting = Job.objects.filter(batch=batch, kind=JobKind.IMPORT, state=JobState.QUEUED).order_by("pk")
    return waiting.values_list("pk", flat=True).first() or job_id


def claim(job_id: int) -> JobLease | None:
    """Take a job that is queued, or whose holder let its lease run out.

    Returns:
        The lease, or None when somebody else holds the job or it has ended.
    """
    now = timezone.now()
    lease = JobLease(job_id, token_hex(8))
    free = Q(state=JobState.QUEUED) | Q(state=JobState.RUNNING, lease_until__lt=now)
    taken = Job.objects.filter(free, pk=job_id).update(
        state=JobState.RUNNING,
        owner=lease.owner,
        lease_until=now + LEASE,
        starts=F("starts") + 1,
        started_at=now,
        done=0,
        error="",
    )
    return lease if taken == 1 else None


def renew(
    lease: JobLease, *, done: int | None = None, total: int | None = None, report: dict[str, Any] | None = None
) -> None:
    """Hold the job for another lease and say how far it is; call it inside each chunk's transaction.

    Args:
        lease: the job's.
        done: of the job's total, in its unit.
        total: once it is known.
        report: what came of it so far.

    Raises:
        LeaseLostError: another process has the job now, or may have it since this one is about to end.
        JobCancelledError: somebody asked to stop.
    """
    if _stop.is_set() and _may_go_on_elsewhere(lease):
        _given_up.append(lease)
        raise LeaseLostError(f"job {lease.job_id} goes on in another process")
    changes: dict[str, Any] = {"lease_until": timezone.now() + LEASE}
    if done is not None:
        changes["done"] = done
    if total is not None:
        changes["total"] = total
    if report is not None:
        changes["report"] = report
    held = Job.objects.filter(pk=lease.job_id, owner=lease.owner, state=JobState.RUNNING)
    if held.filter(is_cancel_requested=False).update(**changes) == 1:
        return
    if held.exists():
        raise JobCancelledError(f"job {lease.job_id} was cancelled")
    raise LeaseLostError(f"job {lease.job_id} is no longer ours")


def stop_soon() -> None:
    """Let the job of this process end with its next chunk; see `give_back`."""
    _stop.set()


def give_back() -> None:
    """Put the jobs that this process gave up back into the queue, after the transaction in which it noticed.

    That they were begun here does not count, so that any number of restarts fails none of them.
    """
    while _given_up:
        lease = _given_up.pop()
        held = Job.objects.filter(pk=lease.job_id, owner=lease.owner, state=JobState.RUNNING)
        held.update(state=JobState.QUEUED, owner="", lease_until=None, starts=F("starts") - 1)


def _may_go_on_elsewhere(lease: JobLease) -> bool:
    held = Job.objects.filter(pk=lease.job_id, owner=lease.owner, state=JobState.RUNNING)
    return held.filter(is_resumable=True, is_cancel_requested=False).exists()


def hold(lease: JobLease, *, done: int | None = None) -> None:
    """Hold the job like `renew`, also once somebody asked it to stop: what is finished may still be written.

    Raises:
        LeaseLostError: another process has the job now.
    """
    changes: dict[str, Any] = {"lease_until": timezone.now() + LEASE}
    if done is not None:
        changes["done"] = done
    if Job.objects.filter(pk=lease.job_id, owner=lease.owner, state=JobState.RUNNING).update(**changes) != 1:
        raise LeaseLostError(f"job {lease.job_id} is no longer ours")


def is_cancel_requested(lease: JobLease) -> bool:
    """Whether somebody asked the job to stop."""
    return Job.objects.filter(pk=lease.job_id, is_cancel_requested=True).exists()


def finish(lease: JobLease, state: JobState, *, report: dict[str, Any] | None = None, error: str = "") -> bool:
    """End a job that we hold.

    Returns:
        False when the lease was lost meanwhile; the row then stays as it is.
    """
    changes: dict[str, Any] = {"state": state, "finished_at": timezone.now(), "lease_until": None, "error": error}
    if report is not None:
        changes["report"] = report
    held = Job.objects.filter(pk=lease.job_id, owner=lease.owner, state=JobState.RUNNING)
    return held.update(**changes) == 1


def request_cancel(job_id: int) -> bool:
    """Ask a job to stop; one that has not begun ends at once.

    Returns:
        False when the job had already ended, or is not within reach.
    """
    now = timezone.now()
    asked = within(Job.objects.filter(pk=job_id))
    asked.filter(state=JobState.QUEUED).update(state=JobState.CANCELLED, finished_at=now)
    running = asked.filter(state=JobState.RUNNING).update(is_cancel_requested=True)
    return running == 1 or Job.objects.filter(pk=job_id, state=JobState.CANCELLED, finished_at=now).exists()


def say(job_id: int, text: str, level: str = "info") -> None:
    """Add one line to a job's log."""
    JobMessage.objects.create(job_id=job_id, text=text, level=level)


def is_alive(job: Job | None) -> bool:
    """Tell whether some process holds the job, or will take it from the queue."""
    if job is None:
        return False
    if job.state == JobState.QUEUED:
        return True
    return job.state == JobState.RUNNING and job.lease_until is not None and job.lease_until > timezone.now()


def recover() -> list[int]:
    """Deal with jobs whose process ended: queue them again, or fail them after the third start.

    Returns:
        Ids of the jobs to send again, oldest first.
    """
    now = timezone.now()
    lost = Job.objects.filter(state=JobState.RUNNING, lease_until__lt=now)
    lost.filter(is_cancel_requested=True).update(state=JobState.CANCELLED, finished_at=now, lease_until=None)
    again = Q(is_resumable=True, starts__lt=MOST_STARTS)
    lost.exclude(again).update(state=JobState.FAILED, finished_at=now, lease_until=None, error=ENDED_PROCESS)
    lost.filter(again).update(state=JobState.QUEUED, lease_until=None, owner="")
    stale = now - LEASE  # a message may be lost: what waited this long is sent again; a doubled message does no harm
    waiting = Job.objects.filter(state=JobState.QUEUED, is_resumable=True, created_at__lt=stale)
    return list(waiting.order_by("pk").values_list("pk", flat=True))

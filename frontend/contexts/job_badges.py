"""The state of a job or a file as a word with a look, and of an import that has ended what became of it."""

from dataclasses import dataclass

from frontend.formats import count
from results.models.jobs import JobState
from results.queries.jobs import JobRow


@dataclass(frozen=True)
class Badge:
    """A word with the look of an outcome; `outcome` is the look."""

    outcome: str
    label: str


WAITING = Badge("not-run", "Waiting")
UNDONE = Badge("skipped", "Undone")
FILE_BADGES = {
    "stored": Badge("passed", "Stored"),
    "unchanged": Badge("skipped", "Unchanged"),
    "rejected": Badge("failed", "Rejected"),
}
END_BADGES: dict[str, Badge] = {
    JobState.SUCCEEDED: Badge("passed", "Done"),
    JobState.FAILED: Badge("error", "Failed"),
    JobState.CANCELLED: Badge("skipped", "Cancelled"),
}


def badge_of(job: JobRow) -> Badge:
    """A job's state, and of an import that has ended what became of it."""
    if job.is_unfinished:
        return _badge_of_unfinished(job)
    if job.undone_at is not None:
        return UNDONE
    if job.only_state in FILE_BADGES and job.state != JobState.CANCELLED:
        return FILE_BADGES[job.only_state]
    if job.state == JobState.SUCCEEDED and job.totals is not None:
        return _badge_of_many(job.totals.stored, job.totals.rejected)
    if job.state == JobState.FAILED and job.totals is not None and job.totals.rejected and not job.error:
        return FILE_BADGES["rejected"]
    return END_BADGES[job.state]


def _badge_of_unfinished(job: JobRow) -> Badge:
    if job.state == JobState.QUEUED:
        return WAITING
    word = "Reading" if job.is_import else "Running"
    return Badge("not-run", "Stopping" if job.is_cancel_requested else word)


def _badge_of_many(stored: int, rejected: int) -> Badge:
    if rejected:
        return Badge("failed", f"{count(rejected)} rejected")
    return FILE_BADGES["stored"] if stored else FILE_BADGES["unchanged"]

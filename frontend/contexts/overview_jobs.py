"""Jobs that wait or run, as the overview shows them."""

from dataclasses import dataclass

from frontend.contexts.job_batches import batch_progress, line_entries
from frontend.contexts.job_entries import Progress
from results.queries.job_batches import JobBatch, job_page
from results.queries.jobs import JobRow
from results.queries.visibility import VisibleSet

LOOKED_AT = 20  # the newest jobs; unfinished ones are among them
SHOWN = 4


@dataclass(frozen=True)
class RunningJob:
    """One unfinished job, or the jobs of files that were given at one time."""

    title: str
    kind: str
    href: str
    progress: Progress


def running_jobs(visible: VisibleSet, unfinished: int) -> tuple[RunningJob, ...]:
    """The newest unfinished jobs.

    Args:
        visible: evaluations that may be named.
        unfinished: how many there are; none = no query.
    """
    if not unfinished:
        return ()
    lines = [line for line in job_page(size=LOOKED_AT).lines if _progress(line) is not None][:SHOWN]
    return tuple(
        RunningJob(entry.title, entry.kind, entry.href, progress)
        for line, entry in zip(lines, line_entries(lines, visible), strict=True)
        if (progress := _progress(line)) is not None
    )


def _progress(line: JobRow | JobBatch) -> Progress | None:
    if isinstance(line, JobBatch):
        return batch_progress(line)
    return Progress.build(line) if line.is_unfinished else None

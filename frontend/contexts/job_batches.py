"""The lines of the list of jobs, in which the jobs of one call are one line."""

from collections.abc import Iterable

from django.urls import reverse

from frontend.contexts.job_badges import END_BADGES, FILE_BADGES, UNDONE, WAITING, Badge
from frontend.contexts.job_entries import KIND_LABELS, Into, JobEntry, Progress, format_label, job_entries, stored_text
from frontend.formats import count, plural, size
from results.models.jobs import JobKind, JobState
from results.queries.job_batches import JobBatch
from results.queries.jobs import JobRow
from results.queries.visibility import VisibleSet

SEVERAL = "several formats"


def line_entries(lines: Iterable[JobRow | JobBatch], visible: VisibleSet) -> tuple[JobEntry, ...]:
    """The lines of single jobs and of batches; names of what was stored take at most two queries."""
    shown = list(lines)
    single = iter(job_entries([line for line in shown if isinstance(line, JobRow)], visible))
    return tuple(next(single) if isinstance(line, JobRow) else batch_entry(line) for line in shown)


def batch_entry(batch: JobBatch) -> JobEntry:
    """The line of a batch: its sums, and a link to its jobs."""
    totals = batch.totals
    href = reverse("jobs-list", query={"batch": batch.batch})
    return JobEntry(
        id=batch.newest,
        href=href,
        warnings_href=href,
        title=batch_title(batch),
        name=plural(batch.jobs, "file"),
        folder=batch.folder,
        kind=KIND_LABELS[JobKind.IMPORT],
        format=format_label(batch.format) if batch.format else SEVERAL if batch.totals.stored else "",
        badge=_badge(batch),
        silent_since=batch.silent_since,
        stored=stored_text(totals.results + batch.results_so_far, totals.iterations),
        warnings=totals.warnings,
        is_read=bool(batch.unfinished or totals.rejected < totals.files),
        into=Into(batch_sums(batch)),
        report_href="",
        size="" if batch.bytes_total is None else size(batch.bytes_total),
        project=batch.project,
        created_at=batch.asked_at,
    )


def batch_title(batch: JobBatch) -> str:
    """What a batch is called."""
    return f"Import of {plural(batch.jobs, 'file')}"


def batch_sums(batch: JobBatch) -> str:
    """What became of its files; an archive or a folder may hold several."""
    totals = batch.totals
    parts = [
        f"{count(totals.stored)} stored",
        f"{count(totals.unchanged)} unchanged",
        f"{count(totals.rejected)} rejected",
    ]
    others = {
        "failed": batch.broken,
        "undone": batch.undone,
        "cancelled": batch.cancelled,
        "reading": batch.running,
        "waiting": batch.waiting,
    }
    return ", ".join([*parts, *(f"{count(number)} {word}" for word, number in others.items() if number)])


def batch_progress(batch: JobBatch) -> Progress | None:
    """How far a batch is; None when all its jobs have ended."""
    if not batch.unfinished:
        return None
    results = batch.totals.results + batch.totals.iterations + batch.results_so_far
    started = batch.began_at if batch.running else None
    found = Progress.measure(batch.bytes_done, batch.bytes_total, "bytes", started, results)
    return found.with_silence(batch.silent_since)


def _badge(batch: JobBatch) -> Badge:
    if batch.unfinished:
        is_stopping = batch.running and not batch.cancellable
        return Badge("not-run", "Stopping" if is_stopping else "Reading") if batch.running else WAITING
    if bad := batch.totals.rejected + batch.broken:
        return Badge("failed", f"{count(bad)} rejected" if not batch.broken else f"{count(bad)} failed")
    if batch.undone and batch.undone == batch.jobs:
        return UNDONE
    if batch.cancelled:
        return END_BADGES[JobState.CANCELLED]
    return FILE_BADGES["stored" if batch.totals.stored else "unchanged"]

"""The list of jobs, and the jobs of files that were given at one time."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict

from frontend.contexts.job_batches import batch_progress, batch_title, line_entries
from frontend.contexts.job_entries import JobEntry, Progress, job_entries
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from results.queries.job_batches import JobBatch, job_batch, job_page
from results.queries.jobs import JobLine, JobRow, batch_messages, has_no_worker, jobs_of_batch, rows_of_batch
from results.queries.visibility import VisibleSet
from results.store.removals import stored_by
from results.uploads import has_room

PAGE_SIZE = 50  # rows
STEP_PERCENT = 10  # what is read aloud changes this often


@dataclass(frozen=True)
class JobActions:
    """What can be done with one or more jobs; `query` names them in the addresses of the actions."""

    query: str
    name: str
    value: str
    can_cancel: bool
    can_undo: bool

    @classmethod
    def of_job(cls, row: JobRow) -> "JobActions":
        """The actions of one job; only imports and merges have any."""
        if not row.is_cancellable:
            return cls.none()
        can_cancel = row.is_unfinished and not row.is_cancel_requested
        can_undo = row.is_import and not row.is_unfinished and not stored_by([row.id]).is_empty
        return cls(f"job={row.id}", "job", str(row.id), can_cancel, can_undo)

    @classmethod
    def of_batch(cls, batch: JobBatch) -> "JobActions":
        """The actions of all jobs of a batch."""
        can_undo = (
            not batch.unfinished and not stored_by(jobs_of_batch(batch.batch).values_list("pk", flat=True)).is_empty
        )
        return cls(urlencode({"batch": batch.batch}), "batch", batch.batch, batch.cancellable > 0, can_undo)

    @classmethod
    def none(cls) -> "JobActions":
        """Nothing can be done."""
        return cls("", "", "", can_cancel=False, can_undo=False)


@dataclass(frozen=True)
class JobsPage:
    """What `jobs_list.html` reads.

    Attributes:
        title: `Jobs`, or what the batch is.
        batch: sums of the batch whose jobs are shown; None for the list of all, where a batch is one line.
        progress: of the unfinished jobs of a batch; None when all have ended, and for the list of all.
        is_live: something is unfinished, so the page asks again.
        is_disk_full: why what is unfinished does not go on, perhaps.
        status: for those who cannot see the bar; changes seldom.
    """

    shell: Shell
    title: str
    batch: JobBatch | None
    entries: tuple[JobEntry, ...]
    pager: Pager
    actions: JobActions
    progress: Progress | None
    is_live: bool
    has_no_worker: bool
    is_disk_full: bool
    lines: tuple[JobLine, ...]
    status: str

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "JobsPage":
        """The page for a query with `batch` and `page`."""
        name = params.get("batch", "").replace("\x00", "")
        batch = job_batch(name) if name else None
        return cls._all(shell, visible, params) if batch is None else cls._one(shell, visible, params, batch)

    @classmethod
    def _all(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "JobsPage":
        number = page_of(params)
        found = job_page(number, PAGE_SIZE)
        unfinished = sum(line.is_unfinished if isinstance(line, JobRow) else line.unfinished for line in found.lines)
        return cls(
            shell=shell,
            title="Jobs",
            batch=None,
            entries=line_entries(found.lines, visible),
            pager=Pager.build(number, PAGE_SIZE, found.total, params),
            actions=JobActions.none(),
            progress=None,
            is_live=unfinished > 0,
            has_no_worker=False,
            is_disk_full=unfinished > 0 and not has_room(),
            lines=(),
            status=f"{unfinished} unfinished",
        )

    @classmethod
    def _one(cls, shell: Shell, visible: VisibleSet, params: QueryDict, batch: JobBatch) -> "JobsPage":
        pager = Pager.build(page_of(params), PAGE_SIZE, batch.jobs, params)
        progress = batch_progress(batch)
        return cls(
            shell=shell,
            title=batch_title(batch),
            batch=batch,
            entries=tuple(
                replace(entry, folder=entry.folder.removeprefix(batch.folder))
                for entry in job_entries(rows_of_batch(batch.batch, pager.first - 1, PAGE_SIZE), visible)
            ),
            pager=pager,
            actions=JobActions.of_batch(batch),
            progress=progress,
            is_live=batch.unfinished > 0,
            has_no_worker=not batch.running and batch.oldest_wait is not None and has_no_worker(batch.oldest_wait),
            is_disk_full=batch.unfinished > 0 and not has_room(),
            lines=tuple(batch_messages(batch.batch)),
            status=status_of(batch_title(batch), progress),
        )


def status_of(title: str, progress: Progress | None) -> str:
    """What is read aloud: the state, and every ten percent."""
    if progress is None:
        return f"{title}: ended"
    if progress.percent is None:
        return f"{title}: running"
    return f"{title}: {progress.percent // STEP_PERCENT * STEP_PERCENT} % done"

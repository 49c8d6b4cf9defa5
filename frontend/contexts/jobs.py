"""The list of jobs, and the jobs of files that were given at one time."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.job_entries import JobEntry, Progress, job_entries
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from frontend.formats import plural
from results.queries.jobs import JobLine, JobRow, batch_rows, has_no_worker, job_messages, job_page
from results.queries.visibility import VisibleSet
from results.store.removals import stored_by

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
    def build(cls, name: str, value: str, rows: list[JobRow]) -> "JobActions":
        """The actions of the jobs that `name=value` stands for."""
        imports = [row for row in rows if row.is_import]
        running = [row for row in imports if row.is_unfinished]
        ended = [row.id for row in imports if not row.is_unfinished]
        stored = stored_by(ended) if ended and not running else None
        return cls(
            query=f"{name}={value}",
            name=name,
            value=value,
            can_cancel=any(not row.is_cancel_requested for row in running),
            can_undo=stored is not None and not stored.is_empty,
        )


@dataclass(frozen=True)
class JobsPage:
    """What `jobs_list.html` reads.

    Attributes:
        title: `Jobs`, or what the batch is.
        is_batch: only the jobs of one batch are shown.
        progress: of the unfinished jobs of a batch; None when all have ended, and for the list of all.
        is_live: something is unfinished, so the page asks again.
        rejected: files of the batch of which nothing was kept.
        status: for those who cannot see the bar; changes seldom.
    """

    shell: Shell
    title: str
    is_batch: bool
    entries: tuple[JobEntry, ...]
    pager: Pager
    actions: JobActions
    progress: Progress | None
    is_live: bool
    has_no_worker: bool
    rejected: int
    lines: tuple[JobLine, ...]
    status: str

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "JobsPage":
        """The page for a query with `batch` and `page`."""
        batch, number = params.get("batch", "").replace("\x00", ""), page_of(params)
        found = job_page(batch, number, PAGE_SIZE)
        rows = batch_rows(batch) if batch else list(found.rows)
        unfinished = [row for row in rows if row.is_unfinished]
        progress = Progress.build(rows) if batch and unfinished else None
        title = f"Import of {plural(found.total, 'file')}" if batch else "Jobs"
        return cls(
            shell=shell,
            title=title,
            is_batch=bool(batch),
            entries=job_entries(found.rows, visible),
            pager=Pager.build(number, PAGE_SIZE, found.total, params),
            actions=JobActions.build("batch", batch, rows if batch else []),
            progress=progress,
            is_live=bool(unfinished),
            has_no_worker=is_left_waiting(unfinished),
            rejected=sum(row.totals.rejected for row in rows if row.totals is not None) if batch else 0,
            lines=tuple(job_messages([row.id for row in rows])) if batch else (),
            status=status_of(title, progress) if batch else f"{len(unfinished)} unfinished",
        )


def is_left_waiting(unfinished: list[JobRow]) -> bool:
    """Tell whether jobs wait and no worker seems to be there; a query only where all of them wait."""
    waiting = [row.created_at for row in unfinished if row.started_at is None]
    return bool(waiting) and len(waiting) == len(unfinished) and has_no_worker(min(waiting))


def status_of(title: str, progress: Progress | None) -> str:
    """What is read aloud: the state, and every ten percent."""
    if progress is None:
        return f"{title}: ended"
    if progress.percent is None:
        return f"{title}: running"
    return f"{title}: {progress.percent // STEP_PERCENT * STEP_PERCENT} % done"

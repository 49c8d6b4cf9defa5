"""One job: how far it is, and what came of it file by file."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from frontend.contexts.job_badges import FILE_BADGES, Badge
from frontend.contexts.job_entries import (
    Into,
    JobEntry,
    Progress,
    StoredNames,
    format_label,
    into_of,
    job_entries,
    stored_text,
)
from frontend.contexts.job_strategies import StrategiesPanel
from frontend.contexts.jobs import JobActions, status_of
from frontend.contexts.shell import Shell
from results.models.jobs import JobKind
from results.queries.jobs import JobFile, JobLine, JobRow, JobTotals, has_no_worker, job_files, job_messages, job_row
from results.queries.visibility import VisibleSet
from results.uploads import has_room

SHOWN_FILES = 500
SLOW = (JobKind.TRIAL, JobKind.STRATEGIES)  # work of hours, for which there is a worker of its own
SHOWN_WARNINGS = 200
INDEX = re.compile(r"\[\d+\]")
STATE_ORDER = {"rejected": 0, "stored": 1, "unchanged": 2}


@dataclass(frozen=True)
class FileLine:
    """What became of one file; its path begins in the folder or archive that was imported.

    `is_read` = it could be read, so that no results and no warnings mean that there were none.
    """

    path: str
    format: str
    badge: Badge
    stored: str
    warnings: int
    is_read: bool
    into: Into


@dataclass(frozen=True)
class WarningLine:
    """A warning and how often a file has it; positions in the path stand as `[*]`."""

    file: str
    path: str
    message: str
    times: int


@dataclass(frozen=True)
class Undone:
    """When what an import stored was deleted again; `href` leads to the job that did it, empty where none had to."""

    at: datetime
    href: str

    @classmethod
    def build(cls, row: JobRow) -> "Undone | None":
        """The undo of a job; None where there was none."""
        if row.undone_at is None:
            return None
        return cls(row.undone_at, "" if row.undone_by is None else reverse("job-show", args=[row.undone_by]))


@dataclass(frozen=True)
class JobPage:
    """What `job_show.html` reads.

    Attributes:
        progress: None when the job has ended.
        undone: when and by which job what it stored was deleted again; None = it was not.
        totals: None while it runs, and for other jobs than imports.
        strategies: of a job that evaluates a project; None for others.
        files: at most 500, the rejected ones first.
        warnings: at most 200 kinds of them.
        lines: at most 200 of the log, the newest first.
        worker_queue: whose worker it waits for; empty = that of imports.
        is_disk_full: why it does not go on, perhaps.
        status: for those who cannot see the bar; changes seldom.
    """

    shell: Shell
    entry: JobEntry
    actions: JobActions
    progress: Progress | None
    is_live: bool
    has_no_worker: bool
    worker_queue: str
    is_disk_full: bool
    started_at: datetime | None
    finished_at: datetime | None
    undone: Undone | None
    totals: JobTotals | None
    strategies: StrategiesPanel | None
    files: tuple[FileLine, ...]
    warnings: tuple[WarningLine, ...]
    lines: tuple[JobLine, ...]
    status: str

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, job_id: int) -> "JobPage | None":
        """The page of a job; None when there is no such one."""
        row = job_row(job_id)
        if row is None:
            return None
        files = [] if row.is_unfinished else job_files(job_id)
        progress = Progress.build(row) if row.is_unfinished else None
        entry = job_entries([row], visible)[0]
        return cls(
            shell=shell,
            entry=entry,
            actions=JobActions.of_job(row),
            progress=progress,
            is_live=row.is_unfinished,
            has_no_worker=row.is_unfinished and row.started_at is None and has_no_worker(row.created_at),
            worker_queue="trials" if row.kind in SLOW else "",
            is_disk_full=row.is_unfinished and not has_room(),
            started_at=row.started_at,
            finished_at=row.finished_at,
            undone=Undone.build(row),
            totals=row.totals,
            strategies=StrategiesPanel.build(job_id) if row.kind == JobKind.STRATEGIES else None,
            files=_file_lines(files, row.title, visible),
            warnings=_warning_lines(files),
            lines=tuple(job_messages(job_id)),
            status=f"{status_of(entry.title, progress)}, {entry.badge.label}",
        )


def _file_lines(files: list[JobFile], title: str, visible: VisibleSet) -> tuple[FileLine, ...]:
    shown = sorted(files, key=lambda file: STATE_ORDER.get(file.state, 0))[:SHOWN_FILES]
    first_iterations = [next(iter(file.iterations), None) for file in shown]
    names = StoredNames.find(visible, (file.evaluation for file in shown), first_iterations)
    return tuple(
        FileLine(
            path=file.path.removeprefix(f"{title}/"),
            format=format_label(file.format or ""),
            badge=FILE_BADGES.get(file.state, FILE_BADGES["rejected"]),
            stored=stored_text(file.results, len(file.iterations)),
            warnings=len(file.warnings),
            is_read=file.state != "rejected",
            into=into_of(file.state, file.evaluation, iteration, file.error or "", names),
        )
        for file, iteration in zip(shown, first_iterations, strict=True)
    )


def _warning_lines(files: list[JobFile]) -> tuple[WarningLine, ...]:
    counted: Counter[tuple[str, str, str]] = Counter()
    for file in files:
        for warning in file.warnings:
            path = INDEX.sub("[*]", warning.get("path", ""))
            counted[file.path, path, warning.get("message", "")] += 1
    return tuple(WarningLine(*kind, times) for kind, times in list(counted.items())[:SHOWN_WARNINGS])

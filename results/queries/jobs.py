"""Background work in lists and on its own page."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.utils import timezone

from results.jobs import LEASE
from results.models.jobs import Job, JobKind, JobMessage, JobState
from results.models.sprints import Iteration
from results.reach import within

UNFINISHED = (JobState.QUEUED, JobState.RUNNING)
LONG = (JobKind.IMPORT, JobKind.MERGE, JobKind.TRIAL, JobKind.STRATEGIES)  # kinds that others wait for
PATIENCE = timedelta(seconds=5)  # a worker looks into its queue twice a second
SILENCE = LEASE * 2 / 3  # a running job renews its lease at every step, within seconds


class JobFile(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one file of an import; `path` is its name, `error` says why it was rejected."""

    path: str = ""
    format: str | None = None
    state: str = ""
    evaluation: int | None = None
    iterations: list[int] = []
    contracts: list[int] = []
    specs: list[int] = []
    results: int = 0
    warnings: list[dict[str, str]] = []
    error: str | None = None


class JobTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Sums over the files of an import; results and iterations are those stored."""

    files: int = 0
    stored: int = 0
    unchanged: int = 0
    rejected: int = 0
    results: int = 0
    iterations: int = 0
    contracts: int = 0
    specs: int = 0
    warnings: int = 0


@dataclass(frozen=True)
class JobRow:
    """One job as it stands.

    Attributes:
        project: slug; None where a job has none.
        batch: common to the jobs of files that were given at one time; empty for none.
        done, total: in `unit`; the total is None while nobody knows it.
        lease_until: a running job whose lease has run out lost its process.
        results_so_far: of a running import; None before the first.
        file: that a running import reads now.
        totals: of an import that has ended; None before.
        undone_at: when what it stored was deleted again, by the job `undone_by` where that took one; None = it was not.
        trial: that it does a part of; None for other work.
        iteration: that a run of strategies stored; None = none as yet.
        only_*: what became of the file where the import has one.
    """

    id: int
    kind: str
    state: str
    project: str | None
    title: str
    batch: str
    done: int
    total: int | None
    unit: str
    error: str
    is_cancel_requested: bool
    lease_until: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    results_so_far: int | None
    file: str
    totals: JobTotals | None
    undone_at: datetime | None
    undone_by: int | None
    trial: int | None
    iteration: int | None
    only_state: str
    only_format: str
    only_evaluation: int | None
    only_iteration: int | None
    only_error: str

    @property
    def is_unfinished(self) -> bool:
        """It waits or runs."""
        return self.state in UNFINISHED

    @property
    def silent_since(self) -> datetime | None:
        """When it gave its last sign of life, if it runs and should have given another since; None = it is well."""
        return silence(self.lease_until) if self.state == JobState.RUNNING else None

    @property
    def is_import(self) -> bool:
        """It takes files in, so it can be undone."""
        return self.kind == JobKind.IMPORT

    @property
    def is_cancellable(self) -> bool:
        """It works in steps, and stops between two of them, or in the middle of one, when it is asked to."""
        return self.kind in LONG


@dataclass(frozen=True)
class JobLine:
    """One line of a job's log; the level is `info`, `warning` or `error`."""

    level: str
    text: str
    created_at: datetime


_JSON_COLUMNS = {
    "project": "project__slug",
    "results_so_far": "report__results",
    "file": "report__file",
    "totals": "report__totals",
    "undone_at": "report__undone__at",
    "undone_by": "report__undone__job",
    "trial": "arguments__trial",
    "iteration": "report__strategies__stored",
    "only_state": "report__files__0__state",
    "only_format": "report__files__0__format",
    "only_evaluation": "report__files__0__evaluation",
    "only_iteration": "report__files__0__iterations__0",
    "only_error": "report__files__0__error",
}
_NAMES = tuple(field.name for field in fields(JobRow))
_COLUMNS = tuple(_JSON_COLUMNS.get(name, name) for name in _NAMES)
_TEXTS = ("file", "only_state", "only_format", "only_error")


def silence(lease_until: datetime | None) -> datetime | None:
    """When a lease was renewed, if that is too long ago; None = it was not, or there is none."""
    if lease_until is None:
        return None
    heard = lease_until - LEASE
    return heard if timezone.now() - heard > SILENCE else None


def unfinished_jobs() -> int:
    """How many jobs wait or run."""
    return within(Job.objects.filter(state__in=UNFINISHED)).count()


def job_rows(job_ids: Iterable[int]) -> dict[int, JobRow]:
    """Jobs by their id, in one query; those that are gone are left out."""
    return {row.id: row for row in _rows(within(Job.objects.filter(pk__in=list(job_ids))))}


def rows_of_batch(batch: str, start: int, size: int) -> tuple[JobRow, ...]:
    """Some jobs of a batch, in the order in which they were given, in one query."""
    return tuple(_rows(jobs_of_batch(batch)[start : start + size]))


def job_row(job_id: int) -> JobRow | None:
    """One job, None if there is no such one."""
    return next(iter(_rows(within(Job.objects.filter(pk=job_id)))), None)


def jobs_of_batch(batch: str) -> QuerySet[Job]:
    """The jobs of files that were given at one time."""
    return within(Job.objects.filter(batch=batch).order_by("pk"))


def job_files(job_id: int) -> list[JobFile]:
    """What became of each file of an import that has ended; empty before."""
    files = Job.objects.values_list("report__files", flat=True).get(pk=job_id)
    return msgspec.convert(files or [], list[JobFile])


def job_report(job_id: int) -> dict[str, Any]:
    """The whole report of a job as it was stored; empty before there is one."""
    report: dict[str, Any] = Job.objects.values_list("report", flat=True).get(pk=job_id)
    return report


def job_messages(job_id: int, most: int = 200) -> list[JobLine]:
    """The last lines of a job's log, the newest first."""
    return _lines(JobMessage.objects.filter(job_id=job_id), most)


def batch_messages(batch: str, most: int = 200) -> list[JobLine]:
    """The last lines of the logs of a batch's jobs, the newest first."""
    return _lines(within(JobMessage.objects.filter(job__batch=batch), "job__project"), most)


def iteration_names(iteration_ids: list[int]) -> dict[int, str]:
    """What iterations that are there still are called, by id; no query for none."""
    if not iteration_ids:
        return {}
    found = within(Iteration.objects.filter(pk__in=iteration_ids), "sprint__project")
    values = found.values_list("pk", "iteration", "sprint__title", "sprint__contract_id")
    return {pk: f"{title or contract}, iteration {number}" for pk, number, title, contract in values}


def has_no_worker(created_at: datetime) -> bool:
    """Tell whether a job that waits since then is not taken by anybody: it waits long, and no long work runs."""
    now = timezone.now()
    if now - created_at < PATIENCE:
        return False
    return not Job.objects.filter(kind__in=LONG, state=JobState.RUNNING, lease_until__gt=now).exists()


def _lines(found: QuerySet[JobMessage], most: int) -> list[JobLine]:
    return [JobLine(*values) for values in found.order_by("-pk").values_list("level", "text", "created_at")[:most]]


def _rows(found: QuerySet[Job]) -> list[JobRow]:
    return [_row(dict(zip(_NAMES, values, strict=True))) for values in found.values_list(*_COLUMNS)]


def _row(values: dict[str, Any]) -> JobRow:
    values.update({name: values[name] or "" for name in _TEXTS})
    if values["undone_at"] is not None:
        values["undone_at"] = datetime.fromisoformat(values["undone_at"])
    if values["totals"] is not None:
        values["totals"] = msgspec.convert(values["totals"], JobTotals)
        if values["totals"].files != 1:
            values.update(only_state="", only_format="", only_evaluation=None, only_iteration=None, only_error="")
    return JobRow(**values)

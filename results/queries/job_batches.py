"""Jobs of one call as one: their sums, and the list of jobs in which they are one line."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    Count,
    F,
    Max,
    Min,
    Q,
    Sum,
    When,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from results.models.jobs import Job, JobState
from results.queries.jobs import UNFINISHED, JobRow, JobTotals, job_rows, silence
from results.reach import within

TOTALS = JobTotals.__struct_fields__


@dataclass(frozen=True)
class JobBatch:
    """Jobs of files that were given at one time, added up.

    Attributes:
        first: id of the job that was asked for first.
        folder: what all their titles begin with, up to a slash; empty when that is only the slash.
        running, waiting, cancelled, broken: how many jobs are in that state; a broken one failed without a report.
        undone: how many jobs were undone.
        cancellable: unfinished ones that were not asked to stop yet.
        oldest_wait: since when the one waits that waits longest; None = none does.
        lease_until: the end of the first lease to end of those that run.
        format: of every file, where they have one in common; empty otherwise.
        bytes_done, bytes_total: an ended job counts as done. The total is None while nobody knows it.
        results_so_far: of jobs that run; the totals have those of the others.
    """

    batch: str
    jobs: int
    first: int
    newest: int
    folder: str
    project: str
    format: str
    running: int
    waiting: int
    cancelled: int
    broken: int
    undone: int
    cancellable: int
    oldest_wait: datetime | None
    lease_until: datetime | None
    bytes_done: int
    bytes_total: int | None
    results_so_far: int
    totals: JobTotals
    asked_at: datetime
    began_at: datetime | None

    @property
    def unfinished(self) -> int:
        """How many jobs wait or run."""
        return self.running + self.waiting

    @property
    def silent_since(self) -> datetime | None:
        """The last sign of life of the job that was silent for longest, if that is too long; None = all are well."""
        return silence(self.lease_until)


@dataclass(frozen=True)
class JobsFound:
    """One page of the list of jobs, and how many lines there are. A batch of several jobs is one line."""

    lines: tuple[JobRow | JobBatch, ...]
    total: int


def job_page(page: int = 1, size: int = 50) -> JobsFound:
    """The newest jobs first, batches as one, in four queries (three without any batch).

    Args:
        page: from 1; beyond the end it is the last one.
        size: lines of a page.
    """
    line = Case(When(batch="", then=Cast("pk", CharField())), default=F("batch"))
    lines = within(Job.objects.all()).values(line=line).annotate(newest=Max("pk"), jobs=Count("pk")).order_by("-newest")
    total = lines.count()
    start = (min(page, max(1, -(-total // size))) - 1) * size
    shown = list(lines.values_list("line", "newest", "jobs")[start : start + size])
    rows = job_rows(newest for _, newest, jobs in shown if jobs == 1)
    batches = _batches([batch for batch, _, jobs in shown if jobs > 1])
    found = (batches.get(batch) if jobs > 1 else rows.get(newest) for batch, newest, jobs in shown)
    return JobsFound(tuple(entry for entry in found if entry is not None), total)


def job_batch(batch: str) -> JobBatch | None:
    """The sums of a batch, in one query; None if there is no such one."""
    return _batches([batch]).get(batch)


def _batches(batches: list[str]) -> dict[str, JobBatch]:
    if not batches:
        return {}
    found = within(Job.objects.filter(batch__in=batches)).values("batch").annotate(**_SUMS, **_WORKINGS)
    return {values["batch"]: _batch(dict(values)) for values in found}


def _number(path: str) -> Cast:
    return Cast(KT(path), BigIntegerField())


_WAITS, _RUNS, _IS_OVER = Q(state=JobState.QUEUED), Q(state=JobState.RUNNING), ~Q(state__in=UNFINISHED)
_SUMS: dict[str, Any] = {  # by the attribute of `JobBatch`
    "jobs": Count("pk"),
    "first": Min("pk"),
    "newest": Max("pk"),
    "running": Count("pk", filter=_RUNS),
    "waiting": Count("pk", filter=_WAITS),
    "cancelled": Count("pk", filter=Q(state=JobState.CANCELLED)),
    "broken": Count("pk", filter=Q(state=JobState.FAILED) & (~Q(error="") | Q(report__totals__isnull=True))),
    "undone": Count("pk", filter=Q(report__undone__isnull=False)),
    "cancellable": Count("pk", filter=Q(state__in=UNFINISHED, is_cancel_requested=False)),
    "oldest_wait": Min("created_at", filter=_WAITS),
    "lease_until": Min("lease_until", filter=_RUNS),
    "bytes_done": Sum(Case(When(_IS_OVER, then=Coalesce(F("total"), 0)), default=F("done")), default=0),
    "results_so_far": Sum(_number("report__results"), filter=_RUNS, default=0),
    "asked_at": Min("created_at"),
    "began_at": Min("started_at"),
}
_WORKINGS: dict[str, Any] = {
    "first_title": Min("title"),
    "last_title": Max("title"),
    "slug": Min("project__slug"),
    "first_format": Min(KT("report__files__0__format")),
    "last_format": Max(KT("report__files__0__format")),
    "bytes": Sum("total", default=0),
    "unknown": Count("pk", filter=Q(state__in=UNFINISHED, total=None)),
    **{f"sum_{name}": Sum(_number(f"report__totals__{name}"), default=0) for name in TOTALS},
}


def _batch(values: dict[str, Any]) -> JobBatch:
    shared = _common_beginning(values["first_title"], values["last_title"])  # all others sort between these two
    folder = shared[: shared.rfind("/") + 1]
    is_one_format = values["first_format"] == values["last_format"]
    return JobBatch(
        batch=values["batch"],
        folder="" if folder == "/" else folder,
        project=values["slug"] or "",
        format=(values["first_format"] or "") if is_one_format else "",
        bytes_total=None if values["unknown"] else values["bytes"],
        totals=JobTotals(**{name: values[f"sum_{name}"] for name in TOTALS}),
        **{name: values[name] for name in _SUMS},
    )


def _common_beginning(first: str, last: str) -> str:
    length = next((place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), None)
    return first if length is None else first[:length]

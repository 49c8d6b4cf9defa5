"""How the installation is doing: jobs, evaluations, results, copies, and how fast imports were."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Sum
from django.utils import timezone

from results.facts import manifest
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.models.jobs import Job, JobKind, JobState
from results.text.index import lagging

RECENT = timedelta(hours=1)  # imports that ended in this time tell how fast imports are


@dataclass(frozen=True)
class JobCount:
    """Jobs of one kind in one state."""

    kind: str
    state: str
    jobs: int


@dataclass(frozen=True)
class EvaluationCount:
    """Evaluations in one state, and the results in them."""

    state: str
    evaluations: int
    results: int


@dataclass(frozen=True)
class ImportRate:
    """What imports brought that ended within the last hour; 0 = none did.

    Attributes:
        seconds: from start to end, added up; imports at the same time count each.
    """

    imports: int
    results: int
    size_bytes: int
    seconds: float


@dataclass(frozen=True)
class Operation:
    """The state of the installation at one moment.

    Attributes:
        oldest_waiting_seconds: age of the oldest queued job; None = none waits.
        lagging: visible evaluations that searching does not find whole yet.
    """

    jobs: tuple[JobCount, ...]
    oldest_waiting_seconds: float | None
    evaluations: tuple[EvaluationCount, ...]
    facts_files: int
    lagging: int
    imports: ImportRate


def present_operation() -> Operation:
    """Ask the tables and the text index, in a handful of small queries."""
    now = timezone.now()
    jobs = Job.objects.values_list("kind", "state").order_by("kind", "state").annotate(Count("pk"))
    oldest = Job.objects.filter(state=JobState.QUEUED).aggregate(oldest=Min("created_at"))["oldest"]
    states = Evaluation.objects.values_list("state").order_by("state").annotate(Count("pk"), Sum("results"))
    visible = Evaluation.objects.filter(state__in=VISIBLE_STATES).values_list("pk", flat=True)
    return Operation(
        jobs=tuple(JobCount(*row) for row in jobs),
        oldest_waiting_seconds=None if oldest is None else max(0.0, (now - oldest).total_seconds()),
        evaluations=tuple(EvaluationCount(*row) for row in states),
        facts_files=len(manifest.current().members),
        lagging=len(lagging(visible)),
        imports=_import_rate(now),
    )


def _import_rate(now: datetime) -> ImportRate:
    ended = Job.objects.filter(kind=JobKind.IMPORT, state=JobState.SUCCEEDED, finished_at__gte=now - RECENT)
    times = ended.filter(started_at__isnull=False).values_list("started_at", "finished_at")
    seconds = sum((end - start).total_seconds() for start, end in times if end is not None and start is not None)
    brought = Evaluation.objects.filter(job__in=ended).aggregate(results=Sum("results"), size=Sum("size_bytes"))
    return ImportRate(ended.count(), brought["results"] or 0, brought["size"] or 0, max(0.0, seconds))

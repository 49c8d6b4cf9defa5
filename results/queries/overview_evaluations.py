"""Evaluations as the overview needs them: where they stand in time, the baseline, and what came since a moment."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count
from django.db.models.functions import Coalesce

from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.models.jobs import Job, JobKind, JobState
from results.models.sprints import Iteration, Sprint, Verdict
from results.queries.visibility import VisibleSet
from results.reach import within
from results.statistics import OutcomeCounts


@dataclass(frozen=True)
class EvaluationBrief:
    """One evaluation. `began_at` is its earliest start, else its document's time or its import."""

    id: int
    name: str
    project: str
    state: str
    is_baseline: bool
    began_at: datetime
    imported_at: datetime
    outcomes: OutcomeCounts


@dataclass(frozen=True)
class News:
    """What came since a moment.

    Attributes:
        evaluations: the newest start first.
        iterations: of sprints, each revision; `failed_iterations` of them with the verdict fail.
        failed_jobs: jobs that ended without doing what was asked, other than those that somebody cancelled.
    """

    since: datetime
    evaluations: tuple[EvaluationBrief, ...]
    iterations: int
    failed_iterations: int
    failed_jobs: int

    @property
    def results(self) -> int:
        """Results of the new evaluations."""
        return sum(row.outcomes.total for row in self.evaluations)

    @property
    def is_empty(self) -> bool:
        """Nothing came."""
        return not (self.evaluations or self.iterations or self.failed_jobs)


def evaluation_briefs(visible: VisibleSet) -> list[EvaluationBrief]:
    """All visible evaluations in the order of time, the earliest first, in one query."""
    found = Evaluation.objects.filter(state__in=VISIBLE_STATES).annotate(began=Coalesce("started_at", "imported_at"))
    rows = found.order_by("began", "pk").values_list(
        "pk",
        "name",
        "project__slug",
        "state",
        "is_baseline",
        "began",
        "imported_at",
        "passed",
        "failed",
        "errors",
        "skipped",
    )
    return [EvaluationBrief(*row[:7], OutcomeCounts(*row[7:])) for row in rows if row[0] in visible.evaluation_ids]


def news_since(since: datetime, briefs: Iterable[EvaluationBrief], projects: Sequence[str] = ()) -> News:
    """What came since a moment, in two queries.

    Args:
        since: the moment.
        briefs: the evaluations that may be seen.
        projects: slugs of the projects that are looked at; empty = all.
    """
    new = [row for row in briefs if row.imported_at > since and (not projects or row.project in projects)]
    iterations = within(Iteration.objects.filter(imported_at__gt=since), "sprint__project")
    kinds = (JobKind.IMPORT, JobKind.MERGE)
    broken = within(Job.objects.filter(state=JobState.FAILED, finished_at__gt=since, kind__in=kinds))
    if projects:
        iterations = iterations.filter(sprint__project__slug__in=projects)
        broken = broken.filter(project__slug__in=projects)
    verdicts = dict(iterations.values_list("verdict").annotate(count=Count("pk")))
    return News(
        since=since,
        evaluations=tuple(sorted(new, key=lambda row: (row.began_at, row.id), reverse=True)),
        iterations=sum(verdicts.values()),
        failed_iterations=verdicts.get(Verdict.FAIL, 0),
        failed_jobs=broken.count(),
    )


def sprint_count(projects: Sequence[str] = ()) -> int:
    """How many sprints there are in some projects; none named = in any."""
    found = within(Sprint.objects.all())
    return (found.filter(project__slug__in=projects) if projects else found).count()

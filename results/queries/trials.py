"""How far live trials are, run by run, and what of them can be done again."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, QuerySet
from django.utils import timezone

from results.compression import decompress
from results.models.jobs import Job, JobKind, JobMessage, JobState
from results.models.results import Outcome, ResultDocument
from results.models.trials import Trial, TrialResult
from results.queries.jobs import UNFINISHED, JobLine
from results.records import ResultKind, decode_result
from results.statistics import OutcomeCounts
from results.trial_plan import Place, PlannedRun, TrialPlan, plan_from

DOCUMENTS_PER_READ = 500


class RerunKind(StrEnum):
    """Which results of a trial are made again."""

    NOT_PASSED = "not-passed"  # failed and error
    ERRORS = "errors"
    TRANSIENT = "transient"  # errors that are marked as passing


@dataclass(frozen=True)
class RunProgress:
    """One run of a trial: what it is done with, by outcome, of how many tasks."""

    run: PlannedRun
    outcomes: OutcomeCounts
    total: int

    @property
    def done(self) -> int:
        """Results that are there, whatever they are."""
        return self.outcomes.total


@dataclass(frozen=True)
class TrialProgress:
    """A trial as it stands.

    Attributes:
        state: a `TrialState`; reason: why it ended before it was whole, empty = it did not, or was asked to.
        is_waiting: it runs, but no worker has begun, or those that had are gone.
        is_cancel_requested: it will stop soon.
        not_run: what nobody has done; of an ended trial it stays so until it is resumed.
        asked_at: when the present session was asked for; None = there is none.
        seconds_left: at the speed so far; None = nobody knows, or it does not run.
        rerun_of, reruns: ids of the trial that this one does parts of again, and of those that do so with this one.
        job_ids: of the present session.
    """

    id: int
    name: str
    project: str
    state: str
    reason: str
    is_waiting: bool
    is_cancel_requested: bool
    done: int
    total: int
    runs: tuple[RunProgress, ...]
    asked_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    seconds_left: float | None
    rerun_of: int | None
    reruns: tuple[int, ...]
    job_ids: tuple[int, ...]
    config_name: str
    tasks_name: str

    @property
    def not_run(self) -> int:
        """What nobody has done."""
        return self.total - self.done

    @property
    def share_done(self) -> float:
        """The finished part, in [0, 1]."""
        return self.done / self.total if self.total else 1.0


def trial_progress(trial_id: int, now: datetime | None = None) -> TrialProgress | None:
    """How far a trial is; None if there is no such one. Five queries, however large it is."""
    without_files = Trial.objects.defer("config_text", "tasks_text")
    trial = without_files.select_related("evaluation__project").filter(pk=trial_id).first()
    if trial is None:
        return None
    plan, evaluation, now = plan_from(trial.plan), trial.evaluation, now or timezone.now()
    runs = _runs(trial_id, plan)
    jobs = list(Job.objects.filter(trial_share__trial_id=trial_id).order_by("pk"))
    done = sum(run.done for run in runs)
    return TrialProgress(
        id=trial.pk,
        name=evaluation.name,
        project=evaluation.project.slug,
        state=trial.state,
        reason=trial.reason,
        is_waiting=bool(jobs) and all(_is_waiting(job, now) for job in jobs),
        is_cancel_requested=any(job.is_cancel_requested and job.state in UNFINISHED for job in jobs),
        done=done,
        total=trial.total,
        runs=runs,
        asked_at=jobs[0].created_at if jobs else None,
        started_at=evaluation.started_at if done else evaluation.created_at,
        ended_at=trial.ended_at,
        seconds_left=_seconds_left(jobs, now),
        rerun_of=trial.rerun_of_id,
        reruns=tuple(trial.reruns.order_by("pk").values_list("pk", flat=True)),
        job_ids=tuple(job.pk for job in jobs),
        config_name=trial.config_name,
        tasks_name=trial.tasks_name,
    )


def trial_messages(trial_id: int, most: int = 200) -> list[JobLine]:
    """The last messages of a trial, those of its earlier sessions too, the newest first."""
    found = _messages(trial_id).order_by("-pk")
    return [JobLine(*values) for values in found.values_list("level", "text", "created_at")[:most]]


def result_messages(trial_id: int, beginning: str, most: int = 50) -> list[JobLine]:
    """What a trial said of one result, the oldest first; `beginning` = how messages about it begin."""
    found = _messages(trial_id).filter(text__startswith=beginning).order_by("pk")
    return [JobLine(*values) for values in found.values_list("level", "text", "created_at")[:most]]


def _messages(trial_id: int) -> QuerySet[JobMessage]:
    """By what the jobs were asked for: a resumed trial has other shares than before."""
    return JobMessage.objects.filter(job__kind=JobKind.TRIAL, job__arguments__trial=trial_id)


def places_to_rerun(trial_id: int, kind: RerunKind) -> list[Place]:
    """What a trial did that may be worth doing again, in the order of the files."""
    outcomes = [Outcome.FAILED, Outcome.ERROR] if kind is RerunKind.NOT_PASSED else [Outcome.ERROR]
    found = TrialResult.objects.filter(trial_id=trial_id, outcome__in=outcomes).order_by("entry", "run", "task")
    rows = [(Place(*row[:3]), row[3]) for row in found.values_list("entry", "run", "task", "result_id")]
    if kind is RerunKind.TRANSIENT:
        passing = _transient([result_id for _, result_id in rows])
        rows = [row for row in rows if row[1] in passing]
    return [place for place, _ in rows]


def _runs(trial_id: int, plan: TrialPlan) -> tuple[RunProgress, ...]:
    counted: dict[tuple[int, int], dict[int, int]] = {}
    rows = TrialResult.objects.filter(trial_id=trial_id).values_list("entry", "run", "outcome").annotate(Count("pk"))
    for entry, run, outcome, count in rows:
        counted.setdefault((entry, run), {})[outcome] = count
    totals: dict[tuple[int, int], int] = {}
    for place in plan.only or ():
        totals[place.entry, place.run] = totals.get((place.entry, place.run), 0) + 1
    return tuple(
        RunProgress(
            run,
            OutcomeCounts(*(counted.get((run.entry, run.place), {}).get(outcome, 0) for outcome in Outcome)),
            len(plan.tasks) if plan.only is None else totals.get((run.entry, run.place), 0),
        )
        for run in plan.runs
    )


def _seconds_left(jobs: list[Job], now: datetime) -> float | None:
    """The longest of the jobs at their own speed so far."""
    left = [_seconds_of(job, now) for job in jobs if job.state in UNFINISHED]
    if not left or None in left:
        return None
    return max(seconds for seconds in left if seconds is not None)


def _is_waiting(job: Job, now: datetime) -> bool:
    """Whether nobody works at it: it was not begun, or the lease of whoever did is over."""
    is_lost = job.state == JobState.RUNNING and (job.lease_until is None or job.lease_until < now)
    return job.state == JobState.QUEUED or is_lost


def _seconds_of(job: Job, now: datetime) -> float | None:
    if job.started_at is None or not job.done or job.total is None or _is_waiting(job, now):
        return None
    elapsed = max(now - job.started_at, timedelta()).total_seconds()
    return elapsed * max(job.total - job.done, 0) / job.done


def _transient(result_ids: list[int]) -> set[int]:
    """Those whose error is marked as passing."""
    found: set[int] = set()
    for start in range(0, len(result_ids), DOCUMENTS_PER_READ):
        part = result_ids[start : start + DOCUMENTS_PER_READ]
        for pk, body in ResultDocument.objects.filter(pk__in=part).values_list("pk", "body"):
            record = decode_result(decompress(body))
            error = record.details.error
            if record.kind is ResultKind.ERROR and error is not None and error.transient:
                found.add(pk)
    return found

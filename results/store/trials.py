"""The life of a live trial: begun, kept up to date while it runs, ended, begun again."""

import logging
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import duckdb
import msgspec
from django.db import DatabaseError, transaction
from django.db.models import Min
from django.utils import timezone

from results.facts import live, manifest
from results.facts.rebuild import compact_if_needed
from results.jobs import create_job
from results.models.evaluations import (
    RESULTS_PER_EVALUATION,
    Evaluation,
    EvaluationRun,
    EvaluationState,
    EvaluationTask,
    TimeSource,
)
from results.models.jobs import Job, JobKind, JobState
from results.models.projects import Project
from results.models.results import Result
from results.models.trials import Trial, TrialResult, TrialShare, TrialState
from results.models.webhooks import WebhookEvent
from results.names import storable
from results.store.prepared import EPOCH
from results.store.review_identity import note_content
from results.text.index import index_pending
from results.text.index_file import IndexLostError
from results.trial_plan import Place, TrialPlan, plan_from
from results.webhooks import notify

FORMAT = "live"  # of an evaluation that we ran ourselves
APP_NAME = "Evalboard"
COPY_SECONDS = 5.0  # between two times that facts and text index are brought up to date
REFRESHES = 3  # tries, where other machines compact at the same time

log = logging.getLogger(__name__)

_UNFINISHED = (JobState.QUEUED, JobState.RUNNING)
_COPY_FAULTS = (duckdb.Error, sqlite3.Error, DatabaseError, IndexLostError, OSError)


def begin_trial(project: Project, name: str, app_version: str, plan: TrialPlan, about: dict[str, Any]) -> Trial:
    """Make the rows of a trial that runs from now on; nobody works at it yet.

    Args:
        project: that its results belong to.
        name: of its evaluation.
        app_version: ours.
        plan: what was picked.
        about: further columns of `Trial`.
    """
    now = timezone.now()
    with transaction.atomic():
        evaluation = Evaluation.objects.create(
            project=project,
            state=EvaluationState.RUNNING,
            name=storable(name),
            format=FORMAT,
            app_name=APP_NAME,
            app_version=app_version,
            created_at=now,
            started_at=now,
            started_at_source=TimeSource.DOCUMENT,
        )
        return Trial.objects.create(evaluation=evaluation, plan=msgspec.to_builtins(plan), total=plan.total, **about)


def plan_of(trial: Trial) -> TrialPlan:
    """What was picked for a trial."""
    return plan_from(trial.plan)


def places_done(trial_id: int) -> set[Place]:
    """What a trial is done with."""
    rows = TrialResult.objects.filter(trial_id=trial_id).values_list("entry", "run", "task")
    return {Place(*row) for row in rows.iterator(chunk_size=5_000)}


def share_out(trial: Trial, parts: Iterable[list[int]], *, is_resumable: bool) -> list[Job]:
    """Write a job for each part of a trial that runs; those of earlier sessions no longer count.

    Args:
        trial: that runs.
        parts: entries of `providers` for each job.
        is_resumable: the sweeper may send the jobs again.
    """
    plan, done = plan_of(trial), places_done(trial.pk)
    jobs: list[Job] = []
    with transaction.atomic():
        trial.shares.all().delete()
        for entries in parts:
            total = sum(place.entry in entries for place in plan.places() if place not in done)
            job = create_job(
                JobKind.TRIAL,
                project=trial.evaluation.project,
                title=trial.evaluation.name,
                arguments={"trial": trial.pk, "entries": entries},
                is_resumable=is_resumable,
                total=total,
            )
            TrialShare.objects.create(trial=trial, job=job, entries=entries)
            jobs.append(job)
        if jobs:
            Evaluation.objects.filter(pk=trial.pk).update(job=jobs[0])
    return jobs


def is_running(trial_id: int) -> bool:
    """Whether a trial is there and takes results."""
    return Evaluation.objects.filter(pk=trial_id, state=EvaluationState.RUNNING).exists()


def reopen(trial_id: int) -> bool:
    """Let a trial that ended run again.

    Returns:
        False when it runs, is whole, or was deleted.
    """
    with transaction.atomic():
        ended = Trial.objects.filter(pk=trial_id, state=TrialState.CANCELLED)
        if ended.update(state=TrialState.RUNNING, reason="", ended_at=None) != 1:
            return False
        ready = Evaluation.objects.filter(pk=trial_id, state=EvaluationState.READY)
        if ready.update(state=EvaluationState.RUNNING) != 1:
            transaction.set_rollback(True)
            return False
        manifest.forget_elsewhere(trial_id)
    return True


def refresh_copies(trial_id: int, now: datetime | None = None) -> bool:
    """Bring facts, counts and the text index up to what is committed of a running trial, unless somebody just did.

    What fails now is tried again the next time.

    Returns:
        Whether it was done.
    """
    now = now or timezone.now()
    old = now - timedelta(seconds=COPY_SECONDS)
    running = Trial.objects.filter(pk=trial_id, state=TrialState.RUNNING)
    if running.exclude(copied_at__gt=old).update(copied_at=now) != 1:
        return False
    with suppress(*_COPY_FAULTS, msgspec.DecodeError):
        _count(trial_id)
        is_done = live.refresh(trial_id)
        index_pending(trial_id)
        return is_done
    return False


def settle(trial_id: int) -> bool:
    """End a trial that nobody works at any more, as it went. Safe to call at any time and twice.

    Returns:
        Whether it has ended.
    """
    trial = Trial.objects.filter(pk=trial_id).first()
    if trial is None or trial.state != TrialState.RUNNING:
        return True
    jobs = Job.objects.filter(trial_share__trial_id=trial_id)
    if jobs.filter(state__in=_UNFINISHED).exists():
        return False
    is_whole = TrialResult.objects.filter(trial_id=trial_id).count() >= trial.total
    failed = jobs.filter(state=JobState.FAILED).order_by("pk").values_list("error", flat=True).first()
    end_trial(trial_id, TrialState.READY if is_whole else TrialState.CANCELLED, "" if is_whole else failed or "")
    return True


def end_trial(trial_id: int, state: TrialState, reason: str = "") -> None:
    """Make a trial's evaluation ready; nothing more is written to it.

    One of whose results a document cannot be read ends as broken off, with that reason: it must not run for ever.
    """
    unreadable = _copy_for_good(trial_id)
    if unreadable:
        state, reason = TrialState.CANCELLED, unreadable
    with transaction.atomic():
        _count(trial_id)
        running = Trial.objects.filter(pk=trial_id, state=TrialState.RUNNING)
        has_ended = running.update(state=state, reason=reason, ended_at=timezone.now()) == 1
        evaluation = Evaluation.objects.filter(pk=trial_id, state=EvaluationState.RUNNING)
        evaluation.update(state=EvaluationState.READY)
        note_content(trial_id)
        if has_ended:
            _tell_webhooks(trial_id, state, reason)
    with suppress(*_COPY_FAULTS, msgspec.DecodeError):  # the sweeper does it otherwise
        index_pending(trial_id)
        compact_if_needed()


def _tell_webhooks(trial_id: int, state: TrialState, reason: str) -> None:
    row = Evaluation.objects.select_related("project").get(pk=trial_id)
    payload = {
        "title": f"{row.name}: {state}, {row.passed:,} passed of {row.results:,} results",
        "path": f"/trials/{trial_id}/",
        "evaluation": trial_id,
        "state": str(state),
        "reason": reason,
        "outcomes": {"passed": row.passed, "failed": row.failed, "error": row.errors, "skipped": row.skipped},
    }
    notify(WebhookEvent.TRIAL_FINISHED, row.project, payload)


def _copy_for_good(trial_id: int) -> str:
    """Let the facts hold everything, or nothing: then they are made again when somebody asks.

    Returns:
        Why they cannot hold everything, whoever asks; then they stay as they are. Empty = they can.
    """
    try:
        for _ in range(REFRESHES):
            if live.refresh(trial_id):
                return ""
    except msgspec.DecodeError as error:
        log.exception("a result of trial %d cannot be read", trial_id)
        return f"A result of it is stored and cannot be read again: {error}"
    except _COPY_FAULTS:
        pass
    manifest.forget(trial_id)
    return ""


def _count(trial_id: int) -> None:
    """Count what is not counted with every result: runs, tasks, and when the first one started."""
    first, end = trial_id * RESULTS_PER_EVALUATION, (trial_id + 1) * RESULTS_PER_EVALUATION
    started = Result.objects.filter(pk__gte=first, pk__lt=end).aggregate(at=Min("started_at_us"))["at"]
    runs = EvaluationRun.objects.filter(evaluation_id=trial_id).values("run_version__run").distinct().count()
    tasks = EvaluationTask.objects.filter(evaluation_id=trial_id).values("task_version__task").distinct().count()
    changes: dict[str, Any] = {"runs": runs, "tasks": tasks}
    if started is not None:
        changes |= {"started_at": EPOCH + timedelta(microseconds=started)}
    Evaluation.objects.filter(pk=trial_id).update(**changes)

"""Background work as Celery sees it: bodies of a few lines; arguments are ids, the job row is the truth."""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from celery.signals import worker_ready, worker_shutting_down
from celery.worker import WorkController, state
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from kombu.exceptions import OperationalError

from evaluator import live_work, strategy_jobs, trial_drafts
from evaluator.celery import app
from evaluator.key_files import forget_idle_keys
from evaluator.logs import of_job
from evaluator.readiness import sweep_stamp
from evaluator.webhook_sending import deliver, due_deliveries
from results import bulk_review, intake, merging, retention, sweeper
from results.jobs import first_of_batch, give_back, stop_soon
from results.models.jobs import Job, JobKind
from results.store import removals

HOUSEKEEPING = "housekeeping"
SWEEP_SECONDS = 60.0
MESSAGE_KEPT_SECONDS = 3600.0  # a message taken from the files in var/broker

log = logging.getLogger(__name__)


@app.task(name="work.run_import")
def run_import(job_id: int) -> None:
    """Import what the job's upload holds, or that of a job of its batch that was asked for earlier and waits still."""
    with put_off(job_id):
        chosen = first_of_batch(job_id)
        with of_job(chosen):
            intake.run_import(chosen)
    tell_webhooks()


@app.task(name="work.run_merge")
def run_merge(job_id: int) -> None:
    """Make the evaluation that the job's sources are merged into."""
    with put_off(job_id):
        merging.run_merge(job_id)


@app.task(name="work.run_review")
def run_review(job_id: int) -> None:
    """Annotate every result that the job's filter means."""
    with put_off(job_id):
        bulk_review.run_review(job_id)


@app.task(name="trials.run_trial")
def run_trial(job_id: int) -> None:
    """Run tasks against models, as the job's part of a live trial says."""
    with put_off(job_id):
        live_work.run_trial(job_id)
    tell_webhooks()


@app.task(name="trials.run_strategies")
def run_strategies(job_id: int) -> None:
    """Evaluate the code project that the job names; it may take long, so it does not keep imports waiting."""
    with put_off(job_id):
        strategy_jobs.run_strategy_job(job_id)


@app.task(name="housekeeping.remove_evaluations")
def remove_evaluations(job_id: int) -> None:
    """Remove the hidden evaluations that the job names."""
    with put_off(job_id):
        removals.run_removal(job_id)


@app.task(name="housekeeping.send_webhooks")
def send_webhooks() -> None:
    """Make an attempt at every delivery that is due; several workers may be at it."""
    for delivery_id in due_deliveries():
        deliver(delivery_id)


TASKS = {
    JobKind.DELETE: remove_evaluations,
    JobKind.MERGE: run_merge,
    JobKind.REVIEW: run_review,
    JobKind.TRIAL: run_trial,
    JobKind.STRATEGIES: run_strategies,
}


@contextmanager
def put_off(job_id: int) -> Iterator[None]:
    """Let a job for which the database cannot be written wait: the sweep sends it again."""
    with of_job(job_id):
        try:
            yield
            give_back()
        except DatabaseError as error:
            log.error("job %d cannot go on now (%s); the sweep sends it again", job_id, error)  # noqa: TRY400


def send(job_id: int) -> None:
    """Tell a worker about a queued job; a message that gets lost is sent again by the sweep."""
    kind = Job.objects.values_list("kind", flat=True).get(pk=job_id)
    task = TASKS.get(JobKind(kind), run_import)
    try:
        task.delay(job_id)
    except (OperationalError, OSError) as error:
        log.error("job %d could not be sent to a worker (%s); the sweep sends it again", job_id, error)  # noqa: TRY400


def tell_webhooks() -> None:
    """Have what webhooks are told sent now; what gets lost is sent by the sweep."""
    try:
        if due_deliveries():
            send_webhooks.delay()
    except (DatabaseError, OperationalError, OSError) as error:
        log.error("webhooks could not be told now (%s); the sweep does it", error)  # noqa: TRY400


def sweep() -> None:
    """Clean up after processes that died, and send their jobs again."""
    for job_id in sweeper.sweep():
        sweeper.attempt(f"sending job {job_id} again", send, job_id)
        log.info("job %d was lost and is sent again", job_id)
    sweeper.attempt("deleting old evaluations", delete_old)
    sweeper.attempt("removing old messages", prune_messages)
    sweeper.attempt("forgetting keys", forget_idle_keys)
    sweeper.attempt("removing old drafts of trials", trial_drafts.prune_drafts)
    sweeper.tend_copies()
    tell_webhooks()
    sweep_stamp().touch()


def delete_old() -> None:
    """Delete the evaluations that are old by the operator's settings; off by default."""
    job = retention.carry_out_settings()
    if job is not None:
        log.info("retention: %d old evaluations are deleted by job %d", job.total, job.pk)
        send(job.pk)


def prune_messages() -> None:
    """Remove the messages that the filesystem broker keeps after they were taken."""
    oldest = time.time() - MESSAGE_KEPT_SECONDS
    for path in Path(settings.BROKER_FOLDER, "processed").glob("*.msg"):
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)


def sweep_forever(stop: threading.Event, pause_seconds: float = SWEEP_SECONDS) -> None:
    """Sweep now and after each pause; a sweep that fails is logged, the next one comes all the same."""
    while not stop.is_set():
        close_old_connections()
        try:
            sweep()
        except (DatabaseError, OSError) as error:  # a full disk, most of the time: no fault of ours to trace
            log.error("the sweep could not be done (%s); it runs again in %.0f s", error, pause_seconds)  # noqa: TRY400
        except Exception:
            log.exception("the sweep failed; it runs again in %.0f s", pause_seconds)
        finally:
            close_old_connections()
        stop.wait(pause_seconds)


@worker_ready.connect
def start_sweeping(sender: WorkController, **_kwargs: object) -> None:
    """Sweep in a thread of the housekeeping worker: a plain timer needs no broker and leaves no messages behind."""
    if HOUSEKEEPING in sender.app.amqp.queues.consume_from:
        threading.Thread(target=sweep_forever, args=(threading.Event(),), name="sweep", daemon=True).start()


@worker_shutting_down.connect
def leave_when_idle(**_kwargs: object) -> None:
    """End an idle worker at once, for which Celery would take some four seconds; let a busy one end soon."""
    if not state.active_requests:
        os._exit(0)
    stop_soon()

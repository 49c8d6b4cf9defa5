"""Background work: what a message holds, and the sweep."""

import json
import os
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from evaluator import jobs
from evaluator.celery import app
from results.models.jobs import Job, JobKind, JobState


def test_a_message_holds_ids_and_nothing_else() -> None:
    body = json.loads(json.dumps(jobs.run_import.s(7).args))
    assert body == [7]


def test_only_json_is_taken_from_the_queue() -> None:
    assert app.conf.accept_content == ["json"]


def test_a_worker_takes_one_message_at_a_time() -> None:
    assert app.conf.worker_prefetch_multiplier == 1


def test_a_message_goes_back_when_its_worker_dies() -> None:
    assert app.conf.task_acks_late is True


@pytest.mark.parametrize(("task", "queue"), [("work.run_import", "work"), ("housekeeping.cancel", "housekeeping")])
def test_housekeeping_has_a_queue_of_its_own(task: str, queue: str) -> None:
    assert app.amqp.router.route({}, task)["queue"].name == queue


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The job ids that were sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(jobs.run_import, "delay", ids.append)
    return ids


@pytest.mark.django_db
def test_a_job_whose_process_died_is_sent_again(sent: list[int]) -> None:
    gone = timezone.now() - timedelta(minutes=2)
    job = Job.objects.create(kind=JobKind.IMPORT, state=JobState.RUNNING, lease_until=gone, starts=1, is_resumable=True)
    Job.objects.filter(pk=job.pk).update(created_at=gone)
    jobs.sweep()
    assert sent == [job.pk]


@pytest.mark.django_db
def test_a_job_that_somebody_works_on_is_left_alone(sent: list[int]) -> None:
    soon = timezone.now() + timedelta(seconds=30)
    Job.objects.create(kind=JobKind.IMPORT, state=JobState.RUNNING, lease_until=soon, starts=1, is_resumable=True)
    jobs.sweep()
    assert sent == []


def test_messages_taken_long_ago_are_removed(settings: Settings, tmp_path: Path) -> None:
    settings.BROKER_FOLDER = tmp_path
    folder = tmp_path / "processed"
    folder.mkdir()
    for name, age_seconds in (("old.msg", 7200), ("new.msg", 60)):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - age_seconds,) * 2)
    jobs.prune_messages()
    assert [path.name for path in folder.iterdir()] == ["new.msg"]


def test_a_sweep_that_fails_is_followed_by_the_next(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop = threading.Event()
    turns: list[int] = []

    def fail_once() -> None:
        turns.append(1)
        if len(turns) == 1:
            raise OSError("disk on fire")
        stop.set()

    monkeypatch.setattr(jobs, "sweep", fail_once)
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)
    jobs.sweep_forever(stop, pause_seconds=0.001)
    assert len(turns) == 2

"""The sweep cleans up after processes that died, and keeps the copies of the documents up to date."""

import os
import time
from pathlib import Path

import pytest

from evaluator import live
from results import sweeper, uploads
from results.importers.source import Limits
from results.intake import ImportOptions, import_file
from results.jobs import create_job
from results.models.jobs import Job, JobKind, JobState, Upload
from results.sweeper import sweep, tend_copies
from results.text import index_file
from results.text.query import parse
from results.text.search import matching_ids
from tests.documents import document, result, write
from tests.evaluator.live_trials import order

pytestmark = pytest.mark.django_db

LONG_AGO = time.time() - 2 * 3600


def test_a_staged_file_that_nobody_needs_is_removed(tmp_path: Path) -> None:
    with write(tmp_path, "a.json", b"{}").open("rb") as stream:
        upload = uploads.stage(stream, "a.json", Limits())
    Upload.objects.update(created_at="2026-01-01T00:00:00Z")
    os.utime(uploads.uploads_folder() / upload.stored_name, (LONG_AGO, LONG_AGO))
    sweep()
    assert (Upload.objects.count(), list(uploads.uploads_folder().iterdir())) == (0, [])


def test_a_file_that_is_being_staged_stays() -> None:
    path = write(uploads.uploads_folder(), "fresh", b"{}")
    sweep()
    assert path.exists()


def test_a_trial_that_cannot_be_settled_does_not_keep_a_lost_job_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    live.queue_trial(order())
    Job.objects.update(state=JobState.CANCELLED)
    job = create_job(JobKind.STRATEGIES, is_resumable=True)
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, starts=1, lease_until="2026-01-01T00:00:00Z", created_at="2026-01-01T00:00:00Z"
    )
    monkeypatch.setattr(sweeper, "settle", lambda _trial_id: 1 // 0)
    assert sweep() == [job.pk]


def test_a_lost_text_index_is_filled_again(tmp_path: Path) -> None:
    import_file(write(tmp_path, "a.json", document(result(1, Got="a zebra"))), ImportOptions())
    for path in index_file.index_folder().iterdir():
        path.unlink()
    tend_copies()
    assert len(matching_ids(parse("zebra"))) == 1

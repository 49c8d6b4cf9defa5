"""A process that is told to end gives its job back with the next chunk, and another one does it whole."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluator import jobs as worker
from results import jobs
from results.importers.source import Limits
from results.intake import find_project, queue_import
from results.jobs import JobLease
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobKind, JobState
from results.models.results import Result
from results.store import writer
from results.sweeper import sweep
from results.uploads import stage
from tests.documents import document, result, write

pytestmark = pytest.mark.django_db

RESULTS = 2_500  # three chunks


@pytest.fixture(autouse=True)
def _process_of_its_own() -> Iterator[None]:
    yield
    jobs._stop.clear()


def queued_import(folder: Path) -> Job:
    path = write(folder, "a.json", document(*(result(number) for number in range(RESULTS))))
    with path.open("rb") as stream:
        upload = stage(stream, "a.json", Limits())
    return queue_import(find_project("default"), upload)


def stop_at_chunk(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell the process to end just before it renews the lease of a chunk."""
    renewals = iter(range(1, 100))

    def renew(lease: JobLease, **given: Any) -> None:
        if next(renewals) == number:
            jobs.stop_soon()
        jobs.renew(lease, **given)

    monkeypatch.setattr(writer, "renew", renew)


def test_an_import_that_was_stopped_in_the_middle_is_done_whole_by_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued_import(tmp_path)
    stop_at_chunk(2, monkeypatch)

    worker.run_import(job.pk)

    job.refresh_from_db()
    assert (job.state, job.starts, job.lease_until, job.error) == (JobState.QUEUED, 0, None, "")
    assert not Evaluation.objects.filter(state=EvaluationState.READY).exists()

    jobs._stop.clear()
    monkeypatch.setattr(writer, "renew", jobs.renew)
    worker.run_import(job.pk)
    sweep()

    job.refresh_from_db()
    assert (job.state, job.starts) == (JobState.SUCCEEDED, 1)
    assert list(Evaluation.objects.values_list("state", "results")) == [(EvaluationState.READY, RESULTS)]
    assert Result.objects.count() == RESULTS


def test_any_number_of_restarts_fails_no_job(tmp_path: Path) -> None:
    job = queued_import(tmp_path)
    jobs.stop_soon()

    for _ in range(jobs.MOST_STARTS + 1):
        worker.run_import(job.pk)

    job.refresh_from_db()
    assert (job.state, job.starts) == (JobState.QUEUED, 0)


def test_a_job_that_nobody_would_send_again_goes_on_to_its_end() -> None:
    job = jobs.create_job(JobKind.IMPORT)
    lease = jobs.claim(job.pk)
    assert lease is not None
    jobs.stop_soon()

    jobs.renew(lease)
    jobs.give_back()

    job.refresh_from_db()
    assert (job.state, job.owner) == (JobState.RUNNING, lease.owner)

"""The job row decides who works: by claim, lease and cancel."""

from datetime import timedelta

import pytest
from django.utils import timezone

from results import jobs
from results.jobs import JobCancelledError, LeaseLostError
from results.models.jobs import Job, JobKind, JobState

pytestmark = pytest.mark.django_db


def running_job(**fields: object) -> tuple[Job, jobs.JobLease]:
    job = jobs.create_job(JobKind.IMPORT)
    lease = jobs.claim(job.pk)
    assert lease is not None
    Job.objects.filter(pk=job.pk).update(**fields)
    return job, lease


def expired() -> object:
    return timezone.now() - timedelta(seconds=1)


def state_of(job: Job) -> JobState:
    job.refresh_from_db()
    return JobState(job.state)


def test_only_one_claim_succeeds() -> None:
    job = jobs.create_job(JobKind.IMPORT)
    assert [jobs.claim(job.pk) is not None, jobs.claim(job.pk) is not None] == [True, False]


def test_a_job_whose_lease_ran_out_can_be_claimed_again() -> None:
    job, _ = running_job(lease_until=expired())
    assert jobs.claim(job.pk) is not None


def test_a_job_that_was_taken_over_stops_its_first_holder() -> None:
    job, lease = running_job(lease_until=expired())
    jobs.claim(job.pk)
    with pytest.raises(LeaseLostError):
        jobs.renew(lease)


def test_a_cancelled_job_stops_its_holder() -> None:
    job, lease = running_job()
    assert jobs.request_cancel(job.pk)
    with pytest.raises(JobCancelledError):
        jobs.renew(lease)


def test_a_queued_job_is_cancelled_at_once() -> None:
    job = jobs.create_job(JobKind.IMPORT)
    jobs.request_cancel(job.pk)
    assert state_of(job) == JobState.CANCELLED


def test_a_job_that_ended_cannot_be_cancelled() -> None:
    job, lease = running_job()
    jobs.finish(lease, JobState.SUCCEEDED)
    assert not jobs.request_cancel(job.pk)


def test_a_lost_lease_cannot_finish_the_job() -> None:
    _, lease = running_job(owner="somebody else")
    assert not jobs.finish(lease, JobState.SUCCEEDED)


def test_renewing_says_how_far_the_job_is() -> None:
    job, lease = running_job()
    jobs.renew(lease, done=5, total=10)
    job.refresh_from_db()
    assert (job.done, job.total) == (5, 10)


def test_a_lost_job_that_cannot_be_resumed_fails_with_the_reason() -> None:
    job, _ = running_job(lease_until=expired())
    jobs.recover()
    assert (state_of(job), job.error) == (JobState.FAILED, jobs.ENDED_PROCESS)


def test_a_lost_job_that_can_be_resumed_is_queued_again() -> None:
    job, _ = running_job(lease_until=expired(), is_resumable=True)
    jobs.recover()
    assert state_of(job) == JobState.QUEUED


def test_a_job_fails_after_its_third_start() -> None:
    job, _ = running_job(lease_until=expired(), is_resumable=True, starts=3)
    jobs.recover()
    assert state_of(job) == JobState.FAILED


def test_a_lost_job_that_was_to_be_cancelled_is_cancelled() -> None:
    job, _ = running_job(lease_until=expired(), is_resumable=True, is_cancel_requested=True)
    jobs.recover()
    assert state_of(job) == JobState.CANCELLED


def test_a_job_that_waits_too_long_is_sent_again() -> None:
    job = jobs.create_job(JobKind.IMPORT, is_resumable=True)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - 2 * jobs.LEASE)
    assert jobs.recover() == [job.pk]

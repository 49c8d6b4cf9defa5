"""Annotating all results of a filter: at once where they are few, else as a job."""

from contextlib import suppress

import msgspec
from django.db import DatabaseError
from django.http import QueryDict

from results import jobs
from results.filters import ResultFilter
from results.importing import reason_of
from results.jobs import JobCancelledError, JobLease, LeaseLostError
from results.models.jobs import Job, JobKind, JobState
from results.models.projects import Project
from results.queries.ids import result_ids
from results.queries.visibility import VisibleSet, visible_evaluations
from results.store.reviewing import ReviewChange, annotate


def queue_review(visible: VisibleSet, chosen: ResultFilter, change: ReviewChange, author: str, total: int) -> Job:
    """Write the job that annotates every result of a filter; the caller sends it to a worker.

    Args:
        visible: evaluations that may be seen; those that come later are not meant.
        chosen: the filter.
        change: what is said.
        author: who says it.
        total: how many results were counted.
    """
    evaluations = {int(text) for text in chosen.evaluation.included if text is not None}
    meant = visible.evaluation_ids & evaluations if evaluations else visible.evaluation_ids
    projects = Project.objects.filter(evaluation__in=meant).distinct()[:2]
    return jobs.create_job(
        JobKind.REVIEW,
        project=projects[0] if len(projects) == 1 else None,
        title=f"Review {total:,} results",
        arguments={
            "query": chosen.to_query(),
            "evaluations": sorted(meant),
            "change": msgspec.to_builtins(change),
            "author": author,
        },
        is_resumable=True,
        total=total,
    )


def run_review(job_id: int) -> None:
    """Do a queued review; does nothing when somebody else has it. Safe to call twice.

    Raises:
        DatabaseError: the database cannot be written now; the job's lease runs out, and it is sent again.
    """
    lease = jobs.claim(job_id)
    if lease is None:
        return
    job = Job.objects.get(pk=job_id)
    with suppress(LeaseLostError):
        try:
            count = _annotate(job, lease)
        except JobCancelledError:
            jobs.finish(lease, JobState.CANCELLED)
        except (DatabaseError, LeaseLostError):
            raise
        except Exception as error:
            jobs.finish(lease, JobState.FAILED, error=reason_of(error))
            raise
        else:
            jobs.finish(lease, JobState.SUCCEEDED, report={"results": count})


def _annotate(job: Job, lease: JobLease) -> int:
    given = job.arguments
    visible = VisibleSet.of(visible_evaluations().evaluation_ids & frozenset(given["evaluations"]))
    ids = result_ids(visible, ResultFilter.parse(QueryDict(given["query"])))
    jobs.renew(lease, done=0, total=len(ids))
    change = msgspec.convert(given["change"], ReviewChange)
    count = annotate(ids, change, given["author"], job.created_at, lambda done: jobs.renew(lease, done=done))
    jobs.renew(lease, done=count)
    return count

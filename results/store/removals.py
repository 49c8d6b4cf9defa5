"""Deleting on demand: evaluations vanish at once and are removed by a job; an import can be undone."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import DatabaseError, transaction
from django.utils import timezone

from results.jobs import JobCancelledError, LeaseLostError, claim, create_job, finish, renew
from results.models.evaluations import VISIBLE_STATES, Evaluation, EvaluationState
from results.models.jobs import Job, JobKind, JobState
from results.models.projects import Project
from results.models.sprints import ContractDocument, Iteration, SpecDocument
from results.reach import within
from results.store.deletion import remove
from results.store.iterations import delete_iterations
from results.store.undoing import forget_contracts, forget_specs

IDS_PER_QUERY = 5_000


@dataclass(frozen=True)
class Stored:
    """What imports stored and is there still: ids of rows. `contracts` and `specs` are their documents."""

    evaluations: tuple[int, ...]
    iterations: tuple[int, ...]
    contracts: tuple[int, ...]
    specs: tuple[int, ...]

    @property
    def is_empty(self) -> bool:
        """Nothing is there."""
        return not (self.evaluations or self.iterations or self.contracts or self.specs)


def request_removal(evaluation_ids: Iterable[int], title: str) -> Job | None:
    """Hide evaluations at once and write the job that removes them; the caller sends it to a worker.

    Args:
        evaluation_ids: those that are not within reach, or gone, are left out.
        title: what the pages call the job.

    Returns:
        The job; None when there is nothing to remove.
    """
    wanted = sorted(set(evaluation_ids))
    hidden: list[int] = []
    with transaction.atomic():
        for start in range(0, len(wanted), IDS_PER_QUERY):
            asked = Evaluation.objects.filter(pk__in=wanted[start : start + IDS_PER_QUERY], state__in=VISIBLE_STATES)
            ids = list(within(asked).order_by("pk").values_list("pk", flat=True))
            Evaluation.objects.filter(pk__in=ids).update(state=EvaluationState.DELETING, is_baseline=False)
            hidden += ids
        if not hidden:
            return None
        return create_job(
            JobKind.DELETE,
            project=_only_project(hidden),
            title=title,
            arguments={"evaluations": hidden},
            is_resumable=True,
            total=len(hidden),
        )


def run_removal(job_id: int) -> None:
    """Do a queued removal; does nothing when somebody else has it. Safe to call twice."""
    lease = claim(job_id)
    if lease is None:
        return
    ids = Job.objects.values_list("arguments", flat=True).get(pk=job_id)["evaluations"]
    try:
        for number, evaluation_id in enumerate(ids):
            renew(lease, done=number)
            if Evaluation.objects.filter(pk=evaluation_id, state=EvaluationState.DELETING).exists():
                remove(evaluation_id, lambda: renew(lease))
        renew(lease, done=len(ids))
    except JobCancelledError:
        finish(lease, JobState.CANCELLED)
    except LeaseLostError:
        return
    except DatabaseError:  # a full disk, most of the time: its lease runs out, and it is begun again
        raise
    except Exception as error:
        finish(lease, JobState.FAILED, error=f"{type(error).__name__}: {error}")
        raise
    else:
        finish(lease, JobState.SUCCEEDED)


def stored_by(job_ids: Iterable[int]) -> Stored:
    """What these import jobs stored and is there still."""
    ids = _within_reach(job_ids)
    contracts: set[int] = set()
    specs: set[int] = set()
    for files in Job.objects.filter(pk__in=ids, kind=JobKind.IMPORT).values_list("report__files", flat=True):
        for file in files or ():
            if file["state"] == "stored":
                contracts.update(file.get("contracts", ()))
                specs.update(file.get("specs", ()))
    evaluations = Evaluation.objects.filter(job_id__in=ids, state__in=VISIBLE_STATES)
    return Stored(
        evaluations=tuple(evaluations.values_list("pk", flat=True)),
        iterations=tuple(Iteration.objects.filter(job_id__in=ids).values_list("pk", flat=True)),
        contracts=_there(ContractDocument, contracts),
        specs=_there(SpecDocument, specs),
    )


def undo(job_ids: Iterable[int], title: str) -> Job | None:
    """Take back what these imports stored: iterations, contracts and specs now, evaluations by a job.

    Where a document had taken the place of an earlier one, the earlier one counts again. The report of each import says
    when it was undone, and by which job.

    Returns:
        The job to send to a worker; None when there was no evaluation among it.
    """
    ids = _within_reach(job_ids)
    stored = stored_by(ids)
    if stored.is_empty:
        return None
    if stored.iterations:
        delete_iterations(set(stored.iterations))
    if stored.contracts:
        forget_contracts(set(stored.contracts))
    if stored.specs:
        forget_specs(set(stored.specs))
    job = request_removal(stored.evaluations, title)
    _note_undo(ids, job)
    return job


def _note_undo(job_ids: Iterable[int], by: Job | None) -> None:
    note = {"at": timezone.now().isoformat(), "job": None if by is None else by.pk}
    for job in Job.objects.filter(pk__in=list(job_ids), kind=JobKind.IMPORT, report__totals__stored__gt=0):
        job.report = {**job.report, "undone": note}
        job.save(update_fields=["report"])


def _within_reach(job_ids: Iterable[int]) -> list[int]:
    return list(within(Job.objects.filter(pk__in=list(job_ids))).values_list("pk", flat=True))


def _only_project(evaluation_ids: list[int]) -> Project | None:
    """The project of all these evaluations; None when there are several."""
    some = Project.objects.filter(evaluation__in=evaluation_ids[:IDS_PER_QUERY]).distinct()[:2]
    found = list(some) if len(evaluation_ids) <= IDS_PER_QUERY else []
    return found[0] if len(found) == 1 else None


def _there(documents: type[ContractDocument] | type[SpecDocument], ids: set[int]) -> tuple[int, ...]:
    return tuple(documents.objects.filter(pk__in=ids).values_list("pk", flat=True)) if ids else ()

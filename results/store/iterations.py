"""Writes and deletes iterations of sprints: identical bytes are nothing new, changed bytes are a new revision.

What an import warns of here is what the document says by itself. What depends on other files (an unknown contract, spec
or criterion, a missing iteration, times out of order) is worked out when a page is read, so that the order of files
does not matter and a contract that comes later takes its warning away.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Max

from results.compression import compress
from results.importers.source import IterationSource
from results.iteration_records import parse_time
from results.iteration_verdicts import is_unjudged
from results.models.jobs import Upload
from results.models.projects import Project
from results.models.sprints import Iteration, Verdict
from results.names import digest_of, storable
from results.store.plans import find_sprint, remove_orphans
from results.store.undoing import in_steps


@dataclass(frozen=True)
class StoredIteration:
    """The row of an iteration, and whether it is new."""

    iteration_id: int
    is_new: bool


def store_iteration(project: Project, source: IterationSource, upload: Upload, job_id: int) -> StoredIteration:
    """Store one iteration under its project, contract and number; the newest revision is the one that counts."""
    try:
        return _store(project, source, upload, job_id)
    except IntegrityError:  # another process stored the same iteration at the same moment; now it is found
        return _store(project, source, upload, job_id)


def delete_iterations(iteration_ids: Iterable[int]) -> int:
    """Delete revisions of iterations; where the newest of several goes, the one before it counts again.

    Args:
        iteration_ids: rows, as the report of an import names them; those that are gone already do no harm.

    Returns:
        How many were deleted. Sprints and specs that nothing speaks of any more go with them.
    """
    return sum(_delete(step) for step in in_steps(iteration_ids))


@transaction.atomic
def _delete(iteration_ids: list[int]) -> int:
    doomed = Iteration.objects.filter(pk__in=iteration_ids)
    sprints = dict(doomed.values_list("sprint_id", "sprint__spec_id"))
    deleted, _ = doomed.delete()
    newest: dict[tuple[int, int], int] = {}
    is_settled: set[tuple[int, int]] = set()
    rest = Iteration.objects.filter(sprint_id__in=list(sprints)).order_by("revision")
    for pk, sprint_id, number, is_latest in rest.values_list("pk", "sprint_id", "iteration", "is_latest"):
        newest[sprint_id, number] = pk
        if is_latest:
            is_settled.add((sprint_id, number))
    Iteration.objects.filter(pk__in=[pk for key, pk in newest.items() if key not in is_settled]).update(is_latest=True)
    remove_orphans(sprints, {spec_id for spec_id in sprints.values() if spec_id is not None})
    return deleted


def highest_iteration(project: str, contract_id: str) -> int:
    """The highest number of a sprint's stored iterations; 0 = none is stored.

    Args:
        project: slug.
        contract_id: of the sprint.
    """
    found = Iteration.objects.filter(sprint__project__slug=project, sprint__digest=digest_of(storable(contract_id)))
    return int(found.aggregate(highest=Max("iteration"))["highest"] or 0)


@transaction.atomic
def _store(project: Project, source: IterationSource, upload: Upload, job_id: int) -> StoredIteration:
    record = source.record
    sprint = find_sprint(project, record.contract_id, record.spec_id)
    revisions = Iteration.objects.filter(sprint=sprint, iteration=record.iteration)
    same = revisions.filter(digest=upload.digest).values_list("pk", flat=True).first()
    if same is not None:
        return StoredIteration(same, is_new=False)
    newest = revisions.aggregate(newest=Max("revision"))["newest"] or 0
    revisions.update(is_latest=False)
    stored = Iteration.objects.create(
        sprint=sprint,
        iteration=record.iteration,
        revision=newest + 1,
        verdict=Verdict.ERROR if is_unjudged(record) else record.overall_result.value,
        digest=upload.digest,
        file_name=storable(upload.file_name),
        recorded_at=parse_time(record.timestamp),
        job_id=job_id,
        warnings=[{"path": storable(w.path), "message": storable(w.message)} for w in source.warnings],
        body=compress(source.source),
    )
    return StoredIteration(stored.pk, is_new=True)

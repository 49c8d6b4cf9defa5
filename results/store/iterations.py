"""Writes iterations of sprints: identical bytes are nothing new, changed bytes are a new revision."""

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Max

from results.compression import compress
from results.importers.source import IterationSource
from results.iteration_records import parse_time
from results.models.jobs import Upload
from results.models.projects import Project
from results.models.sprints import Iteration, Spec, Sprint
from results.names import digest_of, storable


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


@transaction.atomic
def _store(project: Project, source: IterationSource, upload: Upload, job_id: int) -> StoredIteration:
    record = source.record
    sprint = _sprint(project, record.contract_id, record.spec_id)
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
        verdict=record.overall_result.value,
        digest=upload.digest,
        file_name=storable(upload.file_name),
        recorded_at=parse_time(record.timestamp),
        job_id=job_id,
        warnings=[{"path": storable(w.path), "message": storable(w.message)} for w in source.warnings],
        body=compress(source.source),
    )
    return StoredIteration(stored.pk, is_new=True)


def _sprint(project: Project, contract_id: str, spec_id: str | None) -> Sprint:
    contract = storable(contract_id)
    sprint, _ = Sprint.objects.get_or_create(
        project=project, digest=digest_of(contract), defaults={"contract_id": contract}
    )
    if spec_id and sprint.spec_id is None:
        name = storable(spec_id)
        sprint.spec, _ = Spec.objects.get_or_create(project=project, digest=digest_of(name), defaults={"spec_id": name})
        sprint.save(update_fields=["spec"])
    return sprint

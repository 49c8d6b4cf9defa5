"""Writes contracts and specs, and keeps what a list of sprints shows of them: title, number and spec of each sprint.

A sprint's row stands for its iterations, its contract, or both, in whatever order they came. A contract's own file wins
over one written out in a spec; of the latter `body_digest` stays empty. What a contract says of its spec wins over what
an iteration says. Every document that was imported is kept; `results.store.undoing` takes them back.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet

from results.compression import compress, decompress
from results.importers.agent_bober_folder import (
    Contract,
    SpecPlan,
    build_folder,
    place_sprint,
    read_contract,
    read_spec,
)
from results.importers.source import ContractSource, Limits, SpecSource
from results.models.projects import Project
from results.models.sprints import ContractDocument, Spec, SpecDocument, Sprint
from results.names import digest_of, storable


@dataclass(frozen=True)
class StoredPlan:
    """The row of a document, and whether it is new."""

    row_id: int
    is_new: bool


def store_contract(project: Project, source: ContractSource, digest: str) -> StoredPlan:
    """Store a contract, in place of an earlier document of the same contract.

    Args:
        project: that it belongs to.
        source: as read.
        digest: SHA-256 of the file's bytes, hex.
    """
    try:
        return _store_contract(project, source, digest)
    except IntegrityError:  # another process made the same row at the same moment; now it is found
        return _store_contract(project, source, digest)


def store_spec(project: Project, source: SpecSource, digest: str) -> StoredPlan:
    """Store a spec and the contracts written out in it; see `store_contract`."""
    try:
        return _store_spec(project, source, digest)
    except IntegrityError:  # as above
        return _store_spec(project, source, digest)


def find_sprint(project: Project, contract_id: str, spec_id: str | None) -> Sprint:
    """The sprint of a contract, made and placed on first use; the spec counts only where the sprint has none yet."""
    name = storable(contract_id)
    sprint, is_new = Sprint.objects.get_or_create(
        project=project, digest=digest_of(name), defaults={"contract_id": name}
    )
    if is_new or (spec_id and sprint.spec_id is None):
        if spec_id and sprint.spec_id is None:
            sprint.spec = find_spec(project, spec_id)
        place(sprint)
    return sprint


def contract_of(sprint: Sprint) -> Contract | None:
    """A sprint's contract as it was imported; None if it never was."""
    if sprint.body is None:
        return None
    contract = read_contract(decompress(sprint.body), "contract.json", Limits())
    return msgspec.structs.replace(contract, contract_id=sprint.contract_id)


def plan_of(spec: Spec | None) -> SpecPlan | None:
    """A spec's plan as it was imported; None if it never was."""
    if spec is None or spec.body is None:
        return None
    return msgspec.structs.replace(read_spec(decompress(spec.body), "spec.json", Limits()), spec_id=spec.spec_id)


def set_contract(sprint: Sprint, source: ContractSource, digest: str) -> None:
    """Let a contract count; it moves the sprint to the spec that it names. An empty digest = written out in a spec."""
    before = sprint.spec_id
    if source.spec_id:
        sprint.spec = find_spec(sprint.project, source.spec_id)
    sprint.body, sprint.body_digest = compress(source.source), digest
    place(sprint)
    if before is not None and before != sprint.spec_id:
        remove_orphans(set(), {before})


def set_spec(spec: Spec, document: SpecDocument, title: str, contracts: Iterable[ContractSource]) -> None:
    """Let a spec's document count, with the contracts that are written out in it."""
    spec.title, spec.body, spec.body_digest = storable(title), document.body, document.digest
    spec.save()
    for contract in contracts:
        sprint = find_sprint(spec.project, contract.contract_id, contract.spec_id)
        if not sprint.body_digest:
            set_contract(sprint, contract, "")
    for sprint in Sprint.objects.filter(spec=spec):
        sprint.spec = spec
        place(sprint)


def find_spec(project: Project, spec_id: str) -> Spec:
    """The spec with this id, made on first use."""
    name = storable(spec_id)
    return Spec.objects.get_or_create(project=project, digest=digest_of(name), defaults={"spec_id": name})[0]


def place(sprint: Sprint) -> None:
    """Work out title and number from what is known of the sprint now, and save it."""
    contract, plan = contract_of(sprint), plan_of(sprint.spec)
    folder = build_folder([contract] if contract else [], [plan] if plan else [])
    found = place_sprint(sprint.contract_id, sprint.spec.spec_id if sprint.spec else None, folder)
    sprint.title, sprint.number = storable(found.title or ""), found.number
    sprint.save()


def remove_orphans(sprint_ids: Iterable[int], spec_ids: Iterable[int]) -> None:
    """Remove sprints with neither iterations nor a contract, then specs with neither sprints nor a document."""
    _delete(Sprint.objects.filter(pk__in=list(sprint_ids), body=None, iterations=None))
    _delete(Spec.objects.filter(pk__in=list(spec_ids), body=None, sprints=None))


@transaction.atomic
def _store_contract(project: Project, source: ContractSource, digest: str) -> StoredPlan:
    sprint = find_sprint(project, source.contract_id, source.spec_id)
    if sprint.body_digest == digest:
        return StoredPlan(ContractDocument.objects.filter(sprint=sprint).latest("pk").pk, is_new=False)
    set_contract(sprint, source, digest)
    document = ContractDocument.objects.create(sprint=sprint, digest=digest, body=sprint.body)
    return StoredPlan(document.pk, is_new=True)


@transaction.atomic
def _store_spec(project: Project, source: SpecSource, digest: str) -> StoredPlan:
    spec = find_spec(project, source.spec_id)
    if spec.body_digest == digest:
        return StoredPlan(SpecDocument.objects.filter(spec=spec).latest("pk").pk, is_new=False)
    document = SpecDocument.objects.create(spec=spec, digest=digest, body=compress(source.source))
    set_spec(spec, document, source.title or "", source.contracts)
    return StoredPlan(document.pk, is_new=True)


def _delete(rows: QuerySet[Sprint] | QuerySet[Spec]) -> None:
    try:
        with transaction.atomic():
            rows.delete()
    except (ProtectedError, IntegrityError):  # an import has begun to use one of them again: it and the others stay
        return

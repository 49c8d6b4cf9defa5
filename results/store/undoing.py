"""Takes imported contracts and specs back: the document before takes its place again, where there was one."""

from collections.abc import Iterable, Iterator

from django.db import transaction

from results.compression import decompress
from results.importers.agent_bober import read_bytes
from results.importers.agent_bober_folder import read_contract
from results.importers.agent_bober_plans import contracts_in
from results.importers.source import ContractSource, Limits
from results.models.sprints import ContractDocument, Iteration, Spec, SpecDocument, Sprint
from results.store.plans import find_spec, place, plan_of, remove_orphans, set_contract, set_spec

ROWS_PER_STEP = 500  # removed in one transaction, so that other writers wait no longer than a moment


def in_steps(ids: Iterable[int]) -> Iterator[list[int]]:
    """Cut ids into steps that are one short transaction each."""
    ordered = sorted(ids)
    return (ordered[start : start + ROWS_PER_STEP] for start in range(0, len(ordered), ROWS_PER_STEP))


def forget_contracts(document_ids: Iterable[int]) -> None:
    """Take documents of contracts back.

    Args:
        document_ids: rows, as the report of an import names them; those that are gone already do no harm.

    The newest that is left counts again; without any, the contract as the spec writes it out; else the iterations stay
    without a contract, and a sprint without iterations goes.
    """
    for step in in_steps(document_ids):
        with transaction.atomic():
            doomed = ContractDocument.objects.filter(pk__in=step)
            touched = set(doomed.values_list("sprint_id", flat=True))
            doomed.delete()
            sprints = list(Sprint.objects.select_related("project", "spec").filter(pk__in=touched))
            specs = {sprint.spec_id for sprint in sprints if sprint.spec_id is not None}
            for sprint in sprints:
                _restore_contract(sprint)
            remove_orphans(touched, specs)


def forget_specs(document_ids: Iterable[int]) -> None:
    """Take documents of specs back; see `forget_contracts`. Sprints that only such a document spoke of go with it."""
    for step in in_steps(document_ids):
        with transaction.atomic():
            doomed = SpecDocument.objects.filter(pk__in=step)
            touched = set(doomed.values_list("spec_id", flat=True))
            doomed.delete()
            for spec in Spec.objects.select_related("project").filter(pk__in=touched):
                _restore_spec(spec)


def _restore_contract(sprint: Sprint) -> None:
    document = ContractDocument.objects.filter(sprint=sprint).order_by("pk").last()
    if document is not None and document.digest == sprint.body_digest:  # a replaced one went: nothing changes
        return
    source = _written_out(sprint) if document is None else _source_of(document, sprint)
    spec_id = (source.spec_id if source else None) or _spec_of_iterations(sprint)
    sprint.spec = find_spec(sprint.project, spec_id) if spec_id else None
    if source is not None:
        set_contract(sprint, source, document.digest if document else "")
        return
    sprint.body, sprint.body_digest = None, ""
    place(sprint)


def _restore_spec(spec: Spec) -> None:
    document = SpecDocument.objects.filter(spec=spec).order_by("pk").last()
    if document is not None and document.digest == spec.body_digest:
        return
    written_out = Sprint.objects.filter(spec=spec, body_digest="").exclude(body=None)
    bare = list(written_out.values_list("pk", flat=True))
    written_out.update(body=None)
    if document is None:
        spec.title, spec.body, spec.body_digest = "", None, ""
        spec.save()
        for sprint in Sprint.objects.select_related("spec").filter(spec=spec):
            place(sprint)
    else:
        text = decompress(document.body)
        spec.body = document.body
        plan = plan_of(spec)
        set_spec(spec, document, (plan.title if plan else None) or "", contracts_in(text, spec.spec_id))
    remove_orphans(bare, {spec.pk})


def _source_of(document: ContractDocument, sprint: Sprint) -> ContractSource:
    text = decompress(document.body)
    return ContractSource(sprint.contract_id, read_contract(text, "contract.json", Limits()).spec_id, text)


def _written_out(sprint: Sprint) -> ContractSource | None:
    """The contract as the spec writes it out that the sprint belongs to."""
    spec = sprint.spec
    if spec is None or spec.body is None:
        return None
    found = contracts_in(decompress(spec.body), spec.spec_id)
    return next((contract for contract in found if contract.contract_id == sprint.contract_id), None)


def _spec_of_iterations(sprint: Sprint) -> str | None:
    """The spec that the first iteration names that names any."""
    for stored in Iteration.objects.filter(sprint=sprint).order_by("pk"):
        record = read_bytes(decompress(stored.body), stored.file_name, Limits()).record
        if record.spec_id:
            return record.spec_id
    return None

"""What agent-bober agreed before it worked: contracts (one sprint each) and specs, as files to import.

A verdict is not among them. What they add to an iteration is joined when reading, so that the order of files does not
matter.
"""

from pathlib import PurePosixPath

from results.importers.agent_bober import top_level_keys
from results.importers.agent_bober_fields import MAX_BYTES, Fields, fields_of, read_object
from results.importers.agent_bober_folder import Member, member_of, read_contract, read_spec
from results.importers.source import (
    ContractSource,
    Importer,
    ImportRefused,
    Limits,
    SourceFile,
    SpecSource,
    WarningLog,
)

CONTRACT_IDS = frozenset({"contractId", "id"})
CRITERIA_KEYS = frozenset({"successCriteria", "criteria"})
PLAN_KEYS = frozenset({"features", "sprints", "nonFunctionalRequirements", "resolvedClarifications"})
RESULT_KEYS = frozenset({"overallResult", "criteriaResults", "strategyResults", "FormatVersion"})
FOLDER = ".bober"


def sniff_contract(head: bytes, file_name: str) -> bool:
    """Whether this is meant to be a contract: by its outermost keys, else by its place in a `.bober` folder."""
    keys = set(top_level_keys(head))
    if not keys or keys & RESULT_KEYS:
        return False
    is_modern = "contractId" in keys and bool(keys & CRITERIA_KEYS)
    is_older = "id" in keys and bool(keys & CRITERIA_KEYS) and bool(keys & {"feature", "expectedChanges", "specId"})
    return is_modern or is_older or _lies_in(file_name, Member.CONTRACT)


def sniff_spec(head: bytes, file_name: str) -> bool:
    """Whether this is meant to be a spec: by its outermost keys, else by its place in a `.bober` folder."""
    keys = set(top_level_keys(head))
    if not keys or keys & RESULT_KEYS:
        return False
    is_contract = "contractId" in keys or bool(keys & CRITERIA_KEYS)
    return ("specId" in keys and bool(keys & PLAN_KEYS) and not is_contract) or _lies_in(file_name, Member.SPEC)


def read_contract_file(source: SourceFile, limits: Limits) -> ContractSource:
    """Read a contract.

    Raises:
        ImportRefused: not a JSON object, or nothing names the contract.
    """
    data = _bytes_of(source)
    log = WarningLog()
    _, compact = read_object(data, limits.depth, log)
    contract = read_contract(data, source.file_name, limits)
    return ContractSource(contract.contract_id, contract.spec_id, compact, log.kept)


def read_spec_file(source: SourceFile, limits: Limits) -> SpecSource:
    """Read a spec; see `read_contract_file`."""
    data = _bytes_of(source)
    log = WarningLog()
    root, compact = read_object(data, limits.depth, log)
    spec = read_spec(data, source.file_name, limits)
    return SpecSource(spec.spec_id, spec.title, _written_out(root, spec.spec_id, limits), compact, log.kept)


def contracts_in(spec: bytes, spec_id: str) -> list[ContractSource]:
    """The contracts that are written out in a stored document of a spec; one without an id is no sprint."""
    root, _ = read_object(spec, Limits().depth, WarningLog())
    return _written_out(root, spec_id, Limits())


def _written_out(root: Fields, spec_id: str, limits: Limits) -> list[ContractSource]:
    found: list[ContractSource] = []
    for item in root.items("sprints") or [] if root.is_list("sprints") else []:
        if fields_of(item, "sprints", root.warnings) is None:
            continue
        try:
            contract = read_contract(bytes(item), "", limits)
        except ImportRefused:
            continue
        found.append(ContractSource(contract.contract_id, contract.spec_id or spec_id, bytes(item)))
    return found


def _bytes_of(source: SourceFile) -> bytes:
    with source.path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _lies_in(file_name: str, member: Member) -> bool:
    parts = PurePosixPath(file_name.replace("\\", "/")).parts
    return FOLDER in parts and member_of(file_name) is member


CONTRACT_IMPORTER = Importer(
    name="agent-bober-contract", label="agent-bober contract", sniff=sniff_contract, read=read_contract_file
)
SPEC_IMPORTER = Importer(name="agent-bober-spec", label="agent-bober spec", sniff=sniff_spec, read=read_spec_file)

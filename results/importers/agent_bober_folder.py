"""A `.bober` folder around its evaluations: contracts and specs, and what they add to an iteration.

Both come in a present and in an older form, so reading is tolerant: only what names the document must be there.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum

import msgspec

from results.importers.agent_bober_fields import Fields, fields_of, read_object, text_of
from results.importers.source import ImportRefused, Limits, WarningLog
from results.iteration_records import CriterionResult, EvalResult

# `s1-c2 (the text of the criterion)`: only the first word is the id.
ID_WITH_TEXT = re.compile(r"(\S+)\s+\(.*\)", re.DOTALL)
STEM = re.compile(r"(?:.*[/\\])?([^/\\]+)\.json", re.IGNORECASE | re.DOTALL)
LAST_NUMBER = re.compile(r"-([0-9]{1,9})")
MAX_NUMBER = 2**31 - 1  # what the column of a sprint's number holds


class Member(StrEnum):
    """What a file of a `.bober` folder is, by the folder that it lies in."""

    CONTRACT = "contracts"
    SPEC = "specs"
    EVALUATION = "eval-results"


class ContractCriterion(msgspec.Struct, frozen=True, kw_only=True):
    """One success criterion of a contract; `criterion_id` is empty where it is a bare text."""

    criterion_id: str
    description: str | None = None
    verification_method: str | None = None
    required: bool | None = None


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """One sprint as it was agreed; None = not recorded."""

    contract_id: str
    spec_id: str | None = None
    sprint_number: int | None = None
    title: str | None = None
    description: str | None = None
    status: str | None = None
    criteria: list[ContractCriterion] | None = None
    depends_on: list[str] | None = None
    features: list[str] | None = None


class SpecPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A plan: its sprints are contract ids in order, some with the contract written out in the plan itself."""

    spec_id: str
    title: str | None = None
    description: str | None = None
    status: str | None = None
    sprints: list[str] | None = None
    contracts: list[Contract] = []


class BoberFolder(msgspec.Struct, frozen=True, kw_only=True):
    """Contracts and specs by their ids."""

    contracts: dict[str, Contract] = {}
    specs: dict[str, SpecPlan] = {}


class SprintPlace(msgspec.Struct, frozen=True, kw_only=True):
    """What to call a sprint and where it stands in its spec, from 1; None = nothing says so."""

    title: str | None = None
    number: int | None = None
    spec_id: str | None = None
    spec_title: str | None = None


def member_of(path: str) -> Member | None:
    """What a path inside a `.bober` folder (or a zip of one) holds; None for anything else."""
    folder = re.split(r"[/\\]", path)[-2:-1]
    if not folder or not path.casefold().endswith(".json"):
        return None
    return next((member for member in Member if member == folder[0].casefold()), None)


def read_contract(data: bytes, file_name: str, limits: Limits) -> Contract:
    """Read a contract.

    Args:
        data: the bytes of the file.
        file_name: whose stem is the contract's id where the document has none.
        limits: of which only the depth matters.

    Raises:
        ImportRefused: not a JSON object, or no id.
    """
    root, _ = read_object(data, limits.depth, WarningLog())
    return _contract(root, _stem(file_name))


def read_spec(data: bytes, file_name: str, limits: Limits) -> SpecPlan:
    """Read a spec; see `read_contract`."""
    root, _ = read_object(data, limits.depth, WarningLog())
    spec_id = root.first_text("specId", "id") or _stem(file_name)
    if not spec_id:
        raise ImportRefused("the spec has no id", path="specId")
    sprints: list[str] | None = None
    contracts: list[Contract] = []
    if root.is_list("sprints"):
        sprints = []
        for item in root.items("sprints") or []:
            inline = fields_of(item, "sprints", root.warnings)
            if inline is None:
                sprints.append(text_of(item) or "")
            elif inline.has("contractId") or inline.has("id"):
                contracts.append(_contract(inline, None))
                sprints.append(contracts[-1].contract_id)
    return SpecPlan(
        spec_id=spec_id,
        title=root.text("title"),
        description=root.text("description"),
        status=root.text("status"),
        sprints=sprints,
        contracts=contracts,
    )


def build_folder(contracts: Iterable[Contract], specs: Iterable[SpecPlan]) -> BoberFolder:
    """Put contracts and specs together; a contract's own file wins over one written out in a spec."""
    by_id = {spec.spec_id: spec for spec in specs}
    written_out = {
        contract.contract_id: contract if contract.spec_id else msgspec.structs.replace(contract, spec_id=spec.spec_id)
        for spec in by_id.values()
        for contract in spec.contracts
    }
    return BoberFolder(contracts=written_out | {item.contract_id: item for item in contracts}, specs=by_id)


def join_contract(record: EvalResult, contract: Contract | None) -> EvalResult:
    """Fill in what the criteria of an iteration leave out: description, required flag and verification method.

    Args:
        record: an iteration as read.
        contract: its contract, or None if there is none.

    Returns:
        The record with the gaps filled and marked as joined; what was recorded always stays.
    """
    if contract is None or record.criteria_results is None:
        return record
    known = {item.criterion_id: item for item in contract.criteria or [] if item.criterion_id}
    criteria = [_join(criterion, _find(criterion.criterion_id, known)) for criterion in record.criteria_results]
    return msgspec.structs.replace(record, criteria_results=criteria)


def place_sprint(contract_id: str, spec_id: str | None, folder: BoberFolder) -> SprintPlace:
    """Title and order of a sprint: of its contract, else of its spec's list, else of its id (`sprint-<spec>-<n>`)."""
    contract = folder.contracts.get(contract_id)
    spec_id = spec_id or (contract.spec_id if contract else None)
    spec = folder.specs.get(spec_id) if spec_id else None
    number = contract.sprint_number if contract else None
    if number is None and spec is not None and contract_id in (spec.sprints or []):
        number = (spec.sprints or []).index(contract_id) + 1
    if number is None and spec_id is not None:
        rest = LAST_NUMBER.fullmatch(contract_id.removeprefix("sprint-").removeprefix(spec_id))
        number = int(rest[1]) if rest else None
    return SprintPlace(
        title=contract.title if contract else None,
        number=number,
        spec_id=spec_id,
        spec_title=spec.title if spec else None,
    )


def check_record(record: EvalResult, folder: BoberFolder, log: WarningLog) -> None:
    """Note what an iteration says that its folder does not know: contract, spec, criteria.

    It depends on what else was imported, before or after: ask when reading, not when importing.
    """
    contract = folder.contracts.get(record.contract_id)
    if contract is None:
        log.add("contractId", f"contract {record.contract_id!r} was not imported")
    elif record.spec_id is not None and contract.spec_id not in {None, record.spec_id}:
        log.add("specId", f"is {record.spec_id!r}, but the contract belongs to {contract.spec_id!r}")
    if record.spec_id is not None and record.spec_id not in folder.specs:
        log.add("specId", f"spec {record.spec_id!r} was not imported")
    if contract is not None and contract.criteria is not None:
        known = {item.criterion_id: item for item in contract.criteria}
        for position, criterion in enumerate(record.criteria_results or []):
            if _find(criterion.criterion_id, known) is None:
                log.add(
                    f"criteriaResults[{position}].criterionId", f"{criterion.criterion_id!r} is not in the contract"
                )


def check_sequence(records: Iterable[EvalResult]) -> dict[str, WarningLog]:
    """What does not follow between the iterations of each sprint; like `check_record`, to be asked when reading.

    Args:
        records: iterations of any sprints in any order.

    Returns:
        By contract id, only where there is something: iterations that are missing before a recorded one, and recorded
        times that run against the order of the iterations.
    """
    sprints: defaultdict[str, dict[int, EvalResult]] = defaultdict(dict)
    for record in records:
        sprints[record.contract_id][record.iteration] = record
    found = {contract_id: _sequence(iterations) for contract_id, iterations in sprints.items()}
    return {contract_id: log for contract_id, log in found.items() if log.count}


def _sequence(iterations: dict[int, EvalResult]) -> WarningLog:
    log = WarningLog()
    previous: EvalResult | None = None
    for number in sorted(iterations):
        record = iterations[number]
        before = previous.iteration if previous else 0
        if number > before + 1:
            gap = str(before + 1) if number == before + 2 else f"{before + 1} to {number - 1}"
            log.add("iteration", f"iteration {number} is recorded, but not iteration {gap}")
        if previous is not None and _is_dated_before(record, previous):
            log.add("timestamp", f"iteration {number} is dated before iteration {before}")
        previous = record
    return log


def _is_dated_before(record: EvalResult, other: EvalResult) -> bool:
    """Whether a recorded time is earlier than another; where one of them is a day only, whether the day is."""
    mine, others = record.recorded_at, other.recorded_at
    if mine is None or others is None:
        return False
    is_by_day = record.is_date_only or other.is_date_only
    return mine.date() < others.date() if is_by_day else mine < others


def _stem(file_name: str) -> str | None:
    match = STEM.fullmatch(file_name)
    return match[1] if match else None


def _contract(root: Fields, fallback_id: str | None) -> Contract:
    contract_id = root.first_text("contractId", "id") or fallback_id
    if not contract_id:
        raise ImportRefused("the contract has no id", path="contractId")
    number = root.integer("sprintNumber")
    section = next((key for key in ("successCriteria", "criteria") if root.is_list(key)), None)
    return Contract(
        contract_id=contract_id,
        spec_id=root.text("specId"),
        sprint_number=number if number is not None and 0 <= number <= MAX_NUMBER else None,
        title=root.first_text("title", "feature"),
        description=root.text("description"),
        status=root.text("status"),
        criteria=[_criterion(fields) for fields in root.objects(section, "description")] if section else None,
        depends_on=root.texts("dependsOn"),
        features=root.texts("features"),
    )


def _criterion(fields: Fields) -> ContractCriterion:
    return ContractCriterion(
        criterion_id=fields.first_text("criterionId", "id") or "",
        description=fields.text("description"),
        verification_method=fields.first_text("verificationMethod", "verify"),
        required=fields.flag("required"),
    )


def _find(criterion_id: str, known: dict[str, ContractCriterion]) -> ContractCriterion | None:
    if criterion_id in known:
        return known[criterion_id]
    match = ID_WITH_TEXT.fullmatch(criterion_id)
    return known.get(match[1]) if match else None


def _join(criterion: CriterionResult, agreed: ContractCriterion | None) -> CriterionResult:
    if agreed is None:
        return criterion
    fills_description = criterion.description is None and agreed.description is not None
    fills_required = criterion.required is None and agreed.required is not None
    return msgspec.structs.replace(
        criterion,
        description=agreed.description if fills_description else criterion.description,
        required=agreed.required if fills_required else criterion.required,
        verification_method=criterion.verification_method or agreed.verification_method,
        is_description_joined=fills_description,
        is_required_joined=fills_required,
    )

"""The files of a sprint around an evaluation: its contract, evidence, earlier iterations, and the result itself."""

import fcntl
import os
import re
import tempfile
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import msgspec

from evaluator.engine.regular_files import read_regular
from evaluator.engine.strategies.contracts import Criterion, Evidence, SprintContract, Verified
from results.importers import agent_bober
from results.importers.agent_bober_fields import MAX_BYTES
from results.importers.agent_bober_folder import Contract, read_contract
from results.importers.source import ImportRefused, Limits
from results.iteration_records import EvalResult, encode_eval_result

RESULTS_FOLDER = ".bober/eval-results"
NAME_CHARACTERS = re.compile(r"[^A-Za-z0-9._-]+")
LONGEST_NAME = 150


class SprintFileError(ValueError):
    """A file of the sprint cannot be used; the text names it and says why."""


@dataclass(frozen=True)
class ContractFile:
    """A contract as it lies on the disk, and as the engine needs it."""

    contract: SprintContract
    file_name: str
    body: bytes


class _Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    result: Verified
    evidence: str


def load_contract(path: Path) -> ContractFile:
    """Read a contract.

    Raises:
        SprintFileError: it cannot be read, or is none.
    """
    body = _bytes_of(path)
    try:
        contract = read_contract(body, path.name, Limits())
    except ImportRefused as error:
        raise SprintFileError(f"{path} is not a contract: {error}") from error
    return ContractFile(_sprint_of(contract), path.name, body)


def contract_of_project(name: str) -> SprintContract:
    """What stands for a contract where there is none: a sprint with the project's name and no criteria."""
    shown = NAME_CHARACTERS.sub("-", name).strip("-.")[:LONGEST_NAME] or "project"
    return SprintContract(contract_id=shown, spec_id=shown)


def load_evidence(path: Path) -> Mapping[str, Evidence]:
    """Read what a person found: `{"sc-1-4": {"result": "pass", "evidence": "…"}}`.

    Raises:
        SprintFileError: it cannot be read, or a key is wrong.
    """
    try:
        found = msgspec.json.decode(_bytes_of(path), type=dict[str, _Finding])
    except msgspec.DecodeError as error:
        raise SprintFileError(
            f'{path} is not evidence: {error}. Write {{"CRITERION": {{"result": "pass", "evidence": "…"}}}}.'
        ) from error
    return {criterion: Evidence(finding.result, finding.evidence) for criterion, finding in found.items()}


def earlier_iterations(folder: Path, contract_id: str) -> dict[int, Path]:
    """The iterations of a sprint that a project's folder holds, by number."""
    name = re.compile(rf"eval-{re.escape(contract_id)}-([0-9]{{1,9}})\.json")
    found = {}
    for path in (folder / RESULTS_FOLDER).glob("*.json"):
        match = name.fullmatch(path.name)
        if match and int(match[1]):
            found[int(match[1])] = path
    return found


class Reservation:
    """A number of iteration that is ours alone until it is released, or this process ends."""

    def __init__(self, iteration: int, lock: int, path: Path) -> None:
        self.iteration = iteration
        self.release = weakref.finalize(self, _give_back, lock, path)  # also when nobody wants it any more


def _give_back(lock: int, path: Path) -> None:
    """Free a number, and leave no folder behind in which nothing is."""
    path.unlink(missing_ok=True)
    os.close(lock)
    with suppress(OSError):
        path.parent.rmdir()
        path.parent.parent.rmdir()


def reserve_iteration(folder: Path, contract_id: str, least: int) -> Reservation:
    """Take the first number from `least` on that no other run of the sprint has or takes at this moment.

    Raises:
        SprintFileError: the folder leads out of the project, or cannot be written.
    """
    place = _results_folder(folder)
    for iteration in count(least):
        path = place / f".eval-{contract_id}-{iteration}.lock"
        try:
            lock = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise _not_written(place, error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            continue
        reserved = Reservation(iteration, lock, path)
        if iteration not in earlier_iterations(folder, contract_id):
            return reserved
        reserved.release()
    raise AssertionError("numbers do not end")


def load_previous(iterations: Mapping[int, Path], iteration: int) -> EvalResult | None:
    """The newest iteration before this one that can be read; None if there is none."""
    for number in sorted((number for number in iterations if number < iteration), reverse=True):
        try:
            path = iterations[number]
            return agent_bober.read_bytes(_bytes_of(path), path.name, Limits()).record
        except (ImportRefused, SprintFileError):
            continue
    return None


def result_name(record: EvalResult) -> str:
    """The file name of an iteration."""
    return f"eval-{record.contract_id}-{record.iteration}.json"


def encode_result(record: EvalResult) -> bytes:
    """An iteration as its file's bytes: JSON that a person can read."""
    return msgspec.json.format(encode_eval_result(record), indent=2) + b"\n"


def write_result(folder: Path, record: EvalResult, body: bytes) -> Path:
    """Write an iteration into a project's `.bober/eval-results`, whole or not at all.

    Raises:
        SprintFileError: the folder leads out of the project, or cannot be written.
    """
    place = _results_folder(folder)
    try:
        with tempfile.NamedTemporaryFile(dir=place, prefix=".eval-", delete=False) as file:
            file.write(body)
        Path(file.name).chmod(0o644)
        target = place / result_name(record)
        os.replace(file.name, target)  # noqa: PTH105 - the same as Path.replace, with a name
    except OSError as error:
        raise _not_written(place, error) from error
    return target


def _results_folder(folder: Path) -> Path:
    """The folder of a project's iterations, which is made where it is missing."""
    place = folder / RESULTS_FOLDER
    try:
        if not place.resolve().is_relative_to(folder.resolve()):
            raise SprintFileError(f"{place} leads out of the project. Remove the link.")
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_written(place, error) from error
    return place


def _not_written(place: Path, error: OSError) -> SprintFileError:
    return SprintFileError(f"{place} cannot be written: {error.strerror or error}. Check its permissions.")


def _sprint_of(contract: Contract) -> SprintContract:
    if "/" in contract.contract_id or contract.contract_id.startswith("."):
        raise SprintFileError(f"contractId {contract.contract_id!r} cannot be a part of a file name. Correct it.")
    criteria = tuple(
        Criterion(
            criterion_id=criterion.criterion_id or f"criterion-{number}",
            description=criterion.description or "",
            method=criterion.verification_method,
            required=criterion.required is not False,
        )
        for number, criterion in enumerate(contract.criteria or [], 1)
    )
    return SprintContract(
        contract_id=contract.contract_id,
        spec_id=contract.spec_id or contract.contract_id,
        title=contract.title,
        number=contract.sprint_number,
        criteria=criteria,
    )


def _bytes_of(path: Path) -> bytes:
    try:
        body = read_regular(path, MAX_BYTES + 1)
    except OSError as error:
        raise SprintFileError(f"{path} cannot be read: {error.strerror or error}. Check the path.") from error
    if len(body) > MAX_BYTES:
        raise SprintFileError(f"{path} has more than {MAX_BYTES:,} bytes. Name the right file.")
    return body

"""The contract of a sprint as the engine needs it: what was agreed, and what somebody found out about it by hand."""

from dataclasses import dataclass
from enum import StrEnum


class Verified(StrEnum):
    """What a person found."""

    PASS = "pass"  # noqa: S105 - a word, not a secret
    FAIL = "fail"


@dataclass(frozen=True)
class Evidence:
    """What a person found out about one criterion, and how."""

    result: Verified
    text: str


@dataclass(frozen=True)
class Criterion:
    """One success criterion; `method` is how it is to be verified, in the contract's own word."""

    criterion_id: str
    description: str
    method: str | None = None
    required: bool = True


@dataclass(frozen=True)
class SprintContract:
    """What a sprint has to achieve. Without a contract there are no criteria, and the project gives the names."""

    contract_id: str
    spec_id: str
    title: str | None = None
    number: int | None = None
    criteria: tuple[Criterion, ...] = ()

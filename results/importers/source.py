"""What an importer gets, what it gives, and how it refuses."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from results.iteration_records import EvalResult
from results.records import RunResult

WARNINGS_KEPT = 1_000  # the rest is only counted: a damaged file has as many warnings as results


@dataclass(frozen=True)
class SourceFile:
    """A private copy of the file to read; nobody changes it while it is read."""

    path: Path
    file_name: str
    size_bytes: int


@dataclass(frozen=True)
class Limits:
    """How much an importer takes before it refuses a file. Sizes in bytes."""

    file_bytes: int = 16 * 2**30
    result_bytes: int = 64 * 2**20
    envelope_bytes: int = 64 * 2**20
    results: int = 2**24  # result ids are evaluation id times this, plus ordinal
    depth: int = 500


class ImportRefused(Exception):  # noqa: N818 - it is an answer to the user, not a fault of ours
    """The file cannot be taken in; nothing of it is kept.

    Args:
        reason: what is wrong, with the value.
        path: the JSON path, such as `Results.openai[3].DurationNS`; empty for the document itself.
        row: the number of the result in the file, from 1, in document order; None outside the results.
        offset: byte position in the file where the fault is; None when it has none.
        remedy: what the user can do.
    """

    def __init__(
        self,
        reason: str,
        *,
        path: str = "",
        row: int | None = None,
        offset: int | None = None,
        remedy: str = "",
    ) -> None:
        self.reason = reason
        self.path = path
        self.row = row
        self.offset = offset
        self.remedy = remedy
        super().__init__(reason)

    def __str__(self) -> str:
        places = [
            f"result {self.row}" if self.row is not None else "",
            self.path,
            f"byte {self.offset}" if self.offset is not None else "",
        ]
        place = ", ".join(part for part in places if part)
        text = f"{place}: {self.reason}" if place else self.reason
        return f"{text}. {self.remedy.rstrip('.')}." if self.remedy else f"{text}."


@dataclass(frozen=True)
class ImportWarning:
    """Something in the file that was taken in, but is worth a look."""

    path: str
    message: str


class WarningLog:
    """The warnings of one file: the first `WARNINGS_KEPT`, and how many there were."""

    def __init__(self) -> None:
        self.kept: list[ImportWarning] = []
        self.count = 0

    def add(self, path: str, message: str) -> None:
        """Keep a warning, or only count it when there are many."""
        self.count += 1
        if self.count <= WARNINGS_KEPT:
            self.kept.append(ImportWarning(path, message))


@dataclass(frozen=True)
class EvaluationHead:
    """What the document says about itself, before any result.

    `created_at_source` is `document`, `document_utc_assumed` (no zone, taken as UTC), `absent` or `unreadable`; the
    last two have no `created_at`.
    """

    app_name: str = ""
    app_version: str = ""
    created_at_text: str = ""
    created_at: datetime | None = None
    created_at_source: str = "absent"


class SourcedResult(Struct, frozen=True, gc=False):
    """A result and its own bytes: the JSON as it stood, white space removed. `offset` is the file's byte reached."""

    record: RunResult
    source: bytes
    offset: int


@dataclass(frozen=True)
class Slot:
    """Where results were cut out of an envelope: byte offset in its body, and how many stood there."""

    offset: int
    count: int


@dataclass(frozen=True)
class Envelope:
    """The compact document without its results; putting them back at the slots gives the document byte for byte."""

    body: bytes
    slots: list[Slot]


@dataclass
class EvaluationSource:
    """One results document being read. `results` can be walked once; it raises `ImportRefused` at the first bad result.

    `warnings` grows while reading and keeps the first `WARNINGS_KEPT`; `log.count` is how many there were. `envelope()`
    may be called once `results` is exhausted.
    """

    head: EvaluationHead
    results: Iterator[SourcedResult]
    envelope: Callable[[], Envelope]
    log: WarningLog = field(default_factory=WarningLog)

    @property
    def warnings(self) -> list[ImportWarning]:
        """The kept warnings so far."""
        return self.log.kept


@dataclass(frozen=True)
class IterationSource:
    """One iteration that was read whole: the record, its compact document, and what is worth a look."""

    record: EvalResult
    source: bytes
    warnings: list[ImportWarning] = field(default_factory=list)


@dataclass(frozen=True)
class ContractSource:
    """One contract that was read whole: what names and places its sprint, and its compact document."""

    contract_id: str
    spec_id: str | None
    source: bytes
    warnings: list[ImportWarning] = field(default_factory=list)


@dataclass(frozen=True)
class SpecSource:
    """One spec that was read whole, with the contracts that are written out in it instead of in files of their own."""

    spec_id: str
    title: str | None
    contracts: list[ContractSource]
    source: bytes
    warnings: list[ImportWarning] = field(default_factory=list)


AnySource = EvaluationSource | IterationSource | ContractSource | SpecSource


@dataclass(frozen=True)
class Importer:
    """A format that can be read.

    `sniff` looks at the first bytes of a file and at its name, and says whether the file is meant to be of this format;
    a damaged file of the format should be recognised, so that `read` can say what is wrong with it.
    """

    name: str
    label: str
    sniff: Callable[[bytes, str], bool]
    read: Callable[[SourceFile, Limits], AnySource]

"""What came of an import, file by file."""

from typing import Literal

from msgspec import Struct

FileState = Literal["stored", "unchanged", "rejected"]


class FileWarning(Struct, frozen=True):
    """Something that was taken in, but is worth a look."""

    path: str
    message: str


class FileReport(Struct, frozen=True, kw_only=True):
    """One file: what it was, and what became of it. `evaluation` is its id; `error` says why it was rejected.

    `contracts` and `specs` are ids of documents of sprints and specs, which an undo takes back.
    """

    path: str
    format: str | None = None
    state: FileState
    evaluation: int | None = None
    iterations: list[int] = []
    contracts: list[int] = []
    specs: list[int] = []
    results: int = 0
    warnings: list[FileWarning] = []
    error: str | None = None


class ImportTotals(Struct, frozen=True, kw_only=True):
    """Sums over the files of one import."""

    files: int
    stored: int
    unchanged: int
    rejected: int
    results: int
    iterations: int
    contracts: int = 0
    specs: int = 0
    warnings: int


class ImportReport(Struct, frozen=True, kw_only=True):
    """Every file of one import, and their sums."""

    files: list[FileReport]
    totals: ImportTotals


def report_of(files: list[FileReport]) -> ImportReport:
    """Add up the reports of files; results, iterations, contracts and specs count what was stored now."""
    stored = [file for file in files if file.state == "stored"]
    totals = ImportTotals(
        files=len(files),
        stored=len(stored),
        unchanged=sum(file.state == "unchanged" for file in files),
        rejected=sum(file.state == "rejected" for file in files),
        results=sum(file.results for file in stored),
        iterations=sum(len(file.iterations) for file in stored),
        contracts=sum(len(file.contracts) for file in stored),
        specs=sum(len(file.specs) for file in stored),
        warnings=sum(len(file.warnings) for file in files),
    )
    return ImportReport(files=files, totals=totals)

"""Reads MindTrial documents given as bytes: for tests."""

import re
from pathlib import Path

from results.importers import mindtrial
from results.importers.envelope import restore
from results.importers.source import EvaluationSource, ImportRefused, Limits, SourcedResult, SourceFile
from results.records import RunResult

_STRING_OR_SPACE = re.compile(rb'("(?:[^"\\]|\\.)*+")|[ \t\r\n]+', re.DOTALL)


def open_document(folder: Path, text: bytes, limits: Limits | None = None) -> EvaluationSource:
    """Open a document as the importer does, results not yet walked."""
    path = folder / "document.json"
    path.write_bytes(text)
    return mindtrial.read(SourceFile(path, path.name, len(text)), limits or Limits())


def results_of(folder: Path, text: bytes, limits: Limits | None = None) -> list[SourcedResult]:
    """Read a whole document."""
    return list(open_document(folder, text, limits).results)


def records_of(folder: Path, text: bytes) -> list[RunResult]:
    """Read a whole document; records only."""
    return [result.record for result in results_of(folder, text)]


def warnings_of(folder: Path, text: bytes) -> dict[str, str]:
    """Read a whole document; its warnings, path to message."""
    source = open_document(folder, text)
    list(source.results)
    return {warning.path: warning.message for warning in source.warnings}


def refusal_of(folder: Path, text: bytes, limits: Limits | None = None) -> ImportRefused:
    """Read a whole document that must be refused."""
    try:
        results_of(folder, text, limits)
    except ImportRefused as refusal:
        return refusal
    raise AssertionError("the document was accepted")


def round_trip(folder: Path, text: bytes) -> bytes:
    """Take a document apart and put it together again."""
    source = open_document(folder, text)
    stored = [result.source for result in source.results]
    return b"".join(restore(source.envelope(), iter(stored)))


def without_white_space(text: bytes) -> bytes:
    """Take white space outside strings away; no JSON parser is asked."""
    return _STRING_OR_SPACE.sub(lambda found: found[1] or b"", text)


def document(*rows: bytes, provider: bytes = b'"p"', around: bytes = b"") -> bytes:
    """Write a document around rows given as text. `around` stands before Results and ends in a comma."""
    return b'{"FormatVersion":1,' + around + b'"Results":{' + provider + b":[" + b",".join(rows) + b"]}}"


def row(*members: bytes) -> bytes:
    """Write a passed row of provider `p` with further members."""
    return b"{" + b",".join([b'"Kind":"Passed"', b'"Provider":"p"', *members]) + b"}"

"""Reads a file for the store: a small one here, a large one in a process of its own on another core."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import local

from results.importers.source import (
    ContractSource,
    Envelope,
    EvaluationHead,
    EvaluationSource,
    Importer,
    ImportWarning,
    IterationSource,
    Limits,
    SourceFile,
    SpecSource,
)
from results.reader_process import ReaderLostError, ReaderProcess, WaitingReader
from results.store.chunks import Chunk, ChunkMaker

READ_APART_FROM_BYTES = 64 * 2**20  # smaller files are read before a process would have started


class _Ahead(local):
    """The process that this thread has started for a file that is still on its way."""

    reader: WaitingReader | None = None


_ahead = _Ahead()


@dataclass(frozen=True)
class Reading:
    """One results document being read; close it after use, wherever the reading stands.

    `chunks` can be walked once; it raises `ImportRefused` at the first bad result. `envelope()` and `warnings()` are
    complete once it is exhausted.
    """

    head: EvaluationHead
    chunks: Iterator[Chunk]
    envelope: Callable[[], Envelope]
    warnings: Callable[[], list[ImportWarning]]
    close: Callable[[], None]


def expect(size_bytes: int) -> None:
    """Say that a file of at least that size is being copied: its process, if it needs one, starts meanwhile."""
    if size_bytes >= READ_APART_FROM_BYTES and _ahead.reader is None:
        _ahead.reader = WaitingReader()


def expect_nothing() -> None:
    """Say that no file is on its way any more."""
    reader, _ahead.reader = _ahead.reader, None
    if reader is not None:
        reader.close()


def begin_reading(
    importer: Importer, file: SourceFile, limits: Limits
) -> Reading | IterationSource | ContractSource | SpecSource:
    """Begin to read a private copy.

    Raises:
        ImportRefused: the file is bad.
    """
    if file.size_bytes >= READ_APART_FROM_BYTES:
        ahead, _ahead.reader = _ahead.reader, None
        reader = ReaderProcess(importer, file, limits, ahead or WaitingReader())
        try:
            return Reading(reader.head(), reader.chunks(), reader.envelope, reader.warnings, reader.close)
        except ReaderLostError:  # or the file is none with results: it is read here
            reader.close()
        except BaseException:
            reader.close()
            raise
    source = importer.read(file, limits)
    if not isinstance(source, EvaluationSource):
        return source
    maker = ChunkMaker()
    return Reading(source.head, maker.chunks(source.results), source.envelope, lambda: source.warnings, maker.close)

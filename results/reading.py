"""Reads a file for the store: a small one here, a large one in a process of its own on another core."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
from results.reader_process import ReaderLostError, ReaderProcess
from results.store.chunks import Chunk, ChunkMaker

READ_APART_FROM_BYTES = 64 * 2**20  # smaller files are read before a process would have started


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


def begin_reading(
    importer: Importer, file: SourceFile, limits: Limits
) -> Reading | IterationSource | ContractSource | SpecSource:
    """Begin to read a private copy.

    Raises:
        ImportRefused: the file is bad.
    """
    if file.size_bytes >= READ_APART_FROM_BYTES:
        reader = ReaderProcess(importer, file, limits)
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

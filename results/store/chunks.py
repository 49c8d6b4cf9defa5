"""Results as the store takes them: prepared, a transaction's worth at a time, their documents compressed beside it."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass

from results.compression import Packer
from results.importers.source import SourcedResult
from results.store.prepared import Gatherer, PreparedChunk

CHUNK_RESULTS = 1_000  # one transaction: about 50 ms on SQLite, so that other writers hardly wait
CHUNK_BYTES = 16 * 2**20  # a chunk ends earlier when its documents are large


@dataclass(frozen=True)
class Chunk:
    """Some results in document order, and their documents as soon as they are compressed.

    `offset` is the file's byte that was reached.
    """

    prepared: PreparedChunk
    bodies: "Future[list[bytes]]"
    offset: int


class ChunkMaker:
    """Gathers results until they are a chunk; close it after use."""

    def __init__(self, gatherer: Gatherer | None = None) -> None:
        """Begin a document, or go on where `gatherer` stands."""
        self._gatherer = gatherer or Gatherer()
        self._packer = Packer()
        self._sources: list[bytes] = []
        self._bytes = self._offset = 0

    def chunks(self, results: Iterable[SourcedResult]) -> Iterator[Chunk]:
        """Cut results into chunks; the last one may be small, none is empty."""
        for sourced in results:
            self._add(sourced)
            if len(self._sources) >= CHUNK_RESULTS or self._bytes >= CHUNK_BYTES:
                yield self._chunk()
        if self._sources:
            yield self._chunk()

    def close(self) -> None:
        """End the compressing thread; what was begun is finished first."""
        self._packer.close()

    def _add(self, sourced: SourcedResult) -> None:
        source = sourced.source
        self._gatherer.add(sourced.record, len(source))
        self._sources.append(source)
        self._bytes += len(source)
        self._offset = sourced.offset

    def _chunk(self) -> Chunk:
        chunk = Chunk(self._gatherer.take(), self._packer.start(self._sources), self._offset)
        self._sources, self._bytes = [], 0
        return chunk

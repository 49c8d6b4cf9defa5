"""Documents as they are kept: zstd-compressed, many at once and beside other work."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import local

import zstandard

COMPRESSION_LEVEL = 1  # measured: higher levels cost more time than their bytes are worth
DamagedError = zstandard.ZstdError  # of bytes that are no document


def compress(body: bytes) -> bytes:
    """Compress one document."""
    return zstandard.ZstdCompressor(level=COMPRESSION_LEVEL).compress(body)


def decompress(body: bytes | memoryview) -> bytes:
    """Give a document back.

    Raises:
        DamagedError: these are not the bytes of one.
    """
    return _own.decompressor.decompress(bytes(body))


def decompress_head(body: bytes, size_bytes: int) -> bytes:
    """Give the beginning of a document back, or all of a shorter one; `body` may be cut behind it.

    Raises:
        DamagedError: these are not the bytes of one.
    """
    with _own.decompressor.stream_reader(body) as reader:
        return reader.read(size_bytes)


def size_of(body: bytes) -> int:
    """The size of a document before compression, from its first bytes; -1 where they do not say."""
    return zstandard.frame_content_size(body)


class _Own(local):
    """A decompressor for each thread: one cannot serve two at once, and making one costs more than most documents."""

    def __init__(self) -> None:
        self.decompressor = zstandard.ZstdDecompressor()


_own = _Own()


class Packer:
    """Compresses the documents of a chunk on another core while the caller makes its rows.

    The whole chunk is one call that lets go of the interpreter lock; a call per document would wait for the lock each
    time, which costs more than the compression.
    """

    def __init__(self) -> None:
        """Start the thread."""
        self._compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="packer")

    def start(self, bodies: Sequence[bytes]) -> "Future[list[bytes]]":
        """Begin to compress; the future gives the bodies in the same order."""
        return self._thread.submit(self._pack, list(bodies))

    def close(self) -> None:
        """End the thread; what was begun is finished first."""
        self._thread.shutdown()

    def _pack(self, bodies: list[bytes]) -> list[bytes]:
        packed = self._compressor.multi_compress_to_buffer([*bodies])
        return [packed[position].tobytes() for position in range(len(packed))]

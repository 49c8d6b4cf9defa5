"""Files that are made whole first and sent then."""

from collections.abc import Iterator
from pathlib import Path

PIECE_BYTES = 1 << 18


def pieces_of(path: Path) -> Iterator[bytes]:
    """The bytes of a file, piece by piece."""
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            yield piece

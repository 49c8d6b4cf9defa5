"""A document without its results: taking it apart, and putting it together again."""

from collections.abc import Iterator
from itertools import islice

from results.importers.source import Envelope, Slot


class EnvelopeBuilder:
    """Collects the compact text around the results, and where they stood."""

    def __init__(self) -> None:
        self._body = bytearray()
        self._slots: list[Slot] = []

    @property
    def size(self) -> int:
        """Bytes so far."""
        return len(self._body)

    def add(self, text: bytes) -> None:
        """Append text."""
        self._body += text

    def add_slot(self, count: int) -> None:
        """Say that so many results stood here; none is no slot."""
        if count:
            self._slots.append(Slot(len(self._body), count))

    def build(self) -> Envelope:
        """The envelope of what was added."""
        return Envelope(bytes(self._body), self._slots)


def restore(envelope: Envelope, results: Iterator[bytes]) -> Iterator[bytes]:
    """Give the compact document back, byte for byte, piece by piece.

    Args:
        envelope: the document without its results.
        results: their stored bytes in document order; as many as the slots say.

    Yields:
        Pieces of the document.

    Raises:
        ValueError: there are fewer or more results than the slots say.
    """
    position = 0
    for slot in envelope.slots:
        yield envelope.body[position : slot.offset]
        position = slot.offset
        given = 0
        for source in islice(results, slot.count):
            yield b"," + source if given else source
            given += 1
        if given < slot.count:
            raise ValueError(f"{slot.count - given} of {slot.count} results are missing at byte {slot.offset}.")
    if next(results, None) is not None:
        raise ValueError("there are more results than the envelope has room for.")
    yield envelope.body[position:]

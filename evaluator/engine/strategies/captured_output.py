"""Output of a program, bounded in memory: all of it up to a limit for a parser, and an excerpt for a person."""

import codecs
import re

MOST_PARSED_BYTES = 32 * 2**20  # of each stream, at its beginning; of a longer one also the end
PARSED_TAIL_BYTES = 2**20  # in which programs say what it all came to
HEAD_BYTES = 16 * 1024
TAIL_BYTES = 48 * 1024
EXCERPT_CHARACTERS = 4_000
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Stream:
    """One stream as it comes in."""

    def __init__(self, most_bytes: int = MOST_PARSED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept = bytearray()
        self._tail = bytearray()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.total_bytes = 0

    def add(self, block: bytes) -> None:
        """Take a block; of what comes beyond the limit only the end is kept."""
        self.total_bytes += len(block)
        room = self._most_bytes - len(self._kept)
        if room > 0:
            self._kept += block[:room]
            block = block[room:]
        self._tail += block
        if len(self._tail) > 2 * PARSED_TAIL_BYTES:
            del self._tail[:-PARSED_TAIL_BYTES]

    def heard(self, block: bytes) -> str:
        """A block as text to be shown at once; half a character at its end waits for the next block."""
        return plain_text(self._decoder.decode(block))

    @property
    def is_cut(self) -> bool:
        """Whether something is missing before the end."""
        return self.total_bytes > len(self._kept) + len(self._tail)

    def text(self) -> str:
        """What was kept, as text without colours; where something is missing, a line ends."""
        between = b"\n" if self.is_cut else b""
        return plain_text((self._kept + between + self._tail).decode(errors="replace"))


class Excerpt:
    """The beginning and the end of everything that was printed, in the order in which it came."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    def add(self, block: bytes) -> None:
        """Take a block."""
        room = HEAD_BYTES - len(self._head)
        if room > 0:
            self._head += block[:room]
            block = block[room:]
        self._tail += block
        if len(self._tail) > TAIL_BYTES:
            self._left_out += len(self._tail) - TAIL_BYTES
            del self._tail[:-TAIL_BYTES]

    def text(self) -> str:
        """The two parts, with the number of bytes between them."""
        head = plain_text(self._head.decode(errors="replace"))
        tail = plain_text(self._tail.decode(errors="replace"))
        return f"{head}\n… {self._left_out:,} bytes left out …\n{tail}" if self._left_out else head + tail


def plain_text(text: str) -> str:
    """A text without terminal colours and control characters; lines drawn over each other are lines of their own."""
    return CONTROLS.sub("", ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))


def shorten(text: str, most: int = EXCERPT_CHARACTERS) -> str:
    """The beginning and the end of a text longer than `most` characters; the end, where errors stand, is longer."""
    stripped = text.strip()
    if len(stripped) <= most:
        return stripped
    head = most // 4
    tail = most - head
    return f"{stripped[:head]}\n… {len(stripped) - most:,} characters left out …\n{stripped[-tail:]}"

"""What a tool writes: counted whole, kept only in its beginning."""

import codecs

from evaluator.engine.trials.sound_json import sound_text
from results.records import ToolCallOutput

PREVIEW_BYTES = 2_048  # in results, as in MindTrial's
KEPT_BYTES = 256 * 1024  # what the model may read


class OutputHead:
    """The beginning of an output stream and its whole size, whatever its length."""

    def __init__(self) -> None:
        self.size_bytes = 0
        self._head = bytearray()
        self._is_blank = True

    def add(self, chunk: bytes) -> None:
        """Take the next part of the stream."""
        self.size_bytes += len(chunk)
        if len(self._head) < KEPT_BYTES:
            self._head += chunk[: KEPT_BYTES - len(self._head)]
        self._is_blank = self._is_blank and not chunk.strip()

    @property
    def is_blank(self) -> bool:
        """Whether it is empty or white space only."""
        return self._is_blank or (self.size_bytes <= KEPT_BYTES and not self.text().strip())

    def text(self) -> str:
        """Its beginning as text; says so where it was cut."""
        text = self._decoded(KEPT_BYTES)
        if self.size_bytes <= KEPT_BYTES:
            return text
        return f"{text}\n[cut: these are the first {KEPT_BYTES:,} of {self.size_bytes:,} bytes]"

    def record(self, *, has_preview: bool = True) -> ToolCallOutput:
        """What a result keeps of it.

        Args:
            has_preview: False keeps its size only. An empty stream has no preview either.

        Returns:
            The preview ends before a character that the limit cuts in two (MindTrial's own ends in the middle, and so
            in U+FFFD); bytes that are no UTF-8 are U+FFFD.
        """
        preview = self._decoded(PREVIEW_BYTES) if has_preview and self.size_bytes else None
        return ToolCallOutput(bytes=self.size_bytes, preview=preview, truncated=self.size_bytes > PREVIEW_BYTES)

    def _decoded(self, limit: int) -> str:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return sound_text(decoder.decode(bytes(self._head[:limit]), final=self.size_bytes <= limit))

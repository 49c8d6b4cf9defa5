"""A JSON file that is read through a map: any size, flat memory. No view of the map leaves this package."""

import mmap
import os
import shutil
import tempfile
from pathlib import Path

import msgspec

from results.importers.source import ImportRefused, Limits, SourceFile
from results.json_surrogates import has_lone_surrogates, replace_in_place, with_escapes_of

UTF8_MARK = b"\xef\xbb\xbf"
UTF8_REMEDY = "Save it as UTF-8 and import it again"
_MARKS = {  # the longer ones first: UTF-16's is the beginning of UTF-32's
    b"\xff\xfe\x00\x00": "UTF-32 (little-endian)",
    b"\x00\x00\xfe\xff": "UTF-32 (big-endian)",
    b"\xff\xfe": "UTF-16 (little-endian)",
    b"\xfe\xff": "UTF-16 (big-endian)",
}
_BINARY_PROBE_BYTES = 4096


def encoding_of(head: bytes) -> str | None:
    """Name the encoding of a text by its mark or by where its zero bytes stand; None = it may be UTF-8."""
    for mark, name in _MARKS.items():
        if head.startswith(mark):
            return name
    zeros = [byte == 0 for byte in head[:4]]
    if zeros == [False, True, False, True]:
        return "UTF-16 (little-endian)"
    if zeros == [True, False, True, False]:
        return "UTF-16 (big-endian)"
    return None


class JsonFile:
    """An open file. `view` is for finding things: lone surrogates are masked in it once `mask_surrogates` found some.

    Raises:
        ImportRefused: the file is empty, over the limit, not readable as UTF-8 text, or does not begin with an object.
    """

    def __init__(self, source: SourceFile, limits: Limits) -> None:
        size = source.path.stat().st_size
        if size == 0:
            raise ImportRefused(
                "the file is empty (0 bytes)", offset=0, remedy="Perhaps the run that wrote it was aborted"
            )
        if size > limits.file_bytes:
            raise ImportRefused(f"the file has {size:,} bytes, more than the {limits.file_bytes:,} that are allowed")
        with source.path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._path = source.path
        self._original = memoryview(self._map)
        self._masked_map: mmap.mmap | None = None
        self.view = self._original
        self.has_mark = self._map[:3] == UTF8_MARK
        self.start = len(UTF8_MARK) if self.has_mark else 0
        self._refuse_other_kinds(bytes(self._original[:_BINARY_PROBE_BYTES]))

    def _refuse_other_kinds(self, head: bytes) -> None:
        if (encoding := encoding_of(head)) is not None:
            raise ImportRefused(f"the file is encoded in {encoding}, not UTF-8", offset=0, remedy=UTF8_REMEDY)
        if b"\x00" in head:
            raise ImportRefused("the file is binary, not JSON text", offset=head.index(b"\x00"))
        text = head[self.start :].lstrip()
        begins = text[:20].decode("utf-8", "replace")
        if not text and len(head) == len(self.view):
            raise ImportRefused("the file holds only white space", offset=len(head))
        if text and not text.startswith(b"{"):
            raise ImportRefused(
                f"a results document is a JSON object, but this file begins with {begins!r}",
                offset=len(head) - len(text),
            )

    def mask_surrogates(self) -> bool:
        """Put U+FFFD for lone surrogates in `view`, at equal positions, if there are any and it was not done yet."""
        if self._masked_map is not None or not has_lone_surrogates(self._map):
            return False
        folder = self._path.parent
        with (
            tempfile.TemporaryFile(dir=folder if os.access(folder, os.W_OK) else None) as copy,
            Path(self._path).open("rb") as original,
        ):
            shutil.copyfileobj(original, copy, 2**20)
            copy.flush()
            self._masked_map = mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_WRITE)
        replace_in_place(self._masked_map)
        self.view = memoryview(self._masked_map)
        return True

    def compact(self, start: int, end: int) -> bytes:
        """The value that lies there (white space around it allowed), every token as it stands, without white space.

        Raises:
            msgspec.DecodeError: it is malformed.
        """
        text: bytes = msgspec.json.format(self.view[start:end], indent=-1)
        if self._masked_map is None:
            return text
        original = bytes(self._original[start:end])
        return text if original == self.view[start:end] else with_escapes_of(text, original)

    def close(self) -> None:
        """Let the maps go."""
        self.view.release()
        self._original.release()
        self._map.close()
        if self._masked_map is not None:
            self._masked_map.close()


def repaired(text: bytes) -> bytes | None:
    """The same text with U+FFFD for bytes that are not UTF-8; None = there are none."""
    if text.isascii():
        return None
    try:
        text.decode()
    except UnicodeDecodeError:
        return text.decode("utf-8", "replace").encode()
    return None

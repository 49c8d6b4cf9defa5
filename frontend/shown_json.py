"""JSON made fit to be read: indented, its tokens told apart, every number token as it was written.

A document is read only as far as it is shown, so that one of any size opens at once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from frontend.formats import count
from frontend.shown_text import SHOWN_LINE_CHARACTERS, shown_length
from results.json_surrogates import without_lone_surrogates

INDENT = "  "
SHOWN_JSON_CHARACTERS = 40_000  # of a document
SHOWN_TOKENS = 1_500  # values and keys of a document: each is an element of the page
TOKEN = re.compile(
    rb'\s*(?:(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")(?P<colon>\s*:)?|(?P<mark>[\[\]{},])|(?P<lit>[^\s,\[\]{}"]+))',
    re.DOTALL,
)
CLOSERS = {"[": "]", "{": "}"}
WORDS = ("true", "false", "null")


@dataclass(frozen=True)
class JsonPart:
    """A stretch of JSON and what it is: `key`, `str`, `numlit`, `lit`, `note` (ours), or empty for marks and space."""

    kind: str
    text: str


def text_of(source: bytes) -> str:
    """The text of a JSON string; lone surrogates become U+FFFD."""
    return msgspec.json.decode(without_lone_surrogates(source), type=str)


def json_parts(source: bytes) -> Iterator[JsonPart]:
    """The indented document in parts, giant texts cut short and its end cut off, each cut with a note.

    Args:
        source: one JSON value.
    """
    room, tokens, end = SHOWN_JSON_CHARACTERS, SHOWN_TOKENS, 0
    writer = _Indenter()
    for match in TOKEN.finditer(source):
        for part in writer.parts(match):
            room -= len(part.text)
            tokens -= bool(part.kind)
            yield part
        end = match.end()
        if (room < 0 or tokens <= 0) and source[end:].strip():
            yield JsonPart("note", f"\n… {count(len(source) - end)} bytes not shown")
            return


class _Indenter:
    """Turns tokens into parts with line breaks; it knows how deep it is, not what came before."""

    def __init__(self) -> None:
        self._depth = 0
        self._opened = ""  # the bracket just before, whose first value or end decides about the line break

    def parts(self, match: re.Match[bytes]) -> Iterator[JsonPart]:
        """The parts of one token."""
        mark = "" if match["mark"] is None else match["mark"].decode()
        if mark in ("]", "}"):
            self._depth -= 1
            yield JsonPart("", mark if CLOSERS.get(self._opened) == mark else f"{self._break()}{mark}")
            self._opened = ""
            return
        if self._opened:
            yield JsonPart("", self._break())
            self._opened = ""
        if mark == ",":
            yield JsonPart("", f",{self._break()}")
        elif mark:
            self._depth += 1
            self._opened = mark
            yield JsonPart("", mark)
        elif match["lit"] is not None:
            word = match["lit"].decode("utf-8", "replace")
            yield from _shortened("lit" if word in WORDS else "numlit", word)
        else:
            literal = match["string"].decode("utf-8", "replace")
            yield from _shortened("str" if match["colon"] is None else "key", literal)
            if match["colon"] is not None:
                yield JsonPart("", ": ")

    def _break(self) -> str:
        return "\n" + INDENT * self._depth


def _shortened(kind: str, literal: str) -> Iterator[JsonPart]:
    length = shown_length(literal, SHOWN_LINE_CHARACTERS)
    yield JsonPart(kind, literal[:length])
    if length < len(literal):
        yield JsonPart("note", f"… {count(len(literal) - length)} characters not shown")

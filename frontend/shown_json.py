"""JSON made fit to be read: indented, its tokens told apart, every number token as it was written.

A document is read only as far as it is shown, so that one of any size opens at once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from frontend.formats import count
from frontend.shown_text import HIDDEN, HIDDEN_COST, SHOWN_LINE_CHARACTERS, shown_length
from results.json_surrogates import has_lone_surrogates, without_lone_surrogates

INDENT = "  "
SHOWN_JSON_CHARACTERS = 40_000  # of a document
SHOWN_TOKENS = 1_500  # values and keys of a document: each is an element of the page
LONGEST_BYTES = 200_000  # of a token that is read to its end
MOST_QUOTES = 2_000  # in a longer text that are looked at to find its end
TOKEN = re.compile(  # a text that is longer than we read has no end
    rb'\s*(?:(?P<string>"[^"\\]*(?:\\.[^"\\]*)*(?:"|(?P<open>\\?\Z)))(?P<colon>\s*:)?'
    rb'|(?P<mark>[\[\]{},])|(?P<lit>[^\s,\[\]{}"]+))',
    re.DOTALL,
)
SHORT_RUN = 64  # backslashes in a row that are counted at once
MOST_LONG_RUNS = 3  # longer ones that are counted at all
COLON = re.compile(rb"\s*:")
CLOSERS = {"[": "]", "{": "}"}
WORDS = ("true", "false", "null")


@dataclass(frozen=True)
class JsonPart:
    """A stretch of JSON and what it is: `key`, `str`, `numlit`, `lit`, `note` (ours), or empty for marks and space."""

    kind: str
    text: str


def text_of(source: bytes) -> str:
    """The text of a JSON string; lone surrogates become U+FFFD."""
    if b"\\" not in source:
        return source[1:-1].decode("utf-8", "replace")
    return msgspec.json.decode(without_lone_surrogates(source) if has_lone_surrogates(source) else source, type=str)


def json_parts(source: bytes) -> Iterator[JsonPart]:
    """The indented document in parts, giant texts cut short and its end cut off, each cut with a note.

    Args:
        source: one JSON value.
    """
    room, tokens, end = SHOWN_JSON_CHARACTERS, SHOWN_TOKENS, 0
    writer = _Indenter()
    while match := TOKEN.match(source, end, end + LONGEST_BYTES):
        token = _Token.read(source, match)
        end = token.end
        for part in writer.parts(token):
            room -= len(part.text) + HIDDEN_COST * len(HIDDEN.findall(part.text))
            tokens -= bool(part.kind)
            yield part
        if (room < 0 or tokens <= 0) and source[end:].strip():
            yield JsonPart("note", f"\n… {count(len(source) - end)} bytes not shown")
            return


@dataclass(frozen=True)
class _Token:
    """A bracket or comma, or a value or key; `end` is the place behind it in the source."""

    mark: str
    literal: bytes
    kind: str
    end: int

    @classmethod
    def read(cls, source: bytes, match: re.Match[bytes]) -> "_Token":
        if match["mark"] is not None:
            return cls(match["mark"].decode(), b"", "", match.end())
        if match["lit"] is not None:
            kind = "lit" if match["lit"].decode("utf-8", "replace") in WORDS else "numlit"
            return cls("", match["lit"], kind, match.end())
        if match["open"] is None:
            return cls("", match["string"], "str" if match["colon"] is None else "key", match.end())
        end = _end_of_text(source, match.end())
        colon = COLON.match(source, end)
        literal = source[match.start("string") : end]
        return cls("", literal, "str" if colon is None else "key", end if colon is None else colon.end())


def _end_of_text(source: bytes, position: int) -> int:
    """The place behind the text that goes on at `position`; the end of the source when it is not found soon."""
    long_runs = 0
    position = max(0, position - 1)  # perhaps in the middle of an escape
    for _ in range(MOST_QUOTES):
        quote = source.find(b'"', position)
        if quote < 0:
            break
        escapes = _backslashes(source[max(0, quote - SHORT_RUN) : quote])
        if escapes == SHORT_RUN:
            long_runs += 1
            escapes = _backslashes(source[:quote])
        if escapes % 2 == 0:
            return quote + 1
        if long_runs == MOST_LONG_RUNS:
            break
        position = quote + 1
    return len(source)


def _backslashes(text: bytes) -> int:
    return len(text) - len(text.rstrip(b"\\"))


class _Indenter:
    """Turns tokens into parts with line breaks; it knows how deep it is, not what came before."""

    def __init__(self) -> None:
        self._depth = 0
        self._opened = ""  # the bracket just before, whose first value or end decides about the line break

    def parts(self, token: _Token) -> Iterator[JsonPart]:
        """The parts of one token."""
        mark = token.mark
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
        else:
            yield from _shortened(token.kind, token.literal.decode("utf-8", "replace"))
            if token.kind == "key":
                yield JsonPart("", ": ")

    def _break(self) -> str:
        return "\n" + INDENT * self._depth


def _shortened(kind: str, literal: str) -> Iterator[JsonPart]:
    length = shown_length(literal, SHOWN_LINE_CHARACTERS)
    yield JsonPart(kind, literal[:length])
    if length < len(literal):
        yield JsonPart("note", f"… {count(len(literal) - length)} characters not shown")

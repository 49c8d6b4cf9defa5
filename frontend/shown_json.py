"""JSON made fit to be read: indented, its tokens told apart, every number token as it was written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from frontend.formats import count
from frontend.shown_text import SHOWN_CHARACTERS, SHOWN_LINE_CHARACTERS
from results.json_surrogates import with_escapes_of, without_lone_surrogates

INDENT = 2  # spaces
TOKEN = re.compile(
    r'(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")(?P<colon>\s*:)?|(?P<numlit>-?\d[0-9.eE+-]*)|(?P<lit>true|false|null)'
    r'|(?P<other>[^"\w-]+|.)',
    re.DOTALL,
)


@dataclass(frozen=True)
class JsonPart:
    """A stretch of JSON and what it is: `key`, `str`, `numlit`, `lit`, `note` (ours), or empty for marks and space."""

    kind: str
    text: str


def indented(source: bytes) -> str:
    """The document with line breaks and indents; no token is changed."""
    try:
        text = msgspec.json.format(source, indent=INDENT)
    except msgspec.DecodeError:
        text = with_escapes_of(msgspec.json.format(without_lone_surrogates(source), indent=INDENT), source)
    return text.decode("utf-8", "replace")


def text_of(source: bytes) -> str:
    """The text of a JSON string; lone surrogates become U+FFFD."""
    return msgspec.json.decode(without_lone_surrogates(source), type=str)


def json_parts(source: bytes) -> Iterator[JsonPart]:
    """The indented document in parts, giant texts cut short and its end cut off, each cut with a note.

    Args:
        source: one JSON value.
    """
    text = indented(source)
    room = SHOWN_CHARACTERS
    for match in TOKEN.finditer(text):
        for part in _parts_of(match):
            room -= len(part.text)
            yield part
        if room < 0:
            yield JsonPart("note", f"… {count(len(text) - match.end())} characters not shown")
            return


def _parts_of(match: re.Match[str]) -> Iterator[JsonPart]:
    literal = match["string"]
    if literal is None:
        kind = match.lastgroup or ""
        yield JsonPart("" if kind == "other" else kind, match[0])
        return
    missing = len(literal) - SHOWN_LINE_CHARACTERS
    kind = "str" if match["colon"] is None else "key"
    if missing <= 0:
        yield JsonPart(kind, literal)
    else:
        yield JsonPart(kind, literal[:SHOWN_LINE_CHARACTERS])
        yield JsonPart("note", f"… {count(missing)} characters not shown")
    if match["colon"] is not None:
        yield JsonPart("", match["colon"])

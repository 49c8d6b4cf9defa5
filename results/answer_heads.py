"""The first words of an answer or a message, read from the beginning of a document of any size."""

import json
import re
from dataclasses import dataclass

from results.json_scanning import JsonError, end_of_value
from results.records import RunResult

PREVIEW_CHARACTERS = 160  # of one preview: more than a cell shows
_MOST_BYTES = 12 * PREVIEW_CHARACTERS  # of JSON that are read for it: an escaped pair of surrogates has twelve
_GOT = re.compile(rb'"got":', re.IGNORECASE)
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
# A string, or its beginning with whole escapes only.
_BEGINNING = re.compile(rb'"([^"\\]*+(?:(?:\\u[0-9a-fA-F]{4}|\\[^u])[^"\\]*+)*+)("?)', re.DOTALL)
_JSON = json.JSONDecoder(strict=False)
_LINE_BREAK = re.compile(r"[^\S\n\r]*[\n\r]\s*")
_WHITE_SPACE = " \t\r\n"


@dataclass(frozen=True)
class AnswerPreview:
    """The beginning of what a result answered, or of what it said instead.

    Attributes:
        text: of at most 160 characters, white space around it removed, line breaks and control characters kept.
        is_cut: there is more.
    """

    text: str
    is_cut: bool

    @property
    def line(self) -> str:
        """The text on one line: `↵` stands for line breaks and the white space around them."""
        return _LINE_BREAK.sub(" ↵ ", self.text)


def answer_preview(got: bytes) -> AnswerPreview | None:
    """The beginning of a JSON value as people read it: a text as itself, anything else as its JSON.

    Args:
        got: the value, or its beginning.

    Returns:
        None for no value at all.
    """
    if not got:
        return None
    head = got[:_MOST_BYTES]
    is_whole = len(got) <= _MOST_BYTES
    if found := _BEGINNING.match(head):
        return _preview(_text(found[1]), bool(found[2]))
    return _preview(head.decode("utf-8", "ignore"), is_whole)


def message_preview(record: RunResult) -> AnswerPreview | None:
    """The beginning of a record's error, title first; without one, of its answer, which then holds the message."""
    got = answer_preview(bytes(record.got))
    error = record.details.error
    if error is None or not (error.title or error.message):
        return got
    message = error.message or ("" if got is None else got.text)
    return titled(error.title, _preview(message, is_whole=True))


def titled(title: str, message: AnswerPreview | None) -> AnswerPreview | None:
    """The title of an error before its message; one that begins with its title keeps that only once."""
    if not title or (message is not None and message.text.startswith(title)):
        return message
    if message is None or not message.text:
        return _preview(title, is_whole=message is None or not message.is_cut)
    return _preview(f"{title.rstrip(_WHITE_SPACE + ':')}: {message.text}", not message.is_cut)


def got_in(head: bytes) -> bytes:
    """The value of the document's own `Got`, as far as the head goes; behind a text more may follow.

    Args:
        head: the beginning of a compact document; its names may have any case.

    Returns:
        Empty when the name is not there: it comes later, or there is none.
    """
    for found in _GOT.finditer(head):
        before = _STRING.sub(b"", head[: found.start()])
        opened = before.count(b"{") + before.count(b"[")
        if opened - before.count(b"}") - before.count(b"]") == 1:
            return _value_at(head, found.end())
    return b""


def _value_at(head: bytes, start: int) -> bytes:
    if head.startswith(b'"', start):
        return head[start:]
    try:
        return head[start : end_of_value(memoryview(head), start)]
    except JsonError:  # the head ends before the value does
        return head[start:]


def _text(source: bytes) -> str:
    """The characters of JSON between quotes; half of a character or of a pair at the end is left out."""
    readable = source.decode("utf-8", "ignore")
    if "\\" not in readable:
        return readable
    text: str = _JSON.decode(f'"{readable}"')
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _preview(text: str, is_whole: bool) -> AnswerPreview:
    shown = text.strip(_WHITE_SPACE)
    return AnswerPreview(shown[:PREVIEW_CHARACTERS], not is_whole or len(shown) > PREVIEW_CHARACTERS)

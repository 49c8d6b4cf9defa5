"""Walks JSON text without loading it: where members and elements begin and end, how deep it goes, where a fault is.

msgspec finds the end of a value at its own speed: asked for one value out of a longer text, it says at which byte the
rest begins. So one pass over a file of any size needs no memory, and every position is exact.
"""

import re
from collections.abc import Iterator, MutableSequence
from itertools import accumulate

import msgspec

OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA, COLON, QUOTE = b'{}[],:"'
WHITE_SPACE = b" \t\n\r"
UNFINISHED = "the text ends too early"
SEARCH_BYTES = 64 * 2**20  # how far into a value we look token by token, to name a place in it

_NO_BRACKETS = bytes(set(range(256)) - set(b"{}[]"))
_NO_OPENINGS = bytes(set(range(256)) - set(b"{["))
_STEPS = {OPEN_OBJECT: 1, OPEN_ARRAY: 1, CLOSE_OBJECT: -1, CLOSE_ARRAY: -1}
_SPACE = re.compile(rb"[ \t\n\r]*+")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_TOKEN = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+"?)|[\[\]{},:]', re.DOTALL)
_REST = "JSON is malformed: trailing characters (byte "  # how msgspec says where the rest of the text begins
_BYTE = re.compile(r"^(?:JSON is malformed: )?(.*) \(byte (\d+)\)$")
_NOT_A_NUMBER = re.compile(rb"-?(?:NaN|Infinity|nan|inf)")
_RAW = msgspec.json.Decoder(msgspec.Raw)


class JsonError(ValueError):
    """The text is not JSON: what is wrong, and at which byte of the text."""

    def __init__(self, reason: str, offset: int) -> None:
        self.reason = reason
        self.offset = offset
        super().__init__(f"{reason} (byte {offset})")

    @property
    def may_be_surrogate(self) -> bool:
        """Whether half of a surrogate pair may be all that is wrong: msgspec looks for the other half behind it."""
        return self.reason == UNFINISHED or "surrogate" in self.reason or "escape" in self.reason


class JsonDepthError(JsonError):
    """The text nests deeper than we follow."""


class JsonCountError(JsonError):
    """A list has more elements than we follow."""


def skip_space(view: memoryview, position: int) -> int:
    """The position of the first byte from `position` on that is not white space; the length when there is none."""
    found = _SPACE.match(view, position)
    return found.end() if found else position


def end_of_value(view: memoryview, start: int) -> int:
    """Find what follows the value that begins at `start` and the white space behind it.

    Returns:
        The position of the next byte; the length of `view` when nothing follows.

    Raises:
        JsonError: the value is malformed or unfinished.
        JsonDepthError: it nests deeper than the interpreter's stack allows (which is deeper than any limit of ours).
    """
    try:
        with view[start:] as rest:
            _RAW.decode(rest)
    except msgspec.DecodeError as error:
        text = str(error)
        if text.startswith(_REST):
            return start + int(text[len(_REST) : -1]) - 1
    except RecursionError:
        raise JsonDepthError("nested too deeply", start) from None
    else:
        return len(view)
    if (found := _BYTE.match(text)) is None:
        raise JsonError(UNFINISHED, len(view))
    raise fault_at(view, start + int(found[2]), found[1])


def fault_at(view: memoryview, offset: int, reason: str) -> JsonError:
    """Name a malformed place; `NaN` and its kind get their own words."""
    for position in (max(offset - 1, 0), offset):  # the minus of -Infinity stands before the byte that is complained of
        if (found := _NOT_A_NUMBER.match(view, position)) is not None:
            return JsonError(f"{found[0].decode()} is not a JSON number", position)
    return JsonError(reason, offset)


class Cursor:
    """Walks down a JSON text. Whoever is given a key or an element takes its value, whole or piece by piece.

    Every method raises `JsonError` where the text is malformed or ends too early.
    """

    def __init__(self, view: memoryview, position: int = 0) -> None:
        self.view = view
        self.position = skip_space(view, position)
        self.key_start = self.position

    def is_at(self, byte: int) -> bool:
        """Whether the next byte is this one."""
        return self.position < len(self.view) and self.view[self.position] == byte

    def each_key(self) -> Iterator[bytes]:
        """Walk the object that begins here: its keys as written, with quotes, duplicates included.

        `key_start` is the position of the last key's quote.
        """
        self._pass(OPEN_OBJECT, "an opening brace")
        if self.is_at(CLOSE_OBJECT):
            return self._pass(CLOSE_OBJECT, "")
        while True:
            self.key_start = self.position
            if not self.is_at(QUOTE):
                raise self._fault("a key in double quotes")
            self.skip_value()
            key = bytes(self.view[self.key_start : self.position]).rstrip(WHITE_SPACE)
            self._pass(COLON, "a colon")
            yield key
            if not self._goes_on(CLOSE_OBJECT):
                return None

    def skip_elements(self, ends: MutableSequence[int], at_most: int) -> None:
        """Go behind the array that begins here.

        Args:
            ends: gets for each element the position of the `,` or `]` behind it, also when a later one is malformed;
                then `position` is the beginning of that one. White space may stand before and behind an element.
            at_most: more elements than these are not walked.

        Raises:
            JsonCountError: there are more.
        """
        self._pass(OPEN_ARRAY, "an opening bracket")
        if self.is_at(CLOSE_ARRAY):
            return self._pass(CLOSE_ARRAY, "")
        view, start = self.view, self.position
        while True:
            end = end_of_value(view, start)
            if len(ends) >= at_most:
                raise JsonCountError(f"more than {at_most:,} elements", start)
            if end < len(view) and view[end] == COMMA:
                ends.append(end)
                start = self.position = end + 1
                continue
            self.position = end
            self._pass(CLOSE_ARRAY, "a comma or ']'")
            return ends.append(end)

    def skip_value(self) -> None:
        """Go behind the value that begins here, and behind the white space after it."""
        self.position = end_of_value(self.view, self.position)

    def _goes_on(self, closing: int) -> bool:
        if self.is_at(COMMA):
            self._pass(COMMA, "")
            return True
        self._pass(closing, f"a comma or '{chr(closing)}'")
        return False

    def _pass(self, byte: int, what: str) -> None:
        if not self.is_at(byte):
            raise self._fault(what)
        self.position = skip_space(self.view, self.position + 1)

    def _fault(self, what: str) -> JsonError:
        if self.position >= len(self.view):
            return JsonError(UNFINISHED, self.position)
        return fault_at(self.view, self.position, f"{what} is expected here")


def depth_of(text: bytes) -> int:
    """How many objects and arrays of a well-formed JSON text lie inside each other at most; 0 for a scalar."""
    brackets = _STRING.sub(b"", text).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


def is_deeper_than(text: bytes, depth: int) -> bool:
    """Whether a well-formed JSON text nests deeper than `depth`; quick for texts with few brackets."""
    if len(text) <= 2 * depth or len(text.translate(None, _NO_OPENINGS)) <= depth:
        return False
    return depth_of(text) > depth


def where_too_deep(view: memoryview, start: int, depth: int) -> int | None:
    """The position of the bracket that goes beyond `depth`; None = not within the next `SEARCH_BYTES`."""
    reached = 0
    for token in _TOKEN.finditer(view, start, min(start + SEARCH_BYTES, len(view))):
        reached += 0 if token[1] else _STEPS.get(token[0][0], 0)
        if reached > depth:
            return token.start()
    return None


def path_at(view: memoryview, start: int, offset: int) -> str:
    """The JSON path, from the value that begins at `start`, of the place at byte `offset`: `.Details.Answer.Usage`.

    The text need not be well-formed. Empty = the value itself, or a place more than `SEARCH_BYTES` away.
    """
    if offset - start > SEARCH_BYTES:
        return ""
    path: list[str | int] = []
    awaits_key = False
    for token in _TOKEN.finditer(view, start, min(offset, len(view))):
        if token[1]:
            if awaits_key:
                path[-1] = token[1].decode("utf-8", "replace").strip('"')
                awaits_key = False
            continue
        sign = token[0][0]
        if sign in (OPEN_OBJECT, OPEN_ARRAY):
            path.append("" if sign == OPEN_OBJECT else 0)
            awaits_key = sign == OPEN_OBJECT
        elif sign in (CLOSE_OBJECT, CLOSE_ARRAY):
            del path[-1:]
        elif sign == COMMA and path:
            last = path[-1]
            awaits_key = isinstance(last, str)
            path[-1] = last + 1 if isinstance(last, int) else ""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path if part != "")

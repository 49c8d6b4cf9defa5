"""Tolerant reading of one JSON object: known keys are taken in whatever form they come, the rest is kept as it is."""

import re
from collections.abc import Iterator

import msgspec

from results.importers.refusals import depth_refusal
from results.importers.source import ImportRefused, WarningLog

# The writers' largest file has 8 kB. More than this is not one of their files.
MAX_BYTES = 2_000_000
INT64_MAX = 2**63 - 1
MAX_DIGITS = 40  # before a text is read as a number, which takes time by the square of its length
SHOWN = 60  # characters of a value in a warning
UTF8_BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]', re.DOTALL)
ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
SPACE = re.compile(rb'("(?:[^"\\]|\\.)*+")|[ \t\r\n]+', re.DOTALL)
BYTE = re.compile(r" *\(byte (\d+)\)")
WHOLE_NUMBER = re.compile(r"-?[0-9]+(?:\.0+)?")
FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Fields:
    """One JSON object that is being read. A key not taken, or whose value was unusable, is among the extras."""

    def __init__(self, raw: dict[str, msgspec.Raw], path: str, warnings: WarningLog) -> None:
        self.raw = raw
        self.path = path
        self.warnings = warnings
        self.taken: set[str] = set()

    def at(self, key: str) -> str:
        """The path of one of this object's keys."""
        return f"{self.path}.{key}" if self.path and key else self.path or key

    def warn(self, key: str, message: str) -> None:
        """Note something about the value of `key`."""
        self.warnings.add(self.at(key), message)

    def has(self, key: str) -> bool:
        """Whether the key stands there with a value; a null counts as taken, for it says nothing."""
        if self._token(key) == b"null":
            self.taken.add(key)
            return False
        return key in self.raw

    def is_list(self, key: str) -> bool:
        """Whether the value is a list."""
        return self._token(key).startswith(b"[")

    def is_text(self, key: str) -> bool:
        """Whether the value is a text."""
        return self._token(key).startswith(b'"')

    def is_flag(self, key: str) -> bool:
        """Whether the value is true or false."""
        return self._token(key) in {b"true", b"false"}

    def object(self, key: str) -> "Fields | None":
        """The value as an object, or None if it is none."""
        fields = fields_of(self.raw[key], self.at(key), self.warnings) if key in self.raw else None
        if fields is not None:
            self.taken.add(key)
        return fields

    def text(self, key: str) -> str | None:
        """The value as text: a text itself, or the JSON of anything else; None when absent or null."""
        if not self._take(key):
            return None
        return text_of(self.raw[key])

    def first_text(self, *keys: str) -> str | None:
        """The text of the first of these keys that has a value; the others stay extras."""
        return next((self.text(key) for key in keys if self.has(key)), None)

    def integer(self, key: str) -> int | None:
        """The value as a whole number (`12`, `"12"`, `12.0`); None when absent, and with a warning when unusable."""
        if not self._take(key):
            return None
        number = integer_of(self.raw[key])
        if number is None:
            self._give_back(key, "is not a whole number")
        return number

    def count(self, key: str) -> int | None:
        """A whole number that counts something.

        Raises:
            ImportRefused: the count is negative.
        """
        number = self.integer(key)
        if number is not None and number < 0:
            raise ImportRefused(f"a count cannot be negative, but it is {number}", path=self.at(key))
        return number

    def number(self, key: str) -> float | None:
        """The value as a finite number, from a number or a text that holds one."""
        if not self._take(key):
            return None
        number = number_of(self.raw[key])
        if number is None:
            self._give_back(key, "is not a number")
        return number

    def flag(self, key: str) -> bool | None:
        """The value as true or false, from a boolean or one of its usual words."""
        if not self._take(key):
            return None
        flag = FLAGS.get((text_of(self.raw[key]) or "").strip().casefold())
        if flag is None:
            self._give_back(key, "is neither true nor false")
        return flag

    def items(self, key: str) -> list[msgspec.Raw] | None:
        """The values of a list; None when absent or null, and with a warning when it is no list."""
        if not self._take(key):
            return None
        if not self.is_list(key):
            self._give_back(key, "is not a list")
            return None
        return msgspec.json.decode(self.raw[key], type=list[msgspec.Raw])

    def objects(self, key: str, text_key: str) -> Iterator["Fields"]:
        """The objects of a list; a bare text counts as an object that has it under `text_key`; others are left out."""
        for position, item in enumerate(self.items(key) or []):
            path = f"{self.at(key)}[{position}]"
            fields = fields_of(item, path, self.warnings)
            if fields is None and bytes(item).startswith(b'"'):
                fields = Fields({text_key: item}, path, self.warnings)
            if fields is None:
                self.warnings.add(path, "is neither an object nor a text, and is left out")
            else:
                yield fields

    def texts(self, key: str) -> list[str] | None:
        """The items of a list as texts; None when absent or null, and with a warning when it is no list."""
        items = self.items(key)
        return None if items is None else [text for item in items if (text := text_of(item)) is not None]

    def extras(self) -> dict[str, msgspec.Raw]:
        """What no call has taken, as raw JSON."""
        return {key: value for key, value in self.raw.items() if key not in self.taken}

    def _token(self, key: str) -> bytes:
        return bytes(self.raw[key]) if key in self.raw else b""

    def _take(self, key: str) -> bool:
        if self.has(key):
            self.taken.add(key)
            return True
        return False

    def _give_back(self, key: str, problem: str) -> None:
        self.taken.discard(key)
        value = bytes(self.raw[key]).decode()
        self.warn(key, f"{problem} ({value if len(value) <= SHOWN else value[:SHOWN] + '…'}); kept as a note")


def text_of(raw: msgspec.Raw) -> str | None:
    """A JSON value as text: a text itself, None for null, the compact JSON of anything else."""
    token = bytes(raw)
    if token.startswith(b'"'):
        return msgspec.json.decode(token, type=str)
    return None if token == b"null" else token.decode()


def integer_of(raw: msgspec.Raw) -> int | None:
    """A JSON value as a whole number within 64 bits; None if it is not one."""
    text = (text_of(raw) or "").strip()
    if len(text) > MAX_DIGITS or WHOLE_NUMBER.fullmatch(text) is None:
        return None
    number = int(text.partition(".")[0])
    return number if abs(number) <= INT64_MAX else None


def number_of(raw: msgspec.Raw) -> float | None:
    """A JSON value as a finite number; None if it is not one."""
    try:
        return msgspec.json.decode((text_of(raw) or "").strip(), type=float)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


def fields_of(raw: msgspec.Raw, path: str, warnings: WarningLog) -> Fields | None:
    """The fields of a JSON value, or None if it is no object."""
    if not bytes(raw).startswith(b"{"):
        return None
    return Fields(msgspec.json.decode(raw, type=dict[str, msgspec.Raw]), path, warnings)


def read_object(data: bytes, depth: int, warnings: WarningLog) -> tuple[Fields, bytes]:
    """Read a whole document whose root is an object.

    Args:
        data: the bytes of the file, with or without a UTF-8 byte order mark.
        depth: how many levels of nesting are allowed.
        warnings: where to note that lone surrogates were replaced.

    Returns:
        Its fields, and the document with white space removed and every token kept.

    Raises:
        ImportRefused: too large, not UTF-8, not one JSON document, nested too deeply, or not an object.
    """
    if len(data) > MAX_BYTES:
        raise ImportRefused(f"the file has more than {MAX_BYTES} bytes, the most for documents of this kind")
    body = _utf8(data)
    _check_depth(body, depth)
    readable = ESCAPE.sub(lambda escape: b"\\ufffd" if escape[1] else escape[0], body)
    try:
        compact = msgspec.json.decode(msgspec.json.format(readable, indent=-1), type=msgspec.Raw)
        root = fields_of(compact, "", warnings)
        source = bytes(compact)
        if readable != body:
            warnings.add("", "lone surrogates in texts are read as U+FFFD")
            source = SPACE.sub(lambda part: part[1] or b"", body)
    except (msgspec.DecodeError, RecursionError) as problem:
        place = BYTE.search(str(problem))
        fault = BYTE.sub("", str(problem))
        offset = int(place[1]) if place else len(body)
        raise ImportRefused(f"the file is not one JSON document: {fault}", offset=offset) from problem
    if root is None:
        raise ImportRefused("the document is not a JSON object")
    return root, source


def _utf8(data: bytes) -> bytes:
    if data.startswith(UTF16_BOMS):
        raise ImportRefused("the file is encoded in UTF-16", remedy="Save it as UTF-8")
    body = data.removeprefix(UTF8_BOM)
    if not body.strip():
        raise ImportRefused("the file is empty")
    try:
        body.decode()
    except UnicodeDecodeError as problem:
        raise ImportRefused("the file is not UTF-8", offset=problem.start, remedy="Save it as UTF-8") from problem
    return body


def _check_depth(body: bytes, most: int) -> None:
    depth = 0
    for token in STRING_OR_BRACKET.finditer(body):
        mark = token[0]
        if mark in b"[{":
            depth += 1
            if depth > most:
                raise depth_refusal(most, "", None, token.start())
        elif mark in b"]}":
            depth -= 1

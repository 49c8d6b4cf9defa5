"""Turns what a decoder says about a bad result into what a user needs: where, what, and what to do."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from results.importers.json_file import UTF8_MARK
from results.importers.source import ImportRefused
from results.json_folding import fold_name
from results.json_scanning import UNFINISHED, JsonDepthError, JsonError, path_at, where_too_deep
from results.json_surrogates import without_lone_surrogates

SHOWN_CHARACTERS = 60
PROBE_BYTES = 2**22  # of a file of no known format, to see whether it nests too deeply
CUT_REMEDY = "The file was cut off, perhaps while it was written or copied: copy it again"
SYNTAX_REMEDY = "Correct the file, or write it again with the tool that made it"
KIND_REMEDY = "A result's Kind is exactly Passed, Failed, Error or Skipped"
INTEGER_REMEDY = "Whole numbers are written in digits only, from -2^63 to 2^63 - 1"

_PLAIN = re.compile(r"[\w-]+")
_MESSAGE = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_GOT = re.compile(r"got `(\w+)`")
_DOCUMENT = msgspec.json.Decoder(float_hook=lambda token: msgspec.Raw(token.encode()))  # numbers as they were written
_JSON_TYPES: dict[str, type] = {
    "int": int,
    "float": msgspec.Raw,
    "str": str,
    "bool": bool,
    "object": dict,
    "array": list,
}
_REASONS = {  # by what msgspec's message holds
    "required field": "the result has no Kind",
    "enum value": "{} is no kind of result",
    "out of range": "{} is out of range",
    "Expected `int` ": "{} does not fit into 64 bits",
    "datetime": "{} is no RFC 3339 time with a zone",
}
_NUMBER_TYPES = {"int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false"}


def result_path(provider: str, index: int | None = None) -> str:
    """The JSON path of a provider's list, or of one result in it."""
    step = f".{provider}" if _PLAIN.fullmatch(provider) else f"[{shown(provider)}]"
    return f"Results{step}" if index is None else f"Results{step}[{index}]"


def shown(value: object) -> str:
    """A value as JSON, short enough for a message; lone surrogates and control characters escaped."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


@dataclass(frozen=True)
class Place:
    """Where a scan is: the value whose JSON path is `path` begins at byte `start`, `level` objects and arrays down.

    `row` is the number of the result in the file, if it is one.
    """

    path: str = ""
    row: int | None = None
    start: int = 0
    level: int = 0


def syntax_refusal(error: JsonError, view: memoryview, place: Place, limit: int) -> ImportRefused:
    """Refuse text that is malformed or nests too deeply.

    Args:
        error: what the scan found.
        view: the whole file.
        place: the value that the fault lies in.
        limit: how deep a document may go.
    """
    if isinstance(error, JsonDepthError):
        offset = where_too_deep(view, place.start, limit - place.level)
        return depth_refusal(limit, place.path, place.row, place.start if offset is None else offset)
    path = (place.path + path_at(view, place.start, error.offset)).lstrip(".")
    is_cut = error.reason == UNFINISHED
    reason = f"the file ends here, in the middle of {'a value' if path else 'the document'}" if is_cut else error.reason
    remedy = CUT_REMEDY if is_cut else SYNTAX_REMEDY
    return ImportRefused(reason, path=path, row=place.row, offset=error.offset, remedy=remedy)


def depth_refusal(limit: int, path: str, row: int | None, offset: int | None) -> ImportRefused:
    """Refuse a value that makes the document nest deeper than `limit`."""
    return ImportRefused(f"objects and arrays nest deeper than {limit} levels", path=path, row=row, offset=offset)


def deep_refusal(file: Path, limit: int) -> ImportRefused | None:
    """Refuse a file of no known format that is JSON and nests too deeply near its beginning; None = it does not.

    Args:
        file: only its first `PROBE_BYTES` are looked at.
        limit: how deep a document may go.
    """
    with file.open("rb") as stream:
        text = stream.read(PROBE_BYTES)
    start = len(UTF8_MARK) if text.startswith(UTF8_MARK) else 0
    if text[start:].lstrip()[:1] not in {b"[", b"{"}:
        return None
    offset = where_too_deep(memoryview(text), start, limit)
    if offset is None:
        return None
    path_text = path_at(memoryview(text), start, offset).lstrip(".")
    is_long = len(path_text) > SHOWN_CHARACTERS
    return depth_refusal(limit, f"{path_text[:SHOWN_CHARACTERS]}…" if is_long else path_text, None, offset)


def value_refusal(error: msgspec.DecodeError, source: bytes, path: str, row: int) -> ImportRefused:
    """Refuse a result whose JSON is well-formed but says something that no result says.

    Args:
        error: what the decoder said.
        source: the result's JSON.
        path: JSON path of the result.
        row: number of the result in the file.
    """
    found = _MESSAGE.match(str(error))
    what, place = (found["what"], found["path"] or "") if found else (str(error), "")
    steps = [name or (int(index) if index.isdigit() else None) for name, index in _STEP.findall(place)]
    got = _GOT.search(what)
    try:
        document = _DOCUMENT.decode(without_lone_surrogates(source))
    except msgspec.DecodeError:  # an integer of thousands of digits
        return ImportRefused(what, path=f"{path}{place}", row=row, remedy=_remedy(what, place))
    named, value = _follow(document, steps, got[1] if got else "int")
    return ImportRefused(_reason(what, value), path=path + named, row=row, remedy=_remedy(what, place))


def _reason(what: str, value: object) -> str:
    for part, reason in _REASONS.items():
        if part in what:
            return reason.format(shown(value))
    if (expected := re.search(r"Expected `(\w+)", what)) is not None:
        return f"{shown(value)} stands where {_NUMBER_TYPES.get(expected[1], f'an {expected[1]}')} is expected"
    return what


def _remedy(what: str, place: str) -> str:
    if "Kind" in what or place == ".Kind":
        return KIND_REMEDY
    return INTEGER_REMEDY if "Expected `int" in what or "out of range" in what else SYNTAX_REMEDY


def _follow(value: Any, steps: list[str | int | None], got: str) -> tuple[str, Any]:  # noqa: ANN401 - any JSON
    """Walk down decoded JSON. A step of None is a key that the decoder did not tell: the first that leads to `got`."""
    if not steps:
        return "", value
    step, rest = steps[0], steps[1:]
    if step is None and isinstance(value, dict):
        ends = [(f".{key}{path}", end) for key, item in value.items() for path, end in [_follow(item, rest, got)]]
        return next((end for end in ends if type(end[1]) is _JSON_TYPES.get(got)), ("[...]", None))
    if isinstance(step, int) and isinstance(value, list) and step < len(value):
        path, end = _follow(value[step], rest, got)
        return f"[{step}]{path}", end
    if isinstance(step, str) and isinstance(value, dict):
        names = [key for key in value if key == step] or [key for key in value if fold_name(key) == fold_name(step)]
        path, end = _follow(value.get(names[-1]) if names else None, rest, got)
        return f".{step}{path}", end
    return "", value

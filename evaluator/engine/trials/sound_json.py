"""Any value that a model gave, as JSON in UTF-8 and as lines of text."""

import json
import math
import re
from collections.abc import Iterable

import msgspec
from msgspec import Raw

from evaluator.engine.trials.definitions import JsonValue

_LINE_END = re.compile("\r?\n")
_SURROGATE = re.compile("[\ud800-\udfff]")


def sound_text(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which UTF-8 cannot hold."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def sound_lines(texts: Iterable[str]) -> list[str]:
    """Texts line by line, one after the other."""
    return [line for text in texts for line in _LINE_END.split(sound_text(text))]


def lines_of(value: JsonValue) -> list[str]:
    """A text, or JSON as people read it, line by line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    return sound_lines([text])


def encoded(value: JsonValue) -> Raw:
    """A value as compact JSON, integers of any size included; NaN and infinity, which JSON lacks, become null."""
    try:
        return Raw(msgspec.json.encode(value))
    except UnicodeEncodeError:
        sound = _sound_value(value)
        return Raw(json.dumps(sound, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode())


def _sound_value(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return sound_text(value)
    if isinstance(value, list):
        return [_sound_value(part) for part in value]
    if isinstance(value, dict):
        return {sound_text(key): _sound_value(part) for key, part in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value

"""JSON values as lines that can be compared: one value a line, keys in one order, every number token as written."""

import json
import re
from dataclasses import dataclass

COMPARED_NODES = 4_000  # values and keys; larger documents are compared as they are written
COMPARED_BYTES = 200_000  # of a document
INDENT = "  "

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]|[^\s,:\[\]{}"]+')
_OPENERS = {b"{": True, b"[": False}


@dataclass(frozen=True)
class _Scalar:
    """A value without parts, as it is shown."""

    text: str


@dataclass
class _Holder:
    """An object or a list that is being read; the keys of a list are empty."""

    is_object: bool
    keys: list[str]
    values: "list[_Scalar | _Holder]"
    key: str | None = None

    def add(self, value: "_Scalar | _Holder") -> None:
        """Take the next value, which in an object follows its key."""
        if self.is_object and self.key is None and isinstance(value, _Scalar):
            self.key = value.text
            return
        self.keys.append(self.key or "")
        self.values.append(value)
        self.key = None


def comparable_lines(source: bytes) -> str | None:
    """A JSON value indented, the keys of its objects in order of their code points.

    Args:
        source: one compact JSON value.

    Returns:
        The text; None for a document that is too large. Texts lose escapes that they do not need, so that equal texts
        are equal; numbers keep theirs (`1.0` is not `1`).
    """
    if len(source) > COMPARED_BYTES:
        return None
    tokens = _TOKEN.findall(source)
    return None if len(tokens) > COMPARED_NODES else "\n".join(_lines(_read(tokens)))


def _read(tokens: list[bytes]) -> _Scalar | _Holder:
    top = _Holder(False, [], [])
    open_holders = [top]
    for token in tokens:
        if token in _OPENERS:
            holder = _Holder(_OPENERS[token], [], [])
            open_holders[-1].add(holder)
            open_holders.append(holder)
        elif token in b"]}":
            open_holders.pop()
        else:
            open_holders[-1].add(_Scalar(_shown(token)))
    return top.values[0]


def _shown(token: bytes) -> str:
    text = token.decode("utf-8", "replace")
    return json.dumps(json.loads(text, strict=False), ensure_ascii=False) if text.startswith('"') else text


def _lines(value: _Scalar | _Holder) -> list[str]:
    """The lines of a value, without recursion: `waiting` holds what is still to be written, the next one last."""
    lines: list[str] = []
    waiting: list[tuple[int, str, _Scalar | _Holder, str]] = [(0, "", value, "")]
    while waiting:
        depth, key, item, comma = waiting.pop()
        margin = INDENT * depth + key
        if isinstance(item, _Scalar):
            lines.append(margin + item.text + comma)
        elif not item.values:
            lines.append(margin + ("{}" if item.is_object else "[]") + comma)
        else:
            lines.append(margin + ("{" if item.is_object else "["))
            waiting.append((depth, "", _Scalar("}" if item.is_object else "]"), comma))
            pairs = list(zip(item.keys, item.values, strict=True))
            pairs = sorted(pairs, key=lambda pair: pair[0]) if item.is_object else pairs
            commas = [","] * (len(pairs) - 1) + [""]
            waiting += [
                (depth + 1, f"{name}: " if name else "", part, mark)
                for (name, part), mark in zip(reversed(pairs), reversed(commas), strict=True)
            ]
    return lines

"""Rewrites a JSON document the way Go's decoder reads it, so that a strict decoder accepts it.

Names match without regard to case and the last occurrence wins; null leaves a field as it was, or empties it where Go
has a pointer, list or map; keys that the type does not know go. What the type keeps as raw JSON is copied.
"""

import re
import types
from collections.abc import Hashable, Iterator
from functools import cache, lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, inspect

from results.json_scanning import CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT, end_of_value

_KEY = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+"):')
_SCALAR = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^,\]}]++')
_KEYS_KEPT = 1_000  # a document's keys are few, unless it means harm
_RecordType = TypeVar("_RecordType", bound=msgspec.Struct)
_EMPTY_VALUES = {inspect.StrType: b'""', inspect.ListType: b"[]", inspect.DictType: b"{}", inspect.StructType: b"{}"}


def fold_name(name: str) -> str:
    """Bring a name to the form in which Go compares names: simple case folding (long s and Kelvin sign fold too)."""
    return name.lower().replace("\N{LATIN SMALL LETTER LONG S}", "s")


class NameCheck:
    """Tells documents whose keys are all exact or unknown from those that need folding."""

    def __init__(self, record: type[msgspec.Struct]) -> None:
        self._exact = {name.encode() for name in _names_below(_shape_of(record))}
        self._folded = {fold_name(name.decode()) for name in self._exact}
        self._harmless = set(self._exact)

    def needs_folding(self, source: bytes) -> bool:
        """Whether a key anywhere in the compact text is an odd-case or escaped form of a name of the record."""
        # What stands between a quote and `":` is a key, the end of one, or a piece of text; no key is missed. A
        # backslash at its end belongs to the quote (an escaped one in a text) or to a name that is none of ours.
        keys = {piece[piece.rfind(b'"') + 1 :] for piece in source.split(b'":')[:-1]} - self._harmless
        if not keys:
            return False
        if any(b"\\" in key[:-1] or fold_name(key.decode(errors="replace")) in self._folded for key in keys):
            return True
        if len(self._harmless) < _KEYS_KEPT:
            self._harmless |= keys
        return False


class Widening(NamedTuple):
    """An annotation inside a record, and the one that stands for it where more is taken."""

    narrow: Any
    wide: Any


@cache
def open_record(record: type[_RecordType], widening: Widening) -> type[_RecordType]:
    """Make the subclass of a record that ignores unknown keys and takes wider values, in the records inside it too."""
    hints = get_type_hints(record, include_extras=True)
    fields = []
    for entry in msgspec.structs.fields(record):
        opened = _open(hints[entry.name], widening)
        if opened is hints[entry.name]:
            continue
        default: Any = entry.default
        if entry.default_factory is not NODEFAULT:
            default = msgspec.field(default_factory=entry.default_factory)
        fields.append((entry.name, opened, default))
    opened_record = msgspec.defstruct(
        f"Open{record.__name__}", fields, bases=(record,), forbid_unknown_fields=False, kw_only=True
    )
    return cast(type[_RecordType], opened_record)


def _open(hint: Any, widening: Widening) -> Any:  # noqa: ANN401 - an annotation can be anything
    if hint == widening.narrow:
        return widening.wide
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return open_record(hint, widening)
    opened = [_open(part, widening) for part in get_args(hint)]
    if all(new is old for new, old in zip(opened, get_args(hint), strict=True)):
        return hint
    if get_origin(hint) in (Union, types.UnionType):
        return reduce(or_, opened)
    return get_origin(hint)[tuple(opened)]


def fold_document(source: bytes, record: type[msgspec.Struct]) -> bytes:
    """Rewrite a document for the strict decoder of a record.

    Args:
        source: compact, well-formed JSON in UTF-8, without lone surrogates.
        record: the type that tells which names and nulls mean what.

    Returns:
        JSON with exact names, no unknown keys and no nulls where the record has none. A value of a wrong type stays, so
        that the decoder can say so.
    """
    return _Folder(source).fold(_shape_of(record))


class _Folder:
    """One walk through a compact document, from left to right."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._view = memoryview(text)
        self._position = 0

    def fold(self, shape: inspect.Type) -> bytes:
        first = self._text[self._position]
        if first == OPEN_OBJECT and isinstance(shape, inspect.StructType):
            return self._fold_object(_fields_by_folded_name(shape.cls))
        if first == OPEN_OBJECT and isinstance(shape, inspect.DictType):
            return self._fold_map(_without_null(shape.value_type))
        if first == OPEN_ARRAY and isinstance(shape, inspect.ListType):
            return self._fold_list(_without_null(shape.item_type))
        return self._copy_value()

    def _copy_value(self) -> bytes:
        start = self._position
        if self._text[start] in (OPEN_OBJECT, OPEN_ARRAY):
            self._position = end_of_value(self._view, start)
        elif (scalar := _SCALAR.match(self._text, start)) is not None:
            self._position = scalar.end()
        return self._text[start : self._position]

    def _fold_item(self, shape: inspect.Type) -> bytes:
        folded = self.fold(shape)
        return _EMPTY_VALUES.get(type(shape), folded) if folded == b"null" else folded

    def _keys(self) -> Iterator[bytes]:
        """Walk the keys of the object that begins here; each value must be taken before the next key is asked for."""
        self._position += 1
        while (key := _KEY.match(self._text, self._position)) is not None:
            self._position = key.end()
            yield key[1]
            self._position += self._text[self._position] == COMMA
        self._position += 1

    def _fold_object(self, fields: dict[str, "_Field"]) -> bytes:
        kept: dict[str, bytes] = {}
        for key in self._keys():
            field = fields.get(_folded_key(key))
            if field is None:
                self._copy_value()
                continue
            value = self.fold(field.shape)
            if value != b"null" or field.keeps_null:
                kept[field.name] = value
            elif field.is_emptied_by_null:
                kept.pop(field.name, None)
        return b"{" + b",".join(b'"%s":%s' % (name.encode(), value) for name, value in kept.items()) + b"}"

    def _fold_map(self, shape: inspect.Type) -> bytes:
        return b"{" + b",".join(key + b":" + self._fold_item(shape) for key in self._keys()) + b"}"

    def _fold_list(self, shape: inspect.Type) -> bytes:
        items = []
        self._position += 1
        while self._text[self._position] != CLOSE_ARRAY:
            items.append(self._fold_item(shape))
            self._position += self._text[self._position] == COMMA
        self._position += 1
        return b"[" + b",".join(items) + b"]"


@lru_cache(_KEYS_KEPT)
def _folded_key(key: bytes) -> str:
    return fold_name(msgspec.json.decode(key, type=str))


class _Field(NamedTuple):
    name: str
    shape: inspect.Type
    keeps_null: bool
    is_emptied_by_null: bool


@cache
def _shape_of(record: Hashable) -> inspect.Type:
    return inspect.type_info(record)


def _without_null(shape: inspect.Type) -> inspect.Type:
    if isinstance(shape, inspect.Metadata):
        return _without_null(shape.type)
    if isinstance(shape, inspect.UnionType):
        return next(kind for kind in shape.types if not isinstance(kind, inspect.NoneType))
    return shape


@cache
def _fields_by_folded_name(record: Hashable) -> dict[str, _Field]:
    shape = _shape_of(record)
    if not isinstance(shape, inspect.StructType):
        raise TypeError(f"{record!r} is no record.")
    return {
        fold_name(entry.encode_name): _Field(
            entry.encode_name,
            _without_null(entry.type),
            isinstance(entry.type, inspect.RawType),
            isinstance(entry.type, inspect.UnionType | inspect.ListType | inspect.DictType),
        )
        for entry in shape.fields
    }


def _names_below(shape: inspect.Type) -> set[str]:
    shape = _without_null(shape)
    if isinstance(shape, inspect.StructType):
        return {entry.encode_name for entry in shape.fields}.union(
            *(_names_below(entry.type) for entry in shape.fields)
        )
    if isinstance(shape, inspect.ListType):
        return _names_below(shape.item_type)
    if isinstance(shape, inspect.DictType):
        return _names_below(shape.value_type)
    return set()

"""Which keys a place in a configuration takes, for the error about one that it does not."""

import re
from typing import Any

from msgspec import inspect

SEGMENT = re.compile(r"\.([^.\[]+)|\[[^\]]*\]")


def known_keys(kind: type[Any], path: str) -> list[str]:
    """The keys of a type, or of what lies within it.

    Args:
        kind: a msgspec Struct.
        path: into it, as msgspec writes it, such as `.endpoints[0]`; empty = the type itself.

    Returns:
        The names as they are written in JSON; none where the path leads to something without names.
    """
    place: inspect.Type | None = inspect.type_info(kind)
    for segment in SEGMENT.finditer(path):
        place = _inner(place, segment[1])
    struct = _struct(place)
    return [field.encode_name for field in struct.fields] if struct else []


def _inner(place: inspect.Type | None, key: str | None) -> inspect.Type | None:
    if key is None:
        items = [kind for kind in _alternatives(place) if isinstance(kind, inspect.ListType | inspect.VarTupleType)]
        return items[0].item_type if items else None
    struct = _struct(place)
    return next((field.type for field in struct.fields if field.encode_name == key), None) if struct else None


def _struct(place: inspect.Type | None) -> inspect.StructType | None:
    return next((kind for kind in _alternatives(place) if isinstance(kind, inspect.StructType)), None)


def _alternatives(place: inspect.Type | None) -> tuple[inspect.Type, ...]:
    if place is None:
        return ()
    return place.types if isinstance(place, inspect.UnionType) else (place,)

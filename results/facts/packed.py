"""Values of one column packed into bytes, as they cross from process to process and are given to DuckDB."""

from array import array
from collections.abc import Sequence
from math import nan
from typing import Any

from msgspec import Struct

from results.facts.columns import Column, Kind


class PackedValues(Struct, frozen=True, gc=False, array_like=True):
    """Some values. A gap is the kind's marker; `literals` are the places where the marker is a value."""

    content: bytes
    literals: list[int]


ColumnValues = Sequence[Any] | PackedValues


def pack(kind: Kind, values: Sequence[Any]) -> PackedValues:
    """Pack values of a kind, missing ones None."""
    marker: Any = nan if kind is Kind.REAL else kind.missing
    gaps = values.count(None)
    if gaps == len(values):
        return PackedValues(array(kind.code, [marker]).tobytes() * gaps, [])
    literals: list[int] = []
    if kind is Kind.BIG and marker in values:
        literals = [place for place, value in enumerate(values) if value == marker]
    filled = [marker if value is None else value for value in values] if gaps else values
    return PackedValues(array(kind.code, filled).tobytes(), literals)


def packed_columns(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> list[PackedValues]:
    """Pack rows column by column; each row has one value per column, in order. There is at least one row."""
    return [pack(column.kind, values) for column, values in zip(columns, zip(*rows, strict=True), strict=True)]

"""Rows packed into columns of numbers that DuckDB reads without a copy."""

from array import array
from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from results.facts.columns import Column, Kind
from results.facts.packed import ColumnValues, PackedValues, pack


class PackedColumn:
    """The values of one column. A gap is the kind's marker; `literals` are the rows where the marker is a value."""

    def __init__(self, column: Column) -> None:
        self.column = column
        self.values: array[Any] = array(column.kind.code)
        self.literals: list[int] = []

    def extend(self, values: ColumnValues) -> None:
        """Take the column's values of some rows."""
        packed = values if isinstance(values, PackedValues) else pack(self.column.kind, values)
        if packed.literals:
            self.literals += [len(self.values) + place for place in packed.literals]
        self.values.frombytes(packed.content)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The packed values by the name that `expression` uses."""
        name = self.column.name
        found: dict[str, NDArray[Any]] = {name: np.frombuffer(self.values, dtype=self.column.kind.code)}
        if self.literals:
            is_literal = np.zeros(len(self.values), dtype=bool)
            is_literal[self.literals] = True
            found[f"{name}_is_literal"] = is_literal
        return found

    def expression(self) -> str:
        """SQL that reads the values back with their gaps and type."""
        name, kind = self.column.name, self.column.kind
        if kind is Kind.REAL:
            return f"CASE WHEN NOT isnan({name}) THEN {name} END AS {name}"
        stored = "UTINYINT" if kind is Kind.FLAG else kind.sql_type
        value = f"nullif({name}, '{kind.missing}'::{stored})"
        if self.literals:
            value = f"CASE WHEN {name}_is_literal THEN {name} ELSE {value} END"
        return f"({value})::{kind.sql_type} AS {name}"


class PackedTable:
    """The rows of one facts table, column by column."""

    def __init__(self, name: str, columns: tuple[Column, ...]) -> None:
        self.name = name
        self.columns = columns
        self.clear()

    def clear(self) -> None:
        """Forget the rows."""
        self.rows = 0
        self.packed = [PackedColumn(column) for column in self.columns]

    def extend(self, columns: Sequence[ColumnValues], rows: int) -> None:
        """Take some rows, column by column in order."""
        self.rows += rows
        for packed, values in zip(self.packed, columns, strict=True):
            packed.extend(values)

    def withdraw(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Take the view away, so that the connection no longer holds the arrays."""
        connection.execute(f"DROP VIEW {self.name}")
        connection.unregister(f"packed_{self.name}")

    def offer(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Make the rows a view of this table's name."""
        arrays = {name: values for column in self.packed for name, values in column.arrays().items()}
        connection.register(f"packed_{self.name}", arrays)
        chosen = ", ".join(column.expression() for column in self.packed)
        connection.execute(f"CREATE OR REPLACE TEMP VIEW {self.name} AS SELECT {chosen} FROM packed_{self.name}")

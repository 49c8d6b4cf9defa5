"""What one question reads: tables with the visible rows, and the names beside them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb

from results.facts.dimensions import Names, ids_named


@dataclass(frozen=True)
class Snapshot:
    """One manifest, opened: how SQL reads its tables, and which evaluations have rows."""

    tables: dict[str, str]
    evaluation_ids: frozenset[int]
    has_large_numbers: bool


class Reading:
    """What one question reads: tables that hold only the visible evaluations, and the names beside them."""

    def __init__(
        self, cursor: duckdb.DuckDBPyConnection, snapshot: Snapshot, visible: frozenset[int], names: Names
    ) -> None:
        self._cursor = cursor
        self._names = names
        self._snapshot = snapshot
        self._condition = _visible_condition(snapshot.evaluation_ids, visible)
        self.has_large_numbers = snapshot.has_large_numbers
        self.evaluation_ids = snapshot.evaluation_ids & visible

    def table(self, name: str) -> str:
        """SQL with the visible rows, to stand after FROM.

        Args:
            name: `results` (without the recorded counters of each section), `counters` (with them), `calls`, `uses` or
                `tools` (one row per result and tool that its model used).
        """
        source = self._snapshot.tables[name]
        return f"(SELECT * FROM {source} WHERE {self._condition})" if self._condition else source

    def rows(self, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Run a query."""
        return self._cursor.execute(sql, parameters or []).fetchall()

    def ids(self, table: str, names: list[str]) -> list[int]:
        """The ids of exact names in `providers`, `runs`, `tasks` or `terms`."""
        return ids_named(self._cursor, table, names) if names else []

    def names(self, table: str, ids: Iterable[int | None]) -> dict[int | None, Any]:
        """The names of ids in `providers`, `runs`, `tasks`, `terms`, or the lists in `tag_sets`; of None, None."""
        return self._names.of(self._cursor, table, ids)

    def arrays(self, sql: str) -> dict[str, Any]:
        """Run a query and give its columns as numpy arrays."""
        return self._cursor.execute(sql).fetchnumpy()

    @contextmanager
    def offered(self, name: str, arrays: dict[str, Any]) -> Iterator[None]:
        """Let SQL read numpy arrays as a table of this name."""
        self._cursor.register(name, arrays)
        yield
        self._cursor.unregister(name)


def _visible_condition(held: frozenset[int], visible: frozenset[int]) -> str:
    hidden = held - visible
    if not hidden:
        return ""
    shown = held & visible
    if not shown:
        return "false"
    smaller, word = (shown, "IN") if len(shown) <= len(hidden) else (hidden, "NOT IN")
    return f"evaluation_id {word} ({', '.join(map(str, sorted(smaller)))})"

"""What one question reads: tables with the visible rows, and the names beside them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb

from results.facts.dimensions import Names, ids_named
from results.facts.tables import READABLE, Part, union

_WORDS = re.compile(r"[a-z_0-9]+")


@dataclass(frozen=True)
class Snapshot:
    """One manifest, opened: how SQL reads its tables, and which evaluations have rows."""

    parts: dict[str, tuple[Part, ...]]
    evaluation_ids: frozenset[int]
    has_large_numbers: bool


class Reading:
    """What one question reads: tables that hold only the visible evaluations, and the names beside them."""

    def __init__(
        self, cursor: duckdb.DuckDBPyConnection, snapshot: Snapshot, visible: frozenset[int], names: Names
    ) -> None:
        self._cursor = cursor
        self._names = names
        self._held: tuple[Part, ...] | None = None
        self._snapshot = snapshot
        self._condition = _visible_condition(snapshot.evaluation_ids, visible)
        self.has_large_numbers = snapshot.has_large_numbers
        self.evaluation_ids = snapshot.evaluation_ids & visible

    def table(self, name: str, used: str = "") -> str:
        """SQL with the visible rows, to stand after FROM.

        Args:
            name: `results` (without the recorded counters of each section), `counters` (with them), `calls`, `uses` or
                `tools` (what each tool set is made of: its tools, with the statuses of their calls).
            used: SQL in which every column that is read occurs; the fewer columns, the quicker the plan. Empty = all.
        """
        columns = [*READABLE[name]]
        if used:
            words = {*_WORDS.findall(used)}
            columns = [column for column in columns if column in words] or ["evaluation_id"]
            if self._condition and "evaluation_id" not in columns:
                columns.append("evaluation_id")
        source = union(self._parts(name), columns)
        return f"(SELECT * FROM {source} WHERE {self._condition})" if self._condition else source

    def places(self, columns: str) -> str:
        """SQL with the visible results, to stand after FROM: the columns named in `columns`, and `part` and `place`.

        Those two together tell where a row lies, for `rows_at`.
        """
        words = {*_WORDS.findall(columns), "result_id"} | ({"evaluation_id"} if self._condition else set())
        listed = ", ".join(column for column in READABLE["results"] if column in words)
        selects = (
            f"SELECT {listed}, {number} AS part, {'rowid' if part.has_rowid else 'result_id'} AS place FROM {part.sql}"
            for number, part in enumerate(self._parts("results"))
        )
        source = f"({' UNION ALL '.join(selects)})"
        return f"(SELECT * FROM {source} WHERE {self._condition})" if self._condition else source

    def rows_at(self, columns: str, places: Sequence[tuple[int, int]]) -> list[tuple[Any, ...]]:
        """Columns of the results at some places, each a part and a place in it, in any order; quick for few of them."""
        selects = []
        for number, part in enumerate(self._parts("results")):
            listed = ", ".join(str(place) for where, place in places if where == number)
            if listed:
                key = "rowid" if part.has_rowid else "result_id"
                selects.append(f"SELECT {columns} FROM {part.sql} WHERE {key} IN (SELECT unnest([{listed}]))")
        return self.rows(" UNION ALL ".join(selects)) if selects else []

    @contextmanager
    def only(self, where: str) -> Iterator[None]:
        """Hold some results apart for a while, so that several questions about them look for them once.

        Args:
            where: a WHERE clause. Meanwhile `results` has no other rows, and `counters` cannot be read.
        """
        source = union(self._snapshot.parts["results"], READABLE["results"])
        self._cursor.execute(f"CREATE TEMP TABLE held_apart AS SELECT * FROM {source} {where}")
        self._held = (Part("held_apart", has_rowid=True),)
        try:
            yield
        finally:
            self._held = None
            self._cursor.execute("DROP TABLE held_apart")

    def _parts(self, name: str) -> tuple[Part, ...]:
        table = "results" if name == "counters" else name
        return self._held if self._held is not None and table == "results" else self._snapshot.parts[table]

    def rows(self, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Run a query."""
        return self._cursor.execute(sql, parameters or []).fetchall()

    def ids(self, table: str, names: list[str]) -> list[int]:
        """The ids of exact names in `providers`, `runs`, `tasks` or `terms`."""
        return ids_named(self._cursor, table, names) if names else []

    def names(self, table: str, ids: Iterable[int | None]) -> dict[int | None, Any]:
        """The names of ids in `providers`, `runs`, `tasks`, `terms`, or the lists in `tag_sets`; of None, None."""
        return self._names.of(self._cursor, table, ids)

    def arrays(self, sql: str, parameters: list[Any] | None = None) -> dict[str, Any]:
        """Run a query and give its columns as numpy arrays."""
        return self._cursor.execute(sql, parameters or []).fetchnumpy()

    @contextmanager
    def offered(self, name: str, arrays: dict[str, Any]) -> Iterator[None]:
        """Let SQL read numpy arrays as a table of this name."""
        self._cursor.register(name, arrays)
        try:
            yield
        finally:
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

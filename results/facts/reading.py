"""What one question reads: tables with the visible rows, and the names beside them."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from results.facts.dimensions import Dimensions, Names
from results.facts.links import GAP, Links, Numbers
from results.facts.orders import LAST, MOST_RESULTS, KeptOrders, RowOrder, RowsById
from results.facts.overlay import PRICED, RECORDED, CostOverlay
from results.facts.places import Places
from results.facts.snapshot import Snapshot
from results.facts.tables import READABLE, Part, union

_WORDS = re.compile(r"[a-z_0-9]+")


HELD = "held_apart"


class Reading:
    """What one question reads: tables that hold only the visible evaluations, and the names beside them."""

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        snapshot: Snapshot,
        visible: frozenset[int],
        names: Names,
        dimensions: Dimensions,
        orders: KeptOrders,
    ) -> None:
        self._cursor = cursor
        self._names = names
        self._dimensions = dimensions
        self._orders = orders
        self._is_holding = False
        self._marked: list[str] = []
        self.overlay: CostOverlay | None = None
        self._snapshot = snapshot
        self._condition = _visible_condition(snapshot.evaluation_ids, visible)
        self.has_large_numbers = snapshot.has_large_numbers
        self.version = snapshot.version
        self.size = snapshot.results  # visible or not
        self.evaluation_ids = snapshot.evaluation_ids & visible

    def table(self, name: str, used: str = "", *, is_whole: bool = False) -> str:
        """SQL with the visible rows, to stand after FROM.

        Args:
            name: `results` (without the recorded counters of each section), `counters` (with them), `calls`, `uses` or
                `tools` (what each tool set is made of: its tools, with the statuses of their calls).
            used: SQL in which every column that is read occurs; the fewer columns, the quicker the plan. Empty = all.
                Costs are those of the overlay, where there is one; `file_cost_nano` and the like are recorded.
            is_whole: all results, even while some are held apart.
        """
        if self._is_holding and name == "results" and not is_whole:
            return HELD
        columns = [*READABLE[name]]
        if used:
            words = {*_WORDS.findall(used)}
            columns = [column for column in columns if column in words] or ["evaluation_id"]
            if self._condition and "evaluation_id" not in columns:
                columns.append("evaluation_id")
        parts = self._snapshot.parts["results" if name == "counters" else name]
        if name in ("results", "counters"):
            marked = self._marks_in(used)
            parts = tuple(self._with_marks(number, part, marked, columns) for number, part in enumerate(parts))
            columns = [*map(self._read_as, columns), *self._recorded(used), *marked]
        source = union(parts, columns)
        return f"(SELECT * FROM {source} WHERE {self._condition})" if self._condition else source

    def places(self, columns: str) -> str:
        """SQL with the visible results, to stand after FROM: the columns named in `columns`, and `part` and `place`.

        Those two together tell where a row lies, for `rows_at`.
        """
        if self._is_holding:
            return HELD
        words = {*_WORDS.findall(columns), "result_id"} | ({"evaluation_id"} if self._condition else set())
        marked = self._marks_in(columns)
        read = [column for column in READABLE["results"] if column in words]
        listed = ", ".join([*map(self._read_as, read), *self._recorded(columns), *marked])
        selects = (
            f"SELECT {listed}, {number} AS part, {'rowid' if part.has_rowid else 'result_id'} AS place "
            f"FROM {self._with_marks(number, part, marked, read).sql}"
            for number, part in enumerate(self._snapshot.parts["results"])
        )
        source = f"({' UNION ALL '.join(selects)})"
        return f"(SELECT * FROM {source} WHERE {self._condition})" if self._condition else source

    def rows_at(self, columns: str, places: Sequence[tuple[int, int]]) -> list[tuple[Any, ...]]:
        """Columns of the results at some places, each a part and a place in it, in any order; quick for few of them.

        Costs are as recorded: `overlay` says what they are instead.
        """
        selects = []
        for number, part in enumerate(self._snapshot.parts["results"]):
            listed = ", ".join(str(place) for where, place in places if where == number)
            if listed:
                key = "rowid" if part.has_rowid else "result_id"
                selects.append(f"SELECT {columns} FROM {part.sql} WHERE {key} IN (SELECT unnest([{listed}]))")
        return self.rows(" UNION ALL ".join(selects)) if selects else []

    @property
    def keeps_orders(self) -> bool:
        """Whether the order of all results can be kept: none is hidden or held apart, and there are not too many."""
        is_whole = not self._condition and not self._is_holding
        return is_whole and self.size <= MOST_RESULTS and not self.has_large_numbers

    def order(self, name: Hashable, values: Callable[[], Numbers]) -> RowOrder:
        """An order of all results by its name; `values` gives a number of each row. See `keeps_orders`."""
        return self._orders.get(self.version, name, lambda: self._columns("result_id"), values)

    def column(self, sql: str) -> Numbers:
        """A whole number of each row of all results, as recorded, `LAST` where it is missing."""
        return np.concatenate(self._columns(sql))

    def _columns(self, sql: str) -> list[Numbers]:
        parts = self._snapshot.parts["results"]
        found = (self.arrays(f"SELECT ({sql})::BIGINT AS value FROM {part.sql}")["value"] for part in parts)
        return [np.ma.filled(values, LAST) for values in found]

    def places_in(self, by_id: RowsById, entries: Numbers) -> list[tuple[int, int]]:
        """Where some results of an order lie, for `rows_at`."""
        rows, ids, parts = by_id.rows[entries], by_id.ids[entries].tolist(), self._snapshot.parts["results"]
        numbers = np.searchsorted(by_id.begins, rows, side="right") - 1
        places = (rows - by_id.begins[numbers]).tolist()
        return [
            (number, place if parts[number].has_rowid else pk)
            for number, place, pk in zip(numbers.tolist(), places, ids, strict=True)
        ]

    def _known_places(self) -> list[Places]:
        return [self._snapshot.places.of(self._cursor, part) for part in self._snapshot.parts["results"]]

    @contextmanager
    def marking(self, name: str, result_ids: Numbers) -> Iterator[None]:
        """Give the results one more column for a while: whether each is one of some results.

        Reading a column of truth values beside the rows is ten times as quick as looking the ids up in a set.

        Args:
            name: of the column; it ends in a number, so that no other column has it.
            result_ids: sorted and distinct.
        """
        with self._beside(name, [places.marks(result_ids) for places in self._known_places()]):
            yield

    @contextmanager
    def numbering(self, name: str, result_ids: Numbers, numbers: Numbers) -> Iterator[None]:
        """Give the results one more column for a while: a number of each of some results, `GAP` for all others.

        Args:
            name: of the column; it ends in a number, so that no other column has it.
            result_ids: sorted and distinct.
            numbers: one for each of them.
        """
        padded = np.append(numbers, GAP).astype(np.int32)
        with self._beside(name, [padded[places.ranks(result_ids)] for places in self._known_places()]):
            yield

    def in_sets(self, wanted: Numbers) -> str:
        """SQL: the result has one of some tool sets; a column says so that stands beside the results from now on."""
        name, snapshot = f"in_sets_{len(self._marked)}", self._snapshot
        parts = snapshot.parts["results"]
        known = (snapshot.places.of_sets(self._cursor, part, snapshot.tools) for part in parts)
        self._put_beside(name, [places.marks(wanted) for places in known])
        return name

    @contextmanager
    def noting(self, name: str, condition: str) -> Iterator[str]:
        """Give the results one more column for a while: whether each meets a condition, which is looked at once.

        Args:
            name: of the column; it ends in a number, so that no other column has it.
            condition: SQL, of no costs.

        Returns:
            The column's name.
        """
        marked = self._marks_in(condition)
        notes = [
            self.arrays(
                f"SELECT coalesce({condition}, false) AS note FROM {self._with_marks(number, part, marked, []).sql}"
            )
            for number, part in enumerate(self._snapshot.parts["results"])
        ]
        with self._beside(name, [np.ma.getdata(found["note"]) for found in notes]):
            yield name

    @contextmanager
    def _beside(self, name: str, columns: "list[NDArray[Any]]") -> Iterator[None]:
        self._put_beside(name, columns)
        try:
            yield
        finally:
            self._marked.remove(name)
            for number in range(len(columns)):
                self._cursor.unregister(f"{name}_{number}")

    def _put_beside(self, name: str, columns: "list[NDArray[Any]]") -> None:
        for number, values in enumerate(columns):
            self._cursor.register(f"{name}_{number}", {name: values})
        self._marked.append(name)

    def _marks_in(self, used: str) -> list[str]:
        words = {*_WORDS.findall(used)}
        return [name for name in self._marked if name in words]

    def _with_marks(self, number: int, part: Part, marked: list[str], columns: list[str]) -> Part:
        beside = [*marked, *(["priced"] if self.overlay is not None and not PRICED.keys().isdisjoint(columns) else [])]
        joined = "".join(f" POSITIONAL JOIN {name}_{number}" for name in beside)
        return replace(part, sql=f"{part.sql}{joined}") if joined else part

    def _read_as(self, column: str) -> str:
        """SQL of a column of the results: a cost is that of the overlay, where there is one."""
        return f"{PRICED[column]} AS {column}" if self.overlay is not None and column in PRICED else column

    @staticmethod
    def _recorded(used: str) -> list[str]:
        words = {*_WORDS.findall(used)}
        return [f"{column} AS {name}" for name, column in RECORDED.items() if name in words]

    def price(self, overlay: CostOverlay) -> None:
        """Take the costs of some results from an overlay from now on."""
        for number, part in enumerate(self._snapshot.parts["results"]):
            places = self._snapshot.places.of(self._cursor, part)
            self._cursor.register(f"priced_{number}", overlay.columns(part, places))
        self.overlay = overlay

    def count(self) -> int:
        """All visible results."""
        if not self._condition:
            return self._snapshot.results
        found: int = self.rows(f"SELECT count(*) FROM {self.table('results', 'outcome', is_whole=True)}")[0][0]
        return found

    @contextmanager
    def holding(self, used: str, where: str, marks: str = "", kept: str = "") -> Iterator[None]:
        """Copy some columns of some results for a while, so that several questions about them look for them once.

        Args:
            used: SQL in which every column that will be read occurs. Meanwhile `results` has only these.
            where: a WHERE clause. Meanwhile `results` has no other rows.
            marks: SQL of one more column, called `marks`; empty = none.
            kept: a condition on `marks`; empty = none.
        """
        source = f"{self.places(f'{used} {where} {marks}')} {where}"
        if marks:
            source = f"(SELECT *, {marks} AS marks FROM {source}) WHERE {kept}"
        self._cursor.execute(f"CREATE TEMP TABLE {HELD} AS SELECT * FROM {source}")
        self._is_holding = True
        try:
            yield
        finally:
            self._is_holding = False
            self._cursor.execute(f"DROP TABLE {HELD}")

    def links(self, table: str) -> Links:
        """What ids stand for: of `run_versions`, `task_versions`, `set_terms`, or `tools` (the tools of a tool set)."""
        return self._snapshot.tools if table == "tools" else self._dimensions.links(table)

    def rows(self, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Run a query."""
        return self._cursor.execute(sql, parameters or []).fetchall()

    def ids(self, table: str, names: list[str]) -> list[int]:
        """The ids of exact names in `providers`, `runs`, `tasks` or `terms`; of currencies of the overlay too."""
        more = self.overlay.ids_of(names) if self.overlay is not None and table == "terms" else []
        return [*self._names.ids(self._cursor, table, names), *more] if names else []

    def names(self, table: str, ids: Iterable[int | None]) -> dict[int | None, Any]:
        """The names of ids in `providers`, `runs`, `tasks`, `terms`, or the lists in `tag_sets`; of None, None."""
        if self.overlay is None or table != "terms":
            return self._names.of(self._cursor, table, ids)
        listed = set(ids)
        own = {pk: name for pk, name in self.overlay.own_names.items() if pk in listed}
        return self._names.of(self._cursor, table, listed - own.keys()) | own

    def arrays(self, sql: str, parameters: list[Any] | None = None) -> dict[str, Any]:
        """Run a query and give its columns as numpy arrays."""
        return self._cursor.execute(sql, parameters or []).fetchnumpy()


def _visible_condition(held: frozenset[int], visible: frozenset[int]) -> str:
    hidden = held - visible
    if not hidden:
        return ""
    shown = held & visible
    if not shown:
        return "false"
    smaller, word = (shown, "IN") if len(shown) <= len(hidden) else (hidden, "NOT IN")
    return f"evaluation_id {word} ({', '.join(map(str, sorted(smaller)))})"

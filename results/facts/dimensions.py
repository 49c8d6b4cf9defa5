"""Names beside the facts: the words that ids stand for, in memory, so that DuckDB can sort and label by them."""

from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any

import duckdb
import numpy as np
from django.db.models import Count, Max, Model

from results.facts.links import GAP, Links, whole_numbers
from results.models.dimensions import Provider, Run, RunVersion, TagSetMember, Task, TaskVersion, Term


@dataclass(frozen=True)
class _Source:
    """Which table of the database fills which table in memory; the first field is the id, text fields come last."""

    table: str
    model: type[Model]
    fields: tuple[str, ...]
    text_fields: int


_SOURCES = (
    _Source("providers", Provider, ("id", "name"), 1),
    _Source("runs", Run, ("id", "provider_id", "name"), 1),
    _Source("tasks", Task, ("id", "name"), 1),
    _Source("terms", Term, ("id", "text"), 1),
    _Source("run_versions", RunVersion, ("id", "run_id", "run__provider_id", "model_id"), 0),
    _Source(
        "task_versions", TaskVersion, ("id", "task_id", "suite_id", "category_id", "difficulty_id", "tag_set_id"), 0
    ),
    _Source("tag_members", TagSetMember, ("id", "tag_set_id", "position", "term_id"), 0),
)
ONE_ID_A_NAME = {"providers", "terms"}  # others name runs and tasks, of which several may share one
MAX_NAMES = 200_000  # remembered in one table

_DERIVED = (
    # One line per tag of a set, once each, for counting; and the tags of a set in order, for labels and sorting.
    "CREATE OR REPLACE TABLE set_terms AS SELECT DISTINCT tag_set_id, term_id FROM tag_members",
    """CREATE OR REPLACE TABLE tag_sets AS
       SELECT tag_set_id AS id, list(terms.name ORDER BY position) AS name
       FROM tag_members JOIN terms ON terms.id = term_id GROUP BY tag_set_id""",
    # A run's name may occur under several providers; a group by run name needs one id per name.
    "CREATE OR REPLACE TABLE run_names AS SELECT id, min(id) OVER (PARTITION BY name) AS first_id FROM runs",
    "CREATE OR REPLACE TABLE task_names AS SELECT id, min(id) OVER (PARTITION BY name) AS first_id FROM tasks",
)

# Tables that are kept as arrays too: the id first, then what it stands for.
_LINKS = {
    "run_versions": ("id", "provider_id", "run_id", "model_id"),
    "task_versions": ("id", "task_id", "suite_id", "category_id", "difficulty_id", "tag_set_id"),
    "set_terms": ("tag_set_id", "term_id"),
}


class NamesGoneError(LookupError):
    """An evaluation was deleted while a question about it was answered, and its names went with it."""


class Dimensions:
    """The tables `providers`, `runs`, `tasks`, `terms` (id, name), `tag_sets` (id, names) and `set_terms`.

    `run_versions` and `task_versions` hold what a version says of its results.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection.cursor()
        self._lock = Lock()
        self._version: object = None
        self._known = {source.table: (0, 0) for source in _SOURCES}
        self._links: dict[str, Links] = {}
        for source in _SOURCES:
            numbers = ", ".join(
                f"{name.split('__')[-1]} INTEGER" for name in source.fields[: len(source.fields) - source.text_fields]
            )
            names = ", name VARCHAR" * source.text_fields
            connection.execute(f"CREATE TABLE {source.table} ({numbers}{names})")

    def refresh(self, version: object) -> None:
        """Read what is new; call it after the manifest was read, whose rows then all have their names.

        Args:
            version: of the manifest; the same one again costs nothing.
        """
        with self._lock:
            if version == self._version:
                return
            self._connection.begin()  # others go on reading the names as they were
            changed = [source for source in _SOURCES if self._refresh(source)]
            if changed or self._version is None:
                for statement in _DERIVED:
                    self._connection.execute(statement)
                self._links = {table: self._read_links(table, columns) for table, columns in _LINKS.items()}
            self._connection.commit()
            self._version = version

    def forget(self) -> None:
        """Read everything anew with the next `refresh`."""
        with self._lock:
            self._known = {source.table: (0, -1) for source in _SOURCES}
            self._version = None

    def links(self, table: str) -> Links:
        """What each run version, task version or tag set stands for: `table` is one of `_LINKS`."""
        return self._links[table]

    def _read_links(self, table: str, columns: tuple[str, ...]) -> Links:
        key, *values = columns
        found = self._connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchnumpy()
        return Links(whole_numbers(found[key]), {name: whole_numbers(found[name]) for name in values})

    def _refresh(self, source: _Source) -> bool:
        """Ids only grow: usually only later ones are read. If the count then disagrees, everything is."""
        totals = source.model._default_manager.aggregate(last=Max("pk"), rows=Count("pk"))
        found = (totals["last"] or 0, totals["rows"])
        last, rows = self._known[source.table]
        if found == (last, rows):
            return False
        added = self._read(source, last)
        if rows + len(added) != found[1]:
            self._connection.execute(f"DELETE FROM {source.table}")
            added = self._read(source, 0)
            rows = 0
        self._insert(source, added)
        self._known[source.table] = (max((row[0] for row in added), default=last), rows + len(added))
        return True

    @staticmethod
    def _read(source: _Source, after: int) -> list[Any]:
        return list(source.model._default_manager.filter(pk__gt=after).order_by("pk").values_list(*source.fields))

    def _insert(self, source: _Source, rows: list[Any]) -> None:
        if not rows:
            return
        numbers = len(source.fields) - source.text_fields
        columns = {
            f"c{place}": np.array([GAP if value is None else value for value in values], dtype=np.int64)
            if place < numbers
            else np.array(values, dtype=object)
            for place, values in enumerate(zip(*rows, strict=True))
        }
        chosen = (f"nullif({name}, {GAP})" if place < numbers else name for place, name in enumerate(columns))
        self._connection.register("added_names", columns)
        self._connection.execute(f"INSERT INTO {source.table} SELECT {', '.join(chosen)} FROM added_names")
        self._connection.unregister("added_names")


class Names:
    """Names by id, and ids by name where a name has one only, remembered: another one comes by a restore only."""

    def __init__(self) -> None:
        self._known: dict[str, dict[int, Any]] = {}
        self._ids: dict[tuple[str, str], int] = {}

    def forget(self) -> None:
        """Remember nothing."""
        self._known = {}
        self._ids = {}

    def ids(self, cursor: duckdb.DuckDBPyConnection, table: str, names: Iterable[str]) -> list[int]:
        """The ids of some exact names in one of the tables; unknown names have none."""
        if table not in ONE_ID_A_NAME:
            return _ids_named(cursor, table, [*names])
        if len(self._ids) > MAX_NAMES:
            self._ids = {}
        found = []
        for name in dict.fromkeys(names):
            pk = self._ids.get((table, name))
            if pk is None:
                for pk in _ids_named(cursor, table, [name]):
                    self._ids[table, name] = pk
            found += [] if pk is None else [pk]
        return found

    def of(self, cursor: duckdb.DuckDBPyConnection, table: str, ids: Iterable[int | None]) -> dict[int | None, Any]:
        """The names of some ids of one of the tables (of `tag_sets`, lists of names); None has the name None.

        Raises:
            NamesGoneError: an id has no name any more.
        """
        known = self._known.setdefault(table, {})
        if len(known) > MAX_NAMES:
            known = self._known[table] = {}
        wanted = {pk for pk in ids if pk is not None}
        if unknown := wanted - known.keys():
            listed = ", ".join(map(str, unknown))
            known.update(cursor.execute(f"SELECT id, name FROM {table} WHERE id IN ({listed})").fetchall())
            if gone := unknown - known.keys():
                raise NamesGoneError(f"{table} has no name for {sorted(gone)[:5]}")
        return {None: None, **{pk: known[pk] for pk in wanted}}


def _ids_named(cursor: duckdb.DuckDBPyConnection, table: str, names: list[str]) -> list[int]:
    marks = ", ".join("?" * len(names))
    return [row[0] for row in cursor.execute(f"SELECT id FROM {table} WHERE name IN ({marks})", names).fetchall()]

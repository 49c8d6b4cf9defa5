"""Answers questions about facts: one DuckDB per process, one cursor per question, answers remembered."""

import os
import secrets
import shutil
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import duckdb

from results.facts import files, manifest
from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, Column
from results.facts.compaction import SMALL_RESULTS
from results.facts.dimensions import Dimensions, Names, ids_named
from results.facts.manifest import Manifest
from results.facts.rebuild import repair
from results.facts.tokens import TOKEN_COLUMNS
from results.models.evaluations import Evaluation, EvaluationState

Answer = TypeVar("Answer")

ATTEMPTS = 4  # a question is asked again after damaged files were made again
MAX_ANSWERS = 256
MAX_RECENT_RESULTS = SMALL_RESULTS  # deltas up to this size together are kept in memory, about 500 bytes a result
LARGE = 2**52  # halves of whole numbers below are exact in floating point
MAX_SNAPSHOTS = 3  # manifests whose base stays attached


def _typed(columns: tuple[Column, ...]) -> str:
    return ", ".join(f"{column.name} {column.kind.sql_type}" for column in columns)


_TOKENS = ", ".join(f"{name} BIGINT, {name}_wide DECIMAL(38,0)" for name in TOKEN_COLUMNS)
_EMPTY_TABLES = {
    "results": f"{_typed(RESULT_COLUMNS)}, {_TOKENS}",
    "calls": _typed(CALL_COLUMNS),
    "uses": _typed(USE_COLUMNS),
    "tools": "result_id BIGINT, evaluation_id INTEGER, tool_id INTEGER",
}


_SECTIONS = ("answer_", "validation_", "error_input", "error_output", "error_cache", "error_reasoning")
_RESULT_COLUMNS = [
    *(column.name for column in RESULT_COLUMNS if not column.name.startswith(_SECTIONS)),
    *(f"{name}{suffix}" for name in TOKEN_COLUMNS for suffix in ("", "_wide")),
]


class FactsDamaged(Exception):
    """The files do not hold what the manifest and the database say."""


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
        """The names of ids in `providers`, `runs`, `tasks`, `terms`, or the lists of names in `tag_sets`; of None, None."""
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


class Answers:
    """The last answers, by manifest, visible set and question."""

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:
        """The answer, None when there is none."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: Hashable, found: object) -> None:
        """Remember an answer, and forget the one that was not asked for longest."""
        with self._lock:
            self._found[key] = found
            while len(self._found) > MAX_ANSWERS:
                self._found.popitem(last=False)


class Engine:
    """The DuckDB of one process. What belongs to a manifest is let go when that is old and nobody reads it any more."""

    def __init__(self) -> None:
        self.owner = _owner()
        self._spill = files.directory() / f"spill-{os.getpid()}-{secrets.token_hex(4)}"
        settings = {"threads": 2, "memory_limit": "512MB", "temp_directory": str(self._spill)}
        self._connection = duckdb.connect(":memory:", config=settings)
        self._connection.execute("SET parquet_metadata_cache = true")  # names are never used again
        for table, columns in _EMPTY_TABLES.items():
            self._connection.execute(f"CREATE TABLE empty_{table} ({columns})")
        self._names = Names()
        self._dimensions = Dimensions(self._connection)
        self._snapshots: OrderedDict[tuple[str, ...], Snapshot] = OrderedDict()
        self._whole: set[str] = set()
        self._attached: set[str] = set()
        self._recent: dict[tuple[str, ...], str] = {}
        self._loads = 0
        self._readers: Counter[tuple[str, ...]] = Counter()
        self._lock = Lock()
        self.answers = Answers()

    def read(self, listed: Manifest, visible: frozenset[int], work: Callable[[Reading], Answer]) -> Answer:
        """Answer one question from the files of a manifest."""
        with self._lock:
            snapshot = self._snapshots.get(listed.version) or self._open(listed)
            self._readers[listed.version] += 1
        try:
            self._demand(snapshot, visible)
            self._dimensions.refresh(listed.version)
            with closing(self._connection.cursor()) as cursor:
                return work(Reading(cursor, snapshot, visible, self._names))
        finally:
            with self._lock:
                self._readers[listed.version] -= 1
                self._let_go()

    def close(self) -> None:
        """Let go of every file."""
        self._connection.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def _let_go(self) -> None:
        """Drop what only old manifests need: their bases, and the copies of their deltas."""
        while len(self._snapshots) > MAX_SNAPSHOTS:
            self._snapshots.popitem(last=False)
        busy = {version for version, count in self._readers.items() if count} | set(self._snapshots)
        for version in self._recent.keys() - busy:
            for table in files.TABLES:
                self._connection.execute(f"DROP TABLE {self._recent[version]}_{table}")
            del self._recent[version]
        for base in self._attached - {name for version in busy for name in version}:
            self._connection.execute(f'DETACH "{base}"')
            self._attached.discard(base)

    def _open(self, listed: Manifest) -> Snapshot:
        for delta in listed.deltas:
            if delta.name not in self._whole and not files.is_whole_delta(delta.name):
                raise FactsDamaged(f"The facts file {delta.name} is missing or damaged.")
            self._whole.add(delta.name)
        with closing(self._connection.cursor()) as cursor:
            if listed.base is not None and listed.base.name not in self._attached:
                path = files.quoted(files.base_path(listed.base.name))
                cursor.execute(f"ATTACH '{path}' AS \"{listed.base.name}\" (READ_ONLY)")
                self._attached.add(listed.base.name)
            recent = self._load_recent(cursor, listed)
            tables = {table: _source(listed, table, recent) for table in files.TABLES}
            tables["counters"] = tables["results"]
            tables["results"] = _source(listed, "results", recent, ", ".join(_RESULT_COLUMNS))
            snapshot = self._examined(cursor, listed, tables)
        self._snapshots[listed.version] = snapshot
        return snapshot

    def _load_recent(self, cursor: duckdb.DuckDBPyConnection, listed: Manifest) -> str:
        """Copy small deltas into memory, where a query needs a quarter of the time; says how the tables begin."""
        if not listed.deltas or sum(delta.results for delta in listed.deltas) > MAX_RECENT_RESULTS:
            return ""
        self._loads += 1
        prefix = f"recent_{self._loads}"
        for table in files.TABLES:
            paths = files.parquet_list(_delta_paths(listed, table))
            cursor.execute(f"CREATE TABLE {prefix}_{table} AS SELECT * FROM {paths}")
        self._recent[listed.version] = prefix
        return prefix

    @staticmethod
    def _examined(cursor: duckdb.DuckDBPyConnection, listed: Manifest, tables: dict[str, str]) -> Snapshot:
        held = {delta.evaluation_id for delta in listed.deltas} - {None}
        if listed.base is not None:
            counts = cursor.execute(f'SELECT evaluation_id, results FROM "{listed.base.name}".evaluations').fetchall()
            if sum(count for _, count in counts) != listed.base.results:
                raise FactsDamaged(
                    f"The facts file {listed.base.name} holds another number of results than it was made with."
                )
            held |= {evaluation_id for evaluation_id, _ in counts}
        wide = " + ".join(f"count({name}_wide)" for name in TOKEN_COLUMNS)
        numbers = ", ".join(("duration_ns", "tool_calls", *TOKEN_COLUMNS))
        largest = f"coalesce(max(greatest({numbers})), 0), coalesce(min(least({numbers})), 0)"
        row = cursor.execute(f"SELECT {wide}, {largest} FROM {tables['counters']}").fetchone() or (0, 0, 0)
        has_large_numbers = row[0] > 0 or row[1] >= LARGE or row[2] <= -LARGE
        return Snapshot(tables, frozenset(pk for pk in held if pk is not None), has_large_numbers)

    @staticmethod
    def _demand(snapshot: Snapshot, visible: frozenset[int]) -> None:
        """Raise if a ready evaluation with results has no rows: its facts were lost, a count would be wrong."""
        missing = visible - snapshot.evaluation_ids
        if not missing:
            return
        lost = Evaluation.objects.filter(pk__in=missing, state=EvaluationState.READY, results__gt=0)
        if lost.exists():
            raise FactsDamaged("Some evaluations have no facts.")


def _source(listed: Manifest, table: str, recent: str, columns: str = "*") -> str:
    """SQL that reads one table from every member.

    Args:
        listed: the manifest.
        table: one of `files.TABLES`.
        recent: prefix of the tables in memory that hold the deltas; empty = read their files.
        columns: which ones; few of them make a query quicker to plan.
    """
    parts = [] if listed.base is None else [f'"{listed.base.name}".{table}']
    if recent:
        parts.append(f"{recent}_{table}")
    elif listed.deltas:
        parts.append(files.parquet_list(_delta_paths(listed, table)))
    selects = [f"SELECT {columns} FROM {part}" for part in parts or [f"empty_{table}"]]
    return f"({' UNION ALL '.join(selects)})"


def _delta_paths(listed: Manifest, table: str) -> list[Path]:
    return [path for delta in listed.deltas for path in files.DeltaName.parse(delta.name).paths(table)]


_engine: Engine | None = None
_engine_lock = Lock()


def _owner() -> tuple[int, Path]:
    return os.getpid(), files.directory()


def _current_engine() -> Engine:
    """The engine of this process and state folder; a forked child makes its own."""
    global _engine
    with _engine_lock:
        if _engine is None or _engine.owner != _owner():
            _engine = Engine()
        return _engine


def reset() -> None:
    """Close the engine; the next question opens another one, with no answer remembered."""
    global _engine
    with _engine_lock:
        if _engine is not None and _engine.owner[0] == os.getpid():
            _engine.close()
        _engine = None


def forget_answers() -> None:
    """Let every question be computed again, as the benchmarks need it."""
    _current_engine().answers = Answers()


def answer(visible: frozenset[int], visible_key: str, question: Hashable, work: Callable[[Reading], Answer]) -> Answer:
    """Answer a question about the facts of the visible evaluations.

    Missing and damaged files are made again from the documents first, so that an answer is late rather than wrong.

    Args:
        visible: evaluations that may be seen, read before this call.
        visible_key: tells visible sets apart.
        question: tells questions apart; None = the answer is not remembered.
        work: makes the answer; it must be frozen, since others get the same object.

    Raises:
        duckdb.Error: the files are whole and the query still failed.
    """
    attempts = ATTEMPTS
    while True:
        attempts -= 1
        engine = _current_engine()
        listed = manifest.current()
        key = (listed.version, visible_key, question)
        found: Answer | None = engine.answers.get(key) if question is not None else None
        if found is not None:
            return found
        try:
            found = engine.read(listed, visible, work)
        except (duckdb.Error, FactsDamaged, OSError):
            if not attempts or not (repair(listed) or engine is not _engine):
                raise
            _forsake(engine)
            continue
        if question is not None:
            engine.answers.put(key, found)
        return found


def _forsake(engine: Engine) -> None:
    """Let the next question open another engine; questions that still read this one end by themselves."""
    global _engine
    with _engine_lock:
        if _engine is engine:
            _engine = None

"""Answers questions about facts: one DuckDB per process, one cursor per question, answers remembered."""

import os
import secrets
import shutil
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import duckdb
import numpy as np

from results.facts import files, manifest
from results.facts.compaction import SMALL_RESULTS
from results.facts.dimensions import Dimensions, Names, NamesGoneError
from results.facts.links import Links, whole_numbers
from results.facts.manifest import Manifest
from results.facts.memory import Answers
from results.facts.orders import KeptOrders
from results.facts.reading import Reading
from results.facts.rebuild import repair
from results.facts.snapshot import PlacesOfParts, Snapshot
from results.facts.tables import READABLE, SCHEMAS, Part, delta_paths, parts_of, union
from results.facts.tokens import TOKEN_COLUMNS
from results.models.evaluations import VISIBLE_STATES, Evaluation, EvaluationState

Answer = TypeVar("Answer")

ATTEMPTS = 4  # a question is asked again after damaged files were made again
MAX_RECENT_RESULTS = SMALL_RESULTS  # deltas up to this size together are kept in memory, about 500 bytes a result
LARGE = 2**52  # halves of whole numbers below are exact in floating point
MAX_SNAPSHOTS = 3  # manifests whose base stays attached


class FactsDamagedError(Exception):
    """The files do not hold what the manifest and the database say."""


class Engine:
    """The DuckDB of one process. What belongs to a manifest is let go when that is old and nobody reads it any more."""

    def __init__(self) -> None:
        self.owner = _owner()
        self._spill = files.directory() / f"spill-{os.getpid()}-{secrets.token_hex(4)}"
        settings: dict[str, Any] = {"threads": 2, "memory_limit": "512MB", "temp_directory": str(self._spill)}
        self._connection = duckdb.connect(":memory:", config=settings)
        self._connection.execute("SET parquet_metadata_cache = true")  # names are never used again
        for table, columns in SCHEMAS.items():
            self._connection.execute(f"CREATE TABLE empty_{table} ({columns})")
        self._names = Names()
        self._dimensions = Dimensions(self._connection)
        self._snapshots: OrderedDict[tuple[str, ...], Snapshot] = OrderedDict()
        self._whole: set[str] = set()
        self._attached: set[str] = set()
        self._recent: dict[tuple[str, ...], str] = {}
        self._loads = 0
        self._orders = KeptOrders()
        self._readers: Counter[tuple[str, ...]] = Counter()
        self._seen: frozenset[str] = frozenset()
        self._lock = Lock()
        self.answers = Answers()

    def read(self, listed: Manifest, visible: frozenset[int], work: Callable[[Reading], Answer]) -> Answer:
        """Answer one question from the files of a manifest."""
        with self._lock:
            snapshot = self._snapshots.get(listed.version) or self._open(listed)
            self._notice_restore(listed)
            self._readers[listed.version] += 1
        try:
            self._demand(snapshot, visible)
            self._dimensions.refresh(listed.version)
            with closing(self._connection.cursor()) as cursor:
                return work(Reading(cursor, snapshot, visible, self._names, self._dimensions, self._orders))
        finally:
            with self._lock:
                self._readers[listed.version] -= 1
                self._let_go()

    def close(self) -> None:
        """Let go of every file."""
        self._connection.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def _notice_restore(self, listed: Manifest) -> None:
        """Forget all names where no file is left of those known: after a restore an id may have another one.

        A compaction that replaces every file looks the same; the names are then read once more.
        """
        if self._seen and listed.members and self._seen.isdisjoint(listed.version):
            self._names.forget()
            self._dimensions.forget()
        if listed.members:
            self._seen = frozenset(listed.version)

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
                raise FactsDamagedError(f"The facts file {delta.name} is missing or damaged.")
            self._whole.add(delta.name)
        with closing(self._connection.cursor()) as cursor:
            if listed.base is not None and listed.base.name not in self._attached:
                path = files.quoted(files.base_path(listed.base.name))
                cursor.execute(f"ATTACH '{path}' AS \"{listed.base.name}\" (READ_ONLY)")
                self._attached.add(listed.base.name)
            recent = self._load_recent(cursor, listed)
            parts = {table: parts_of(listed, table, recent) for table in files.TABLES}
            snapshot = self._examined(cursor, listed, parts)
        self._snapshots[listed.version] = snapshot
        return snapshot

    def _load_recent(self, cursor: duckdb.DuckDBPyConnection, listed: Manifest) -> str:
        """Copy small deltas into memory, where a query needs a quarter of the time; says how the tables begin."""
        if not listed.deltas or sum(delta.results for delta in listed.deltas) > MAX_RECENT_RESULTS:
            return ""
        self._loads += 1
        prefix = f"recent_{self._loads}"
        for table in files.TABLES:
            paths = delta_paths(listed, table)
            source = files.parquet_list(paths) if paths else f"empty_{table}"
            cursor.execute(f"CREATE TABLE {prefix}_{table} AS SELECT * FROM {source}")
        self._recent[listed.version] = prefix
        return prefix

    @staticmethod
    def _examined(cursor: duckdb.DuckDBPyConnection, listed: Manifest, parts: dict[str, tuple[Part, ...]]) -> Snapshot:
        held = {delta.evaluation_id for delta in listed.deltas} - {None}
        if listed.base is not None:
            counts = cursor.execute(f'SELECT evaluation_id, results FROM "{listed.base.name}".evaluations').fetchall()
            if sum(count for _, count in counts) != listed.base.results:
                raise FactsDamagedError(
                    f"The facts file {listed.base.name} holds another number of results than it was made with."
                )
            held |= {evaluation_id for evaluation_id, _ in counts}
        wide = " + ".join(f"count({name}_wide)" for name in TOKEN_COLUMNS)
        numbers = ", ".join(("duration_ns", "tool_calls", "cost_nano", *TOKEN_COLUMNS))
        largest = f"coalesce(max(greatest({numbers})), 0), coalesce(min(least({numbers})), 0)"
        source = union(parts["results"], READABLE["results"])
        row = cursor.execute(f"SELECT {wide}, {largest} FROM {source}").fetchone() or (0, 0, 0)
        has_large_numbers = row[0] > 0 or row[1] >= LARGE or row[2] <= -LARGE
        evaluation_ids = frozenset(pk for pk in held if pk is not None)
        return Snapshot(
            parts=parts,
            evaluation_ids=evaluation_ids,
            has_large_numbers=has_large_numbers,
            results=sum(member.results for member in listed.members),
            tools=_tool_links(cursor, parts["tools"], evaluation_ids),
            places=PlacesOfParts(),
            version=listed.version,
        )

    @staticmethod
    def _demand(snapshot: Snapshot, visible: frozenset[int]) -> None:
        """Raise if a ready evaluation with results has no rows: its facts were lost, a count would be wrong."""
        missing = visible - snapshot.evaluation_ids
        if not missing:
            return
        lost = Evaluation.objects.filter(pk__in=missing, state=EvaluationState.READY, results__gt=0)
        if lost.exists():
            raise FactsDamagedError("Some evaluations have no facts.")


def _tool_links(cursor: duckdb.DuckDBPyConnection, parts: tuple[Part, ...], held: Iterable[int]) -> Links:
    """The tools of every set, as evaluations that still exist say it: a base may hold rows of deleted ones."""
    kept = Evaluation.objects.filter(pk__in=held, state__in=VISIBLE_STATES).values_list("pk", flat=True)
    columns = ("tool_set", "tool_id", "statuses")
    found = cursor.execute(
        f"SELECT DISTINCT {', '.join(columns)} FROM {union(parts, ('evaluation_id', *columns))} "
        f"WHERE evaluation_id IN ({', '.join(map(str, sorted(kept))) or 'NULL'})"
    ).fetchnumpy()
    return Links(
        np.ma.getdata(found["tool_set"]).astype(np.int64),
        {name: whole_numbers(found[name]) for name in columns[1:]},
    )


_engine: Engine | None = None
_engine_lock = Lock()
_inherited: list[Engine] = []  # of the parent process: closing one would wait for threads that a fork did not copy


def _start_child() -> None:
    global _engine, _engine_lock
    _engine_lock = Lock()
    if _engine is not None:
        _inherited.append(_engine)
        _engine = None


os.register_at_fork(after_in_child=_start_child)


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
        results.facts.dimensions.NamesGoneError: ids without a name although no evaluation went.
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
        except NamesGoneError:
            left = visible & frozenset(
                Evaluation.objects.filter(pk__in=visible, state__in=VISIBLE_STATES).values_list("pk", flat=True)
            )
            if not attempts or left == visible:
                raise
            visible, question = left, None
            continue
        except (duckdb.Error, FactsDamagedError, OSError):
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

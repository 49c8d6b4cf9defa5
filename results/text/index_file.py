"""The file behind the text index: one SQLite database with a contentless FTS5 table and a progress table.

It is a cache. A missing, broken or outdated file is replaced by an empty one of the next number, and the documents
fill it again. Every replacement has a name of its own, so that a process that still reads the old one harms nothing.
"""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

COLUMNS = ("answer", "explanation", "error")
SCHEMA_VERSION = 3  # raise it when the tables or the indexed texts change: older files are then replaced
BUSY_SECONDS = 60  # writers wait for each other; one transaction lasts well below a second
CACHE_KIB = 16_384
HASH_BYTES = 64 * 2**20  # FTS5's buffer: larger than one transaction's text, so that each makes a single segment
SEGMENTS = 8  # of one size that are merged while writing: an import of 100,000 results makes five and merges none
_NAME = "index-{:06d}.sqlite3"
_PATTERN = "index-[0-9][0-9][0-9][0-9][0-9][0-9].sqlite3"
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SCHEMA = f"""
CREATE VIRTUAL TABLE result_text USING fts5(
    {", ".join(COLUMNS)}, content='', columnsize=0, tokenize="unicode61 remove_diacritics 2"
);
INSERT INTO result_text(result_text, rank) VALUES('hashsize', {HASH_BYTES});
INSERT INTO result_text(result_text, rank) VALUES('automerge', {SEGMENTS});
CREATE TABLE progress (
    evaluation_id INTEGER PRIMARY KEY,
    next_ordinal INTEGER NOT NULL,
    is_complete INTEGER NOT NULL DEFAULT 0,
    has_common INTEGER NOT NULL DEFAULT 0,
    is_forgotten INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE common_word (
    evaluation_id INTEGER NOT NULL,
    word TEXT NOT NULL,
    holders BLOB NOT NULL,
    UNIQUE (word, evaluation_id)
);
PRAGMA user_version = {SCHEMA_VERSION};
"""


class IndexLostError(Exception):
    """The index was damaged and an empty one stands in its place; the work may be tried again."""


@contextmanager
def transaction(index: sqlite3.Connection) -> Iterator[None]:
    """Hold the write lock, and commit at the end unless an error passes."""
    index.execute("BEGIN IMMEDIATE")
    try:
        yield
        index.execute("COMMIT")
    except BaseException:
        if index.in_transaction:
            index.execute("ROLLBACK")
        raise


def index_folder() -> Path:
    """Where the index lies, below the state folder."""
    return Path(settings.VAR_DIR) / "text"


def current_path() -> Path | None:
    """The index file now in use; None before the first use."""
    return max(index_folder().glob(_PATTERN), default=None)


@contextmanager
def opened() -> Iterator[sqlite3.Connection]:
    """Open the index, making an empty one first if there is none that can be used.

    Raises:
        IndexLostError: it turned out to be damaged while it was used, and was replaced by an empty one.
        sqlite3.Error: it could not be opened, made or used for another reason (no permission, disk full).
    """
    path, connection = _connect_sound()
    try:
        yield connection
    except sqlite3.DatabaseError as error:
        if not _is_broken(error):
            raise
        replace(path, None)
        raise IndexLostError(f"the text index {path} is damaged ({error}); it is being filled again") from error
    finally:
        connection.close()


@contextmanager
def opened_beside() -> Iterator[tuple[Path, sqlite3.Connection]]:
    """Make an empty index that nobody reads yet; it becomes the one in use by `replace`."""
    path = index_folder() / "rebuilt.sqlite3"
    _make(path)
    connection = _connect(path)
    if connection is None:
        raise sqlite3.DatabaseError(f"the text index {path} was made and cannot be read: check the disk")
    try:
        yield path, connection
    finally:
        connection.close()


def replace(old: Path | None, new: Path | None) -> None:
    """Give the index the next number and remove all older files.

    Args:
        old: the file to replace; when it is not the one in use any more, nothing happens.
        new: the file that takes its place; None = an empty one.
    """
    with _locked():
        if current_path() != old:
            return
        number = 1 if old is None else int(old.stem.rpartition("-")[2]) + 1
        place = index_folder() / _NAME.format(number)
        if new is None:
            new = place.with_name("empty.sqlite3")
            _make(new)
        new.replace(place)
        for path in index_folder().glob(_PATTERN):
            if path != place:
                _remove(path)


def _connect_sound() -> tuple[Path, sqlite3.Connection]:
    for _ in range(3):  # another process may replace the file between the look and the opening
        path = current_path()
        connection = _connect(path) if path is not None else None
        if path is not None and connection is not None:
            return path, connection
        replace(path, None)
    raise sqlite3.DatabaseError(f"the text index in {index_folder()} was made anew and cannot be read: check the disk")


def _connect(path: Path) -> sqlite3.Connection | None:
    """Connect to an index file; None when it is gone or cannot be used."""
    if not path.exists():
        return None
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        is_sound = _is_sound(connection)
        if is_sound:
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    except sqlite3.Error:
        connection.close()
        raise
    if not is_sound:
        connection.close()
        return None
    return connection


def _is_sound(connection: sqlite3.Connection) -> bool:
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute("SELECT rowid FROM result_text WHERE result_text MATCH 'a' LIMIT 1").fetchone()
        connection.execute("SELECT max(evaluation_id) FROM progress").fetchone()
    except sqlite3.DatabaseError as error:
        if _is_broken(error) or error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # the latter: a table is missing
            return False
        raise
    return bool(version == SCHEMA_VERSION)


def _is_broken(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _BROKEN


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove(path)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(_SCHEMA)
    finally:
        connection.close()


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextmanager
def _locked() -> Iterator[None]:
    folder = index_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

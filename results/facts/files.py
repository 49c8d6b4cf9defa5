"""Where the files of the facts lie, what their names say, and whether they are whole.

A delta's name tells how many parts it has, how many rows, and a checksum of its bytes (parts, calls, uses, CRC-32):
`n5d0c11fe-e7-9f2c….2.150000.90000.1a2b3c4d`. So a query needs no directory listing, and a damaged file is never read.
"""

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from django.conf import settings

from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS

TABLES = ("results", "calls", "uses", "tools")
_BLOCK_BYTES = 1 << 20
_NODE = re.compile(r"(n[0-9a-f]{8})-")
# Files with other columns count as damaged, so that a new release makes them again.
_SCHEMA = crc32(
    repr([(column.name, column.kind.name) for column in (*RESULT_COLUMNS, *CALL_COLUMNS, *USE_COLUMNS)]).encode()
)


def directory() -> Path:
    """The folder of the facts; made when absent."""
    path = Path(settings.VAR_DIR) / "facts"
    path.mkdir(parents=True, exist_ok=True)
    return path


def node() -> str:
    """The word for the state folder that every name of its files begins with; made once, at random.

    Hosts with one database and state folders of their own so tell their files apart: each reads and replaces its own
    only. Empty for a folder that held files before there was such a word.
    """
    path = Path(settings.VAR_DIR) / "node"
    with suppress(FileNotFoundError):
        return path.read_text(encoding="ascii").strip()
    is_older = any(found.suffix in {".parquet", ".duckdb"} for found in directory().iterdir())
    draft = path.with_name(f"node-{secrets.token_hex(8)}")
    draft.write_text("" if is_older else f"n{secrets.token_hex(4)}", encoding="ascii")
    try:
        path.hardlink_to(draft)
    except FileExistsError:  # another process was faster
        pass
    finally:
        draft.unlink()
    return path.read_text(encoding="ascii").strip()


def is_own(name: str) -> bool:
    """Whether a file was made by this state folder."""
    maker = _NODE.match(name)
    return (maker[1] if maker else "") == node()


def new_stem(prefix: str) -> str:
    """A random name that was never used before."""
    own = node()
    return f"{own}-{prefix}-{secrets.token_hex(8)}" if own else f"{prefix}-{secrets.token_hex(8)}"


@dataclass(frozen=True)
class DeltaName:
    """What the name of a delta says."""

    stem: str
    parts: int
    calls: int
    uses: int
    checksum: int

    def __str__(self) -> str:
        return f"{self.stem}.{self.parts}.{self.calls}.{self.uses}.{self.checksum:08x}"

    @classmethod
    def parse(cls, name: str) -> "DeltaName":
        """Read a name back."""
        stem, parts, calls, uses, checksum = name.split(".")
        return cls(stem, int(parts), int(calls), int(uses), int(checksum, 16))

    def paths(self, table: str) -> list[Path]:
        """The part files of one table; none when it has no row."""
        rows = {"calls": self.calls, "uses": self.uses, "tools": self.calls + self.uses}
        if not rows.get(table, 1):
            return []
        return [part_path(self.stem, table, part) for part in range(self.parts)]


def part_path(stem: str, table: str, part: int) -> Path:
    """The file of one part of one table of a delta."""
    return directory() / f"{stem}-{table}-{part}.parquet"


def base_path(name: str) -> Path:
    """The DuckDB file of a base."""
    return directory() / f"{name}.duckdb"


def paths_of(name: str, *, is_base: bool) -> list[Path]:
    """Every file of a member of the manifest."""
    if is_base:
        return [base_path(name)]
    delta = DeltaName.parse(name)
    return [path for table in TABLES for path in delta.paths(table)]


def quoted(path: Path) -> str:
    """A path as the inside of an SQL string."""
    return str(path).replace("'", "''")


def parquet_list(paths: list[Path]) -> str:
    """SQL that reads several Parquet files as one table."""
    return "read_parquet([" + ", ".join(f"'{quoted(path)}'" for path in paths) + "])"


def checksum(paths: list[Path]) -> int:
    """CRC-32 over the bytes of several files in order, begun with their columns.

    Raises:
        OSError: a file is missing or unreadable.
    """
    value = _SCHEMA
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                value = crc32(block, value)
    return value


def is_whole_delta(name: str) -> bool:
    """Whether every file of a delta is there, with the bytes that were written."""
    delta = DeltaName.parse(name)
    try:
        return checksum([path for table in TABLES for path in delta.paths(table)]) == delta.checksum
    except OSError:
        return False


def sync(path: Path) -> None:
    """Force a file or folder to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unlink(name: str, *, is_base: bool) -> None:
    """Remove the files of a former member; missing ones are fine."""
    for path in paths_of(name, is_base=is_base):
        path.unlink(missing_ok=True)


@contextmanager
def exclusive() -> Iterator[None]:
    """Be the only one who replaces files of the facts; waits for its turn. Registering needs no turn."""
    with (directory() / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def stray_paths(known_stems: set[str], older_than: float) -> list[Path]:
    """Files that no member owns and that nobody has touched since a time (seconds since 1970): a killed writer's."""
    return [
        path
        for path in directory().iterdir()
        if path.suffix in {".parquet", ".duckdb"}
        and path.stat().st_mtime < older_than
        and not any(path.name.startswith(stem) for stem in known_stems)
    ]

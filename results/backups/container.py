"""The file of a backup: a zip archive with a manifest and one compressed SQLite database, whatever the database was.

Everything is checked before anything of it is used: the archive, the digest, the tables, the counts.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec
import zstandard

FORMAT = 1  # raise it when an older release could not restore the file
MANIFEST, DATABASE = "manifest.json", "database.sqlite3.zst"
LEVEL = 3
PIECE_BYTES = 1 << 20
LARGEST_MANIFEST = 1 << 20  # bytes
LEFT_OUT = (
    "keys and secrets (var/secrets)",
    "uploads that wait for their import",
    "prices and other files that settings name",
    "facts and text index, which are made again",
)


class BackupRefusedError(Exception):
    """The file cannot be restored; the text says why, and nothing was changed."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds.

    Attributes:
        version: of Evalboard.
        database: what it was made from: `sqlite` or `postgresql`.
        migrations: of the tables, each as `app.name`.
        tables: rows in each.
        size_bytes, digest: of the database before compression; SHA-256, hex.
    """

    format: int = FORMAT
    version: str
    made_at: datetime
    database: str
    migrations: list[str]
    tables: dict[str, int]
    size_bytes: int
    digest: str
    left_out: Sequence[str] = LEFT_OUT


def write(path: Path, database: Path, manifest: Manifest) -> None:
    """Write a backup, whole or not at all, readable by its owner only.

    Args:
        path: of the backup; a file of this name is replaced.
        database: the SQLite file that it holds.
        manifest: its size and digest are filled in here.

    Raises:
        OSError: it could not be written.
    """
    beside = path.with_name(f".{path.name}.{token_hex(4)}")
    digest, size = sha256(), 0
    try:
        beside.touch(mode=0o600, exist_ok=False)
        with ZipFile(beside, "w", ZIP_STORED) as archive:
            packer = zstandard.ZstdCompressor(level=LEVEL)
            with (
                archive.open(ZipInfo(DATABASE), "w", force_zip64=True) as member,
                packer.stream_writer(member, closefd=False) as packed,
                database.open("rb") as source,
            ):
                while piece := source.read(PIECE_BYTES):
                    digest.update(piece)
                    size += len(piece)
                    packed.write(piece)
            whole = msgspec.structs.replace(manifest, size_bytes=size, digest=digest.hexdigest())
            archive.writestr(ZipInfo(MANIFEST), msgspec.json.format(msgspec.json.encode(whole), indent=2))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_manifest(path: Path) -> Manifest:
    """What a backup says of itself.

    Raises:
        BackupRefusedError: it is no backup, is cut off, or was made by a newer release.
    """
    try:
        with ZipFile(path) as archive, archive.open(MANIFEST) as member:
            text = member.read(LARGEST_MANIFEST)
        told = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        written = msgspec.json.decode(told.get("format", b"0"), type=int)
        if written > FORMAT:
            raise BackupRefusedError(f"{path} was made by a newer release (its format is {written}). Update Evalboard.")
        return msgspec.json.decode(text, type=Manifest)
    except OSError as error:
        raise BackupRefusedError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (BadZipFile, KeyError, EOFError, msgspec.DecodeError) as error:
        raise BackupRefusedError(f"{path} is no backup of Evalboard, or it is cut off.") from error


def unpack(path: Path, manifest: Manifest, database: Path) -> None:
    """Write the database of a backup to a file, and check it to the last row.

    Raises:
        BackupRefusedError: it is damaged.
        OSError: the file could not be written.
    """
    digest, size = sha256(), 0
    try:
        with ZipFile(path) as archive, archive.open(DATABASE) as member, database.open("xb") as target:
            for piece in zstandard.ZstdDecompressor().read_to_iter(member, read_size=PIECE_BYTES):
                size += len(piece)
                if size > manifest.size_bytes:
                    break
                digest.update(piece)
                target.write(piece)
    except (BadZipFile, KeyError, EOFError, zstandard.ZstdError) as error:
        raise BackupRefusedError(f"{path} is damaged ({error}). Take another one.") from error
    if size != manifest.size_bytes or digest.hexdigest() != manifest.digest:
        raise BackupRefusedError(f"{path} is damaged: its content does not have the recorded digest. Take another one.")
    _check(path, manifest, database)


def _check(path: Path, manifest: Manifest, database: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as connection:
            sound = connection.execute("PRAGMA quick_check").fetchone()[0]
            kinds = {kind for (kind,) in connection.execute("SELECT DISTINCT type FROM sqlite_master")}
            counted = count_rows(connection, list(manifest.tables)) if sound == "ok" else {}
    except sqlite3.Error as error:
        raise BackupRefusedError(f"{path} holds no database that can be read ({error}).") from error
    if sound != "ok" or not kinds <= {"table", "index"}:
        raise BackupRefusedError(f"{path} holds a damaged database. Take another one.")
    for table, rows in counted.items():
        if rows != manifest.tables[table]:
            raise BackupRefusedError(f"{path} has {rows} rows in {table}, but says {manifest.tables[table]}.")


def count_rows(connection: sqlite3.Connection, tables: Sequence[str]) -> dict[str, int]:
    """Rows in each table."""
    counts = {}
    for table in tables:
        quoted = table.replace('"', '""')
        counts[table] = connection.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()[0]
    return counts

"""Private copies of the bytes we are given, below `var/uploads`: hashed on the way, never changed by anybody else."""

import hashlib
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from django.conf import settings

from results.importers.source import ImportRefused, Limits, SourceFile
from results.models.jobs import Upload
from results.names import storable

BLOCK_BYTES = 2**18  # larger blocks are fresh memory each time, which costs more than the copy itself

LEAST_ROOM_BYTES = 2**20  # with less, the database can hardly write


def uploads_folder() -> Path:
    """The folder of the copies; made when it is missing."""
    folder: Path = settings.VAR_DIR / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def has_room() -> bool:
    """Whether the disk of the state folder has room for at least a few words."""
    return shutil.disk_usage(settings.VAR_DIR).free >= LEAST_ROOM_BYTES


class PrivateCopy:
    """A file on its way into the folder: hashed as it is written, and gone unless it is kept."""

    def __init__(self, limits: Limits) -> None:
        self._path = uploads_folder() / token_hex(16)
        self._limit_bytes = limits.file_bytes
        self._digest = hashlib.sha256()
        self._file = self._path.open("xb")
        self.size_bytes = 0

    def write(self, block: bytes) -> None:
        """Take the next bytes.

        Raises:
            ImportRefused: the file is longer than the limit; nothing of it stays.
            OSError: the disk is full.
        """
        self.size_bytes += len(block)
        if self.size_bytes > self._limit_bytes:
            self.discard()
            raise ImportRefused(
                f"the file is larger than {self._limit_bytes:,} bytes", remedy="Split it, or raise EVALBOARD_MAX_UPLOAD"
            )
        self._digest.update(block)
        self._file.write(block)

    def finish(self) -> None:
        """Close the file: its bytes are all there."""
        self._file.close()

    def keep(self, file_name: str) -> Upload:
        """Save the row of the copy; `file_name` is what the user calls it."""
        self.finish()
        return Upload.objects.create(
            file_name=storable(file_name),
            stored_name=self._path.name,
            digest=self._digest.hexdigest(),
            size_bytes=self.size_bytes,
        )

    def discard(self) -> None:
        """Remove what was written; on a full disk too, where closing it fails."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def unnoticed(size_bytes: int) -> None:
    """Do nothing between blocks."""


def stage(
    stream: BinaryIO, file_name: str, limits: Limits, between_blocks: Callable[[int], None] = unnoticed
) -> Upload:
    """Copy a stream to a private file.

    Args:
        stream: read to its end.
        file_name: what the user calls it.
        limits: the copy stops at `file_bytes`.
        between_blocks: told after each block how many bytes are copied, so that a job can hold its lease; it may raise
            to stop the copy.

    Returns:
        The saved row.

    Raises:
        ImportRefused: the stream is longer than the limit.
        OSError: the stream cannot be read, or the disk is full.
    """
    copy = PrivateCopy(limits)
    try:
        while block := stream.read(BLOCK_BYTES):
            copy.write(block)
            between_blocks(copy.size_bytes)
        return copy.keep(file_name)
    except BaseException:
        copy.discard()
        raise


def source_file(upload: Upload) -> SourceFile:
    """Hand an upload to an importer."""
    return SourceFile(uploads_folder() / upload.stored_name, upload.file_name, upload.size_bytes)


def is_there(upload: Upload) -> bool:
    """Whether the copy can be read still."""
    return (uploads_folder() / upload.stored_name).exists()


def remove_copy(upload: Upload) -> None:
    """Remove the bytes and leave the row: on a full disk that makes room for last words."""
    with suppress(OSError):
        (uploads_folder() / upload.stored_name).unlink(missing_ok=True)


def drop(upload: Upload) -> None:
    """Remove the copy and its row; the stored documents are the truth from then on."""
    remove_copy(upload)
    upload.delete()

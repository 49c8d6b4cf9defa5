"""Private copies of the bytes we are given, below `var/uploads`: hashed on the way, never changed by anybody else."""

import hashlib
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from django.conf import settings

from results.importers.source import ImportRefused, Limits, SourceFile
from results.models.jobs import Upload

BLOCK_BYTES = 2**18  # larger blocks are fresh memory each time, which costs more than the copy itself


def uploads_folder() -> Path:
    """The folder of the copies; made when it is missing."""
    folder: Path = settings.VAR_DIR / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def stage(stream: BinaryIO, file_name: str, limits: Limits) -> Upload:
    """Copy a stream to a private file.

    Args:
        stream: read to its end.
        file_name: what the user calls it.
        limits: the copy stops at `file_bytes`.

    Returns:
        The saved row.

    Raises:
        ImportRefused: the stream is longer than the limit.
        OSError: the stream cannot be read, or the disk is full.
    """
    path = uploads_folder() / token_hex(16)
    digest, size_bytes = hashlib.sha256(), 0
    try:
        with path.open("xb") as copy:
            while block := stream.read(BLOCK_BYTES):
                size_bytes += len(block)
                if size_bytes > limits.file_bytes:
                    raise ImportRefused(
                        f"the file is larger than {limits.file_bytes:,} bytes",
                        remedy="Split it, or raise EVALBOARD_MAX_UPLOAD",
                    )
                digest.update(block)
                copy.write(block)
        return Upload.objects.create(
            file_name=file_name, stored_name=path.name, digest=digest.hexdigest(), size_bytes=size_bytes
        )
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def source_file(upload: Upload) -> SourceFile:
    """Hand an upload to an importer."""
    return SourceFile(uploads_folder() / upload.stored_name, upload.file_name, upload.size_bytes)


def drop(upload: Upload) -> None:
    """Remove the copy and its row; the stored documents are the truth from then on."""
    (uploads_folder() / upload.stored_name).unlink(missing_ok=True)
    upload.delete()

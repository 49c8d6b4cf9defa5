"""Texts of results that an import has read for the process that indexes them, one file for each of its steps.

Only a help: a step of which there is no file is read from the documents.
"""

import time
from contextlib import suppress
from pathlib import Path

import msgspec

from results.text.index_file import index_folder

STRAY_SECONDS = 3_600  # no step waits that long
TextRow = tuple[int, str, str, str]  # id of a result, and its columns as they are indexed


class TextStep(msgspec.Struct, frozen=True, array_like=True):
    """The texts of one step; the flag says that no more results are committed."""

    rows: list[TextRow]
    is_end: bool


_DECODER = msgspec.msgpack.Decoder(TextStep)


def keep(evaluation_id: int, start: int, step: TextStep) -> None:
    """Keep a step that begins at an ordinal.

    Raises:
        OSError: it could not be written.
    """
    path = _path(evaluation_id, start)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(msgspec.msgpack.encode(step))
    unfinished.replace(path)


def take(evaluation_id: int, start: int) -> TextStep | None:
    """Get a step that was kept, once; None = there is none."""
    path = _path(evaluation_id, start)
    try:
        step = _DECODER.decode(path.read_bytes())
        path.unlink()
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
    return step


def clear(evaluation_id: int) -> None:
    """Remove what nobody took."""
    with suppress(OSError):
        for path in index_folder().glob(f"ahead-{evaluation_id}-*"):
            path.unlink(missing_ok=True)


def sweep() -> None:
    """Remove what killed imports left."""
    oldest = time.time() - STRAY_SECONDS
    with suppress(OSError):
        for path in index_folder().glob("ahead-*"):
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)


def _path(evaluation_id: int, start: int) -> Path:
    return index_folder() / f"ahead-{evaluation_id}-{start}.texts"

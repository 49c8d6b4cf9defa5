"""Texts of results that an import has read for the process that indexes them, one file for each of its steps.

Only a help: a step of which there is no file is read from the documents.
"""

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from results.text.index_file import index_folder

RESULTS_PER_STEP = 5_000  # some 5 MB
CHARACTERS_PER_STEP = 8_000_000  # ends a step early when results are large
STRAY_SECONDS = 3_600  # no step waits that long
TextRow = tuple[int, str, str, str]  # id of a result, and its columns as they are indexed


class TextStep(msgspec.Struct, frozen=True, array_like=True):
    """The texts of one step; the flag says that no more results are committed."""

    rows: list[TextRow]
    is_end: bool


_DECODER = msgspec.msgpack.Decoder(TextStep)


@dataclass(frozen=True)
class KeptStep:
    """A file that holds the texts of some results; `end` is the ordinal behind the last one."""

    path: Path
    first: int
    end: int


def keep(evaluation_id: int, first: int, step: TextStep) -> None:
    """Keep a step that begins at an ordinal.

    Raises:
        OSError: it could not be written.
    """
    path = index_folder() / f"ahead-{evaluation_id}-{first}-{first + len(step.rows)}.texts"
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(msgspec.msgpack.encode(step))
    unfinished.replace(path)


def find(evaluation_id: int, ordinal: int) -> KeptStep | None:
    """Find the kept step that holds a result."""
    for path in index_folder().glob(f"ahead-{evaluation_id}-*.texts"):
        first, end = map(int, path.stem.split("-")[2:])
        if first <= ordinal < end:
            return KeptStep(path, first, end)
    return None


def take(evaluation_id: int, ordinal: int) -> TextStep | None:
    """Get what was kept from a result on to the end of its step, once; None = it was not."""
    try:
        kept = find(evaluation_id, ordinal)
        if kept is None:
            return None
        step = _DECODER.decode(kept.path.read_bytes())
        kept.path.unlink()
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
    return TextStep(step.rows[ordinal - kept.first :], step.is_end)


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

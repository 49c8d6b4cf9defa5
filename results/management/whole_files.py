"""Files that are there whole or not at all."""

from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write beside the target first, so that a failure never leaves half a file under its name.

    Raises:
        OSError: the file could not be written; an older one of its name is as it was.
    """
    beside = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        with beside.open("xb") as stream:
            stream.writelines(pieces)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)

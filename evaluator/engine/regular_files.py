"""Reads files that others made: only regular ones, so that a pipe or a device keeps nobody waiting."""

import errno
import os
import stat
from pathlib import Path


def read_regular(path: Path, most_bytes: int) -> bytes:
    """The beginning of a file.

    Args:
        path: links are followed.
        most_bytes: what is read at most.

    Raises:
        OSError: it cannot be read, or is a pipe, a device, a socket or a folder.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123 - of a descriptor
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        return file.read(most_bytes)

"""Processes that left behind whatever tells where they come from: as their adoptive parent we still find them.

Linux gives a process whose parent ended to the nearest ancestor that asked for such orphans. One that belongs to
another session than ours can only come from a program that we started in a session of its own.
"""

import contextlib
import ctypes
import os
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36  # of <linux/prctl.h>
# Places among what stands behind the name in /proc/PID/stat; see proc_pid_stat(5).
PARENT, SESSION, STARTED = 1, 3, 19


@dataclass(frozen=True)
class Orphan:
    """A child of ours that another program began; `started` counts the system's ticks."""

    pid: int
    started: int


def adopt_orphans() -> bool:
    """Ask for the orphans of whatever this process starts from now on; whether the system can do that."""
    try:
        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (AttributeError, OSError):
        return False


def orphans() -> list[Orphan]:
    """The children of ours that belong to other sessions, among them those that we started ourselves."""
    mine, session = os.getpid(), os.getsid(0)
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        fields = _fields(int(folder.name))
        if fields and int(fields[PARENT]) == mine and int(fields[SESSION]) != session:
            found.append(Orphan(int(folder.name), int(fields[STARTED])))
    return found


def started_at(pid: int) -> int:
    """When a process began, in the system's ticks; 0 where that is not known."""
    fields = _fields(pid)
    return int(fields[STARTED]) if fields else 0


def bury(pid: int) -> None:
    """Take note of an orphan's end, so that nothing of it stays in the table of processes."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _fields(pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    return []

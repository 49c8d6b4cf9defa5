"""Moves SQLite's write-ahead log into the database while an import writes on; nothing to do on PostgreSQL.

Left alone, SQLite does this inside some writer's commit, perhaps that of a small write that should be quick. It waits
for the disk most of the time, so it is done on another thread; only the end of the log, which was written meanwhile, is
moved between two transactions, so that the log begins anew.
"""

from concurrent.futures import Future, ThreadPoolExecutor

from django.db import DatabaseError, connection

CHUNKS_PER_TIDYING = 8  # some 25 MB of write-ahead log


def tidy_log() -> None:
    """Move the log into the database; call it between transactions, it blocks no other writer."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _tidy_beside() -> None:
    """The same on the thread; what fails here is tried again by the import itself, which then says so."""
    try:
        tidy_log()
    except DatabaseError:
        return
    finally:
        connection.close()  # this thread's own


class LogTidier:
    """Tells when the log has to be moved, for one import."""

    def __init__(self) -> None:
        self._chunks = 0
        self._thread: ThreadPoolExecutor | None = None
        self._running: Future[None] | None = None

    def chunk_committed(self) -> None:
        """Say that a chunk was committed; call it between transactions."""
        self._chunks += 1
        if self._running is not None:
            if self._running.done():
                self._running = None
                tidy_log()
        elif self._chunks >= CHUNKS_PER_TIDYING and connection.vendor == "sqlite" and not connection.in_atomic_block:
            self._chunks = 0
            self._thread = self._thread or ThreadPoolExecutor(max_workers=1, thread_name_prefix="tidier")
            self._running = self._thread.submit(_tidy_beside)

    def close(self) -> None:
        """End the thread; what was begun is finished first."""
        if self._thread is not None:
            self._thread.shutdown()

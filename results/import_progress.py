"""Writes into a job's row how far its import is, and into its log what became of each file."""

import time
from contextlib import suppress

from django.db import DatabaseError

from results.importing import Progress, Watcher
from results.jobs import JobLease, renew, say
from results.names import storable
from results.reports import FileReport

SECONDS_BETWEEN_WRITES = 0.4  # a page asks every second; each write is a transaction of its own
ANNOUNCED_BYTES = 1_000_000  # smaller files are done before anybody could read that they began


class JobProgress:
    """How far one import job is: bytes of what it was given, results of all its files."""

    def __init__(self, lease: JobLease, watch: Watcher) -> None:
        """Nothing is done yet; `watch` is shown each file's own progress too."""
        self._lease = lease
        self._watch = watch
        self._results = self._done_bytes = self._share_bytes = 0
        self._written = 0.0

    def expect(self, total_bytes: int) -> None:
        """Say how many bytes all files have."""
        renew(self._lease, done=0, total=total_bytes, report={"results": 0})

    def hold(self) -> None:
        """Keep the job while a file is copied, which may take minutes.

        Raises:
            LeaseLostError, JobCancelledError: see `results.jobs.renew`.
        """
        now = time.monotonic()
        if now - self._written >= SECONDS_BETWEEN_WRITES:
            self._written = now
            renew(self._lease)

    def begin(self, file_name: str, size_bytes: int, share_bytes: int) -> None:
        """A file's turn has come.

        Args:
            file_name: as the user knows it.
            size_bytes: of the file itself.
            share_bytes: what it counts of the job's total; less than its size when it comes compressed.

        Raises:
            LeaseLostError, JobCancelledError: see `results.jobs.renew`.
        """
        self._share_bytes = share_bytes
        now = time.monotonic()
        if now - self._written >= SECONDS_BETWEEN_WRITES:
            self._written = now
            renew(self._lease, done=self._done_bytes, report={"results": self._results, "file": storable(file_name)})
        if size_bytes >= ANNOUNCED_BYTES:
            say(self._lease.job_id, storable(f"{file_name}: reading {size_bytes / 1e6:,.1f} MB"))

    def show(self, progress: Progress) -> None:
        """Take the progress within a file.

        Raises:
            LeaseLostError, JobCancelledError: see `results.jobs.renew`; never once the whole file was read.
        """
        self._watch(progress)
        now = time.monotonic()
        if progress.done_bytes >= progress.total_bytes or now - self._written < SECONDS_BETWEEN_WRITES:
            return
        self._written = now
        within = self._share_bytes * progress.done_bytes // progress.total_bytes
        renew(
            self._lease,
            done=self._done_bytes + within,
            report={"results": self._results + progress.results, "file": storable(progress.file_name)},
        )

    def end(self, report: FileReport) -> None:
        """A file is done; the log says how it went, unless the disk has no room for that: the report says it too."""
        self._done_bytes += self._share_bytes
        self._share_bytes = 0
        if report.state == "stored":
            self._results += report.results
        level = {"rejected": "error", "stored": "warning" if report.warnings else "info"}.get(report.state, "info")
        with suppress(DatabaseError):
            say(self._lease.job_id, storable(f"{report.path}: {outcome_of(report)}"), level)


def outcome_of(report: FileReport) -> str:
    """What became of a file, as a line of the log says it."""
    if report.state == "rejected":
        return f"rejected; nothing of it was stored. {report.error or ''}".rstrip()
    if report.state == "unchanged":
        return "unchanged, the same bytes are here already"
    parts = [_counted(report.results, "result")] if report.evaluation is not None else []
    parts += [_counted(len(report.iterations), "iteration")] if report.iterations else []
    warned = f", {_counted(len(report.warnings), 'warning')}" if report.warnings else ""
    return f"{' and '.join(parts) or 'description'} stored{warned}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"

"""The files of one import job, one after the other: copied, recognised, stored, and told about in the job's row."""

import gc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from django.conf import settings
from django.db import DatabaseError

from results import reading, uploads
from results.archives import Incoming, find_files, is_archive, members, place_below
from results.import_progress import JobProgress
from results.importers.json_file import UTF8_MARK
from results.importers.refusals import deep_refusal
from results.importers.registry import IMPORTERS, detect
from results.importers.source import Importer, ImportRefused, Limits
from results.importing import ImportContext, import_staged, reason_of, rejected
from results.models.jobs import Upload
from results.names import storable
from results.reports import FileReport

EXPECTED_FAULTS = (ImportRefused, OSError, DatabaseError)  # of one file: the rest of the batch goes on
HEAD_BYTES = 65_536  # what formats are recognised by
BEGINNING_BYTES = 20  # of a file of no known format that are shown
LARGE_BYTES = 2**20  # a copy whose room the next file may need


def nothing() -> None:
    """Hold nothing."""


def copied(
    incoming: Incoming,
    limits: Limits,
    use: Callable[[Upload], Iterator[FileReport]],
    refuse: Callable[[FileReport], FileReport],
    hold: Callable[[], None] = nothing,
) -> Iterator[FileReport]:
    """Copy a file to its private place for as long as it is needed.

    Args:
        incoming: the file.
        limits: how long it may be.
        use: imports the copy.
        refuse: is given the report of a file that could not be copied, and gives it back.
        hold: called again and again while it is copied, so that a job can hold its lease; it may raise to stop that.
    """

    def notice(size_bytes: int) -> None:
        hold()
        reading.expect(size_bytes)

    try:
        try:
            with incoming.open() as stream:
                upload = uploads.stage(stream, incoming.file_name, limits, notice)
        except EXPECTED_FAULTS as error:
            yield refuse(rejected(storable(incoming.file_name), reason_of(error)))
            return
        try:
            yield from use(upload)
        finally:
            with suppress(DatabaseError, OSError):  # a full disk: the sweeper removes the copy
                uploads.drop(upload)
    finally:
        reading.expect_nothing()


class ImportWork:
    """One claimed job; its row says how far it is."""

    def __init__(self, context: ImportContext, format_name: str | None, format_hint: str) -> None:
        """Nothing is done yet.

        Args:
            context: project, lease and limits of the job.
            format_name: of all files; None = recognise each by its content.
            format_hint: says how to name the format of a file that is not recognised.
        """
        self._format_name = format_name
        self._format_hint = format_hint
        self._progress = JobProgress(context.lease, context.watch)
        self._context = replace(context, watch=self._progress.show)

    def upload(self, upload: Upload) -> Iterator[FileReport]:
        """Import a staged file: by itself, or as an archive member by member."""
        self._progress.expect(upload.size_bytes)
        yield from self._staged(upload, upload.size_bytes)

    def path(self, path: str) -> Iterator[FileReport]:
        """Import a file or a folder of this machine; its files are copied first, one by one."""
        incoming = list(find_files(path, lambda found: place_below(found, settings.IMPORT_ROOTS)))
        self._progress.expect(sum(file.share_bytes for file in incoming))
        for file in incoming:
            yield from self._copied(file, is_in_archive=False)

    def _staged(self, upload: Upload, share_bytes: int, *, is_in_archive: bool = False) -> Iterator[FileReport]:
        importer, head = self._recognise(upload)
        if importer is None and is_archive(head) and not is_in_archive:
            yield from self._members(upload)
            return
        try:
            self._progress.begin(upload.file_name, upload.size_bytes, share_bytes)
        except DatabaseError as error:  # no room to say how far it is: none for the file either
            yield self._ended(rejected(upload.file_name, reason_of(error)))
            return
        if importer is not None:
            report = import_staged(upload, importer, self._context)
        elif is_archive(head):
            report = rejected(upload.file_name, "This is an archive inside an archive. Unpack the outer one first.")
        else:
            report = rejected(upload.file_name, self._unknown(upload, head))
        if report.state == "rejected" and upload.size_bytes >= LARGE_BYTES:
            gc.collect()  # what an exception's frames still hold of the copy takes room on the disk
        yield self._ended(report)

    def _members(self, upload: Upload) -> Iterator[FileReport]:
        try:
            for member in members(uploads.source_file(upload), self._context.limits):
                yield from self._copied(member, is_in_archive=True)
        except (ImportRefused, OSError) as error:
            yield self._ended(rejected(upload.file_name, reason_of(error)))

    def _copied(self, incoming: Incoming, *, is_in_archive: bool) -> Iterator[FileReport]:
        def use(upload: Upload) -> Iterator[FileReport]:
            return self._staged(upload, incoming.share_bytes, is_in_archive=is_in_archive)

        return copied(incoming, self._context.limits, use, self._ended, self._progress.hold)

    def _ended(self, report: FileReport) -> FileReport:
        self._progress.end(report)
        return report

    def _recognise(self, upload: Upload) -> tuple[Importer | None, bytes]:
        with uploads.source_file(upload).path.open("rb") as file:
            head = file.read(HEAD_BYTES)
        if self._format_name is not None and not is_archive(head):
            return IMPORTERS[self._format_name], head
        return detect(head, upload.file_name), head

    def _unknown(self, upload: Upload, head: bytes) -> str:
        """Say why a file is of no known format."""
        if not head:
            return "The file is empty."
        if b"\x00" in head[:4096]:
            return "This is a binary file, not a format known here."
        too_deep = deep_refusal(uploads.source_file(upload).path, self._context.limits.depth)
        if too_deep:
            return str(too_deep)
        begins = head.removeprefix(UTF8_MARK).lstrip()[:BEGINNING_BYTES].decode("utf-8", "replace")
        if begins and not begins.startswith("{"):
            return f"Not a format known here: all of them are JSON objects, and this file begins with {begins!r}."
        return f"Not a format known here. {self._format_hint}"

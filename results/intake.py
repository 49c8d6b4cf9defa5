"""A file, a folder, an archive or standard input -> the right importer -> the store, with progress and a report."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import DatabaseError
from django.utils.text import slugify

from results import jobs, uploads
from results.archives import Incoming, find_files, is_archive, members, place_below
from results.import_progress import JobProgress
from results.importers.registry import IMPORTERS, detect
from results.importers.source import Importer, ImportRefused, Limits
from results.importing import ImportContext, Progress, Watcher, import_staged, reason_of, rejected
from results.jobs import JobCancelledError, LeaseLostError
from results.models.jobs import Job, JobKind, JobState, Upload
from results.models.projects import DEFAULT_SLUG, Project
from results.names import storable
from results.reports import FileReport, ImportReport, report_of

EXPECTED_FAULTS = (ImportRefused, OSError, DatabaseError)  # of one file: the rest of the batch goes on
HEAD_BYTES = 65_536  # what formats are recognised by


def unwatched(progress: Progress) -> None:
    """Watch nothing."""


@dataclass(frozen=True)
class ImportOptions:
    """What the user decided for all files of an import.

    Attributes:
        format: None = recognise each file by its content.
        format_hint: says how to name the format of a file that is not recognised.
    """

    project: str = DEFAULT_SLUG
    format: str | None = None
    limits: Limits = field(default_factory=lambda: Limits(file_bytes=settings.MAX_UPLOAD_BYTES))
    watch: Watcher = unwatched
    format_hint: str = "Choose it under Format."


def find_project(slug: str) -> Project:
    """Get a project, made on first use.

    Raises:
        ImportRefused: the slug has characters that an address cannot carry.
    """
    if not slug or slug != slugify(slug):
        raise ImportRefused(
            f"{slug!r} cannot name a project",
            remedy=f"Use small letters, digits and hyphens, such as {slugify(slug) or DEFAULT_SLUG!r}",
        )
    project, _ = Project.objects.get_or_create(slug=slug, defaults={"name": slug})
    return project


def import_files(files: Iterable[Incoming], options: ImportOptions) -> Iterator[FileReport]:
    """Import files one after the other; a bad one never stops the rest.

    Yields:
        One report a file, and one a member of an archive.
    """
    for incoming in files:
        try:
            with incoming.open() as stream:
                upload = uploads.stage(stream, incoming.file_name, options.limits)
        except EXPECTED_FAULTS as error:
            yield rejected(storable(incoming.file_name), reason_of(error))
            continue
        try:
            yield from _import_upload(upload, options)
        except DatabaseError as error:
            yield rejected(upload.file_name, reason_of(error))
        finally:
            with suppress(DatabaseError):  # a full disk: the sweeper removes the copy
                uploads.drop(upload)


def import_file(path: Path, options: ImportOptions) -> ImportReport:
    """Import one file (or archive) and wait for it."""
    return report_of(list(import_files([Incoming(str(path), lambda: path.open("rb"))], options)))


def queue_import(project: Project, upload: Upload, **arguments: str) -> Job:
    """Write the job that imports a staged file; the caller sends it to a worker.

    Args:
        project: where the results go.
        upload: the staged file.
        **arguments: `format` names the importer; `batch` is common to what was given at one time.
    """
    return jobs.create_job(
        JobKind.IMPORT,
        project=project,
        upload=upload,
        title=storable(upload.file_name),
        arguments=dict(arguments),
        is_resumable=True,
        total=upload.size_bytes,
    )


def queue_path_import(project: Project, path: str, **arguments: str) -> Job:
    """Write the job that imports a file or folder of this machine; see `queue_import`.

    Raises:
        ImportRefused: the path is not below a folder that the operator allowed, or there is nothing.
    """
    real = place_below(Path(path), settings.IMPORT_ROOTS)
    try:
        is_there = real.exists()
    except OSError as error:
        raise ImportRefused(f"this path cannot be looked at: {error.strerror}", remedy="Check the path") from error
    if not is_there:
        raise ImportRefused(f"there is no {path} on the server", remedy="Check the path")
    return jobs.create_job(
        JobKind.IMPORT,
        project=project,
        title=storable(path),
        arguments={**arguments, "path": str(real)},
        is_resumable=True,
    )


def run_import(job_id: int) -> None:
    """Do a queued import job; does nothing when somebody else has it. Safe to call twice."""
    lease = jobs.claim(job_id)
    if lease is None:
        return
    job = Job.objects.select_related("upload", "project").get(pk=job_id)
    path = job.arguments.get("path")
    if job.project is None or (job.upload is None and path is None):
        jobs.finish(lease, JobState.FAILED, error="the uploaded file is gone; import it again")
        return
    options = ImportOptions(project=job.project.slug, format=job.arguments.get("format"))
    work = _Work(ImportContext(job.project, lease, options.limits, options.watch), options)
    files: list[FileReport] = []
    try:
        for report in work.path(path) if job.upload is None else work.upload(job.upload):
            files.append(report)  # noqa: PERF402  (what was stored before it failed is told too)
    except JobCancelledError:
        jobs.finish(lease, JobState.CANCELLED, report=_built(files))
    except LeaseLostError:
        return
    except Exception as error:
        jobs.finish(lease, JobState.FAILED, report=_built(files), error=reason_of(error))
        raise
    else:
        jobs.finish(lease, _final_state(files), report=_built(files))
    if job.upload is not None:
        uploads.drop(job.upload)


def _import_upload(upload: Upload, options: ImportOptions) -> Iterator[FileReport]:
    """Import a staged file by a job of this process."""
    try:
        project = find_project(options.project)
    except ImportRefused as error:
        yield rejected(upload.file_name, str(error))
        return
    title, total = storable(upload.file_name), upload.size_bytes
    job = jobs.create_job(JobKind.IMPORT, project=project, upload=upload, title=title, total=total)
    lease = jobs.claim(job.pk)
    if lease is None:  # cannot happen: nobody else knows of the job
        raise LeaseLostError(f"job {job.pk} was taken by another process")
    files: list[FileReport] = []
    state, failure = JobState.FAILED, ""
    try:
        for report in _Work(ImportContext(project, lease, options.limits, options.watch), options).upload(upload):
            files.append(report)
            yield report
        state = _final_state(files)
    except JobCancelledError:
        state = JobState.CANCELLED
        yield rejected(upload.file_name, "the import was cancelled; nothing of this file was kept")
    except LeaseLostError:
        yield rejected(upload.file_name, "another process took this import over; look at its job")
    except DatabaseError as error:
        failure = reason_of(error)
        yield rejected(upload.file_name, failure)
    finally:
        with suppress(DatabaseError):
            jobs.finish(lease, state, report=_built(files), error=failure)


def _built(files: list[FileReport]) -> dict[str, Any]:
    report: dict[str, Any] = msgspec.to_builtins(report_of(files))
    return report


def _final_state(files: list[FileReport]) -> JobState:
    return JobState.FAILED if files and all(file.state == "rejected" for file in files) else JobState.SUCCEEDED


class _Work:
    """The files of one claimed job, one after the other; the job's row says how far it is."""

    def __init__(self, context: ImportContext, options: ImportOptions) -> None:
        self._options = options
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
        importer, head = _recognise(upload, self._options)
        if importer is None and is_archive(head) and not is_in_archive:
            yield from self._members(upload)
            return
        self._progress.begin(upload.file_name, upload.size_bytes, share_bytes)
        if importer is not None:
            report = import_staged(upload, importer, self._context)
        elif is_archive(head):
            report = rejected(upload.file_name, "This is an archive inside an archive. Unpack the outer one first.")
        else:
            report = rejected(upload.file_name, _unknown(head, self._options.format_hint))
        yield self._ended(report)

    def _members(self, upload: Upload) -> Iterator[FileReport]:
        try:
            for member in members(uploads.source_file(upload), self._options.limits):
                yield from self._copied(member, is_in_archive=True)
        except ImportRefused as error:
            yield self._ended(rejected(upload.file_name, str(error)))

    def _copied(self, incoming: Incoming, *, is_in_archive: bool) -> Iterator[FileReport]:
        try:
            with incoming.open() as stream:
                upload = uploads.stage(stream, incoming.file_name, self._options.limits)
        except EXPECTED_FAULTS as error:
            yield self._ended(rejected(storable(incoming.file_name), reason_of(error)))
            return
        try:
            yield from self._staged(upload, incoming.share_bytes, is_in_archive=is_in_archive)
        finally:
            uploads.drop(upload)

    def _ended(self, report: FileReport) -> FileReport:
        self._progress.end(report)
        return report


def _recognise(upload: Upload, options: ImportOptions) -> tuple[Importer | None, bytes]:
    with uploads.source_file(upload).path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if options.format is not None and not is_archive(head):
        return IMPORTERS[options.format], head
    return detect(head, upload.file_name), head


def _unknown(head: bytes, format_hint: str) -> str:
    """Say why a file is of no known format."""
    if not head:
        return "The file is empty."
    if b"\x00" in head[:4096]:
        return "This is a binary file, not a format known here."
    return f"Not a format known here. {format_hint}"

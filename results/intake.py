"""A file, a folder, an archive or standard input -> the right importer -> the store, with progress and a report."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from django.conf import settings
from django.utils.text import slugify

from results import jobs, uploads
from results.archives import Incoming, is_archive, members
from results.importers.registry import IMPORTERS, detect
from results.importers.source import Importer, ImportRefused, Limits
from results.importing import ImportContext, Progress, Watcher, import_staged, reason_of, rejected
from results.jobs import JobCancelledError, JobLease, LeaseLostError
from results.models.jobs import Job, JobKind, JobState, Upload
from results.models.projects import DEFAULT_SLUG, Project
from results.names import storable
from results.reports import FileReport, ImportReport, report_of

HEAD_BYTES = 65_536  # what formats are recognised by


def unwatched(progress: Progress) -> None:
    """Watch nothing."""


@dataclass(frozen=True)
class ImportOptions:
    """What the user decided for all files of an import; `format` None = recognise each file by its content."""

    project: str = DEFAULT_SLUG
    format: str | None = None
    limits: Limits = field(default_factory=lambda: Limits(file_bytes=settings.MAX_UPLOAD_BYTES))
    watch: Watcher = unwatched


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
        except (ImportRefused, OSError) as error:
            yield rejected(incoming.file_name, reason_of(error))
            continue
        try:
            yield from _import_upload(upload, options)
        finally:
            uploads.drop(upload)


def import_file(path: Path, options: ImportOptions) -> ImportReport:
    """Import one file (or archive) and wait for it."""
    return report_of(list(import_files([Incoming(str(path), lambda: path.open("rb"))], options)))


def run_import(job_id: int) -> None:
    """Do a queued import job; does nothing when somebody else has it. Safe to call twice."""
    lease = jobs.claim(job_id)
    if lease is None:
        return
    job = Job.objects.select_related("upload", "project").get(pk=job_id)
    if job.upload is None or job.project is None:
        jobs.finish(lease, JobState.FAILED, error="the uploaded file is gone; import it again")
        return
    options = ImportOptions(project=job.project.slug, format=job.arguments.get("format"))
    try:
        files = list(_import_claimed(job.upload, job.project, options, lease))
    except JobCancelledError:
        jobs.finish(lease, JobState.CANCELLED)
    except LeaseLostError:
        return
    except Exception as error:
        jobs.finish(lease, JobState.FAILED, error=reason_of(error))
        raise
    else:
        jobs.finish(lease, _final_state(files), report=msgspec.to_builtins(report_of(files)))
    uploads.drop(job.upload)


def _import_upload(upload: Upload, options: ImportOptions) -> Iterator[FileReport]:
    """Import a staged file by a job of this process."""
    try:
        project = find_project(options.project)
    except ImportRefused as error:
        yield rejected(upload.file_name, str(error))
        return
    job = jobs.create_job(JobKind.IMPORT, project=project, upload=upload, title=storable(upload.file_name))
    lease = jobs.claim(job.pk)
    if lease is None:  # cannot happen: nobody else knows of the job
        raise LeaseLostError(f"job {job.pk} was taken by another process")
    files: list[FileReport] = []
    state = JobState.FAILED
    try:
        for report in _import_claimed(upload, project, options, lease):
            files.append(report)
            yield report
        state = _final_state(files)
    except JobCancelledError:
        state = JobState.CANCELLED
        yield rejected(upload.file_name, "the import was cancelled; nothing of this file was kept")
    except LeaseLostError:
        yield rejected(upload.file_name, "another process took this import over; look at its job")
    finally:
        jobs.finish(lease, state, report=msgspec.to_builtins(report_of(files)))


def _final_state(files: list[FileReport]) -> JobState:
    return JobState.FAILED if files and all(file.state == "rejected" for file in files) else JobState.SUCCEEDED


def _import_claimed(upload: Upload, project: Project, options: ImportOptions, lease: JobLease) -> Iterator[FileReport]:
    """Import a staged file: by itself, or as an archive member by member."""
    context = ImportContext(project, lease, options.limits, options.watch)
    importer, head = _recognise(upload, options)
    if importer is not None:
        yield import_staged(upload, importer, context)
    elif not is_archive(head):
        yield rejected(upload.file_name, _unknown(head))
    else:
        yield from _import_members(upload, options, context)


def _import_members(upload: Upload, options: ImportOptions, context: ImportContext) -> Iterator[FileReport]:
    try:
        for member in members(uploads.source_file(upload), options.limits):
            yield _import_member(member, options, context)
    except ImportRefused as error:
        yield rejected(upload.file_name, str(error))


def _import_member(member: Incoming, options: ImportOptions, context: ImportContext) -> FileReport:
    try:
        with member.open() as stream:
            upload = uploads.stage(stream, member.file_name, options.limits)
    except (ImportRefused, OSError) as error:
        return rejected(member.file_name, reason_of(error))
    try:
        importer, head = _recognise(upload, options)
        if importer is not None:
            return import_staged(upload, importer, context)
        if is_archive(head):
            return rejected(member.file_name, "This is an archive inside an archive. Unpack the outer one first.")
        return rejected(member.file_name, _unknown(head))
    finally:
        uploads.drop(upload)


def _recognise(upload: Upload, options: ImportOptions) -> tuple[Importer | None, bytes]:
    with uploads.source_file(upload).path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if options.format is not None and not is_archive(head):
        return IMPORTERS[options.format], head
    return detect(head, upload.file_name), head


def _unknown(head: bytes) -> str:
    """Say why a file is of no known format."""
    if not head:
        return "The file is empty. Write it again."
    known = ", ".join(importer.label for importer in IMPORTERS.values())
    kind = "a binary file" if b"\x00" in head[:4096] else "of no format that is known here"
    return f"This is {kind}. Formats: {known}; name one with --format if you are sure."

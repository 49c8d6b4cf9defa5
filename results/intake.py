"""A file, a folder, an archive or standard input -> the right importer -> the store, with progress and a report."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import DatabaseError
from django.utils.text import slugify

from results import jobs, reach, uploads
from results.archives import Incoming, place_below
from results.import_work import ImportWork, copied
from results.importers.source import ImportRefused, Limits
from results.importing import ImportContext, Listener, Progress, Watcher, reason_of, rejected, unheard
from results.jobs import JobCancelledError, JobLease, LeaseLostError
from results.models.jobs import Job, JobKind, JobState, Upload
from results.models.projects import DEFAULT_SLUG, Project
from results.models.webhooks import WebhookEvent
from results.names import storable
from results.reports import FileReport, ImportReport, report_of
from results.webhooks import notify

MOST_SLUG_CHARACTERS = Project._meta.get_field("slug").max_length or 80


def unwatched(progress: Progress) -> None:
    """Watch nothing."""


@dataclass(frozen=True)
class ImportOptions:
    """What the user decided for all files of an import.

    Attributes:
        format: None = recognise each file by its content.
        format_hint: says how to name the format of a file that is not recognised.
        batch: common to what is given at one time; the list of jobs shows it as one.
        is_patient: another import of the same bytes is waited for, since it may have died; `tell` hears of it.
    """

    project: str = DEFAULT_SLUG
    format: str | None = None
    limits: Limits = field(default_factory=lambda: Limits(file_bytes=settings.MAX_UPLOAD_BYTES))
    watch: Watcher = unwatched
    format_hint: str = "Choose it under Format."
    batch: str = ""
    is_patient: bool = False
    tell: Listener = unheard


def check_project(slug: str) -> None:
    """Check that a project may be called so; nothing is made.

    Raises:
        ImportRefused: the slug has characters that an address cannot carry, too many, or none at all.
    """
    if len(slug) > MOST_SLUG_CHARACTERS:
        raise ImportRefused(
            f"the name of a project has {len(slug):,} characters; it begins with {slug[:20]!r}",
            remedy=f"Use at most {MOST_SLUG_CHARACTERS}",
        )
    if not slug or slug != slugify(slug):
        raise ImportRefused(
            f"{slug!r} cannot name a project",
            remedy=f"Use small letters, digits and hyphens, such as {slugify(slug) or DEFAULT_SLUG!r}",
        )


def find_project(slug: str) -> Project:
    """Get a project, made on first use.

    Raises:
        ImportRefused: see `check_project`.
        results.reach.OutOfReachError: whoever asks may not write there, or may make no project.
    """
    check_project(slug)
    found = Project.objects.filter(slug=slug).first()
    if found is not None:
        reach.require(found.pk, slug)
        return found
    reach.require_every(slug)
    return Project.objects.get_or_create(slug=slug, defaults={"name": slug})[0]


def import_files(files: Iterable[Incoming], options: ImportOptions) -> Iterator[FileReport]:
    """Import files one after the other; a bad one never stops the rest.

    Yields:
        One report a file, and one a member of an archive.
    """
    for incoming in files:
        yield from copied(
            incoming, options.limits, partial(_import_upload, options=options), partial(_note_refusal, options=options)
        )


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
    """Do a queued import job; does nothing when somebody else has it. Safe to call twice.

    Raises:
        DatabaseError: the disk is so full that not even the job's row can be written; its lease runs out, and it is
            sent again.
    """
    lease = jobs.claim(job_id)
    if lease is None:
        return
    job = Job.objects.select_related("upload", "project").get(pk=job_id)
    path = job.arguments.get("path")
    if job.project is None or not (path is not None or (job.upload is not None and uploads.is_there(job.upload))):
        jobs.finish(lease, JobState.FAILED, error="the uploaded file is gone; import it again")
        return
    options = ImportOptions(project=job.project.slug, format=job.arguments.get("format"))
    context = ImportContext(job.project, lease, options.limits, options.watch)
    work = ImportWork(context, options.format, options.format_hint)
    files: list[FileReport] = []
    state, failure = JobState.FAILED, ""
    try:
        for report in work.path(path) if job.upload is None else work.upload(job.upload):
            files.append(report)  # noqa: PERF402  (what was stored before it failed is told too)
        state = _final_state(files)
    except JobCancelledError:
        state = JobState.CANCELLED
    except LeaseLostError:
        return
    except (DatabaseError, OSError) as error:
        failure = reason_of(error)
    except Exception as error:
        _end(lease, state, files, job.upload, reason_of(error))
        raise
    _end(lease, state, files, job.upload, failure)
    if job.upload is not None:
        with suppress(DatabaseError):  # a full disk: the sweeper removes the row
            uploads.drop(job.upload)


def _import_upload(upload: Upload, options: ImportOptions) -> Iterator[FileReport]:
    """Import a staged file by a job of this process."""
    try:
        project = find_project(options.project)
        lease = _own_job(project, upload.file_name, options, upload)
    except (ImportRefused, DatabaseError) as error:
        yield rejected(upload.file_name, reason_of(error))
        return
    context = ImportContext(project, lease, options.limits, options.watch, options.is_patient, options.tell)
    files: list[FileReport] = []
    state, failure = JobState.FAILED, ""
    try:
        for report in ImportWork(context, options.format, options.format_hint).upload(upload):
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
        with suppress(DatabaseError):  # no room for that either: the sweep ends it later
            _end(lease, state, files, upload, failure)


def _end(lease: JobLease, state: JobState, files: list[FileReport], upload: Upload | None, failure: str) -> None:
    """End a job; where the disk is full, its copy makes room for that."""
    try:
        jobs.finish(lease, state, report=_built(files), error=failure)
    except DatabaseError:
        if upload is None:
            raise
        uploads.remove_copy(upload)
        jobs.finish(lease, state, report=_built(files), error=failure)
    with suppress(DatabaseError):  # a full disk: then nobody is told
        _tell_webhooks(lease.job_id, state, files)


def _tell_webhooks(job_id: int, state: JobState, files: list[FileReport]) -> None:
    job = Job.objects.select_related("project").filter(pk=job_id).first()
    if job is None or job.project is None:
        return
    totals = report_of(files).totals
    results = f", {totals.results:,} results" if totals.results else ""
    payload = {
        "title": f"{job.title}: {totals.stored:,} stored{results}, {totals.rejected:,} rejected",
        "path": f"/jobs/{job_id}/",
        "job": job_id,
        "state": str(state),
        "totals": msgspec.to_builtins(totals),
        "evaluations": [file.evaluation for file in files if file.state == "stored" and file.evaluation is not None],
    }
    notify(WebhookEvent.IMPORT_FINISHED, job.project, payload)


def _note_refusal(report: FileReport, options: ImportOptions) -> FileReport:
    """Let the list of jobs tell of a file that could not even be copied, as far as the database can."""
    with suppress(ImportRefused, DatabaseError):
        lease = _own_job(find_project(options.project), report.path, options)
        jobs.finish(lease, JobState.FAILED, report=_built([report]))
    return report


def _own_job(project: Project, title: str, options: ImportOptions, upload: Upload | None = None) -> JobLease:
    """Write a job that this process does itself, and hold it."""
    job = jobs.create_job(
        JobKind.IMPORT,
        project=project,
        upload=upload,
        title=storable(title),
        arguments={"batch": options.batch},
        total=upload.size_bytes if upload else None,
    )
    lease = jobs.claim(job.pk)
    if lease is None:  # cannot happen: nobody else knows of the job
        raise LeaseLostError(f"job {job.pk} was taken by another process")
    return lease


def _built(files: list[FileReport]) -> dict[str, Any]:
    report: dict[str, Any] = msgspec.to_builtins(report_of(files))
    return report


def _final_state(files: list[FileReport]) -> JobState:
    return JobState.FAILED if files and all(file.state == "rejected" for file in files) else JobState.SUCCEEDED

"""One staged file of a known format -> the store: idempotent, all or nothing, and clear about why not."""

import errno
import gc
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import PurePath

import duckdb
from django.db import DatabaseError, IntegrityError, transaction

from results import uploads
from results.facts.rebuild import compact_if_needed
from results.importers.source import (
    ContractSource,
    Importer,
    ImportRefused,
    ImportWarning,
    IterationSource,
    Limits,
    SpecSource,
)
from results.jobs import JobLease, is_alive, renew, say
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import JobState, Upload
from results.models.projects import Project
from results.names import storable
from results.reading import Reading, begin_reading
from results.reports import FileReport, FileWarning
from results.store.deletion import remove
from results.store.iterations import store_iteration
from results.store.plans import store_contract, store_spec
from results.store.writer import EvaluationWriter
from results.text.follower import Follower

PATIENCE_SECONDS = 1.0  # between two looks at an import of the same bytes
FULL_AT_IMPORT = "nothing of this file was kept. Free some space and import it again."
DISK_FAULTS = ("disk is full", "disk i/o error")  # as SQLite says it


@dataclass(frozen=True)
class Progress:
    """How far the import of one file is; bytes count what was read of `total_bytes`."""

    file_name: str
    done_bytes: int
    total_bytes: int
    results: int


Watcher = Callable[[Progress], None]
Listener = Callable[[str], None]


def unheard(text: str) -> None:
    """Listen to nothing."""


@dataclass(frozen=True)
class ImportContext:
    """What holds for every file of one import job.

    Attributes:
        is_patient: where another job imports the same bytes, its end is waited for: it may have died.
        tell: hears once what is waited for.
    """

    project: Project
    lease: JobLease
    limits: Limits
    watch: Watcher
    is_patient: bool = False
    tell: Listener = unheard


class AlreadyHereError(Exception):
    """The project has these bytes already, or is getting them at this moment."""

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__(f"evaluation {evaluation.pk}")
        self.evaluation = evaluation


def rejected(file_name: str, reason: str, *, format_name: str | None = None) -> FileReport:
    """Report a file of which nothing was kept."""
    return FileReport(path=file_name, format=format_name, state="rejected", error=reason)


def reason_of(error: Exception, full_disk: str = FULL_AT_IMPORT) -> str:
    """Say in a sentence what went wrong and what to do.

    Args:
        error: any.
        full_disk: what is to be said when there was no room: what became of the work, and what to do.
    """
    if isinstance(error, ImportRefused):
        return str(error)
    is_full = isinstance(error, OSError) and error.errno == errno.ENOSPC
    if is_full or any(words in str(error).lower() for words in DISK_FAULTS):
        return f"The disk is full or failing; {full_disk}"
    if isinstance(error, PermissionError):
        return "No permission to read this file. Change its permissions, or copy it to where you may read it."
    if isinstance(error, FileNotFoundError):
        return "There is no such file; check the path."
    if isinstance(error, OSError):
        return f"The file cannot be read: {error.strerror or error}."
    return f"{type(error).__name__}: {error}"


def import_staged(upload: Upload, importer: Importer, context: ImportContext) -> FileReport:
    """Import one staged file.

    Raises:
        JobCancelledError, LeaseLostError: the job ended meanwhile; nothing of the file stays visible.
    """
    try:
        source = begin_reading(importer, uploads.source_file(upload), context.limits)
        if isinstance(source, IterationSource):
            return _report_iteration(upload, importer, source, context)
        if isinstance(source, ContractSource | SpecSource):
            return _report_plan(upload, importer, source, context)
        with closing(source):
            return _report_evaluation(upload, importer, source, context)
    except AlreadyHereError as found:
        return _report_known(upload, importer, found.evaluation)
    except (ImportRefused, OSError, DatabaseError) as error:
        return rejected(upload.file_name, reason_of(error), format_name=importer.name)


def _report_iteration(
    upload: Upload, importer: Importer, source: IterationSource, context: ImportContext
) -> FileReport:
    renew(context.lease)
    stored = store_iteration(context.project, source, upload, context.lease.job_id)
    return FileReport(
        path=upload.file_name,
        format=importer.name,
        state="stored" if stored.is_new else "unchanged",
        iterations=[stored.iteration_id],
        warnings=_shown(source.warnings),
    )


def _report_plan(
    upload: Upload, importer: Importer, source: ContractSource | SpecSource, context: ImportContext
) -> FileReport:
    renew(context.lease)
    if isinstance(source, ContractSource):
        stored = store_contract(context.project, source, upload.digest)
        contracts, specs = [stored.row_id], []
    else:
        stored = store_spec(context.project, source, upload.digest)
        contracts, specs = [], [stored.row_id]
    return FileReport(
        path=upload.file_name,
        format=importer.name,
        state="stored" if stored.is_new else "unchanged",
        contracts=contracts,
        specs=specs,
        warnings=_shown(source.warnings),
    )


def _report_known(upload: Upload, importer: Importer, evaluation: Evaluation) -> FileReport:
    warnings = []
    if evaluation.state == EvaluationState.IMPORTING:
        warnings = [FileWarning("", f"being imported by job {evaluation.job_id}")]
    return FileReport(
        path=upload.file_name,
        format=importer.name,
        state="unchanged",
        evaluation=evaluation.pk,
        results=evaluation.results,
        warnings=warnings,
    )


def _report_evaluation(upload: Upload, importer: Importer, reading: Reading, context: ImportContext) -> FileReport:
    evaluation = _begin(upload, importer, context)
    try:
        with Follower(evaluation.pk, upload.size_bytes) as follower:
            _write(evaluation, upload, reading, context, follower)
            follower.finish()
    except BaseException:
        _withdraw(evaluation)
        raise
    with suppress(
        DatabaseError, OSError, duckdb.Error
    ):  # the file is stored; the next import or the sweeper tries again
        compact_if_needed()
    return FileReport(
        path=upload.file_name,
        format=importer.name,
        state="stored",
        evaluation=evaluation.pk,
        results=evaluation.results,
        warnings=[FileWarning(**warning) for warning in evaluation.warnings],
    )


def _write(
    evaluation: Evaluation, upload: Upload, reading: Reading, context: ImportContext, follower: Follower
) -> None:
    writer = EvaluationWriter(evaluation, reading.head, context.lease)
    gc.disable()  # millions of short-lived rows and no cycles: the collector would take a tenth of the time
    try:
        for chunk in reading.chunks:
            writer.add(chunk)
            follower.notice(chunk.offset)
            context.watch(Progress(upload.file_name, chunk.offset, upload.size_bytes, writer.results))
        writer.finish(reading.envelope(), reading.warnings())
    except BaseException:
        writer.discard()
        raise
    finally:
        gc.enable()
    context.watch(Progress(upload.file_name, upload.size_bytes, upload.size_bytes, writer.results))


def _begin(upload: Upload, importer: Importer, context: ImportContext) -> Evaluation:
    """Make the evaluation's row, invisible as yet.

    Raises:
        AlreadyHereError: these bytes are in the project, or on their way in.
    """
    _find_known(upload, context)
    try:
        with transaction.atomic():
            return Evaluation.objects.create(
                project=context.project,
                state=EvaluationState.IMPORTING,
                name=storable(PurePath(upload.file_name).stem),
                format=importer.name,
                file_name=storable(upload.file_name),
                digest=upload.digest,
                size_bytes=upload.size_bytes,
                job_id=context.lease.job_id,
            )
    except IntegrityError:  # another process began with the same bytes just now
        _find_known(upload, context)
        raise


def _find_known(upload: Upload, context: ImportContext) -> None:
    """Look for the same bytes; what an ended process left half done is removed first.

    Raises:
        AlreadyHereError: they are here, or on their way in and nobody waits for them.
    """
    same = Evaluation.objects.filter(project=context.project, digest=upload.digest)
    waited_for: set[int | None] = set()
    while known := same.exclude(state=EvaluationState.DELETING).select_related("job").first():
        if known.state != EvaluationState.IMPORTING:
            raise AlreadyHereError(known)
        if not is_alive(known.job):
            _withdraw(known)
            return
        is_running = known.job is not None and known.job.state == JobState.RUNNING
        if not (context.is_patient and is_running):
            raise AlreadyHereError(known)
        if known.job_id not in waited_for:
            waited_for.add(known.job_id)
            _tell(context, f"{upload.file_name}: waits for job {known.job_id}, which imports the same bytes")
        renew(context.lease)
        time.sleep(PATIENCE_SECONDS)


def _tell(context: ImportContext, text: str) -> None:
    """Say it to who listens, and in the job's log."""
    say(context.lease.job_id, text)
    context.tell(text)


def _withdraw(evaluation: Evaluation) -> None:
    """Take back an evaluation that will not be finished; what cannot be removed now is left to the sweeper."""
    try:
        unfinished = Evaluation.objects.filter(pk=evaluation.pk, state=EvaluationState.IMPORTING)
        if unfinished.update(state=EvaluationState.DELETING) == 1:
            remove(evaluation.pk)
    except (DatabaseError, OSError):
        return


def _shown(warnings: list[ImportWarning]) -> list[FileWarning]:
    return [FileWarning(warning.path, warning.message) for warning in warnings]

"""A disk that fills up, wherever it happens: a sentence, nothing half visible, the rest of the batch goes on."""

import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError

from results import import_progress, jobs, uploads
from results.archives import Incoming
from results.facts.manifest import current
from results.facts.writer import FactsWriter
from results.importers.source import Limits
from results.intake import ImportOptions, find_project, import_files, queue_import, run_import
from results.models.evaluations import VISIBLE_STATES, Evaluation
from results.models.jobs import Job, JobState
from results.reports import FileReport
from results.store import bulk, writer
from results.sweeper import sweep
from results.text import index
from tests.documents import document, result, write

pytestmark = pytest.mark.django_db

FULL = "The disk is full or failing; nothing of this file was kept. Free some space and import it again."


def no_room() -> Exception:
    return OSError(errno.ENOSPC, "No space left on device")


def no_pages() -> Exception:
    return OperationalError("database or disk is full")


# Where it happens -> what is called there, and what it raises.
PLACES: dict[str, tuple[object, str, Callable[[], Exception]]] = {
    "copying": (uploads.PrivateCopy, "write", no_room),
    "the last bytes of the copy": (uploads.PrivateCopy, "finish", no_room),
    "writing rows": (bulk, "insert", no_pages),
    "writing facts": (FactsWriter, "add_columns", no_room),
    "closing the facts": (FactsWriter, "close", no_room),
    "the flip": (writer, "register", no_pages),
    "the job's row": (jobs, "create_job", no_pages),
    "saying how far it is": (import_progress, "renew", no_pages),
}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return [write(tmp_path, f"{number}.json", document(result(number))) for number in range(3)]


def take(paths: list[Path]) -> Iterator[FileReport]:
    incoming = [Incoming(path.name, lambda path=path: path.open("rb")) for path in paths]  # type: ignore[misc]
    return import_files(incoming, ImportOptions(batch="b1"))


def fill(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Let the disk be full at this place from now on."""
    where, name, error = PLACES[place]

    def fail(*_: Any, **__: Any) -> None:
        raise error()

    monkeypatch.setattr(where, name, fail)


@pytest.mark.parametrize("place", PLACES)
def test_a_full_disk_refuses_the_file_and_the_others_go_on_once_there_is_room(
    place: str, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[FileReport] = []
    for number, path in enumerate(files):
        with monkeypatch.context() as patch:
            if number == 1:
                fill(patch, place)
            reports += take([path])
    assert [(report.state, report.error) for report in reports] == [
        ("stored", None),
        ("rejected", FULL),
        ("stored", None),
    ]
    assert sorted(Evaluation.objects.filter(state__in=VISIBLE_STATES).values_list("name", flat=True)) == ["0", "2"]


@pytest.mark.parametrize("place", PLACES)
def test_after_a_full_disk_the_same_file_is_stored(
    place: str, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        fill(patch, place)
        assert [report.state for report in take(files)] == ["rejected"] * 3
    assert len(current().members) == 0
    assert [report.state for report in take(files)] == ["stored"] * 3


def test_a_disk_that_is_full_when_the_file_is_stored_already_leaves_it_stored(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise no_pages()

    monkeypatch.setattr(import_progress, "say", fail)
    (report,) = take(files[:1])
    assert (report.state, Job.objects.get().state) == ("stored", JobState.SUCCEEDED)


def test_the_copy_makes_room_for_the_last_words_of_its_job(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    finish = jobs.finish

    def finish_if_there_is_room(*arguments: Any, **options: Any) -> bool:
        if list(uploads.uploads_folder().iterdir()):
            raise no_pages()
        return finish(*arguments, **options)

    monkeypatch.setattr(jobs, "finish", finish_if_there_is_room)
    (report,) = take(files[:1])
    assert (report.state, Job.objects.get().state) == ("stored", JobState.SUCCEEDED)


def queued(path: Path) -> Job:
    with path.open("rb") as stream:
        return queue_import(find_project("default"), uploads.stage(stream, path.name, Limits()))


@pytest.mark.parametrize("place", ["writing rows", "writing facts", "the flip"])
def test_a_job_of_a_worker_ends_with_the_reason(place: str, files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    job = queued(files[0])
    fill(monkeypatch, place)
    run_import(job.pk)
    job.refresh_from_db()
    assert (job.state, job.report["files"][0]["error"]) == (JobState.FAILED, FULL)


def test_a_job_of_a_worker_that_cannot_even_say_so_is_begun_again(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued(files[0])
    with monkeypatch.context() as patch:
        fill(patch, "writing rows")
        patch.setattr(jobs, "finish", lambda *_, **__: (_ for _ in ()).throw(no_pages()))
        with pytest.raises(OperationalError):
            run_import(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    Job.objects.update(lease_until=job.created_at, created_at=job.created_at - jobs.LEASE)
    assert sweep() == [job.pk]
    run_import(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.FAILED, "the uploaded file is gone; import it again")


def test_a_job_whose_copy_is_gone_says_so(files: list[Path]) -> None:
    job = queued(files[0])
    assert job.upload is not None
    uploads.remove_copy(job.upload)
    run_import(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.FAILED, "the uploaded file is gone; import it again")


def test_a_full_disk_while_indexing_leaves_the_file_stored(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_write", lambda *_: (_ for _ in ()).throw(no_room()))
    (report,) = take(files[:1])
    assert (report.state, Evaluation.objects.get().results) == ("stored", 1)

"""The files of a job: recognised, or refused with what is wrong with them."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from results import import_progress
from results.archives import Incoming
from results.intake import ImportOptions, import_file, import_files, queue_path_import, run_import
from results.jobs import claim, create_job, request_cancel
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobKind, JobMessage, JobState, Upload
from results.models.projects import Project
from results.uploads import uploads_folder
from tests.documents import document, result, write

pytestmark = pytest.mark.django_db

DEEP = "objects and arrays nest deeper than 500 levels."


def error_of(name: str, body: bytes, folder: Path) -> str:
    """Import one file by this name and give the reason of its refusal."""
    path = write(folder, "file", body)
    (file,) = import_files([Incoming(name, lambda: path.open("rb"))], ImportOptions())
    assert file.error is not None
    return file.error


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b"[" * 100_000, f"{'[0]' * 20}…, byte 500: "),
        (b" \n[" + b"[" * 100_000, f"{'[0]' * 20}…, byte 502: "),
        (b"\xef\xbb\xbf" + b"[" * 501, f"{'[0]' * 20}…, byte 503: "),
        (b'{"a":' * 501, f"{'a.' * 30}…, byte 2500: "),
        (b'{"runs":[{"rows":' + b"[" * 498, f"runs[0].rows{'[0]' * 16}…, byte 514: "),
        (b'{"x":"' + b"y" * 100_000 + b'","z":' + b"[" * 501, f"z{'[0]' * 19}[0…, byte 100511: "),
    ],
)
@pytest.mark.parametrize("name", ["a.json", ".bober/contracts/a.json", ".bober/eval-results/eval-a-1.json"])
def test_a_file_that_nests_too_deeply_to_be_recognised_says_so(
    tmp_path: Path, name: str, body: bytes, where: str
) -> None:
    if name.startswith(".bober/contracts") and body.startswith(b"{"):  # it is taken for a contract by its place
        assert DEEP in error_of(name, body, tmp_path)
        return
    assert error_of(name, body, tmp_path) == where + DEEP


@pytest.mark.parametrize(
    "head",
    [
        b'{"FormatVersion":1,"Results":',
        b'{"FormatVersion":1,"Extra":',
        b'{"FormatVersion":1,"Results":{"p":[{"Got":',
        b'{"contractId":"a","iteration":1,"overallResult":"pass","extra":',
        b'{"contractId":"a","successCriteria":',
        b'{"specId":"a","sprints":',
    ],
)
def test_a_file_of_a_known_format_that_nests_too_deeply_says_so(tmp_path: Path, head: bytes) -> None:
    assert DEEP in error_of("a.json", head + b"[" * 100_000, tmp_path)


def test_brackets_in_a_text_are_no_nesting(tmp_path: Path) -> None:
    body = b'{"text":"' + b"[" * 100_000 + b'"}'
    assert error_of("a.json", body, tmp_path) == "Not a format known here. Choose it under Format."


def test_a_text_of_brackets_that_is_no_json_is_of_no_known_format(tmp_path: Path) -> None:
    assert error_of("a.txt", b"see " + b"[" * 1000, tmp_path).startswith("Not a format known here")


def test_a_member_of_an_archive_that_nests_too_deeply_says_so(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("deep.json", b"[" * 1_000_000)
        packed.writestr(".bober/contracts/c.json", b"[" * 1_000_000)
        packed.writestr("good.json", document(result(1)))
    files = import_file(tmp_path / "all.zip", ImportOptions()).files
    assert [file.state for file in files] == ["rejected", "rejected", "stored"]
    assert all((file.error or "").endswith(DEEP) for file in files[:2])


def path_job(path: Path, settings: Any) -> Job:
    settings.IMPORT_ROOTS = [str(path.parent)]
    return queue_path_import(Project.objects.get_or_create(slug="default")[0], str(path))


def test_a_job_is_held_while_a_long_file_is_copied(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_progress, "SECONDS_BETWEEN_WRITES", 0)
    held: list[int] = []
    monkeypatch.setattr(import_progress, "renew", lambda *_, **__: held.append(1))
    job = path_job(write(tmp_path, "a.txt", b"x" * 3_000_000), settings)
    run_import(job.pk)
    assert len(held) > 3_000_000 // 2**18  # once a block


def test_a_job_can_be_cancelled_while_a_file_is_copied(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_progress, "SECONDS_BETWEEN_WRITES", 0)
    job = path_job(write(tmp_path, "a.json", document(result(1))), settings)
    cancel_at(monkeypatch, lambda: request_cancel(job.pk))
    run_import(job.pk)
    left = (Upload.objects.count(), list(uploads_folder().iterdir()))
    assert (Job.objects.get().state, left) == (JobState.CANCELLED, (0, []))


def cancel_at(monkeypatch: pytest.MonkeyPatch, cancel: Callable[[], object]) -> None:
    """Cancel when the first block was copied."""
    hold = import_progress.JobProgress.hold

    def cancel_then_hold(progress: import_progress.JobProgress) -> None:
        cancel()
        hold(progress)

    monkeypatch.setattr(import_progress.JobProgress, "hold", cancel_then_hold)


def test_a_file_that_cannot_be_copied_is_a_job_that_was_rejected(tmp_path: Path) -> None:
    import_file(tmp_path / "nowhere.json", ImportOptions(batch="b1"))
    job = Job.objects.get()
    assert (job.batch, job.state, job.report["files"][0]["error"]) == (
        "b1",
        JobState.FAILED,
        "There is no such file; check the path.",
    )


def test_the_files_of_one_call_have_their_batch_in_common(tmp_path: Path) -> None:
    paths = [write(tmp_path, f"{number}.json", document(result(number))) for number in range(2)]
    for path in paths:
        import_file(path, ImportOptions(batch="b1"))
    assert [job.batch for job in Job.objects.all()] == ["b1", "b1"]


def test_waiting_for_the_same_bytes_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "a.json", document(result()))
    (first,) = import_file(path, ImportOptions()).files
    evaluation = Evaluation.objects.get(pk=first.evaluation or 0)
    holder = create_job(JobKind.IMPORT, title="a.json")
    claim(holder.pk)
    Evaluation.objects.update(state=EvaluationState.IMPORTING, job=holder)
    looks: list[float] = []

    def look(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            Evaluation.objects.update(state=EvaluationState.READY)

    monkeypatch.setattr("results.importing.time.sleep", look)
    heard: list[str] = []
    (again,) = import_file(path, ImportOptions(is_patient=True, tell=heard.append)).files
    assert (again.state, again.evaluation, len(looks)) == ("unchanged", evaluation.pk, 3)
    assert heard == [f"{path}: waits for job {holder.pk}, which imports the same bytes"]
    assert JobMessage.objects.filter(text=heard[0]).count() == 1

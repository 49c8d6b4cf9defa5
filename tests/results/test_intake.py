"""Files on their way in: stored once, whole or not at all, and clear about why not."""

import errno
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from results import intake, uploads
from results.archives import find_files
from results.facts.manifest import current
from results.filters import ResultFilter
from results.importers.source import ImportRefused, Limits
from results.intake import ImportOptions, check_project, find_project, import_file, import_files, run_import
from results.jobs import claim, create_job, request_cancel
from results.models.evaluations import Evaluation, EvaluationState, TimeSource
from results.models.jobs import Job, JobKind, JobState, Upload
from results.models.results import Result, ResultDocument, ToolCall, ToolUse
from results.queries.results import result_page
from results.queries.visibility import visible_evaluations
from results.reports import FileReport
from results.store import bulk, chunks
from tests.documents import START_MS, document, result, write

pytestmark = pytest.mark.django_db


def take(path: Path, **options: Any) -> FileReport:
    (file,) = import_file(path, ImportOptions(**options)).files
    return file


def only_evaluation() -> Evaluation:
    return Evaluation.objects.get()


def test_a_document_is_stored_with_all_its_results(tmp_path: Path) -> None:
    file = take(write(tmp_path, "nightly.json", document(result(1), result(2))))
    assert (file.state, file.format, file.results, file.error) == ("stored", "mindtrial", 2, None)


def test_an_evaluation_knows_its_counts(tmp_path: Path) -> None:
    kinds = ["Passed", "Passed", "Failed", "Error", "Skipped"]
    take(write(tmp_path, "a.json", document(*(result(n, Kind=kind) for n, kind in enumerate(kinds)))))
    evaluation = only_evaluation()
    counts = (evaluation.passed, evaluation.failed, evaluation.errors, evaluation.skipped, evaluation.results)
    assert counts == (2, 1, 1, 1, 5)


def test_an_evaluation_is_named_after_its_file_and_started_with_its_first_result(tmp_path: Path) -> None:
    take(write(tmp_path, "nightly.json", document(result(2), result(1))))
    evaluation = only_evaluation()
    assert evaluation.started_at is not None
    found = (evaluation.name, round(evaluation.started_at.timestamp() * 1000), evaluation.started_at_source)
    assert found == ("nightly", START_MS, TimeSource.TRACE_ID)


def test_a_result_without_a_time_in_its_trace_id_started_with_the_document(tmp_path: Path) -> None:
    take(write(tmp_path, "a.json", document(result(1, TraceID="trace-1"))))
    stored = Result.objects.get()
    # Fri, 29 May 2026 09:00:00 +0200 = 07:00:00 UTC
    assert (stored.started_at_us, stored.started_at_source) == (1_780_038_000_000_000, TimeSource.DOCUMENT)


def test_the_same_bytes_again_are_unchanged(tmp_path: Path) -> None:
    first = take(write(tmp_path, "a.json", document(result(1))))
    again = take(write(tmp_path, "b.json", document(result(1))))
    assert (again.state, again.evaluation, Evaluation.objects.count()) == ("unchanged", first.evaluation, 1)


def test_the_same_bytes_in_another_project_are_stored(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", document(result(1)))
    take(path)
    assert take(path, project="other").state == "stored"


def test_repeats_are_kept_and_counted(tmp_path: Path) -> None:
    rows = [result(n, Task="same", Kind=kind) for n, kind in enumerate(["Failed", "Failed", "Passed"])]
    take(write(tmp_path, "a.json", document(*rows)))
    assert list(Result.objects.order_by("pk").values_list("repeat", "outcome")) == [(1, 1), (2, 1), (3, 0)]


def test_a_trace_id_that_stands_twice_is_reported(tmp_path: Path) -> None:
    row = result(1)
    file = take(write(tmp_path, "a.json", document(row, row)))
    assert [warning.message for warning in file.warnings] == [f"{row['TraceID']} stands 2 times in this document"]


def test_names_that_look_alike_stay_apart(tmp_path: Path) -> None:
    names = ["a b", "a-b", "задача 1", "задача 2", "A b", "a\u00a0b", "a\x00b", "a\\u0000b", "é", "e\u0301", "", " "]
    rows = [
        result(n, Task=name, Provider=p, Run=r) for n, name in enumerate(names) for p, r in [("x-y", "z"), ("x", "y-z")]
    ]
    take(write(tmp_path, "a.json", document(*rows)))
    evaluation = only_evaluation()
    assert (evaluation.tasks, evaluation.runs) == (len(names), 2)


def test_tool_calls_and_totals_are_stored_by_number(tmp_path: Path) -> None:
    call = {"Tool": "python", "Status": "nonzero_exit", "ConversationTurn": 2, "WallTimeNS": 9, "ExitCode": 1}
    answer = {"ToolUsage": {"python": {"CallCount": 3}}, "ToolCalls": [call, call]}
    take(write(tmp_path, "a.json", document(result(1, Details={"Answer": answer}))))
    calls = list(ToolCall.objects.order_by("pk").values_list("position", "status", "turn", "exit_code", "duration_ns"))
    assert (calls, ToolUse.objects.get().calls) == ([(0, 2, 2, 1, None), (1, 2, 2, 1, None)], 3)


def test_a_bad_row_refuses_the_whole_file_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK_RESULTS", 2)
    rows = [*(result(n) for n in range(5)), result(5, Kind="Unknown (7)")]
    file = take(write(tmp_path, "a.json", document(*rows)))
    left = (Evaluation.objects.count(), Result.objects.count(), ResultDocument.objects.count(), len(current().members))
    assert (file.state, left) == ("rejected", (0, 0, 0, 0))


def test_the_reason_names_row_path_and_value(tmp_path: Path) -> None:
    file = take(write(tmp_path, "a.json", document(result(0), result(1, Kind="passed"))))
    assert file.error is not None
    assert all(part in file.error for part in ("result 2", "Results.openai[1].Kind", "passed"))


def test_a_bad_file_does_not_stop_the_rest(tmp_path: Path) -> None:
    write(tmp_path, "1.json", document(result(1)))
    write(tmp_path, "2.json", b"")
    write(tmp_path, "3.json", document(result(3)))
    states = [file.state for file in import_files(find_files(str(tmp_path)), ImportOptions())]
    assert states == ["stored", "rejected", "stored"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "The file is empty."),
        (b"\x7fELF\x00\x01", "binary"),
        (b"run,task", "Not a format known here: all of them are JSON objects, and this file begins with 'run,task'."),
        (b'{"hello": 1}', "Not a format known here. Choose it under Format."),
        (document(result(1))[:-40], "byte"),
        (document(result(1), FormatVersion=2), "FormatVersion"),
        (b'{"FormatVersion":1,"Results":' + b"[" * 100_000, "depth|nested|deep"),
        (document(result(1)) + document(result(2)), "byte"),
    ],
)
def test_a_file_that_is_no_document_is_refused_with_the_reason(tmp_path: Path, body: bytes, reason: str) -> None:
    file = take(write(tmp_path, "a.json", body))
    assert file.state == "rejected"
    assert file.error is not None
    assert any(word in file.error for word in reason.split("|"))


def test_a_file_that_is_missing_is_refused_with_the_reason(tmp_path: Path) -> None:
    assert take(tmp_path / "nowhere.json").error == "There is no such file; check the path."


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    file = take(write(tmp_path, "a.json", document(result(1))), limits=Limits(file_bytes=100))
    assert file.error is not None
    assert "larger than 100 bytes" in file.error


def test_no_permission_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(uploads, "stage", deny)
    file = take(write(tmp_path, "a.json", document()))
    assert file.error is not None
    assert file.error.startswith("No permission to read this file")


def test_a_full_disk_is_said_and_leaves_nothing_visible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(*_: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(bulk, "insert", overflow)
    file = take(write(tmp_path, "a.json", document(result(1))))
    assert file.error is not None
    assert (file.error.startswith("The disk is full"), Evaluation.objects.count()) == (True, 0)


def test_an_archive_is_imported_member_by_member(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        packed.writestr("1.json", document(result(1)))
        packed.writestr("2.txt", b"hello")
        packed.writestr("3.json", document(result(3)))
    report = import_file(tmp_path / "all.zip", ImportOptions())
    assert (report.totals.stored, report.totals.rejected, Job.objects.count()) == (2, 1, 1)


def test_an_archive_in_an_archive_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "inner.zip", "w") as packed:
        packed.writestr("1.json", document(result(1)))
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as packed:
        packed.write(tmp_path / "inner.zip", "inner.zip")
    file = take(tmp_path / "outer.zip")
    assert file.error == "This is an archive inside an archive. Unpack the outer one first."


def test_a_project_name_that_no_column_holds_is_refused() -> None:
    check_project("a" * 80)
    with pytest.raises(ImportRefused, match="81 characters"):
        check_project("a" * 81)


def test_a_bad_project_name_is_refused_with_a_better_one(tmp_path: Path) -> None:
    file = take(write(tmp_path, "a.json", document()), project="My Project")
    assert file.error is not None
    assert "such as 'my-project'" in file.error


def test_an_empty_document_is_an_evaluation_without_results(tmp_path: Path) -> None:
    file = take(write(tmp_path, "a.json", document()))
    assert (file.state, file.results) == ("stored", 0)


def test_no_copy_is_left_behind(tmp_path: Path) -> None:
    take(write(tmp_path, "a.json", document(result(1))))
    take(write(tmp_path, "b.json", b"nothing"))
    assert (list(uploads.uploads_folder().iterdir()), Upload.objects.count()) == ([], 0)


def queued_job(path: Path) -> Job:
    with path.open("rb") as stream:
        upload = uploads.stage(stream, path.name, Limits())
    return create_job(JobKind.IMPORT, project=find_project("default"), upload=upload, is_resumable=True)


def test_a_queued_import_reports_what_it_did(tmp_path: Path) -> None:
    job = queued_job(write(tmp_path, "a.json", document(result(1))))
    run_import(job.pk)
    job.refresh_from_db()
    assert (job.state, job.report["totals"]["results"]) == (JobState.SUCCEEDED, 1)


def test_a_queued_import_that_runs_twice_does_nothing_the_second_time(tmp_path: Path) -> None:
    job = queued_job(write(tmp_path, "a.json", document(result(1))))
    run_import(job.pk)
    run_import(job.pk)
    job.refresh_from_db()
    assert (job.starts, Evaluation.objects.count()) == (1, 1)


def test_a_cancelled_import_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK_RESULTS", 1)
    job = queued_job(write(tmp_path, "a.json", document(*(result(n) for n in range(4)))))
    monkeypatch.setattr(bulk, "insert", lambda *_: request_cancel(job.pk))
    run_import(job.pk)
    job.refresh_from_db()
    assert (job.state, Evaluation.objects.count()) == (JobState.CANCELLED, 0)


def test_a_file_that_another_job_imports_names_that_job(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", document(result(1)))
    first = take(path)
    job = create_job(JobKind.IMPORT)
    claim(job.pk)
    Evaluation.objects.filter(pk=first.evaluation or 0).update(state=EvaluationState.IMPORTING, job=job)
    again = take(path)
    assert (again.state, again.warnings[0].message) == ("unchanged", f"being imported by job {job.pk}")


def test_a_file_whose_import_died_is_imported_anew(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", document(result(1)))
    first = take(path)
    Evaluation.objects.filter(pk=first.evaluation or 0).update(state=EvaluationState.IMPORTING)
    again = take(path)
    assert (again.state, Evaluation.objects.count(), Result.objects.count()) == ("stored", 1, 1)


def test_blank_tags_say_nothing(tmp_path: Path) -> None:
    take(write(tmp_path, "a.json", document(result(1, TaskMetadata={"Tags": ["", ""]}), result(2))))
    assert [row.tags for row in result_page(visible_evaluations(), ResultFilter()).rows] == [(), ("smoke",)]


def test_a_name_beyond_all_measure_refuses_the_file(tmp_path: Path) -> None:
    file = take(write(tmp_path, "a.json", document(result(1, Task="x" * 10_001))))
    assert file.error is not None
    assert "a name has 10,001 characters, more than 10,000" in file.error


def test_a_file_name_that_is_no_text_does_not_stop_the_rest(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.json")).write_bytes(document(result(1)))
    write(tmp_path, "ok.json", document(result(2)))
    files = list(import_files(find_files(str(tmp_path)), ImportOptions()))
    assert [file.state for file in files] == ["stored", "stored"]
    assert files[0].path.endswith("caf\\udce9.json")


def test_a_database_that_cannot_write_is_said_for_each_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(intake, "find_project", fail)
    write(tmp_path, "1.json", document(result(1)))
    write(tmp_path, "2.json", document(result(2)))
    errors = [file.error or "" for file in import_files(find_files(str(tmp_path)), ImportOptions())]
    assert [error.startswith("The disk is full or failing") for error in errors] == [True, True]


def test_a_patient_import_waits_for_the_same_bytes_and_takes_over_when_they_never_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "a.json", document(result(1)))
    first = take(path)
    job = create_job(JobKind.IMPORT)
    claim(job.pk)
    Evaluation.objects.filter(pk=first.evaluation or 0).update(state=EvaluationState.IMPORTING, job=job)
    waits: list[float] = []

    def let_it_die(seconds: float) -> None:
        waits.append(seconds)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now())

    monkeypatch.setattr("results.importing.time.sleep", let_it_die)
    (again,) = import_file(path, ImportOptions(is_patient=True)).files
    assert (again.state, len(waits), Evaluation.objects.count()) == ("stored", 1, 1)

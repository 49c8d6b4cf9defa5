"""The list of jobs and the page of one: progress, report, cancel, undo."""

import json
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from evaluator import jobs
from results import uploads
from results.intake import ImportOptions, import_file, run_import
from results.jobs import claim, create_job, renew, say
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobKind, JobState
from results.models.projects import Project
from results.models.sprints import Iteration, Sprint
from results.store.removals import run_removal
from tests.documents import document, result, write
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db

LIST_QUERIES = 6  # jobs for the top bar; the visible set; number of lines; the lines; jobs; names of evaluations
BATCHES_QUERIES = 5  # the same, with the batches instead of jobs and names
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "agent_bober"


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the jobs that were sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(jobs.run_import, "delay", ids.append)
    monkeypatch.setattr(jobs.remove_evaluations, "delay", ids.append)
    return ids


def page_text(client: Client, address: str, **headers: str) -> str:
    """A page that answers 200, with non-breaking spaces as plain ones."""
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ").replace("&nbsp;", " ")


def an_import(*files: tuple[str, bytes], batch: str = "") -> list[Job]:
    """Upload files and do their jobs."""
    data = {"project": "default", "files": [SimpleUploadedFile(*file) for file in files], "batch": batch}
    Client().post("/import/", data)
    for job in Job.objects.filter(state=JobState.QUEUED):
        run_import(job.pk)
    return list(Job.objects.order_by("pk"))


def running_job(**changes: object) -> Job:
    """An import that a process is at."""
    project, _ = Project.objects.get_or_create(slug="default")
    job = create_job(JobKind.IMPORT, project=project, title="big.json", total=200_000_000)
    claim(job.pk)
    Job.objects.filter(pk=job.pk).update(**changes)
    return job


def test_a_running_import_says_how_far_it_is(client: Client) -> None:
    started = timezone.now() - timedelta(seconds=10)
    job = running_job(started_at=started, done=50_000_000, report={"results": 30_000})
    text = page_text(client, f"/jobs/{job.pk}/")
    assert "<strong>25 %</strong>" in text
    assert "50.0 MB of 200.0 MB · 30,000 results" in text
    assert re.search(r"about 3[01]\.0 s left", text)  # a slow machine may take a moment longer


def test_a_running_job_asks_again_and_an_ended_one_does_not(client: Client, tmp_path: Path) -> None:
    job = running_job()
    assert 'hx-trigger="every 1s"' in page_text(client, f"/jobs/{job.pk}/")
    Job.objects.update(state=JobState.CANCELLED)
    assert "hx-trigger" not in page_text(client, f"/jobs/{job.pk}/")


def test_without_script_the_page_of_a_running_job_loads_again_by_itself(client: Client) -> None:
    job = running_job()
    again = '<noscript><meta http-equiv="refresh" content="3"></noscript>'
    assert [again in page_text(client, address) for address in (f"/jobs/{job.pk}/", "/jobs/")] == [True, True]
    Job.objects.update(state=JobState.CANCELLED)
    assert [again in page_text(client, address) for address in (f"/jobs/{job.pk}/", "/jobs/")] == [False, False]


def test_iterations_are_called_iterations_and_results_results(client: Client) -> None:
    an_import(("a.json", document(*map(result, range(10)))))
    an_import(("engine.json", (FIXTURES / "engine.json").read_bytes()))
    text = page_text(client, "/jobs/")
    assert '<td class="num">10 results</td>' in text
    assert '<td class="num">1 iteration</td>' in text


def test_a_long_path_starts_with_the_name_of_the_file(client: Client) -> None:
    running_job(title="/srv/runs/a/results.json")
    text = page_text(client, "/jobs/")
    assert (
        '">results.json</a><div class="sub" title="/srv/runs/a/">in <span class="mono">/srv/runs/a/</span></div>'
        in text
    )


def test_the_part_that_asks_again_is_no_page(client: Client) -> None:
    text = page_text(client, f"/jobs/{running_job().pk}/", **{"HX-Request": "true"})
    assert "<html" not in text
    assert 'id="job-live"' in text


def test_the_top_bar_counts_unfinished_jobs(client: Client) -> None:
    assert "jobs-link" not in page_text(client, "/evaluations/")
    running_job()
    assert "<span data-jobs-count>1 job</span>" in page_text(client, "/evaluations/")


def test_a_job_that_nobody_takes_says_how_to_start_a_worker(client: Client) -> None:
    job = create_job(JobKind.IMPORT)
    assert "No worker" not in page_text(client, f"/jobs/{job.pk}/")
    Job.objects.update(created_at=timezone.now() - timedelta(seconds=10))
    assert "celery -A evaluator worker" in page_text(client, f"/jobs/{job.pk}/")


def test_a_job_behind_another_one_only_waits(client: Client) -> None:
    running_job()
    job = create_job(JobKind.IMPORT)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(seconds=10))
    assert "No worker" not in page_text(client, f"/jobs/{job.pk}/")


def test_a_stored_file_leads_to_its_evaluation(client: Client) -> None:
    (job,) = an_import(("a.json", document(result())))
    text = page_text(client, f"/jobs/{job.pk}/")
    assert "Stored" in text
    assert f'<a href="/evaluations/{Evaluation.objects.get().pk}/">a</a>' in text


def test_the_same_bytes_again_say_where_they_are(client: Client) -> None:
    an_import(("a.json", document(result())))
    text = page_text(client, f"/jobs/{an_import(('b.json', document(result())))[1].pk}/")
    assert "Unchanged" in text
    assert "same bytes as <a" in text


def test_a_rejected_file_says_why(client: Client) -> None:
    (job,) = an_import(("<b>.json", b'{"FormatVersion": 1, "Results": {'))
    text = page_text(client, f"/jobs/{job.pk}/")
    assert "Rejected" in text
    assert "&lt;b&gt;.json" in text
    assert Job.objects.get().report["files"][0]["error"].partition("'")[0] in text


def test_warnings_of_one_kind_are_one_line(client: Client) -> None:
    (job,) = an_import(("a.json", document(*(result(number, Kind="Error", TraceID="x") for number in range(3)))))
    report = Job.objects.get().report
    report["files"][0]["warnings"] = [{"path": f"Results.openai[{n}].Want", "message": "ambiguous"} for n in range(3)]
    Job.objects.update(report=report)
    text = page_text(client, f"/jobs/{job.pk}/")
    assert "Results.openai[*].Want" in text
    assert '<td class="num">3</td>' in text


def test_the_log_says_what_became_of_each_file(client: Client) -> None:
    (job,) = an_import(("a.json", document(result())))
    assert "a.json: 1 result stored" in page_text(client, f"/jobs/{job.pk}/")


def test_a_log_line_from_a_file_name_is_text(client: Client) -> None:
    job = running_job()
    say(job.pk, "<script>.json: rejected", "error")
    assert "&lt;script&gt;.json: rejected" in page_text(client, f"/jobs/{job.pk}/")


def test_the_report_can_be_downloaded(client: Client) -> None:
    (job,) = an_import(("a.json", document(result())))
    response = client.get(f"/jobs/{job.pk}/report.json")
    assert json.loads(response.content)["totals"]["stored"] == 1
    assert "attachment" in response.headers["Content-Disposition"]


@pytest.mark.parametrize("address", ["/jobs/1/", "/jobs/1/report.json", "/jobs/99999999999999999999/"])
def test_a_job_that_does_not_exist_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_waiting_job_is_cancelled_at_once(client: Client) -> None:
    job = create_job(JobKind.IMPORT)
    response = client.post("/jobs/cancel/", {"job": job.pk})
    assert response.headers["Location"] == f"/jobs/{job.pk}/"
    assert Job.objects.get().state == JobState.CANCELLED


def test_a_running_job_is_asked_to_stop(client: Client) -> None:
    job = running_job()
    client.post("/jobs/cancel/", {"job": job.pk})
    assert "Stopping" in page_text(client, f"/jobs/{job.pk}/")
    assert Job.objects.get().is_cancel_requested


def test_a_batch_is_cancelled_as_a_whole(client: Client) -> None:
    for _ in range(2):
        create_job(JobKind.IMPORT, arguments={"batch": "b1"})
    other = create_job(JobKind.IMPORT)
    client.post("/jobs/cancel/", {"batch": "b1"})
    assert list(Job.objects.filter(state=JobState.QUEUED)) == [other]


def test_an_undo_names_what_goes(client: Client) -> None:
    (job,) = an_import(("a.json", document(result(0), result(1))))
    text = page_text(client, f"/jobs/undo/?job={job.pk}")
    assert "It stored 1 evaluation and 2 results." in text
    assert "Delete 2 results" in text


def test_an_undo_takes_the_evaluation_out_of_sight_and_a_job_removes_it(client: Client, sent: list[int]) -> None:
    (job,) = an_import(("a.json", document(result())))
    response = client.post("/jobs/undo/", {"job": job.pk})
    assert response.headers["Location"] == f"/jobs/{job.pk}/"
    assert Evaluation.objects.get().state == EvaluationState.DELETING
    removal = Job.objects.get(kind=JobKind.DELETE)
    assert sent[-1] == removal.pk
    run_removal(removal.pk)
    assert not Evaluation.objects.exists()
    assert Job.objects.get(kind=JobKind.DELETE).state == JobState.SUCCEEDED


def test_an_undo_says_that_what_was_replaced_comes_back(client: Client) -> None:
    body = (FIXTURES / "contract.json").read_bytes()
    an_import(("contract.json", body))
    *_, job = an_import(("contract.json", body.replace(b"Build the kiln", b"Build two kilns")))
    text = page_text(client, f"/jobs/undo/?job={job.pk}")
    assert "Delete 1 contract" in text
    assert "that one counts again" in text
    client.post("/jobs/undo/", {"job": job.pk})
    assert [sprint.title for sprint in Sprint.objects.all()] == ["Build the kiln"]


def test_after_an_undo_there_is_nothing_to_undo(client: Client) -> None:
    (job,) = an_import(("a.json", document(result())))
    client.post("/jobs/undo/", {"job": job.pk})
    text = page_text(client, f"/jobs/{job.pk}/")
    assert 'id="job-undo"' not in text
    assert "deleted since" in text
    assert "Nothing of this import is left" in page_text(client, f"/jobs/undo/?job={job.pk}")


def test_an_import_that_was_undone_says_when_and_by_which_job(client: Client) -> None:
    (job,) = an_import(("a.json", document(result())))
    client.post("/jobs/undo/", {"job": job.pk})
    removal = Job.objects.get(kind=JobKind.DELETE)
    text = page_text(client, f"/jobs/{job.pk}/")
    assert re.search(r"<strong>Undone <time [^>]*>[^<]*</time>\.</strong>", text)
    assert f'<a href="/jobs/{removal.pk}/">The undo</a>' in text
    assert "Stored, then undone" in text
    assert 'data-outcome="skipped">Undone<' in page_text(client, "/jobs/")


def test_a_batch_that_was_undone_says_so(client: Client) -> None:
    jobs_of_batch = an_import(("a.json", document(result(0))), ("b.json", document(result(1))), batch="b1" * 8)
    client.post("/jobs/undo/", {"batch": "b1" * 8})
    assert "<strong>2 imports of 2 were undone</strong>" in page_text(client, f"/jobs/?batch={'b1' * 8}")
    assert len(jobs_of_batch) == 2


@pytest.mark.parametrize("path", ["/", "/jobs/", "/evaluations/"])
def test_the_page_after_an_undo_says_it_once(client: Client, path: str) -> None:
    (job,) = an_import(("a.json", document(result())))
    client.post("/jobs/undo/", {"job": job.pk})
    assert "The import was undone." in page_text(client, path)
    assert "The import was undone." not in page_text(client, path)


def test_a_toast_that_we_did_not_write_is_not_shown(client: Client) -> None:
    client.cookies["toast"] = "eyJ0ZXh0IjogImV2aWwifQ:1:x"
    assert "evil" not in page_text(client, "/jobs/")


def test_the_number_of_jobs_is_told_for_the_top_bar(client: Client) -> None:
    assert page_text(client, "/jobs/count.txt") == ""
    create_job(JobKind.IMPORT)
    assert page_text(client, "/jobs/count.txt") == "1 job"


def test_what_was_not_read_has_a_dash_and_no_zeros(client: Client) -> None:
    an_import(("bad.json", b"[]"))
    row = page_text(client, "/jobs/").partition("<tbody>")[2].partition("</tbody>")[0]
    assert "0 results" not in row
    assert row.count('<span class="faint">—</span>') == 2


def test_a_deletion_has_no_size(client: Client) -> None:
    create_job(JobKind.DELETE, title="Delete 5 evaluations", total=5)
    row = page_text(client, "/jobs/").partition("<tbody>")[2].partition("</tbody>")[0]
    assert re.search(r'<td class="wrap">\s*5 evaluations\s*</td>', row)
    assert row.count('<span class="faint">—</span>') == 3


def test_an_undo_leaves_what_was_there_before(client: Client) -> None:
    first, _ = an_import(("a.json", document(result(0)))) + an_import(("b.json", document(result(1))))[1:]
    client.post("/jobs/undo/", {"job": first.pk})
    assert [row.name for row in Evaluation.objects.filter(state=EvaluationState.READY)] == ["b"]


def test_an_undo_takes_iterations_and_their_sprint_away(client: Client) -> None:
    (job,) = an_import(("eval-results/engine.json", (FIXTURES / "engine.json").read_bytes()))
    assert Iteration.objects.exists()
    assert "Delete 1 iteration" in page_text(client, f"/jobs/undo/?job={job.pk}")
    client.post("/jobs/undo/", {"job": job.pk})
    assert not Iteration.objects.exists()
    assert not Sprint.objects.exists()


def test_a_batch_shows_its_files_and_how_many_were_rejected(client: Client) -> None:
    batch = "0123456789abcdef"
    an_import(("a.json", document(result())), ("b.json", b""), batch=batch)
    text = page_text(client, f"/jobs/?batch={batch}")
    assert "Import of 2 files" in text
    assert "1 file was rejected" in text
    assert text.index("a.json") < text.index("b.json")


def test_a_batch_that_runs_adds_its_files_up(client: Client) -> None:
    running_job(batch="b1", done=50_000_000)
    create_job(JobKind.IMPORT, arguments={"batch": "b1"}, total=50_000_000)
    assert "<strong>20 %</strong>" in page_text(client, "/jobs/?batch=b1")


def test_a_batch_is_one_line_of_the_list(client: Client) -> None:
    an_import(("runs/a.json", document(result())), ("runs/b.json", b""), batch="0123456789abcdef")
    text = page_text(client, "/jobs/")
    assert (
        '<a class="mono file-name" href="/jobs/?batch=0123456789abcdef" title="Import of 2 files">2 files</a>' in text
    )
    assert "1 stored, 0 unchanged, 1 rejected" in text
    assert '<td class="num">1 result</td>' in text
    assert "b.json" not in text


def test_the_files_of_one_call_on_the_command_line_are_one_line(client: Client, tmp_path: Path) -> None:
    first = write(tmp_path, "a.json", document(result(0), result(1)))
    again = write(tmp_path, "b.json", document(result(0), result(1)))
    with pytest.raises(SystemExit):
        call_command("import_results", str(first), str(again), str(tmp_path / "nowhere.json"), stdout=StringIO())
    text = page_text(client, "/jobs/")
    assert ">3 files</a>" in text
    assert f'<div class="sub" title="{tmp_path}/">in <span class="mono">{tmp_path}/</span></div>' in text
    assert "1 stored, 1 unchanged, 1 rejected" in text
    assert '<td class="num">2 results</td>' in text


def test_a_batch_leads_to_its_files(client: Client, tmp_path: Path) -> None:
    paths = [write(tmp_path, f"{number}.json", document(result(number))) for number in range(2)]
    call_command("import_results", *map(str, paths), stdout=StringIO())
    text = page_text(client, f"/jobs/?batch={Job.objects.latest('pk').batch}")
    assert "Import of 2 files" in text
    assert "0.json" in text
    assert "1.json" in text


def test_a_call_with_one_file_is_the_line_of_that_file(client: Client, tmp_path: Path) -> None:
    call_command("import_results", str(write(tmp_path, "a.json", document(result()))), stdout=StringIO())
    text = page_text(client, "/jobs/")
    assert f'href="/jobs/{Job.objects.get().pk}/"' in text
    assert "?batch=" not in text


def test_a_batch_that_runs_says_what_it_waits_for(client: Client) -> None:
    running_job(batch="b1", report={"results": 7})
    create_job(JobKind.IMPORT, arguments={"batch": "b1"})
    text = page_text(client, "/jobs/")
    assert "0 stored, 0 unchanged, 0 rejected, 1 reading, 1 waiting" in text
    assert '<td class="num">7 results</td>' in text


def test_an_undo_of_a_batch_takes_all_of_it(client: Client) -> None:
    batch = "0123456789abcdef"
    an_import(("a.json", document(result(0))), ("b.json", document(result(1))), batch=batch)
    assert "Undo" in page_text(client, f"/jobs/?batch={batch}")
    client.post("/jobs/undo/", {"batch": batch})
    assert not Evaluation.objects.filter(state=EvaluationState.READY).exists()


def test_a_batch_that_does_not_exist_shows_every_job(client: Client) -> None:
    an_import(("a.json", document(result())))
    assert "a.json" in page_text(client, "/jobs/?batch=nothing")


@pytest.mark.parametrize("address", ["/jobs/", "/jobs/?batch=b1", "/jobs/{id}/"])
def test_a_full_disk_is_said_where_something_waits_for_it(
    client: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "LEAST_ROOM_BYTES", 2**70)
    job = running_job(batch="b1")
    assert "The disk of the server is full." in page_text(client, address.format(id=job.pk))
    Job.objects.update(state=JobState.CANCELLED)
    assert "The disk of the server is full." not in page_text(client, address.format(id=job.pk))


def test_a_list_of_batches_asks_few_questions(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for batch in ("0123456789abcdef", "0123456789abcde0"):
        an_import(*((f"{batch}{n}.json", document(result(n, Task=batch))) for n in range(3)), batch=batch)
    with django_assert_num_queries(BATCHES_QUERIES):
        client.get("/jobs/")


def test_an_import_on_the_command_line_is_listed_too(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, name="by-hand.json")
    assert "by-hand.json" in page_text(client, "/jobs/")


def test_an_archive_tells_about_each_member(client: Client, tmp_path: Path) -> None:
    import_file(write(tmp_path, "a.json", document(result())), ImportOptions())
    job = Job.objects.get()
    job.report["files"] = [
        {"path": f"{job.title}/in/{n}.json", "state": "rejected", "error": "no", "results": 0} for n in range(2)
    ]
    job.report["totals"].update(files=2, stored=0, rejected=2)
    job.save()
    assert '<span class="mono file-name" title="in/0.json">in/0.json</span>' in page_text(client, f"/jobs/{job.pk}/")


def test_the_list_asks_few_questions(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(3):
        an_import((f"{number}.json", document(result(number))))
    with django_assert_num_queries(LIST_QUERIES):
        client.get("/jobs/")


def test_progress_is_no_more_than_the_lease(client: Client) -> None:
    job = running_job()
    lease = claim(create_job(JobKind.IMPORT).pk)
    assert lease is not None
    renew(lease, done=5, report={"results": 7})
    assert Job.objects.get(pk=lease.job_id).report == {"results": 7}
    assert Job.objects.get(pk=job.pk).report == {}


@pytest.mark.parametrize(("seconds", "is_told"), [(15, True), (45, False)])
def test_a_job_that_is_silent_says_since_when(client: Client, seconds: int, is_told: bool) -> None:
    until = timezone.now() + timedelta(seconds=seconds)  # a lease is for a minute
    batch = [running_job(lease_until=lease, batch="b").pk for lease in (until, until + timedelta(seconds=10))]
    alone = running_job(lease_until=until).pk
    last = f"no sign of life since {until - timedelta(seconds=60):%-d %b %Y, %H:%M:%S} UTC"
    for address in ("/jobs/", f"/jobs/{alone}/", f"/jobs/{batch[0]}/", "/jobs/?batch=b"):
        assert (last in re.sub("<[^>]*>", "", page_text(client, address))) is is_told, address

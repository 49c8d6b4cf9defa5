"""The import page: what its form takes, what it refuses, and the jobs that it queues."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from evaluator import jobs
from results.intake import run_import
from results.models.evaluations import Evaluation
from results.models.jobs import Job, JobState, Upload
from results.models.projects import Project
from tests.documents import document, result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the jobs that were sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(jobs.run_import, "delay", ids.append)
    monkeypatch.setattr(jobs.remove_evaluations, "delay", ids.append)
    return ids


def a_file(number: int = 0, name: str = "results.json") -> SimpleUploadedFile:
    """A document with one result."""
    return SimpleUploadedFile(name, document(result(number)))


def post(client: Client, *files: SimpleUploadedFile, is_part: bool = False, **fields: object) -> HttpResponse:
    """Send the form."""
    headers = {"HX-Request": "true"} if is_part else {}
    data = {"project": "default", "files": list(files), **fields}
    return client.post("/import/", data, headers=headers)  # type: ignore[return-value]


def staged(var_dir: Path) -> list[Path]:
    """The private copies that lie in the state folder."""
    return list((var_dir / "uploads").iterdir())


def test_a_file_becomes_a_job_that_imports_it(client: Client, sent: list[int]) -> None:
    response = post(client, a_file())
    job = Job.objects.get()
    assert response.headers["Location"] == f"/jobs/{job.pk}/"
    assert sent == [job.pk]
    run_import(job.pk)
    assert Evaluation.objects.get().results == 1


def test_the_copy_is_hashed_on_the_way(client: Client, var_dir: Path) -> None:
    post(client, SimpleUploadedFile("a.json", b"abc"))
    upload = Upload.objects.get()
    assert upload.digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert (var_dir / "uploads" / upload.stored_name).read_bytes() == b"abc"


def test_a_job_can_be_sent_again_when_its_worker_died(client: Client) -> None:
    post(client, a_file())
    assert Job.objects.get().is_resumable


def test_several_files_are_jobs_of_one_batch(client: Client, sent: list[int]) -> None:
    response = post(client, a_file(0, "a.json"), a_file(1, "b.json"), batch="0123456789abcdef")
    assert response.headers["Location"] == "/jobs/?batch=0123456789abcdef"
    assert len(sent) == 2


def test_a_token_of_somebody_else_is_not_taken(client: Client) -> None:
    post(client, a_file(), batch="<script>")
    assert len(Job.objects.get().batch) == 16


def test_a_file_of_a_folder_keeps_its_path(client: Client) -> None:
    post(client, a_file(), name="run 1/weekly/results.json")
    assert Job.objects.get().title == "run 1/weekly/results.json"


def test_a_new_project_is_made(client: Client) -> None:
    post(client, a_file(), project="", new_project="frontier-models")
    job = Job.objects.get()
    assert job.project is not None
    assert job.project.slug == "frontier-models"


def test_a_bad_project_is_refused_with_a_better_name(client: Client, var_dir: Path) -> None:
    response = post(client, a_file(), project="", new_project="My Project")
    assert response.status_code == 422
    assert "my-project" in response.content.decode()
    assert staged(var_dir) == []


def test_a_wrong_name_of_a_project_stands_at_its_field(client: Client) -> None:
    text = post(client, a_file(), project="", new_project="My Project").content.decode()
    field = text.partition("data-new-project")[2].partition("</div>")[0]
    assert 'aria-invalid="true"' in field
    assert "my-project" in field
    assert text.count("my-project") == 1


def test_a_project_is_checked_alone_and_not_made(client: Client) -> None:
    wrong = post(client, is_part=True, project="", new_project="My Project", check="project")
    right = post(client, is_part=True, project="", new_project="my-project", check="project")
    assert (wrong.status_code, right.status_code) == (422, 200)
    assert "aria-invalid" in wrong.content.decode()
    assert "aria-invalid" not in right.content.decode()
    assert not Project.objects.filter(slug="my-project").exists()


def test_the_project_of_the_last_import_is_chosen_beforehand(client: Client) -> None:
    post(client, a_file(), project="", new_project="nightly")
    Project.objects.create(slug="another", name="another")
    assert '<option value="nightly" selected>' in client.get("/import/").content.decode()


def test_a_message_takes_the_first_file_of_its_batch_that_waits(client: Client, sent: list[int]) -> None:
    post(client, a_file(0, "a.json"), a_file(1, "b.json"), batch="0123456789abcdef")
    first, second = sent
    jobs.run_import(second)
    assert [Job.objects.get(pk=pk).state for pk in (first, second)] == [JobState.SUCCEEDED, JobState.QUEUED]
    jobs.run_import(first)
    assert Job.objects.get(pk=second).state == JobState.SUCCEEDED


def test_a_format_can_be_named(client: Client) -> None:
    post(client, a_file(), format="mindtrial")
    assert Job.objects.get().arguments["format"] == "mindtrial"


def test_an_unknown_format_is_refused(client: Client) -> None:
    assert "There is no format" in post(client, a_file(), format="nonsense").content.decode()


def test_a_form_without_a_file_says_so(client: Client) -> None:
    response = post(client)
    assert response.status_code == 422
    assert "No file was chosen" in response.content.decode()
    assert "<html" in response.content.decode()


def test_a_script_gets_only_the_part_with_the_problems(client: Client) -> None:
    response = post(client, is_part=True)
    assert response.status_code == 422
    assert "No file was chosen" in response.content.decode()
    assert "<html" not in response.content.decode()


def test_a_script_is_told_where_the_job_is(client: Client) -> None:
    response = post(client, a_file(), is_part=True)
    assert (response.status_code, response.headers["HX-Redirect"]) == (204, f"/jobs/{Job.objects.get().pk}/")


def test_a_file_that_is_too_large_is_refused_and_the_others_go_on(
    client: Client, settings: Settings, var_dir: Path
) -> None:
    small, large = a_file(), SimpleUploadedFile("large.json", b" " * 5000)
    settings.MAX_UPLOAD_BYTES = 4000
    response = post(client, large, small)
    text = response.content.decode()
    assert response.status_code == 422
    assert "large.json: the file is larger than 4,000 bytes" in text
    assert [job.title for job in Job.objects.all()] == ["results.json"]
    assert len(staged(var_dir)) == 1


def test_too_many_files_are_refused_before_any_is_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch, var_dir: Path
) -> None:
    monkeypatch.setattr("frontend.contexts.imports.MOST_FILES", 1)
    response = post(client, a_file(0), a_file(1))
    assert "2 files are too many" in response.content.decode().replace("\N{NO-BREAK SPACE}", " ")
    assert not Job.objects.exists()
    assert staged(var_dir) == []


def test_a_form_without_its_token_leaves_nothing_behind(var_dir: Path) -> None:
    response = post(Client(enforce_csrf_checks=True), a_file())
    assert response.status_code == 403
    assert staged(var_dir) == []


def test_paths_of_the_server_are_hidden_unless_a_folder_is_allowed(client: Client) -> None:
    assert "Path on the server" not in client.get("/import/").content.decode()
    assert "switched off" in post(client, path="/etc").content.decode()


def test_a_folder_of_the_server_is_one_job(client: Client, tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "allowed"
    folder.mkdir()
    for number in range(2):
        (folder / f"{number}.json").write_bytes(document(result(number)))
    settings.IMPORT_ROOTS = [str(folder)]
    post(client, path=str(folder))
    run_import(Job.objects.get().pk)
    job = Job.objects.get()
    assert job.state == JobState.SUCCEEDED
    assert job.report["totals"]["stored"] == 2
    assert job.done <= (job.total or 0)
    assert job.total == sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.parametrize("path", ["relative", "{root}/../secret.json", "{root}/link.json", "/etc/passwd"])
def test_a_path_outside_the_allowed_folders_is_refused(
    client: Client, tmp_path: Path, settings: Settings, path: str
) -> None:
    root = tmp_path / "allowed"
    root.mkdir()
    (tmp_path / "secret.json").write_bytes(document(result()))
    (root / "link.json").symlink_to(tmp_path / "secret.json")
    settings.IMPORT_ROOTS = [str(root)]
    response = post(client, path=path.format(root=root))
    assert response.status_code == 422
    assert str(root) in response.content.decode()
    assert not Job.objects.exists()


def test_a_link_in_a_folder_leads_nowhere_else(client: Client, tmp_path: Path, settings: Settings) -> None:
    root = tmp_path / "allowed"
    root.mkdir()
    (tmp_path / "secret.json").write_bytes(document(result()))
    (root / "link.json").symlink_to(tmp_path / "secret.json")
    settings.IMPORT_ROOTS = [str(root)]
    post(client, path=str(root))
    run_import(Job.objects.get().pk)
    assert "is not below a folder" in Job.objects.get().report["files"][0]["error"]
    assert not Evaluation.objects.exists()


def test_a_path_that_does_not_exist_is_refused(client: Client, tmp_path: Path, settings: Settings) -> None:
    settings.IMPORT_ROOTS = [str(tmp_path)]
    assert "there is no" in post(client, path=str(tmp_path / "gone")).content.decode()

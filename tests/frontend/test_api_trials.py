"""Live trials over the API: begun, listed, read, cancelled, resumed, run again in part."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from evaluator import jobs
from results.models.trials import Trial
from results.queries.trials import trial_progress
from tests.evaluator.live_trials import CONFIG, KEY, TASKS
from tests.frontend.trial_forms import work
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the jobs that were sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(jobs.run_trial, "delay", ids.append)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-from-the-environment")
    return ids


def posted(path: str, status: int, **fields: Any) -> Any:
    response = Client().post(f"/api/v1/trials{path}", json.dumps(fields), content_type="application/json")
    assert response.status_code == status, response.content
    return json.loads(response.content)


def begun(**fields: Any) -> Any:
    return posted("", 202, config=CONFIG, tasks=TASKS, **fields)


def fetched(path: str) -> Any:
    response = Client().get(f"/api/v1/trials{path}")
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def test_a_trial_is_begun_sent_and_done(sent: list[int]) -> None:
    answer = begun(project="web", name="nightly", runs=["quick"], task_names=["sum", "l*"])
    assert (answer["project"], answer["name"], answer["state"], answer["total"]) == ("web", "nightly", "running", 4)
    assert sent == answer["jobs"]
    work()
    done = fetched(f"/{answer['id']}")
    assert (done["state"], done["done"], done["passed"], done["not_run"]) == ("ready", 4, 4, 0)
    assert [(run["provider"], run["run"], run["total"]) for run in done["runs"]] == [("openai", "quick", 2)] * 2
    (listed,) = fetched("")["items"]
    assert (listed["id"], listed["state"], listed["passed"]) == (answer["id"], "ready", 4)


def test_a_key_in_the_file_is_taken_out_before_anything_is_written() -> None:
    answer = begun()
    assert KEY not in json.dumps(answer)
    assert KEY not in Trial.objects.get(pk=answer["id"]).config_text


@pytest.mark.parametrize(
    ("fields", "code", "place"),
    [
        ({"config": "config: [", "tasks": TASKS}, "invalid_files", "body"),
        ({"config": CONFIG, "tasks": TASKS, "runs": ["nothing"]}, "invalid", "body"),
        ({"config": CONFIG, "tasks": TASKS, "folder": "/etc"}, "invalid", "body.folder"),
        ({"config": CONFIG, "tasks": TASKS, "project": "no such/name"}, "refused", "body"),
        ({"config": CONFIG}, "invalid", "body.tasks"),
        ({"config": CONFIG, "tasks": TASKS, "parallel": 0}, "invalid", "body.parallel"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_kept(fields: dict[str, Any], code: str, place: str) -> None:
    error = posted("", 422, **fields)["error"]
    assert (error["code"], error["path"], Trial.objects.count()) == (code, place, 0)


def test_without_a_folder_tasks_cannot_read_files_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    task = f"""\
task-config:
  tasks:
    - name: look
      prompt: x
      response-result-format: x
      expected-result: x
      files: [{{name: secret, uri: {tmp_path / "secret.txt"}}}]
"""
    assert posted("", 422, config=CONFIG, tasks=task)["error"]["code"] == "invalid_files"


def test_a_trial_is_cancelled_once_and_goes_on() -> None:
    trial_id = begun(keep_keys=True)["id"]
    assert posted(f"/{trial_id}/cancel", 202)["state"] == "cancelled"
    assert posted(f"/{trial_id}/cancel", 409)["error"]["code"] == "ended"
    assert posted(f"/{trial_id}/resume", 202)["state"] == "running"
    assert posted(f"/{trial_id}/resume", 409)["error"]["code"] == "refused"


def test_a_resume_brings_the_keys_that_were_forgotten() -> None:
    trial_id = begun()["id"]
    posted(f"/{trial_id}/cancel", 202)
    names = fetched(f"/{trial_id}")["keys_asked"]
    assert posted(f"/{trial_id}/resume", 422)["error"]["code"] == "invalid_files"
    assert posted(f"/{trial_id}/resume", 202, keys=dict.fromkeys(names, "sk-again-and-again"))["state"] == "running"


def test_failed_results_are_made_again_in_a_trial_of_their_own() -> None:
    trial_id = begun(runs=["slow"], keep_keys=True)["id"]
    work()  # of three answers one is wrong
    again = posted(f"/{trial_id}/rerun", 202, kind="not-passed")
    assert (again["rerun_of"], again["total"]) == (trial_id, 1)
    assert posted(f"/{trial_id}/rerun", 409, kind="errors")["error"]["code"] == "refused"
    assert posted(f"/{trial_id}/rerun", 422, kind="everything")["error"]["path"] == "body.kind"


def test_an_imported_evaluation_is_no_trial(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0))
    assert trial_progress(evaluation) is None
    assert Client().get(f"/api/v1/trials/{evaluation}").status_code == 404


def test_a_body_that_is_too_large_is_refused_as_such() -> None:
    error = posted("", 413, config="x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0), tasks=TASKS)["error"]
    assert (error["code"], error["path"]) == ("too_large", "body")

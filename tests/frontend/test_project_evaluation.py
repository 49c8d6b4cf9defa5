"""*Evaluate a project*: choosing a folder, what was found, and the job's page while strategies finish."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from evaluator import jobs
from evaluator.strategy_jobs import run_strategy_job
from results.jobs import claim, create_job, renew
from results.models.jobs import Job, JobKind, JobState
from results.models.sprints import Iteration
from results.queries.strategy_jobs import StrategyProgress, StrategyState
from tests.evaluator.strategies.projects import write
from tests.fixtures.agent_bober.documents import fixture_bytes

pytestmark = pytest.mark.django_db
ADDRESS = "/sprints/evaluate/"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the jobs that were sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(jobs.run_strategies, "delay", ids.append)
    return ids


@pytest.fixture
def kiln(tmp_path: Path, settings: LazySettings) -> Path:
    """A project below an allowed folder, with a contract, without a configuration."""
    settings.PROJECT_ROOTS = [str(tmp_path / "projects")]
    folder = tmp_path / "projects" / "kiln"
    write(folder, {"package.json": json.dumps({"scripts": {"build": "make bricks"}})})
    write(folder, {".bober/contracts/one.json": fixture_bytes("contract.json").decode()})
    return folder


def text_of(client: Client, address: str, **params: str) -> str:
    response = client.get(address, params)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def test_without_an_allowed_folder_it_says_how_to_allow_one(client: Client) -> None:
    text = text_of(client, ADDRESS)
    assert "EVALBOARD_PROJECT_ROOTS=/path/to/projects" in text
    assert "<form" not in text.partition("<main")[2]


def test_folders_below_the_allowed_one_can_be_opened(client: Client, kiln: Path) -> None:
    text = text_of(client, ADDRESS)
    assert f"?folder={str(kiln).replace('/', '%2F')}" in text


def test_it_tells_what_was_found_and_why(client: Client, kiln: Path) -> None:
    text = text_of(client, ADDRESS, folder=str(kiln))
    assert "npm run build" in text
    assert "package.json has the script &#x27;build&#x27;: make bricks" in text
    assert "the project looks like brownfield: package.json is there" in text
    assert '<option value="one.json">one.json</option>' in text


@pytest.mark.parametrize("folder", ["/", "/etc", "../..", "no\0thing"])
def test_no_other_folder_can_be_looked_into(client: Client, kiln: Path, folder: str) -> None:
    text = text_of(client, ADDRESS, folder=folder)
    assert 'data-kind="error"' in text
    assert "Strategies that would run" not in text


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"folder": "/etc"}, "not below a folder"),
        ({"contract": "../../../secret.json"}, "no contract of this project"),
        ({"iteration": "0"}, "no whole number from 1"),
        ({"project": "My Project"}, "cannot name a project"),
    ],
)
def test_a_form_that_is_wrong_queues_nothing_and_says_why(
    client: Client, kiln: Path, sent: list[int], changes: dict[str, str], problem: str
) -> None:
    response = client.post(ADDRESS, {"folder": str(kiln), "project": "default"} | changes)
    assert (response.status_code, sent, Job.objects.count()) == (422, [], 0)
    assert problem in response.content.decode()


def test_a_form_queues_a_job_whose_page_leads_to_the_iteration(client: Client, kiln: Path, sent: list[int]) -> None:
    write(
        kiln,
        {
            "bober.config.json": '{"project": {"mode": "brownfield"}, "commands": {"build": "echo bricks laid"},'
            ' "evaluator": {"strategies": [{"type": "build", "required": true}]}}'
        },
    )
    form = {"folder": str(kiln), "contract": "one.json", "iteration": "3", "project": "kilns"}
    response = client.post(ADDRESS, form)
    job = Job.objects.get(kind=JobKind.STRATEGIES)
    assert (response["Location"], sent) == (f"/jobs/{job.pk}/", [job.pk])
    run_strategy_job(job.pk)
    iteration = Iteration.objects.get()
    text = text_of(client, f"/jobs/{job.pk}/")
    assert (iteration.iteration, iteration.sprint.contract_id) == (3, "sprint-kiln-1")
    assert f'href="/iterations/{iteration.pk}/">Open the iteration' in text
    assert "bricks laid" in text
    assert "hx-trigger" not in text
    assert "iteration 3" in text_of(client, "/jobs/")


def test_a_running_job_shows_what_ended_what_runs_and_what_is_printed(client: Client) -> None:
    job = create_job(JobKind.STRATEGIES, title="kiln")
    lease = claim(job.pk)
    assert lease is not None
    progress = StrategyProgress(
        contract_id="kiln",
        iteration=1,
        ended=[StrategyState(name="build", is_required=True, state="error", reason="timed out", duration_ns=10**9)],
        running="lint",
        waiting=["unit-test"],
        output="<b>checking</b>",
    )
    renew(lease, done=1, total=3, report={"strategies": msgspec.to_builtins(progress)})
    text = text_of(client, f"/jobs/{job.pk}/")
    assert "1 of 3 strategies" in text
    assert '<span class="outcome" data-outcome="error">Error</span>' in text
    assert "timed out" in text
    assert text.index("Running</span>") < text.index(">unit-test<")
    assert "&lt;b&gt;checking&lt;/b&gt;" in text
    assert 'hx-trigger="every 1s"' in text
    assert 'id="job-cancel"' in text


def test_a_cancelled_job_says_what_was_ended_and_that_the_rest_was_not_run(client: Client) -> None:
    job = create_job(JobKind.STRATEGIES, title="kiln", total=2)
    progress = StrategyProgress(contract_id="kiln", iteration=1, running="lint", waiting=["unit-test"])
    Job.objects.filter(pk=job.pk).update(
        state=JobState.CANCELLED, finished_at=timezone.now(), report={"strategies": msgspec.to_builtins(progress)}
    )
    text = text_of(client, f"/jobs/{job.pk}/")
    assert re.findall(r'data-outcome="[\w-]+">([\w ]+)</span>', text) == ["Cancelled", "Ended", "Not run"]
    assert 'data-kind="error"' not in text

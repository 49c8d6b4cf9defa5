"""A code project evaluated as a job: what its row tells, what is stored, and its end."""

import json
import threading
import time
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection

from evaluator import jobs as tasks
from evaluator.strategy_jobs import Board, queue_strategies, run_strategy_job
from evaluator.strategy_runs import RunRequest
from results.jobs import request_cancel
from results.models.jobs import Job, JobState
from results.models.sprints import Iteration
from results.queries.strategy_jobs import StrategyProgress, strategy_progress
from tests.evaluator.strategies.projects import choice, python, write


@pytest.fixture
def folder(tmp_path: Path, settings: LazySettings) -> Path:
    """A project below an allowed folder: a build that passes, and lint that fails but is optional."""
    settings.PROJECT_ROOTS = [str(tmp_path)]
    return project(tmp_path / "kiln", {"build": "echo bricks laid", "lint": "false"})


def project(folder: Path, commands: dict[str, str]) -> Path:
    strategies = [{"type": name, "required": name == "build"} for name in commands]
    document = {
        "project": {"name": "kiln", "mode": "brownfield"},
        "evaluator": {"strategies": strategies},
        "commands": commands,
    }
    return write(folder, {"bober.config.json": json.dumps(document)})


def shown(job: Job) -> StrategyProgress:
    progress = strategy_progress(job.pk)
    assert progress is not None
    return progress


@pytest.mark.django_db
def test_its_row_tells_each_strategy_and_where_the_iteration_is(folder: Path) -> None:
    job = queue_strategies(RunRequest(folder), "kilns")
    run_strategy_job(job.pk)
    job.refresh_from_db()
    progress = shown(job)
    assert (job.state, job.done, job.total, job.title) == (JobState.SUCCEEDED, 2, 2, "kiln")
    assert [(line.name, line.state, line.is_required) for line in progress.ended] == [
        ("build", "pass", True),
        ("lint", "fail", False),
    ]
    assert "bricks laid" in progress.output
    iteration = Iteration.objects.get()
    assert (progress.verdict, progress.stored) == ("passed", iteration.pk)
    assert iteration.sprint.project.slug == "kilns"


@pytest.mark.django_db
def test_a_second_start_evaluates_the_same_iteration(folder: Path) -> None:
    job = queue_strategies(RunRequest(folder), "default")
    run_strategy_job(job.pk)
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
    run_strategy_job(job.pk)
    assert set(Iteration.objects.values_list("iteration", flat=True)) == {1}


@pytest.mark.django_db
def test_a_folder_that_is_no_longer_allowed_is_not_run(folder: Path, settings: LazySettings) -> None:
    job = queue_strategies(RunRequest(folder), "default")
    settings.PROJECT_ROOTS = []
    run_strategy_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "EVALBOARD_PROJECT_ROOTS" in job.error
    assert not Iteration.objects.exists()


@pytest.mark.django_db
def test_a_wrong_configuration_fails_the_job_with_its_key(folder: Path) -> None:
    write(folder, {"bober.config.json": '{"evaluater": {}}'})
    job = queue_strategies(RunRequest(folder), "default")
    run_strategy_job(job.pk)
    job.refresh_from_db()
    assert "evaluater" in job.error


@pytest.mark.django_db(transaction=True)
def test_a_cancel_ends_what_runs_within_seconds_and_keeps_nothing(folder: Path) -> None:
    project(folder, {"build": python("import time; print('slow', flush=True); time.sleep(60)")})
    job = queue_strategies(RunRequest(folder), "default")

    def work() -> None:
        run_strategy_job(job.pk)
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and "slow" not in (strategy_progress(job.pk) or StrategyProgress()).output:
        time.sleep(0.1)
    running = shown(job).running
    request_cancel(job.pk)
    thread.join(20)
    job.refresh_from_db()
    assert (running, job.state) == ("build", JobState.CANCELLED)
    assert not Iteration.objects.exists()


def test_only_the_end_of_the_output_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluator.strategy_jobs.MOST_OUTPUT", 5)
    board = Board()
    for word in ("abc", "defg"):
        board.say(choice("build"), word)
    assert (board.output, board.is_cut) == ("cdefg", True)


@pytest.mark.django_db
def test_the_job_goes_to_its_own_task(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.run_strategies, "delay", sent.append)
    job = queue_strategies(RunRequest(folder), "default")
    tasks.send(job.pk)
    assert sent == [job.pk]

"""`run_trials`: a trial from two files to the document, against a model server that speaks the services' dialects."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from evaluator import live
from evaluator.engine.trials.configuration import read_file
from evaluator.live_work import run_trial
from evaluator.management.trial_display import TrialDisplay, duration, printable
from results import sweeper
from results.models.evaluations import Evaluation
from results.models.jobs import Job, JobState
from results.models.results import Result
from results.models.trials import Trial, TrialResult, TrialState
from results.queries.trials import trial_progress
from tests.evaluator.live_trials import order
from tests.evaluator.trials.fake_models.replies import Asked, Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"

CONFIG = """\
config:
  task-source: tasks.yaml
  providers:
    - name: openai
      client-config: {api-key: sk-openai-0123456789, endpoint: URL/v1}
      runs:
        - {name: good, model: gpt-4o}
        - {name: bad, model: gpt-4o-mini}
        - {name: off, model: gpt-4o, disabled: true}
    - name: anthropic
      client-config: {endpoint: URL}
      runs: [{name: opus, model: claude-opus-5}]
  judges:
    - name: judge
      provider:
        name: mistralai
        client-config: {api-key: "${JUDGE_KEY}", endpoint: URL/v1}
        runs: [{name: strict, model: mistral-judge}]
"""
TASKS = """\
task-config:
  tasks:
    - {name: sum, prompt: 2 + 2?, response-result-format: a number, expected-result: "4"}
    - name: free
      prompt: Why?
      response-result-format: a sentence
      expected-result: Because.
      validation-rules: {judge: {enabled: true, name: judge, variant: strict}}
"""


def answer(asked: Asked) -> Reply:
    if asked.model == "mistral-judge":
        return Reply(wrapped({"content": {"correct": True}}))
    if asked.model == "gpt-4o-mini":
        return Reply(status=401)
    return Reply(wrapped("4"))


@pytest.fixture
def models() -> Iterator[FakeModels]:
    with FakeModels(answer=answer) as served:
        yield served


@pytest.fixture
def folder(tmp_path: Path, models: FakeModels, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-anthropic-0123456789")
    monkeypatch.setenv("JUDGE_KEY", "sk-judge-0123456789")
    (tmp_path / "config.yaml").write_text(CONFIG.replace("URL", models.url))
    (tmp_path / "tasks.yaml").write_text(TASKS)
    return tmp_path


def run(*arguments: str) -> tuple[str, int]:
    output = StringIO()
    try:
        call_command("run_trials", *arguments, stdout=output)
    except SystemExit as end:
        return output.getvalue(), int(end.code or 0)
    return output.getvalue(), 0


@pytest.mark.django_db
def test_a_trial_runs_to_its_end_and_writes_the_document(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    output, code = run("--config", str(folder / "config.yaml"), "--output", str(folder / "out.json"), "--json")

    told = json.loads(output)
    assert code == 0
    assert (told["state"], told["done"], told["total"], told["not_run"]) == ("ready", 6, 6, 0)
    assert [(run["run"], run["passed"], run["failed"], run["errors"]) for run in told["runs"]] == [
        ("good", 2, 0, 0),
        ("bad", 0, 0, 2),
        ("opus", 2, 0, 0),
    ]
    document = json.loads((folder / "out.json").read_text())
    assert [row["Kind"] for row in document["Results"]["openai"]] == ["Passed", "Passed", "Error", "Error"]
    assert document["Results"]["openai"][1]["Details"]["Validation"]["Title"] == "Semantic Assessment"
    lines = capfd.readouterr().err.splitlines()
    assert sum(line.endswith("passed (0.0 s)") or ": passed" in line for line in lines) == 4
    assert "sk-" not in output + "".join(lines) + (folder / "out.json").read_text()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "picked"),
    [
        (["--run", "o*"], {("anthropic", "opus", "sum"), ("anthropic", "opus", "free")}),
        (["--run", "openai/*", "--task", "s?m"], {("openai", "good", "sum"), ("openai", "bad", "sum")}),
        (["--run", "off", "--run", "opus", "--task", "sum"], {("openai", "off", "sum"), ("anthropic", "opus", "sum")}),
    ],
)
def test_patterns_pick_runs_and_tasks(folder: Path, arguments: list[str], picked: set[tuple[str, str, str]]) -> None:
    run("--config", str(folder / "config.yaml"), *arguments)

    names = ("run_version__run__provider__name", "run_version__run__name", "task_version__task__name")
    assert set(Result.objects.values_list(*names)) == picked


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--config", "nowhere.yaml"], "nowhere.yaml: the file cannot be read"),
        (["--config", "CONFIG", "--run", "gpt*"], "No run is called 'gpt\\*'. There are: openai/good"),
        (["--config", "CONFIG", "--task", "x"], "No task is called 'x'. There are: sum, free."),
        (["--config", "CONFIG", "--project", "No Slug"], "cannot name a project"),
        (["--config", "CONFIG", "--parallel", "65"], "choose 1 to 64"),
        (["--config", "CONFIG", "--output", "/nowhere/out.json"], "/nowhere/out.json cannot be written"),
        (["--resume", "7"], "There is no trial 7"),
    ],
)
def test_what_cannot_begin_says_why_and_asks_nobody(
    folder: Path, models: FakeModels, arguments: list[str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        run(*(str(folder / "config.yaml") if one == "CONFIG" else one for one in arguments))

    assert (models.asked, Trial.objects.count()) == ([], 0)


def started(folder: Path, environment: dict[str, str], *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(MANAGE), "run_trials", *arguments]
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_results(number: int) -> None:
    for _ in range(600):
        if TrialResult.objects.count() >= number:
            return
        time.sleep(0.05)
    raise AssertionError("no results came")


def many_tasks(number: int) -> str:
    line = '    - {{name: t{0}, prompt: "{0}", response-result-format: x, expected-result: "4"}}\n'
    return "task-config:\n  tasks:\n" + "".join(line.format(place) for place in range(number))


def test_ctrl_c_stops_and_keeps_and_another_process_goes_on(
    folder: Path, models: FakeModels, child_environment: dict[str, str]
) -> None:
    models.answer = lambda asked: Reply(answer(asked).text, delay_seconds=0.2)
    (folder / "tasks.yaml").write_text(many_tasks(8))
    arguments = ["--config", "config.yaml", "--run", "good", "--keep-keys", "--output", "out.json"]
    child = started(folder, child_environment, *arguments)
    wait_for_results(2)
    child.send_signal(signal.SIGINT)
    output, _ = child.communicate(timeout=60)

    assert child.returncode == 130
    trial = Trial.objects.get()
    stored = TrialResult.objects.count()
    assert f"{stored} of 8 results, stopped, {8 - stored} not run" in output
    assert len(json.loads((folder / "out.json").read_text())["Results"]["openai"]) == stored
    assert (trial.state, Evaluation.objects.get().errors) == (TrialState.CANCELLED, 0)
    models.answer = answer
    output, code = run("--resume", str(trial.pk))
    assert (code, TrialResult.objects.count(), len({asked.text() for asked in models.asked})) == (0, 8, 8)


def test_a_process_that_is_killed_loses_at_most_what_was_under_way(
    folder: Path, models: FakeModels, child_environment: dict[str, str]
) -> None:
    models.answer = lambda asked: Reply(answer(asked).text, delay_seconds=0.2)
    (folder / "tasks.yaml").write_text(many_tasks(8))
    child = started(folder, child_environment, "--config", "config.yaml", "--run", "good", "--keep-keys")
    wait_for_results(3)
    child.kill()
    child.communicate()
    stored, asked = TrialResult.objects.count(), len(models.asked)
    assert asked - stored <= 1
    Job.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    sweeper.sweep()
    models.answer = answer

    _, code = run("--resume", str(Trial.objects.get().pk))

    assert (code, TrialResult.objects.count(), len(models.asked)) == (0, 8, asked + 8 - stored)
    assert Trial.objects.get().state == TrialState.READY


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.django_db
def test_a_terminal_shows_bars_of_each_run(folder: Path) -> None:
    environment = dict(os.environ)
    config, tasks = read_file(folder / "config.yaml"), read_file(folder / "tasks.yaml")
    queued = live.queue_trial(order(config=config, tasks=tasks, folder=folder, environment=environment))
    terminal = Terminal()
    began: Any = trial_progress(queued.trial_id)
    display = TrialDisplay(terminal, began)

    run_trial(queued.job_ids[0], display.show, environment=environment)
    display.end()

    last = terminal.getvalue().rpartition("\x1b[4A")[2]
    assert "100% · 6 of 6 results" in last
    assert "2/2 openai bad: 0 passed, 0 failed, 2 errors" in last
    assert Job.objects.get().state == JobState.SUCCEEDED


def test_times_and_texts_are_written_for_a_terminal() -> None:
    assert [duration(seconds) for seconds in (4.4, 185, 7_800)] == ["4 s", "3 min 05 s", "2 h 10 min"]
    assert printable("a\x1b[31m\u202eb\nc") == "a\\u001b[31m\\u202eb ⏎ c"

"""Live trials from the order to the stored results: nothing lost, nothing twice."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator
from pytest_django.fixtures import Settings

from evaluator import live
from evaluator.engine.trials.configuration import FileText, RunChoice
from evaluator.engine.trials.configuration_keys import GUARDED_KEYS
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.interfaces import ConversationError, FailureKind
from evaluator.engine.trials.preflight import PreflightError
from evaluator.live_work import run_trial
from results.exports.live import export_live, export_mindtrial
from results.intake import ImportOptions, import_file
from results.merging import merge
from results.models.evaluations import Evaluation, EvaluationState
from results.models.jobs import Job, JobState
from results.models.results import Result
from results.models.trials import Trial, TrialState
from results.queries.trials import RerunKind, places_to_rerun, trial_progress
from results.trial_plan import Place
from tests.evaluator.live_trials import (
    CONFIG,
    ENVIRONMENT,
    KEYS,
    TASKS,
    names_and_repeats,
    order,
    run,
    services,
)
from tests.evaluator.trials.doubles import FakeAskers, an_answer

pytestmark = pytest.mark.django_db

JUDGED = ", validation-rules: {judge: {enabled: true, name: j, variant: v}}}"


def test_a_trial_is_stored_as_an_evaluation() -> None:
    queued = live.queue_trial(order(name="My trial"))

    run(queued)

    evaluation = Evaluation.objects.get(pk=queued.trial_id)
    assert (evaluation.state, evaluation.format, evaluation.name) == (EvaluationState.READY, "live", "My trial")
    assert (evaluation.results, evaluation.passed, evaluation.failed, evaluation.errors) == (12, 8, 4, 0)
    assert (evaluation.runs, evaluation.tasks) == (3, 3)
    assert Trial.objects.get().state == TrialState.READY
    assert [(job.state, job.done, job.total) for job in Job.objects.all()] == [(JobState.SUCCEEDED, 12, 12)]


def test_a_run_that_is_listed_twice_gives_repeats() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "quick"), RunChoice(2, "quick")], task_names=["sum", "last"]))

    run(queued)

    assert names_and_repeats(queued.trial_id) == [
        ("quick", "last", 1),
        ("quick", "last", 2),
        ("quick", "sum", 1),
        ("quick", "sum", 2),
    ]


def test_the_document_lists_providers_runs_and_tasks_as_the_files_do(shared_folder: Path) -> None:
    queued = live.queue_trial(order())
    run(queued)

    document = json.loads(b"".join(export_mindtrial(Evaluation.objects.get())))

    schema = json.loads((shared_folder / "samples/mindtrial/petmal-MindTrial__results-v1.schema.json").read_text())
    assert [error.message for error in Draft202012Validator(schema).iter_errors(document)] == []
    assert {
        provider: [(row["Run"], row["Task"], row["Kind"]) for row in rows]
        for provider, rows in document["Results"].items()
    } == {
        "openai": [
            (name, task, kind)
            for name in ("quick", "slow", "quick")
            for task, kind in (("sum", "Passed"), ("wrong", "Failed"), ("last", "Passed"))
        ],
        "anthropic": [("opus", "sum", "Passed"), ("opus", "wrong", "Failed"), ("opus", "last", "Passed")],
    }


def test_a_whole_document_can_be_imported_and_says_the_same(tmp_path: Path) -> None:
    queued = live.queue_trial(order())
    run(queued)
    path = tmp_path / "again.json"
    path.write_bytes(b"".join(export_live(Evaluation.objects.get())))

    (report,) = import_file(path, ImportOptions()).files

    def told(evaluation: int) -> list[tuple[Any, ...]]:
        found = Result.objects.filter(evaluation_id=evaluation).order_by("trace_id")
        return list(found.values_list("trace_id", "run_version", "task_version", "repeat", "attempts", "outcome"))

    assert report.evaluation is not None
    assert told(report.evaluation) == told(queued.trial_id)
    assert {row[4] for row in told(queued.trial_id)} == {1}


def test_what_failed_is_run_again_as_a_trial_of_its_own_that_merges_into_the_old_one() -> None:
    old = live.queue_trial(order(runs=[RunChoice(0, "quick"), RunChoice(1, "opus")]))
    run(old)
    places = places_to_rerun(old.trial_id, RerunKind.NOT_PASSED)
    assert places == [Place(0, 0, 2), Place(1, 0, 2)]

    new = live.queue_trial(live.rerun_order(old.trial_id, places, KEYS, ENVIRONMENT))
    run(new, FakeAskers(lambda _task: an_answer("5")))

    assert Trial.objects.get(pk=new.trial_id).rerun_of_id == old.trial_id
    assert names_and_repeats(new.trial_id) == [("opus", "wrong", 1), ("quick", "wrong", 1)]
    merged = Evaluation.objects.get(pk=merge([old.trial_id, new.trial_id]).evaluation_id)
    assert (merged.passed, merged.failed) == (6, 0)


def test_only_errors_that_may_pass_are_run_again_on_request() -> None:
    def reply(task: Any) -> ConversationError:
        is_transient = {"sum": True, "wrong": False, "last": None}[task.name]
        return ConversationError(FailureKind.EXECUTION, "no", is_transient=is_transient)

    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))
    run(queued, FakeAskers(reply))

    assert places_to_rerun(queued.trial_id, RerunKind.TRANSIENT) == [Place(0, 2, 0)]
    assert len(places_to_rerun(queued.trial_id, RerunKind.ERRORS)) == 3


def test_progress_tells_each_run_and_how_long_it_will_take() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow"), RunChoice(1, "opus")]))
    waiting = trial_progress(queued.trial_id)
    assert waiting is not None
    assert (waiting.is_waiting, waiting.done, waiting.total, waiting.seconds_left) == (True, 0, 6, None)
    began = timezone.now()
    lease_until = began + timedelta(seconds=30)
    Job.objects.update(state=JobState.RUNNING, started_at=began, done=2, lease_until=lease_until)

    halfway = trial_progress(queued.trial_id, began + timedelta(seconds=10))

    assert halfway is not None
    assert halfway.seconds_left == 20.0  # 2 of 6 took 10 s
    lost = trial_progress(queued.trial_id, began + timedelta(seconds=31))
    assert lost is not None
    assert (lost.is_waiting, lost.seconds_left) == (True, None)  # its worker is gone


def test_what_is_missing_when_it_begins_ends_it_with_the_reason() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(1, "opus")]))

    run_trial(queued.job_ids[0], environment={}, services=services())

    trial = Trial.objects.get()
    assert trial.state == TrialState.CANCELLED
    assert "the key of anthropic is missing: ${ANTHROPIC_API_KEY} is not set" in trial.reason
    assert Job.objects.get().state == JobState.FAILED


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"config": FileText("c.yaml", CONFIG.replace("gpt-6-mini", "{}"))}, ConfigurationError, "write a text"),
        ({"environment": {}}, ConfigurationError, "the key of anthropic is missing"),
        ({"runs": []}, live.TrialRefused, "Nothing is picked"),
        ({"task_names": []}, live.TrialRefused, "Nothing is picked"),
        ({"parallel_per_run": 0}, live.TrialRefused, "choose 1 to 64"),
        (
            {"tasks": FileText("t", TASKS.replace('expected-result: "5"}', 'expected-result: "5"' + JUDGED))},
            PreflightError,
            "asks for the judge 'j'",
        ),
    ],
)
def test_an_order_that_cannot_be_done_leaves_nothing_behind(
    changes: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        live.queue_trial(order(**changes))

    assert (Trial.objects.count(), Evaluation.objects.count(), Job.objects.count()) == (0, 0, 0)


def test_the_example_of_the_documentation_runs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "trials.md").read_text()
    config, tasks = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[:2]
    environment = {"OPENAI_API_KEY": "sk-one-of-the-example", "LOCAL_API_KEY": "none-needed"}

    queued = live.queue_trial(
        order(config=FileText("config.yaml", config), tasks=FileText("tasks.yaml", tasks), environment=environment)
    )
    for job_id in queued.job_ids:
        run_trial(job_id, environment=environment, services=services())

    assert [(run, task) for run, task, _ in names_and_repeats(queued.trial_id)] == [
        ("local", "capital - v1"),
        ("local", "riddle - v1"),
        ("mini", "capital - v1"),
        ("mini", "riddle - v1"),
    ]


def test_keys_of_the_server_are_guarded_where_people_have_accounts(settings: Settings) -> None:
    assert GUARDED_KEYS not in live.open_environment()
    settings.ACCOUNTS = True
    assert GUARDED_KEYS in live.open_environment()

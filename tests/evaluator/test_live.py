"""Live trials from the order to the stored results: nothing lost, nothing twice."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator

from evaluator import live
from evaluator.engine.trials.configuration import FileText, RunChoice
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.interfaces import ConversationError, FailureKind
from evaluator.engine.trials.preflight import PreflightError
from evaluator.live_work import TrialStep, run_trial
from results import jobs, sweeper
from results.exports.live import export_live, export_mindtrial
from results.facts import rebuild
from results.filters import ResultFilter
from results.intake import ImportOptions, import_file
from results.merging import merge
from results.models.evaluations import Evaluation, EvaluationState
from results.models.facts_files import FactsFile
from results.models.jobs import Job, JobState
from results.models.results import Result
from results.models.trials import Trial, TrialResult, TrialState
from results.queries.summary import summary
from results.queries.trials import RerunKind, places_to_rerun, trial_progress
from results.queries.visibility import visible_evaluations
from results.store.deletion import hide
from results.store.trials import refresh_copies
from results.text.query import parse
from results.text.search import matching_ids
from results.trial_plan import Place
from tests.evaluator.live_trials import CONFIG, ENVIRONMENT, TASKS, order, run, services
from tests.evaluator.trials.doubles import FakeAskers, an_answer

pytestmark = pytest.mark.django_db

LATER = timedelta(minutes=5)
KEYS = {"EVALBOARD_KEY_OPENAI": "sk-the-same-key-again"}
JUDGED = ", validation-rules: {judge: {enabled: true, name: j, variant: v}}}"


class DiedError(BaseException):
    """The process is gone."""


def names_and_repeats(trial_id: int) -> list[tuple[str, str, int]]:
    found = Result.objects.filter(evaluation_id=trial_id).order_by("pk")
    return sorted(found.values_list("run_version__run__name", "task_version__task__name", "repeat"))


def run_until(queued: live.QueuedTrial, results: int, end: Any) -> None:
    """Run the first job; once it has stored so many results, do `end`."""

    def watch(step: TrialStep) -> None:
        if step.done >= results:
            end()

    slow = FakeAskers(latency_seconds=0.6)  # longer than the work waits between two looks at a request to stop
    run_trial(queued.job_ids[0], watch, environment=ENVIRONMENT, services=services(slow))


def die() -> None:
    raise DiedError


def counted() -> dict[str | None, tuple[int, int]]:
    groups = summary(visible_evaluations(), ResultFilter(), ["run"], ())
    return {group.key[0]: (group.outcomes.passed, group.outcomes.failed) for group in groups}


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


def test_facts_and_text_hold_a_trial_while_it_runs_and_after_it() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))
    seen: list[dict[str | None, tuple[int, int]]] = []

    def look() -> None:
        assert refresh_copies(queued.trial_id, timezone.now() + LATER)
        seen.append(counted())

    run_until(queued, 2, look)

    assert seen[0] in ({"slow": (1, 1)}, {"slow": (2, 1)})
    assert counted() == {"slow": (2, 1)}
    assert len(matching_ids(parse("two and two"))) == 3
    assert FactsFile.objects.filter(left_at=None).count() == 1


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

    def told(evaluation: int | None) -> list[tuple[Any, ...]]:
        found = Result.objects.filter(evaluation_id=evaluation).order_by("trace_id")
        return list(found.values_list("trace_id", "run_version", "task_version", "repeat", "attempts", "outcome"))

    assert told(report.evaluation) == told(queued.trial_id)
    assert {row[4] for row in told(queued.trial_id)} == {1}


def test_what_was_cancelled_is_not_run_and_a_resume_does_only_that() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))
    run_until(queued, 1, lambda: live.cancel_trial(queued.trial_id))
    stopped = trial_progress(queued.trial_id)
    assert stopped is not None
    assert (stopped.state, stopped.reason, Evaluation.objects.get().state) == ("cancelled", "", "ready")
    assert 1 <= stopped.done == Evaluation.objects.get().results < 3
    assert Evaluation.objects.get().errors == 0

    askers = FakeAskers()
    run(live.resume_trial(queued.trial_id, KEYS, environment=ENVIRONMENT), askers)

    assert len(askers["slow"].asked) == stopped.not_run
    assert Trial.objects.get().state == TrialState.READY
    assert names_and_repeats(queued.trial_id) == [("slow", "last", 1), ("slow", "sum", 1), ("slow", "wrong", 1)]
    assert counted() == {"slow": (2, 1)}


def test_a_trial_whose_process_died_is_taken_up_again_by_another() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))
    with pytest.raises(DiedError):
        run_until(queued, 1, die)
    stored = TrialResult.objects.count()
    Job.objects.update(lease_until=timezone.now() - LATER, created_at=timezone.now() - LATER)
    assert sweeper.sweep() == list(queued.job_ids)
    assert Trial.objects.get().state == TrialState.RUNNING

    askers = FakeAskers()
    run(queued, askers)

    assert len(askers["slow"].asked) == 3 - stored
    assert (Result.objects.count(), Trial.objects.get().state) == (3, TrialState.READY)


def test_a_worker_that_lost_its_lease_writes_nothing_more() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))

    run_until(queued, 1, lambda: Job.objects.update(owner="another"))

    assert TrialResult.objects.count() < 3
    assert (Job.objects.get().state, Trial.objects.get().state) == (JobState.RUNNING, TrialState.RUNNING)


def test_a_trial_that_nobody_works_at_is_ended_by_the_sweep() -> None:
    queued = live.queue_trial(order(), is_resumable=False)
    with pytest.raises(DiedError):
        run_until(queued, 1, die)
    Job.objects.update(lease_until=timezone.now() - LATER)

    sweeper.sweep()

    assert (Trial.objects.get().state, Trial.objects.get().reason) == (TrialState.CANCELLED, jobs.ENDED_PROCESS)
    assert Evaluation.objects.get().state == EvaluationState.READY
    assert sum(map(sum, counted().values())) == TrialResult.objects.count()


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
    Job.objects.update(state=JobState.RUNNING, started_at=began, done=2)

    halfway = trial_progress(queued.trial_id, began + timedelta(seconds=10))

    assert halfway is not None
    assert halfway.seconds_left == 20.0  # 2 of 6 took 10 s


def test_a_compaction_leaves_a_running_trial_alone_and_a_resumed_one_leaves_the_base() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))
    run_until(queued, 1, lambda: live.cancel_trial(queued.trial_id))
    rebuild.compaction.compact()
    assert list(FactsFile.objects.filter(left_at=None).values_list("is_base", flat=True)) == [True]
    before = counted()

    live.resume_trial(queued.trial_id, KEYS, environment=ENVIRONMENT)
    assert refresh_copies(queued.trial_id, timezone.now() + LATER)
    assert list(FactsFile.objects.filter(left_at=None).values_list("is_base", flat=True)) == [False]
    rebuild.compaction.compact()

    assert list(FactsFile.objects.filter(left_at=None).values_list("is_base", flat=True)) == [False]
    assert counted() == before


def test_a_running_trial_may_be_deleted() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))

    run_until(queued, 1, lambda: hide(queued.trial_id))
    sweeper.sweep()

    assert (Trial.objects.count(), Result.objects.count(), Evaluation.objects.count()) == (0, 0, 0)
    assert Job.objects.get().state == JobState.CANCELLED


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

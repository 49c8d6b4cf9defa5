"""Live trials under way: stopped, killed, resumed, shared out; nothing lost, nothing twice."""

from datetime import timedelta

import msgspec
import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from evaluator import live, live_work
from evaluator.engine.trials.configuration import RunChoice
from evaluator.live_work import TrialStep, run_trial
from results import jobs, sweeper
from results.compression import compress, decompress
from results.facts.compaction import compact
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation, EvaluationState
from results.models.facts_files import FactsFile
from results.models.jobs import Job, JobState
from results.models.results import Result, ResultDocument
from results.models.trials import Trial, TrialResult, TrialState
from results.queries.trials import trial_progress
from results.records import ResultKind, RunResult
from results.store.deletion import hide
from results.store.live_writer import LiveResult, LiveWriter
from results.store.trials import plan_of, refresh_copies
from results.text.query import parse
from results.text.search import matching_ids
from results.trial_plan import Place
from tests.evaluator.live_trials import (
    ENVIRONMENT,
    KEYS,
    DiedError,
    counted,
    die,
    names_and_repeats,
    order,
    run,
    run_until_first,
    services,
)
from tests.evaluator.trials.doubles import FakeAskers

pytestmark = pytest.mark.django_db

LATER = timedelta(minutes=5)


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_work, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(live_work, "HOLD_SECONDS", 0.02)


def test_facts_and_text_hold_a_trial_while_it_runs_and_after_it() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))
    seen: list[dict[str | None, tuple[int, int]]] = []

    def look(step: TrialStep) -> None:
        if step.done >= 2:
            refresh_copies(queued.trial_id, timezone.now() + LATER)
            seen.append(counted())

    run_trial(queued.job_ids[0], look, environment=ENVIRONMENT, services=services(FakeAskers(latency_seconds=0.1)))

    assert seen[0] in ({"slow": (1, 1)}, {"slow": (2, 1)})
    assert counted() == {"slow": (2, 1)}
    assert len(matching_ids(parse("two and two"))) == 3
    assert FactsFile.objects.filter(left_at=None).count() == 1


def test_what_was_cancelled_is_not_run_and_a_resume_does_only_that() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))
    run_until_first(queued, lambda: live.cancel_trial(queued.trial_id))
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
        run_until_first(queued, die)
    stored = TrialResult.objects.count()
    Job.objects.update(lease_until=timezone.now() - LATER, created_at=timezone.now() - LATER)
    assert sweeper.sweep() == list(queued.job_ids)
    assert Trial.objects.get().state == TrialState.RUNNING

    askers = FakeAskers()
    run(queued, askers)

    assert len(askers["slow"].asked) == 3 - stored
    assert (Job.objects.get().done, Job.objects.get().total) == (3, 3)
    assert (Result.objects.count(), Trial.objects.get().state) == (3, TrialState.READY)


def test_with_a_real_broker_each_provider_entry_is_a_job_that_any_worker_may_take(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CELERY_BROKER_URL = "redis://localhost/0"
    monkeypatch.setattr(live_work, "GRACE_SECONDS", 0.0)
    queued = live.queue_trial(order())
    assert [(job.arguments["entries"], job.total) for job in Job.objects.order_by("pk")] == [
        ([0], 6),
        ([1], 3),
        ([2], 3),
    ]
    elsewhere = jobs.claim(queued.job_ids[1])
    assert elsewhere is not None

    run(queued)  # the first takes what nobody else has

    assert list(Job.objects.order_by("pk").values_list("state", "done")) == [
        (JobState.SUCCEEDED, 6),
        (JobState.RUNNING, 0),
        (JobState.SUCCEEDED, 3),
    ]
    assert Trial.objects.get().state == TrialState.RUNNING
    Job.objects.update(lease_until=timezone.now() - LATER)
    run(queued)
    assert (Trial.objects.get().state, Result.objects.count()) == (TrialState.READY, 12)


def test_two_workers_write_to_one_trial_without_gaps_or_doubles() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "quick"), RunChoice(1, "opus")]))
    trial, lease = Trial.objects.get(), jobs.claim(queued.job_ids[0])
    assert lease is not None
    writers = [LiveWriter(trial, plan_of(trial)) for _ in range(2)]

    for number, place in enumerate([Place(0, 0, 0), Place(1, 0, 0), Place(0, 0, 2), Place(0, 0, 2)]):
        record = RunResult(trace_id=f"t{number}", kind=ResultKind.PASSED, task="sum", provider="openai", run="quick")
        writers[number % 2].write(lease, [LiveResult(place, record, msgspec.json.encode(record))])

    assert [pk % RESULTS_PER_EVALUATION for pk in Result.objects.values_list("pk", flat=True).order_by("pk")] == [
        0,
        1,
        2,
    ]
    assert list(Result.objects.order_by("pk").values_list("trace_id", flat=True)) == ["t0", "t1", "t2"]


def test_a_worker_that_lost_its_lease_writes_nothing_more() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))

    run_until_first(queued, lambda: Job.objects.update(owner="another"))

    assert TrialResult.objects.count() < 3
    assert (Job.objects.get().state, Trial.objects.get().state) == (JobState.RUNNING, TrialState.RUNNING)


def test_a_trial_that_nobody_works_at_is_ended_by_the_sweep() -> None:
    queued = live.queue_trial(order(), is_resumable=False)
    with pytest.raises(DiedError):
        run_until_first(queued, die)
    Job.objects.update(lease_until=timezone.now() - LATER)

    sweeper.sweep()

    assert (Trial.objects.get().state, Trial.objects.get().reason) == (TrialState.CANCELLED, jobs.ENDED_PROCESS)
    assert Evaluation.objects.get().state == EvaluationState.READY
    assert sum(map(sum, counted().values())) == TrialResult.objects.count()


def test_a_compaction_leaves_a_running_trial_alone_and_a_resumed_one_leaves_the_base() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))
    run_until_first(queued, lambda: live.cancel_trial(queued.trial_id))
    compact()
    assert list(FactsFile.objects.filter(left_at=None).values_list("is_base", flat=True)) == [True]
    before = counted()

    live.resume_trial(queued.trial_id, KEYS, environment=ENVIRONMENT)
    assert refresh_copies(queued.trial_id, timezone.now() + LATER)
    assert list(FactsFile.objects.filter(left_at=None).values_list("is_base", flat=True)) == [False]
    compact()

    assert list(FactsFile.objects.filter(left_at=None).values_list("is_base", flat=True)) == [False]
    assert counted() == before


def test_a_running_trial_may_be_deleted() -> None:
    queued = live.queue_trial(order(runs=[RunChoice(0, "slow")]))

    run_until_first(queued, lambda: hide(queued.trial_id))
    sweeper.sweep()

    assert (Trial.objects.count(), Result.objects.count(), Evaluation.objects.count()) == (0, 0, 0)
    assert Job.objects.get().state == JobState.CANCELLED


def test_a_trial_with_a_result_that_cannot_be_read_ends_and_says_so() -> None:
    queued = live.queue_trial(order())
    run_until_first(queued, lambda: live.cancel_trial(queued.trial_id))
    Trial.objects.update(state=TrialState.RUNNING)
    Evaluation.objects.update(state=EvaluationState.RUNNING)
    document = ResultDocument.objects.order_by("pk").first()
    assert document is not None
    bad = decompress(document.body).replace(b'"DurationNS":1000', b'"DurationNS":1e30')
    ResultDocument.objects.filter(pk=document.pk).update(body=compress(bad))
    sweeper.sweep()
    trial = Trial.objects.get()
    assert (trial.state, trial.evaluation.state) == (TrialState.CANCELLED, EvaluationState.READY)
    assert "cannot be read again" in trial.reason

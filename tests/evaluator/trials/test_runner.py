"""The runner: order, limits, retries, cancelling, resuming, and that nothing is lost."""

import asyncio
import itertools
import threading
from pathlib import Path

import pytest

from evaluator.engine.trials.definitions import (
    JudgeSelection,
    RetryPolicy,
    TaskDefinition,
    TaskFile,
    ToolDefinition,
    ToolLimits,
    TrialDefinition,
    ValidationRules,
)
from evaluator.engine.trials.finished_results import ResultKey
from evaluator.engine.trials.interfaces import Answer, ConversationError, FailureKind, Spent
from evaluator.engine.trials.preflight import PreflightError
from evaluator.engine.trials.retrying import Retries
from evaluator.engine.trials.runner import Runner
from results.records import ResultKind, TokenUsage, decode_result
from tests.evaluator.trials.doubles import (
    KEY,
    FakeAskers,
    FakeTime,
    FakeToolboxes,
    FakeValidators,
    Reply,
    a_provider,
    a_run,
    a_task,
    a_trial,
    always,
    an_answer,
    in_turn,
    names_of,
)

TASKS = [a_task("one"), a_task("two"), a_task("three")]
CALC = ToolDefinition("calc", "calc:1", "Adds.", {"type": "object"})
HOUR_SECONDS = 3600.0


def a_runner(definition: TrialDefinition, askers: FakeAskers, **settings: object) -> Runner:
    return Runner(definition, askers, FakeValidators, **settings)  # type: ignore[arg-type] # settings by name


def transient(message: str = "429: too many requests.", usage: TokenUsage | None = None) -> ConversationError:
    spent = Spent(usage=usage, duration_ns=1_500_000_000)
    return ConversationError(FailureKind.EXECUTION, message, spent=spent, is_transient=True)


def test_every_run_answers_every_task_and_results_stand_in_the_order_of_the_configuration() -> None:
    definition = a_trial(a_provider(a_run("a"), a_run("b")), a_provider(a_run("c", "google"), name="google"))
    with a_runner(definition, FakeAskers()) as runner:
        results = runner.run(TASKS)
    assert names_of(results.finished) == list(itertools.product("abc", ["one", "two", "three"]))
    assert {result.record.kind for result in results} == {ResultKind.PASSED}
    assert {provider: len(records) for provider, records in results.get_results().items()} == {"openai": 6, "google": 3}


def test_runs_of_a_provider_follow_each_other_and_providers_stand_beside_each_other() -> None:
    askers = FakeAskers(latency_seconds=0.01)
    definition = a_trial(a_provider(a_run("a"), a_run("b")), a_provider(a_run("c"), a_run("d")))
    with a_runner(definition, askers) as runner:
        order = [(result.key.entry, result.key.run) for result in runner.start(TASKS)]
    assert [run for entry, run in order if entry == 0] == ["a", "a", "a", "b", "b", "b"]
    assert order.index((1, "c")) < order.index((0, "b"))


def test_runs_under_a_shared_limit_stand_beside_each_other() -> None:
    definition = a_trial(a_provider(a_run("a"), a_run("b"), shared_limit=1000))
    with a_runner(definition, FakeAskers(latency_seconds=0.01)) as runner:
        order = [result.key.run for result in runner.start(TASKS)]
    assert order.index("b") < 3


def test_a_shared_limit_counts_the_tries_of_all_runs_and_a_run_s_own_limit_comes_on_top() -> None:
    time = FakeTime()
    shared = a_trial(a_provider(a_run("a"), a_run("b"), shared_limit=4))
    with a_runner(shared, FakeAskers(), timing=time.timing()) as runner:
        runner.run(TASKS)
    assert sum(time.slept) == pytest.approx(30, abs=16)  # 6 tries, 4 at once, then one in 15 s: two may wait together
    time = FakeTime()
    with a_runner(a_trial(a_provider(a_run(max_requests_per_minute=1))), FakeAskers(), timing=time.timing()) as runner:
        runner.run(TASKS)
    assert time.slept == pytest.approx([60, 60])


def test_tasks_of_a_run_are_asked_one_at_a_time_unless_more_are_wanted() -> None:
    for parallel, expected in ((1, 1), (3, 3)):
        askers = FakeAskers(latency_seconds=0.01)
        with a_runner(a_trial(), askers, parallel_per_run=parallel) as runner:
            runner.run(TASKS)
        assert askers["quick"].most_at_once == expected
        assert askers["quick"].asked == ["one", "two", "three"]


def test_a_passing_failure_is_tried_again_and_what_it_used_is_said() -> None:
    askers = FakeAskers(in_turn(transient(usage=TokenUsage(input_tokens=1200)), transient(), an_answer()))
    time = FakeTime()
    run = a_run(retry=RetryPolicy(attempts=3, initial_delay_seconds=30))
    with a_runner(a_trial(a_provider(run)), askers, timing=time.timing(0.4)) as runner:
        [result] = runner.run([a_task()])
    assert time.slept == pytest.approx([33, 66])  # 30 s and 60 s, and 0.4 of the quarter that chance adds
    assert result.record.kind is ResultKind.PASSED
    assert result.record.evalboard is not None
    assert result.record.evalboard.attempts == 3
    assert result.record.evalboard.wall_time_ns == 99_000_000_000
    assert result.messages[0] == (
        "openai quick, sum: try 1 of 4 failed: 429: too many requests. "
        "It used 1,200 input tokens and 1.5 s of model time; the next begins in 33.0 s."
    )


@pytest.mark.parametrize(("is_transient", "tries"), [(True, 3), (False, 1), (None, 1)])
def test_only_passing_failures_are_tried_again_and_no_delay_is_no_fault(is_transient: bool | None, tries: int) -> None:
    askers = FakeAskers(always(ConversationError(FailureKind.EXECUTION, "no", is_transient=is_transient)))
    with a_runner(a_trial(a_provider(a_run(retry=RetryPolicy(attempts=2)))), askers) as runner:
        [result] = runner.run([a_task()])
    assert len(askers["quick"].asked) == tries
    assert result.record.kind is ResultKind.ERROR
    assert result.record.details.error is not None
    assert result.record.details.error.transient is is_transient


def test_a_fault_at_one_task_is_its_result_and_the_others_go_on() -> None:
    def reply(task: TaskDefinition) -> Reply:
        return ZeroDivisionError("division by zero") if task.name == "two" else an_answer()

    with a_runner(a_trial(), FakeAskers(reply)) as runner:
        results = runner.run(TASKS)
    kinds = [result.record.kind for result in results]
    assert kinds == [ResultKind.PASSED, ResultKind.ERROR, ResultKind.PASSED]
    error = results.finished[1].record.details.error
    assert error is not None
    assert (error.title, error.message) == ("Execution Error", "ZeroDivisionError: division by zero")


def test_a_result_that_could_not_be_read_again_is_an_error_with_the_reason() -> None:
    askers = FakeAskers(in_turn(an_answer(usage=TokenUsage(input_tokens=2**63)), an_answer()))
    with a_runner(a_trial(a_provider(a_run())), askers) as runner:
        results = list(runner.run([a_task("absurd"), a_task("sound")]))
    assert [decode_result(result.source).kind for result in results] == [ResultKind.ERROR, ResultKind.PASSED]
    assert results[0].record.details.error is not None
    assert "Expected `int` <= 9223372036854775807" in results[0].record.details.error.message


def test_a_run_whose_asker_cannot_be_made_gives_errors_and_the_other_runs_go_on() -> None:
    fakes = FakeAskers()

    def make(provider: object, run: object) -> object:
        if run == a_run("bad"):
            raise LookupError("no such provider")
        return fakes(provider, run)  # type: ignore[arg-type]

    with Runner(a_trial(a_provider(a_run("bad"), a_run("good"))), make, FakeValidators) as runner:  # type: ignore[arg-type]
        results = runner.run([a_task()])
    assert [result.record.kind for result in results] == [ResultKind.ERROR, ResultKind.PASSED]


def test_cancelling_stops_soon_and_leaves_what_was_not_finished_without_a_result() -> None:
    askers = FakeAskers(latency_seconds=0.0)

    def reply(task: TaskDefinition) -> Reply:
        askers.made["quick"].latency_seconds = HOUR_SECONDS  # the next one never comes
        return an_answer()

    askers = FakeAskers(reply)
    with a_runner(a_trial(), askers) as runner:
        results = runner.start(TASKS)
        finished = [next(iter(results))]
        results.cancel()
        finished += results.wait().finished
    assert names_of(finished) == [("quick", "one")]
    assert results.is_cancelled
    assert results.progress == pytest.approx(1 / 3)
    assert askers["quick"].is_closed


def test_leaving_the_runner_cancels_what_still_runs() -> None:
    with a_runner(a_trial(), FakeAskers(latency_seconds=HOUR_SECONDS)) as runner:
        results = runner.start(TASKS)
    assert results.is_over
    assert not any(thread.name == "live trial" for thread in threading.enumerate())


def test_a_resumed_trial_asks_only_what_is_missing() -> None:
    askers = FakeAskers()
    definition = a_trial(a_provider(a_run("a"), a_run("b")))
    with a_runner(definition, askers) as runner:
        results = runner.start(TASKS, skip={ResultKey(0, "a", "one"), ResultKey(0, "b", "three")})
        progress = list(results.progress_events())
        finished = results.wait().finished
    assert names_of(finished) == [("a", "two"), ("a", "three"), ("b", "one"), ("b", "two")]
    assert progress[0] >= 2 / 6
    assert progress[-1] == 1.0


def test_work_can_be_shared_out_by_entries_whose_positions_stay() -> None:
    definition = a_trial(a_provider(a_run("a")), a_provider(a_run("b"), name="google"))
    with a_runner(definition, FakeAskers(), entries=[1]) as runner:
        [result] = runner.run([a_task()])
    assert result.key == ResultKey(1, "b", "sum")


def test_a_reader_who_falls_behind_holds_the_trial_back_and_loses_nothing() -> None:
    askers = FakeAskers()
    tasks = [a_task(f"t{number}") for number in range(300)]
    with a_runner(a_trial(), askers) as runner:
        results = runner.start(tasks)
        taken = results.take(5)
        threading.Event().wait(0.05)
        ahead = len(askers["quick"].asked) - len(taken)
        taken += list(results)
    assert ahead <= 64 + 1
    assert [result.key.task for result in taken] == [task.name for task in tasks]


def test_results_that_nobody_took_wait_for_the_end() -> None:
    tasks = [a_task(f"t{number}") for number in range(300)]
    with a_runner(a_trial(), FakeAskers()) as runner:
        results = runner.start(tasks)
        assert list(results.progress_events())[-1] == 1.0
        assert len(results.get_results()["openai"]) == 300


def test_messages_come_live_and_stay_with_their_result() -> None:
    answer = an_answer()
    warned = Answer(answer.title, answer.explanation, "4", Spent(messages=("temperature is not known here",)))
    with a_runner(a_trial(), FakeAskers(always(warned))) as runner:
        results = runner.start([a_task()])
        messages = list(results.message_events())
        [result] = results.wait()
    assert messages == ["openai quick, sum: temperature is not known here"]
    assert result.messages == tuple(messages)


def test_no_key_comes_out_of_a_trial() -> None:
    askers = FakeAskers(in_turn(transient(f"401: bad key {KEY}"), RuntimeError(f"header Bearer {KEY}")))
    with a_runner(a_trial(a_provider(a_run(retry=RetryPolicy(1)))), askers) as runner:
        [result] = runner.run([a_task()])
    assert KEY not in repr(result)
    assert "header Bearer [key]" in repr(result.record)
    assert any("bad key [key]" in message for message in result.messages)


def test_tools_are_opened_anew_for_each_try_and_closed_after_it() -> None:
    askers = FakeAskers(in_turn(transient(), an_answer()))
    toolboxes = FakeToolboxes()
    definition = a_trial(a_provider(a_run(retry=RetryPolicy(1))), tools=(CALC,))
    with a_runner(definition, askers, toolboxes=toolboxes) as runner:
        runner.run([a_task(tools=(ToolLimits("calc"),))])
    assert [(toolbox.calls, toolbox.is_closed) for toolbox in toolboxes.opened] == [(["calc"], True)] * 2


def test_everything_that_is_missing_is_said_at_once_and_nothing_begins(tmp_path: Path) -> None:
    askers = FakeAskers()
    judged = a_task("judged", rules=ValidationRules(judge=JudgeSelection("strict", "v1")))
    seen = a_task("seen", files=(TaskFile("a.png", str(tmp_path / "a.png")), TaskFile("b.png", "https://x.test/b.png")))
    tooled = a_task("tooled", tools=(ToolLimits("calc"), ToolLimits("python")))
    definition = a_trial(a_provider(key=""), tools=(CALC,), tasks=(judged, seen, tooled, tooled))
    toolboxes = FakeToolboxes(["The image 'calc:1' of the tool 'calc' is not on this machine."])
    with a_runner(definition, askers, toolboxes=toolboxes) as runner, pytest.raises(PreflightError) as caught:
        runner.start(definition.tasks)
    assert caught.value.problems == (
        "The provider 'openai' has no API key: ${KEY} is empty or not set.",
        "The task 'judged' asks for the judge 'strict'; there are no judges.",
        f"The task 'seen' comes with 'a.png', but there is no file {tmp_path / 'a.png'}.",
        "The task 'tooled' may use the tool 'python'; there are 'calc'.",
        "The image 'calc:1' of the tool 'calc' is not on this machine.",
    )
    assert not askers.made


@pytest.mark.parametrize(("asked", "slept"), [(50.0, [50, 60]), (3600.0, [600, 600]), (None, [30, 60])])
def test_a_service_that_asks_for_a_longer_pause_is_given_it_up_to_ten_minutes(
    asked: float | None, slept: list[int]
) -> None:
    async def busy() -> None:
        raise ConversationError(FailureKind.EXECUTION, "busy", is_transient=True, retry_after_seconds=asked)

    time = FakeTime()
    retries = Retries(RetryPolicy(2, 30), lambda *_: None, time.timing())
    with pytest.raises(ConversationError):
        asyncio.run(retries.run(busy))
    assert time.slept == pytest.approx(slept)

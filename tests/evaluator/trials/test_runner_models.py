"""The whole engine against services that speak their real dialects on loopback, and tools in real containers."""

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evaluator.engine.trials import conversation
from evaluator.engine.trials.definitions import (
    Client,
    ProviderDefinition,
    RetryPolicy,
    RunDefinition,
    Secret,
    ToolDefinition,
    ToolLimits,
    TrialDefinition,
)
from evaluator.engine.trials.providers.registry import make_asker
from evaluator.engine.trials.runner import Runner
from evaluator.engine.trials.tools.toolbox import DockerToolboxes
from results.records import ResultKind
from tests.evaluator.trials.doubles import FakeValidators, a_task
from tests.evaluator.trials.fake_models.replies import Asked, Call, Dialect, Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels

KEY = "sk-test-0123456789abcdef"
USAGE: dict[Dialect, dict[str, Any]] = {
    Dialect.CHAT: {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    Dialect.MESSAGES: {"input_tokens": 12, "output_tokens": 4},
    Dialect.GEMINI: {"promptTokenCount": 13, "candidatesTokenCount": 5, "totalTokenCount": 18},
}
SERVICES = {"openai": "gpt-4o", "anthropic": "claude-sonnet-4-5", "google": "gemini-2.5-flash", "deepseek": "chat"}


def provider(models: FakeModels, name: str, **run: Any) -> ProviderDefinition:
    endpoint = models.url if name in {"anthropic", "google"} else f"{models.url}/v1"
    runs = tuple(RunDefinition(name, f"{name} {number}", SERVICES[name], **run) for number in (1, 2))
    return ProviderDefinition(name, Client(Secret(KEY, "${KEY}"), endpoint, 20), runs, 10_000)


def answer(asked: Asked) -> Reply:
    return Reply(wrapped("4"), usage=USAGE.get(asked.dialect))


def test_tokens_tries_and_outcomes_are_counted_exactly_over_every_service() -> None:
    failed = Counter[str]()

    def busy_at_first(asked: Asked) -> Reply:
        failed[asked.model] += 1
        if failed[asked.model] == 1:
            return Reply(status=529 if asked.dialect is Dialect.MESSAGES else 429)
        return answer(asked)

    tasks = [a_task(f"task {number}") for number in range(5)]
    with FakeModels(answer=busy_at_first) as models:
        definition = TrialDefinition(tuple(provider(models, name, retry=RetryPolicy(2)) for name in SERVICES))
        with Runner(definition, make_asker, FakeValidators, parallel_per_run=2) as runner:
            results = runner.run(tasks)
    assert Counter(result.record.kind for result in results) == {ResultKind.PASSED: 40}
    tokens: dict[str, list[int]] = {}
    tries = Counter[str]()
    for record in (result.record for result in results):
        assert record.details.answer is not None
        assert record.details.answer.usage is not None
        assert record.evalboard is not None
        sums = tokens.setdefault(record.provider, [0, 0])
        sums[0] += record.details.answer.usage.input_tokens or 0
        sums[1] += record.details.answer.usage.output_tokens or 0
        tries[record.provider] += record.evalboard.attempts or 0
    assert tokens == {"openai": [110, 30], "anthropic": [120, 40], "google": [130, 50], "deepseek": [110, 30]}
    assert tries == dict.fromkeys(SERVICES, 11)
    assert all(KEY not in repr(result) for result in results)


def test_cancelling_breaks_off_requests_under_way() -> None:
    with FakeModels(answer=lambda _: Reply(wrapped("4"), delay_seconds=600)) as models:
        definition = TrialDefinition(tuple(provider(models, name) for name in SERVICES))
        with Runner(definition, make_asker, FakeValidators, parallel_per_run=2) as runner:
            results = runner.start([a_task(f"task {number}") for number in range(5)])
            while len(models.asked) < 16:
                time.sleep(0.01)
            began = time.monotonic()
            results.cancel()
            finished = results.wait()
    assert time.monotonic() - began < 60  # not the 600 of a reply
    assert len(finished) == 0
    assert finished.is_cancelled


def test_a_model_s_tool_call_is_run_in_a_container_and_recorded(
    docker_engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", docker_engine)
    tool = ToolDefinition(
        "shell",
        "evalboard-test/busybox",
        "Runs a script.",
        {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]},
        {"code": "/in/script"},
        command=("sh", "/in/script"),
    )
    call = Call("shell", json.dumps({"code": "echo $((2 + 2))"}), "call-7")

    def uses_the_tool(asked: Asked) -> Reply:
        return answer(asked) if "call-7" in asked.text() else Reply(calls=(call,), usage=USAGE[asked.dialect])

    with FakeModels(answer=uses_the_tool) as models, DockerToolboxes([tool], root=tmp_path) as toolboxes:
        definition = TrialDefinition((provider(models, "openai"),), tools=(tool,))
        with Runner(definition, make_asker, FakeValidators, toolboxes=toolboxes) as runner:
            [first, _] = runner.run([a_task(tools=(ToolLimits("shell", timeout_seconds=60),))])
    details = first.record.details.answer
    assert details is not None
    assert details.usage is not None
    [recorded] = details.tool_calls
    assert (recorded.tool, recorded.call_id, recorded.conversation_turn) == ("shell", "call-7", 1)
    assert (recorded.status, recorded.stdout and recorded.stdout.bytes) == ("success", 2)
    assert details.tool_usage["shell"].call_count == 1
    assert (details.usage.input_tokens, details.usage.output_tokens) == (22, 6)
    assert '"4\\n"' in models.asked[-1].text()


def test_a_fault_of_ours_in_a_conversation_keeps_what_was_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(conversation, "read_answer", broken)
    with (
        FakeModels(answer=answer) as models,
        Runner(TrialDefinition((provider(models, "openai"),)), make_asker, FakeValidators) as runner,
    ):
        [first, _] = runner.run([a_task()])
    error = first.record.details.error
    assert error is not None
    assert error.usage is not None
    assert (error.title, error.message, error.usage.input_tokens) == ("Execution Error", "RecursionError: too deep", 11)
    assert first.record.duration_ns

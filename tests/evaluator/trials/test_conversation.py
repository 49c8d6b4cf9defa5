"""A conversation from its first message to its last: turns, tools, prompts, files, modes, messages."""

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.usage import RequestUsage

from evaluator.engine.trials.definitions import (
    AnswerFormat,
    EnableFor,
    ImageDetail,
    JsonValue,
    SystemPrompt,
    TaskFile,
    ToolDefinition,
)
from evaluator.engine.trials.interfaces import FailureKind, ToolReply
from evaluator.engine.trials.usage import impossible_counts, token_usage, total_usage
from results.records import TokenUsage, ToolUsage
from tests.evaluator.trials.fake_models.replies import Call, Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels
from tests.evaluator.trials.model_asking import (
    CALCULATOR,
    SCHEMA_TASK,
    TEXT_TASK,
    FakeToolbox,
    ask,
    defined,
    failure,
    with_asker,
)

USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
PNG = b"\x89PNG\r\n\x1a\n" + b"not much of an image"
CALCULATE = Reply(calls=(Call("calculator", '{"sum": "2+2"}', "c1"),), usage=USAGE)


def test_the_turn_that_is_one_too_many_is_not_asked_and_the_last_calls_are_kept() -> None:
    toolbox = FakeToolbox()
    with FakeModels([CALCULATE, CALCULATE, CALCULATE]) as models:
        error = failure(defined(models, "openai", "gpt-4o"), replace(TEXT_TASK, max_turns=2), toolbox)
    assert (error.kind, error.message, error.is_transient) == (
        FailureKind.EXECUTION,
        "maximum conversation turns exceeded",
        False,
    )
    assert len(models.asked) == 2
    assert [call.conversation_turn for call in error.spent.tool_calls] == [1, 2]
    assert error.spent.tool_usage == {"calculator": ToolUsage(call_count=2, total_duration_ns=2_000)}
    assert error.spent.usage is not None
    assert error.spent.usage.input_tokens == 200


def test_only_the_models_time_counts() -> None:
    class SlowToolbox(FakeToolbox):
        async def call(self, tool: str, arguments: str, call_id: str, turn: int) -> ToolReply:
            await asyncio.sleep(0.3)
            return await super().call(tool, arguments, call_id, turn)

    script = [replace(CALCULATE, delay_seconds=0.1), Reply(wrapped("4"), delay_seconds=0.1)]
    with FakeModels(script) as models:
        provider = defined(models, "openai", "gpt-4o")
        began_ns = time.monotonic_ns()
        answer = ask(provider, TEXT_TASK, SlowToolbox())
        whole_ns = time.monotonic_ns() - began_ns
    assert 200_000_000 <= answer.spent.duration_ns <= whole_ns - 300_000_000


def test_a_turn_without_usage_leaves_the_sum_unknown() -> None:
    with FakeModels([CALCULATE, Reply(wrapped("4"))]) as models:
        answer = ask(defined(models, "openai", "gpt-4o"), TEXT_TASK, FakeToolbox())
    assert answer.spent.usage == TokenUsage(
        input_token_accounting="cache_tokens_included", output_token_accounting="reasoning_tokens_included"
    )


def test_a_count_that_no_count_can_be_is_unknown_and_told() -> None:
    told = RequestUsage(input_tokens=10**30, output_tokens=-4, cache_read_tokens=2**63 - 1)
    usage = token_usage(told)
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.input_cache_read_tokens) == (None, None, 2**63 - 1)
    assert impossible_counts(told) == [
        "the service told an impossible count of input tokens (1e+30); it counts as unknown",
        "the service told an impossible count of output tokens (-4); it counts as unknown",
    ]


def test_a_sum_of_counts_that_cannot_be_kept_is_unknown() -> None:
    total = total_usage([TokenUsage(input_tokens=2**62, output_tokens=1)] * 2)
    assert total is not None
    assert (total.input_tokens, total.output_tokens) == (None, 2)


@pytest.mark.parametrize(
    ("provider", "model"),
    [("openai", "gpt-4o"), ("openai", "gpt-5"), ("anthropic", "claude-sonnet-5"), ("google", "g")],
)
def test_a_tool_that_was_called_often_enough_is_withdrawn_and_the_user_is_told(provider: str, model: str) -> None:
    other = ToolDefinition("other", "no-image", "Does nothing.", {"type": "object", "properties": {}})
    for tools in ((CALCULATOR, other), (CALCULATOR,)):
        with FakeModels([replace(CALCULATE, usage=None), Reply(wrapped("4"))]) as models:
            answer = ask(defined(models, provider, model), TEXT_TASK, FakeToolbox(tools, max_calls=1))
        assert answer.spent.messages == (
            "the tool `calculator` was withdrawn: it was called as often as the task allows",
        )
        first, second = (json.dumps(asked.body.get("tools")) for asked in models.asked)
        assert "calculator" in first
        assert ("calculator" in second) is (len(tools) == 1)  # services want to know what the conversation speaks of
        if len(tools) == 1:
            assert "none" in models.asked[1].text().lower()


def test_a_tool_that_nobody_offered_is_an_error_of_the_task() -> None:
    with FakeModels([CALCULATE]) as models:
        error = failure(defined(models, "openai", "gpt-4o"))
    assert (error.kind, error.message) == (
        FailureKind.EXECUTION,
        "the model called `calculator`, and this task has no tools",
    )


def test_an_unknown_tool_is_answered_and_not_recorded() -> None:
    script = [Reply(calls=(Call("oracle", "not JSON", "c9"),)), Reply(wrapped("4"))]
    toolbox = FakeToolbox()
    with FakeModels(script) as models:
        answer = ask(defined(models, "openai", "gpt-4o"), TEXT_TASK, toolbox)
    assert toolbox.called == [("oracle", "not JSON", "c9", 1)]
    assert answer.spent.tool_calls == ()
    assert "There is no tool oracle." in models.asked[1].text()


def test_responses_are_continued_where_the_service_keeps_them() -> None:
    with FakeModels([replace(CALCULATE, usage=None), Reply(wrapped("4"))]) as models:
        ask(defined(models, "openai", "gpt-5"), TEXT_TASK, FakeToolbox())
    assert models.asked[0].body["store"] is True
    assert models.asked[1].body["previous_response_id"] == "resp_1"
    assert [item["type"] for item in models.asked[1].body["input"]] == ["function_call_output"]


@pytest.mark.parametrize("provider", ["deepseek", "moonshotai"])
def test_thoughts_go_back_to_services_that_want_them(provider: str) -> None:
    with FakeModels([replace(CALCULATE, reasoning="Two and two."), Reply(wrapped("4"))]) as models:
        ask(defined(models, provider), TEXT_TASK, FakeToolbox())
    assert models.asked[1].body["messages"][-2]["reasoning_content"] == "Two and two."


def test_an_answer_handed_in_by_a_tool_is_read() -> None:
    handed_in = Call("submit_response", wrapped({"content": {"n": 4}}), "c1")
    with FakeModels([Reply(calls=(handed_in,))]) as models:
        answer = ask(defined(models, "anthropic", "claude-sonnet-5", {"legacy-structured-output": True}), SCHEMA_TASK)
    assert answer.final_answer == {"n": 4}
    assert "by calling `submit_response`" in models.asked[0].text()  # a model that thinks cannot be forced to call
    assert [tool["name"] for tool in models.asked[0].body["tools"]] == ["submit_response"]


@pytest.mark.parametrize(
    ("enable_for", "text_has_it", "schema_has_it"),
    [(EnableFor.ALL, True, True), (EnableFor.TEXT, True, False), (EnableFor.NONE, False, False)],
)
def test_the_system_prompt_is_sent_for_the_tasks_that_it_is_for(
    enable_for: EnableFor, text_has_it: bool, schema_has_it: bool
) -> None:
    prompt = SystemPrompt("Answer as: {{.ResponseResultFormat}}!", enable_for)
    for task, has_it, words in ((TEXT_TASK, text_has_it, "a number!"), (SCHEMA_TASK, schema_has_it, '"integer"')):
        final: JsonValue = "4" if task is TEXT_TASK else {"content": {"n": 4}}
        with FakeModels([Reply(wrapped(final))]) as models:
            ask(defined(models, "openai", "gpt-4o"), replace(task, system_prompt=prompt))
        messages = models.asked[0].body["messages"]
        assert [message["role"] for message in messages] == (["system", "user"] if has_it else ["user"])
        assert not has_it or words in messages[0]["content"]


def test_a_refusal_is_an_error_with_the_services_words() -> None:
    with FakeModels([Reply("no", finish="content_filter", usage=USAGE)]) as models:
        error = failure(defined(models, "openai", "gpt-4o"))
    assert (error.kind, error.message, error.is_transient) == (
        FailureKind.EXECUTION,
        "the service refused to answer: no",
        False,
    )


def test_a_reply_that_was_cut_off_says_so() -> None:
    with FakeModels([Reply('{"title": "A', finish="length")]) as models:
        error = failure(defined(models, "openai", "gpt-4o"))
    assert (error.kind, error.details["Finish Reason"]) == (FailureKind.PARSING, ["length"])
    assert "limit of tokens" in error.message


def test_a_setting_that_is_ignored_is_told_once() -> None:
    with FakeModels(answer=lambda _asked: Reply(wrapped("4"))) as models:
        provider = defined(models, "openai", "gpt-5", {"temperature": 0.5, "presence-penalty": 1})

        async def twice(asker: Any) -> list[tuple[str, ...]]:
            return [(await asker.ask(TEXT_TASK, None)).spent.messages for _ in range(2)]

        first, second = with_asker(provider, twice)
    assert any("temperature" in message for message in first)
    assert any("`presence-penalty` is not sent" in message for message in first)
    assert second == ()


def image(tmp_path: Path, name: str = "picture.png", **changes: Any) -> TaskFile:
    (tmp_path / name).write_bytes(PNG)
    return TaskFile(name, str(tmp_path / name), **changes)


@pytest.mark.parametrize(
    ("provider", "model", "sign"),
    [
        ("openai", "gpt-4o", '"detail": "high"'),
        ("openai", "gpt-5", '"detail": "high"'),
        ("anthropic", "claude-sonnet-5", '"media_type": "image/png"'),
        ("google", "gemini-3-pro", '"image/png"'),
        ("mistralai", "pixtral-12b", "data:image/png;base64"),
        ("xai", "grok-4", "data:image/png;base64"),
    ],
)
def test_an_image_is_sent_under_its_name(provider: str, model: str, sign: str, tmp_path: Path) -> None:
    task = replace(TEXT_TASK, files=(image(tmp_path, image_detail=ImageDetail.MEDIUM),))
    with FakeModels([Reply(wrapped("4"))]) as models:
        ask(defined(models, provider, model), task)
    assert sign in models.asked[0].text()
    assert "File: picture.png" in models.asked[0].text()


@pytest.mark.parametrize(
    ("provider", "model", "name"),
    [("deepseek", "deepseek-chat", "p.png"), ("mistralai", "codestral", "p.png"), ("xai", "grok", "p.gif"),
     ("openai", "gpt-4o", "p.pdf")],
)  # fmt: skip
def test_a_file_that_a_service_does_not_read_makes_the_task_unsupported(
    provider: str, model: str, name: str, tmp_path: Path
) -> None:
    with FakeModels() as models:
        error = failure(defined(models, provider, model), replace(TEXT_TASK, files=(image(tmp_path, name),)))
    assert error.kind is FailureKind.UNSUPPORTED
    assert models.asked == []


def test_definitions_of_a_tasks_schema_can_be_referred_to() -> None:
    schema: dict[str, JsonValue] = {
        "type": "array",
        "items": {"$ref": "#/$defs/point"},
        "$defs": {"point": {"type": "integer"}},
    }
    task = replace(SCHEMA_TASK, answer_format=AnswerFormat(schema=schema))
    with FakeModels([Reply(wrapped({"content": [1, 2]}))]) as models:
        answer = ask(defined(models, "openai", "gpt-4o"), task)
    assert answer.final_answer == [1, 2]
    sent = models.asked[0].body["response_format"]["json_schema"]["schema"]
    assert sent["$defs"] == {"point": {"type": "integer"}}

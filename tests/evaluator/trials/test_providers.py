"""Every provider in every mode against the fake server: what is sent, what is read, what is counted, to the token."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from evaluator.engine.trials.definitions import JsonValue, TaskDefinition
from results.records import TokenUsage
from tests.evaluator.trials.fake_models.replies import Call, Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels
from tests.evaluator.trials.model_asking import SCHEMA_TASK, TEXT_TASK, FakeToolbox, ask, defined

CHAT = {
    "prompt_tokens": 100,
    "completion_tokens": 50,
    "total_tokens": 150,
    "prompt_tokens_details": {"cached_tokens": 30},
    "completion_tokens_details": {"reasoning_tokens": 20},
}


@dataclass(frozen=True)
class Service:
    """A provider, a reply's usage in its words, and what that comes to."""

    provider: str
    model: str
    usage: Mapping[str, Any]
    input_tokens: int
    output_tokens: int
    cache_write: int | None
    cache_read: int | None
    reasoning: int | None

    def counted(self, turns: int = 1) -> TokenUsage:
        def times(count: int | None) -> int | None:
            return None if count is None else turns * count

        return TokenUsage(
            input_tokens=turns * self.input_tokens,
            output_tokens=turns * self.output_tokens,
            input_cache_write_tokens=times(self.cache_write),
            input_cache_read_tokens=times(self.cache_read),
            reasoning_tokens=times(self.reasoning),
            input_token_accounting="cache_tokens_included",
            output_token_accounting="reasoning_tokens_included",
        )


SERVICES = [
    Service("openai", "gpt-4o", CHAT, 100, 50, None, 30, 20),
    Service(
        "openai",
        "gpt-5",
        {
            "input_tokens": 100,
            "output_tokens": 50,
            "total_tokens": 150,
            "input_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 7},
            "output_tokens_details": {"reasoning_tokens": 20},
        },
        *(100, 50, 7, 30, 20),
    ),
    # The service counts what it reads from and writes to its cache apart from the input: 100 + 7 + 30.
    Service(
        "anthropic",
        "claude-sonnet-5",
        {"input_tokens": 100, "output_tokens": 50, "cache_creation_input_tokens": 7, "cache_read_input_tokens": 30},
        *(137, 50, 7, 30, None),
    ),
    # The service counts thoughts apart from the answer: 50 + 20.
    Service(
        "google",
        "gemini-3-pro",
        {
            "promptTokenCount": 100,
            "candidatesTokenCount": 50,
            "thoughtsTokenCount": 20,
            "cachedContentTokenCount": 30,
            "totalTokenCount": 170,
        },
        *(100, 70, None, 30, 20),
    ),
    Service(
        "deepseek",
        "deepseek-chat",
        {
            "prompt_tokens": 100,
            "completion_tokens": 50,
            "total_tokens": 150,
            "prompt_cache_hit_tokens": 30,
            "prompt_cache_miss_tokens": 70,
        },
        *(100, 50, None, 30, None),
    ),
    Service("mistralai", "mistral-large-latest", CHAT, 100, 50, None, 30, 20),
    # The service counts thoughts apart from the answer: 50 + 20.
    Service("xai", "grok-4", CHAT, 100, 70, None, 30, 20),
    Service(
        "alibaba",
        "qwen-plus",
        {**CHAT, "prompt_tokens_details": {"cached_tokens": 30, "cache_creation_input_tokens": 7}},
        *(100, 50, 7, 30, 20),
    ),
    Service(
        "moonshotai", "kimi-k2.6", {**CHAT, "prompt_tokens_details": None, "cached_tokens": 30}, 100, 50, None, 30, 20
    ),
    Service(
        "openrouter",
        "google/gemini-3-pro",
        {**CHAT, "prompt_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 7}},
        *(100, 50, 7, 30, 20),
    ),
    Service("my-own", "llama", CHAT, 100, 50, None, 30, 20),
]


def name(service: Service) -> str:
    return f"{service.provider}-{service.model.replace('/', '-')}"


@pytest.mark.parametrize("service", SERVICES, ids=name)
@pytest.mark.parametrize("parameters", [{}, {"stream": True}, {"stream": False}], ids=["default", "stream", "whole"])
def test_a_text_answer_is_read_and_counted(service: Service, parameters: dict[str, JsonValue]) -> None:
    with FakeModels([Reply(wrapped("4"), usage=service.usage)]) as models:
        answer = ask(defined(models, service.provider, service.model, parameters))
    assert (answer.title, answer.explanation, answer.final_answer) == ("A title", "Because.", "4")
    assert answer.spent.usage == service.counted()


@pytest.mark.parametrize("service", SERVICES, ids=name)
def test_a_schema_answer_is_taken_out_of_its_wrapper(service: Service) -> None:
    with FakeModels([Reply(wrapped({"content": {"n": 4}}), usage=service.usage)]) as models:
        answer = ask(defined(models, service.provider, service.model), SCHEMA_TASK)
    assert answer.final_answer == {"n": 4}
    assert answer.spent.usage == service.counted()


@pytest.mark.parametrize("service", SERVICES, ids=name)
def test_an_unstructured_reply_is_the_answer_as_a_whole(service: Service) -> None:
    with FakeModels([Reply("It is {four}.", usage=service.usage)]) as models:
        answer = ask(defined(models, service.provider, service.model, is_structured=False))
    assert (answer.title, answer.final_answer) == ("Unstructured Response", "It is {four}.")
    assert "schema" not in models.asked[0].text()


@pytest.mark.parametrize("service", SERVICES, ids=name)
@pytest.mark.parametrize("task", [TEXT_TASK, SCHEMA_TASK], ids=["text", "schema"])
def test_tools_are_called_and_every_turn_is_counted(service: Service, task: TaskDefinition) -> None:
    final: JsonValue = "4" if task is TEXT_TASK else {"content": {"n": 4}}
    calls = (Call("calculator", '{"sum":"2+2"}', "c1"), Call("calculator", '{"sum":"1+3"}', "c2"))
    script = [Reply(calls=calls, usage=service.usage, reasoning="Hm."), Reply(wrapped(final), usage=service.usage)]
    toolbox = FakeToolbox()
    with FakeModels(script) as models:
        answer = ask(defined(models, service.provider, service.model), task, toolbox)
    arguments = [json.loads(call[1]) for call in toolbox.called]
    assert arguments == [{"sum": "2+2"}, {"sum": "1+3"}]
    assert [(tool, call_id, turn) for tool, _, call_id, turn in toolbox.called] == [
        ("calculator", "c1", 1),
        ("calculator", "c2", 1),
    ]
    assert answer.final_answer == ("4" if task is TEXT_TASK else {"n": 4})
    assert answer.spent.usage == service.counted(turns=2)
    assert [call.call_id for call in answer.spent.tool_calls] == ["c1", "c2"]
    assert "calculator says 4" in models.asked[1].text()


@pytest.mark.parametrize("service", SERVICES, ids=name)
def test_a_service_that_tells_no_usage_leaves_it_unknown(service: Service) -> None:
    with FakeModels([Reply(wrapped("4"))]) as models:
        answer = ask(defined(models, service.provider, service.model))
    assert answer.spent.usage is None


def test_an_sdk_is_imported_when_it_is_first_used() -> None:
    program = """
import sys
from evaluator.engine.trials.definitions import Client, ProviderDefinition, RunDefinition, Secret
from evaluator.engine.trials.judging import TrialValidators
from evaluator.engine.trials.providers.registry import make_asker
assert not {"pydantic_ai", "openai", "anthropic", "google.genai", "httpx2"} & sys.modules.keys()
run = RunDefinition("deepseek", "a run", "a model")
make_asker(ProviderDefinition("deepseek", Client(Secret("a key", "here")), (run,)), run)
assert "openai" in sys.modules
assert not {"anthropic", "google.genai"} & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)

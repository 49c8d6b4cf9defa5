"""OpenAI's two APIs against the fake server: what is sent, what is read, what is counted."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from evaluator.engine.trials.definitions import (
    AnswerFormat,
    Client,
    JsonValue,
    ProviderDefinition,
    RunDefinition,
    Secret,
    TaskDefinition,
)
from evaluator.engine.trials.interfaces import Answer, Toolbox
from evaluator.engine.trials.providers.registry import make_asker
from results.records import TokenUsage
from tests.evaluator.trials.fake_models.replies import Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels

KEY = "sk-test-0123456789abcdef"


def ask(
    models: FakeModels,
    name: str,
    model: str,
    task: TaskDefinition,
    *,
    parameters: Mapping[str, JsonValue] | None = None,
    toolbox: Toolbox | None = None,
    **changes: Any,
) -> Answer:
    run = RunDefinition(name, "a run", model, parameters=parameters or {}, **changes)
    provider = ProviderDefinition(name, Client(Secret(KEY, "${KEY}"), models.url + "/v1", 10), (run,))

    async def hold() -> Answer:
        asker = make_asker(provider, run)
        try:
            return await asker.ask(task, toolbox)
        finally:
            await asker.close()

    return asyncio.run(hold())


TEXT = TaskDefinition("a task", "What is 2 + 2?", AnswerFormat("a number"), ("4",))


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-5"])
def test_a_text_answer_comes_with_its_tokens(model: str) -> None:
    chat = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
    responses = {"input_tokens": 100, "output_tokens": 50, "total_tokens": 150}
    with FakeModels([Reply(wrapped("4"), usage=chat if model == "gpt-4o" else responses)]) as models:
        answer = ask(models, "openai", model, TEXT)
    assert answer.final_answer == "4"
    assert answer.spent.usage == TokenUsage(
        input_tokens=100,
        output_tokens=50,
        input_token_accounting="cache_tokens_included",
        output_token_accounting="reasoning_tokens_included",
    )


def test_a_schema_answer_is_taken_out_of_its_wrapper() -> None:
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
    }
    task = TaskDefinition("a task", "What is 2 + 2?", AnswerFormat(schema=schema), ({"n": 4},))
    with FakeModels([Reply(wrapped({"content": {"n": 4}}))]) as models:
        answer = ask(models, "openai", "gpt-5", task)
    assert answer.final_answer == {"n": 4}
    assert answer.spent.usage is None

"""Every documented parameter of every provider, and where it stands in the request that the service gets."""

from typing import Any

import pytest

from evaluator.engine.trials.definitions import JsonValue
from evaluator.engine.trials.parameters import RULES
from evaluator.engine.trials.providers.registry import make_asker
from tests.evaluator.trials.fake_models.replies import Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels
from tests.evaluator.trials.model_asking import SCHEMA_TASK, TEXT_TASK, FakeToolbox, ask, defined

Parameters = dict[str, JsonValue]
Body = dict[str, Any]

SAMPLING: Parameters = {"temperature": 0.5, "top-p": 0.9, "presence-penalty": 0.1, "frequency-penalty": 0.2}
SAMPLED: Body = {"temperature": 0.5, "top_p": 0.9, "presence_penalty": 0.1, "frequency_penalty": 0.2}

SENT: list[tuple[str, str, Parameters, Body]] = [
    (
        "openai",
        "gpt-4o",
        {**SAMPLING, "max-completion-tokens": 99, "verbosity": "low", "reasoning-effort": "max"},
        {**SAMPLED, "max_completion_tokens": 99, "verbosity": "low", "reasoning_effort": "max"},
    ),
    (
        "openai",
        "gpt-5",
        {
            "max-completion-tokens": 99,
            "verbosity": "low",
            "reasoning-effort": "high",
            "reasoning-mode": "pro",
            "reasoning-context": "current_turn",
        },
        {
            "max_output_tokens": 99,
            "text.verbosity": "low",
            "reasoning.effort": "high",
            "reasoning.mode": "pro",
            "reasoning.context": "current_turn",
        },
    ),
    ("openai", "gpt-5-chat-latest", {"temperature": 0.5, "top-p": 0.9}, {"temperature": 0.5, "top_p": 0.9}),
    (
        "google",
        "gemini-3-pro",
        {**SAMPLING, "top-k": 7, "seed": 5, "thinking-level": "low", "media-resolution": "high"},
        {
            "generationConfig.temperature": 0.5,
            "generationConfig.topP": 0.9,
            "generationConfig.presencePenalty": 0.1,
            "generationConfig.frequencyPenalty": 0.2,
            "generationConfig.topK": 7,
            "generationConfig.seed": 5,
            "generationConfig.thinkingConfig.thinking_level": "LOW",
            "generationConfig.mediaResolution": "MEDIA_RESOLUTION_HIGH",
        },
    ),
    (
        "anthropic",
        "claude-sonnet-4-5-x",
        {
            "max-tokens": 5000,
            "thinking-budget-tokens": 2000,
            "effort": "high",
            "temperature": 1,
            "top-p": 0.9,
            "top-k": 7,
            "prompt-cache-ttl": "1h",
            "stream": True,
        },
        {
            "max_tokens": 5000,
            "thinking.type": "enabled",
            "thinking.budget_tokens": 2000,
            "output_config.effort": "high",
            "temperature": 1,
            "top_p": 0.9,
            "top_k": 7,
            "cache_control.ttl": "1h",
            "stream": True,
        },
    ),
    (
        "anthropic",
        "claude-sonnet-4-5-x",
        {"thinking": "disabled", "stream": False},
        {"thinking.type": "disabled", "max_tokens": 32_768, "stream": False},
    ),
    (
        "deepseek",
        "deepseek-chat",
        {**SAMPLING, "thinking": "enabled", "reasoning-effort": "high"},
        {**SAMPLED, "thinking.type": "enabled", "reasoning_effort": "high"},
    ),
    (
        "mistralai",
        "mistral-large",
        {
            **SAMPLING,
            "reasoning-effort": "low",
            "max-tokens": 99,
            "random-seed": 5,
            "prompt-mode": "reasoning",
            "safe-prompt": True,
        },
        {
            **SAMPLED,
            "reasoning_effort": "low",
            "max_tokens": 99,
            "random_seed": 5,
            "prompt_mode": "reasoning",
            "safe_prompt": True,
        },
    ),
    (
        "xai",
        "grok-4",
        {**SAMPLING, "max-completion-tokens": 99, "reasoning-effort": "low", "seed": 5},
        {**SAMPLED, "max_completion_tokens": 99, "reasoning_effort": "low", "seed": 5},
    ),
    (
        "alibaba",
        "qwen-plus",
        {**SAMPLING, "enable-thinking": True, "preserve-thinking": False, "thinking-budget": 50, "max-tokens": 99},
        {**SAMPLED, "enable_thinking": True, "preserve_thinking": False, "thinking_budget": 50, "max_tokens": 99},
    ),
    (
        "alibaba",
        "qwen-plus",
        {"reasoning-effort": "low", "max-completion-tokens": 99, "seed": 5, "stream": True},
        {"reasoning_effort": "low", "max_completion_tokens": 99, "seed": 5, "stream_options.include_usage": True},
    ),
    (
        "moonshotai",
        "kimi-k2.6",
        {
            **SAMPLING,
            "reasoning-effort": "max",
            "max-completion-tokens": 99,
            "preserve-thinking": "all",
            "stream": True,
        },
        {
            **SAMPLED,
            "reasoning_effort": "max",
            "max_completion_tokens": 99,
            "thinking.type": "enabled",
            "thinking.keep": "all",
            "stream": True,
        },
    ),
    (
        "moonshotai",
        "kimi-k2.6",
        {"thinking": "disabled", "max-tokens": 99},
        {"thinking.type": "disabled", "max_tokens": 99},
    ),
    (
        "openrouter",
        "a/b",
        {
            **SAMPLING,
            "top-k": 7,
            "min-p": 0.1,
            "top-a": 0.2,
            "repetition-penalty": 1.5,
            "max-tokens": 99,
            "reasoning-effort": "low",
            "seed": 5,
            "verbosity": "high",
            "server-tools": [{"type": "openrouter:web_search", "parameters": {"max_results": 2}}],
            "provider": {"order": ["x"]},
            "top_p": 0.1,
        },
        {
            **SAMPLED,
            "top_k": 7,
            "min_p": 0.1,
            "top_a": 0.2,
            "repetition_penalty": 1.5,
            "max_tokens": 99,
            "reasoning.effort": "low",
            "seed": 5,
            "verbosity": "high",
            "tools": [{"type": "openrouter:web_search", "parameters": {"max_results": 2}}],
            "provider.order": ["x"],
            "top_p": 0.1,  # what is passed through wins
        },
    ),
    ("openrouter", "a/b", {"max-completion-tokens": 99}, {"max_completion_tokens": 99}),
    ("my-own", "llama", {**SAMPLING, "max-tokens": 99, "grammar": "x"}, {**SAMPLED, "max_tokens": 99, "grammar": "x"}),
]
FORMS = {"response-format", "text-response-format", "text-response-format-with-tools", "disable-legacy-json-mode"}
FORMS |= {"legacy-structured-output", "parallel-tool-calls"}  # the tests below


def found(body: Any, path: str) -> Any:
    for part in path.split("."):
        body = (body or {}).get(part)
    return body


@pytest.mark.parametrize(("provider", "model", "parameters", "expected"), SENT)
def test_parameters_are_sent_where_the_service_reads_them(
    provider: str, model: str, parameters: Parameters, expected: Body
) -> None:
    with FakeModels([Reply(wrapped("4"))]) as models:
        answer = ask(defined(models, provider, model, parameters))
    assert {path: found(models.asked[0].body, path) for path in expected} == expected
    assert answer.spent.messages == ()


def test_no_documented_parameter_is_forgotten() -> None:
    for provider, rules in RULES.items():
        sent = {key for name, _, parameters, _ in SENT if name == provider for key in parameters}
        assert rules.checks.keys() - sent - FORMS == set(), provider


@pytest.mark.parametrize(
    ("provider", "parameters", "form", "has_words"),
    [
        ("openai", {}, "json_schema", False),
        ("openai", {"text-response-format": True}, None, True),
        ("deepseek", {}, "json_object", True),
        ("mistralai", {}, "json_schema", False),
        ("xai", {}, "json_schema", False),
        ("alibaba", {}, "json_schema", True),
        ("alibaba", {"disable-legacy-json-mode": True}, "json_schema", False),
        ("alibaba", {"response-format": "json-schema"}, "json_schema", False),
        ("alibaba", {"response-format": "json-object"}, "json_object", True),
        ("alibaba", {"text-response-format": True}, None, True),
        ("moonshotai", {}, "json_object", True),
        ("moonshotai", {"response-format": "json-schema"}, "json_schema", False),
        ("openrouter", {}, "json_schema", False),
        ("openrouter", {"response-format": "json-object"}, "json_object", True),
        ("openrouter", {"response-format": "text"}, None, True),
    ],
)
def test_the_form_of_the_answer_is_asked_for_in_the_services_way(
    provider: str, parameters: Parameters, form: str | None, has_words: bool
) -> None:
    model = "gpt-4o" if provider == "openai" else "some-model"
    with FakeModels([Reply(wrapped({"content": {"n": 4}}))]) as models:
        ask(defined(models, provider, model, parameters), SCHEMA_TASK)
    body = models.asked[0].body
    assert found(body, "response_format.type") == form
    assert ("JSON schema" in body["messages"][-1]["content"]) is has_words


@pytest.mark.parametrize(
    ("model", "parameters", "is_enforced"),
    [
        ("gemini-3-pro", {}, True),
        ("gemini-3-pro", {"text-response-format-with-tools": True}, False),
        ("gemini-2.5-pro", {}, False),
        ("gemini-3-pro", {"text-response-format": True}, False),
    ],
)
def test_google_is_asked_in_words_where_tools_and_forms_do_not_go_together(
    model: str, parameters: Parameters, is_enforced: bool
) -> None:
    with FakeModels([Reply(wrapped("4"))]) as models:
        ask(defined(models, "google", model, parameters), TEXT_TASK, FakeToolbox())
    assert ("responseJsonSchema" in models.asked[0].text()) is is_enforced
    assert ("JSON schema" in models.asked[0].text()) is not is_enforced


def test_openrouter_knows_who_asks_and_how_many_tools_at_once() -> None:
    with FakeModels([Reply(wrapped("4"))]) as models:
        ask(defined(models, "openrouter", "a/b", {"parallel-tool-calls": False}), TEXT_TASK, FakeToolbox())
    assert models.asked[0].headers["x-title"] == "Evalboard"
    assert models.asked[0].body["parallel_tool_calls"] is False


def test_openais_own_settings_of_the_environment_go_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN", "GOOGLE_API_KEY"):
        monkeypatch.setenv(variable, "from-the-environment")
    for provider in ("deepseek", "openrouter", "anthropic", "google"):
        with FakeModels([Reply(wrapped("4"))]) as models:
            ask(defined(models, provider, "a/b"))
        assert "from-the-environment" not in str(models.asked[0].headers)


def test_a_service_of_ones_own_needs_an_endpoint() -> None:
    with FakeModels() as models:
        provider = defined(models, "my-own")
    nowhere = type(provider)("my-own", type(provider.client)(provider.client.api_key), provider.runs)
    with pytest.raises(ValueError, match="'my-own' has no endpoint"):
        make_asker(nowhere, nowhere.runs[0])

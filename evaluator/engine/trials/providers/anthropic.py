"""Anthropic's Messages, streamed: its longer answers come in no other way."""

from typing import Any, cast

from anthropic import AsyncAnthropic
from anthropic.types.beta import BetaMessage, BetaUsage
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.profiles.anthropic import AnthropicModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings

from evaluator.engine.trials.definitions import ProviderDefinition, RunDefinition
from evaluator.engine.trials.providers.connection import (
    AnswerMode,
    Connection,
    answer_mode,
    base_settings,
    http_client,
    renamed,
)

ENDPOINT = "https://api.anthropic.com"
MAX_TOKENS = 32_768  # MindTrial's default; the service wants to be told a number

SETTINGS = {
    "max-tokens": "max_tokens",
    "temperature": "temperature",
    "top-p": "top_p",
    "top-k": "top_k",
    "effort": "anthropic_effort",
    "prompt-cache-ttl": "anthropic_cache",
}


class _Model(AnthropicModel):
    def _process_response(self, response: BetaMessage, *others: Any, **named: Any) -> ModelResponse:  # noqa: ANN401
        if cast(object, response.usage) is None:  # a proxy may leave it out; nothing told arrives as zeros
            response.usage = BetaUsage(input_tokens=0, output_tokens=0)
        return super()._process_response(response, *others, **named)


def connect(provider: ProviderDefinition, run: RunDefinition) -> Connection:
    """Make the connection of a run."""
    http = http_client(provider.client)
    sdk = AsyncAnthropic(
        api_key=provider.client.api_key.value,
        base_url=provider.client.endpoint or ENDPOINT,
        max_retries=0,  # retries are the runner's, which counts them
        http_client=http,
    )
    settings: dict[str, Any] = {
        **base_settings(provider.client),
        "max_tokens": MAX_TOKENS,
        **renamed(run.parameters, SETTINGS),
        **_thinking(run),
    }
    is_legacy = bool(run.parameters.get("legacy-structured-output"))
    return Connection(
        model=_Model(run.model, provider=AnthropicProvider(anthropic_client=sdk), profile=_profile()),
        http=http,
        settings=cast(ModelSettings, settings),
        mode=answer_mode(run, AnswerMode.CALL if is_legacy else AnswerMode.SCHEMA),
        is_streaming=run.parameters.get("stream") is not False,
    )


def _thinking(run: RunDefinition) -> dict[str, Any]:
    budget = run.parameters.get("thinking-budget-tokens")
    if budget is not None:
        return {"anthropic_thinking": {"type": "enabled", "budget_tokens": budget}}
    word = run.parameters.get("thinking")
    return {} if word is None else {"anthropic_thinking": {"type": word}}


def _profile() -> AnthropicModelProfile:
    """What is asked for is sent: whether a model can do it, its service knows best."""
    return AnthropicModelProfile(
        supports_json_schema_output=True,
        anthropic_disallows_budget_thinking=False,
        anthropic_disallows_top_effort_when_thinking_disabled=False,
        anthropic_enforces_strict_schema_limits=False,
    )

"""OpenAI: Chat Completions for the older models, Responses for all others."""

from typing import Any, cast

from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from evaluator.engine.trials.definitions import ImageDetail, ProviderDefinition, RunDefinition
from evaluator.engine.trials.providers.connection import (
    AnswerMode,
    Connection,
    answer_mode,
    base_settings,
    http_client,
    renamed,
)
from evaluator.engine.trials.providers.kept_forms import KeptForms
from evaluator.engine.trials.providers.plain_openai import PlainOpenAI

ENDPOINT = "https://api.openai.com/v1"
CHAT_PREFIXES = ("gpt-3", "gpt-4", "o1", "o3", "o4")

SETTINGS = {
    "temperature": "temperature",
    "top-p": "top_p",
    "presence-penalty": "presence_penalty",
    "frequency-penalty": "frequency_penalty",
    "max-completion-tokens": "max_tokens",
    "reasoning-effort": "openai_reasoning_effort",
    "verbosity": "openai_text_verbosity",
}
RESPONSES_SETTINGS = {"reasoning-mode": "openai_reasoning_mode", "reasoning-context": "openai_reasoning_context"}
CHAT_ONLY = ("presence-penalty", "frequency-penalty")
# The conversation is kept by the service, so that a turn sends only what is new.
STORED = {"openai_store": True, "openai_previous_response_id": "auto"}


class _ChatModel(KeptForms, OpenAIChatModel):
    pass


class _ResponsesModel(KeptForms, OpenAIResponsesModel):
    pass


def connect(provider: ProviderDefinition, run: RunDefinition) -> Connection:
    """Make the connection of a run."""
    http = http_client(provider.client)
    sdk = PlainOpenAI(
        api_key=provider.client.api_key.value,
        base_url=provider.client.endpoint or ENDPOINT,
        max_retries=0,  # retries are the runner's, which counts them
        http_client=http,
    )
    service = OpenAIProvider(openai_client=sdk)
    is_chat = run.model.startswith(CHAT_PREFIXES)
    settings: dict[str, Any] = {**base_settings(provider.client), **renamed(run.parameters, SETTINGS)}
    if not is_chat:
        settings |= {**STORED, **renamed(run.parameters, RESPONSES_SETTINGS)}
    model = (
        _ChatModel(run.model, provider=service, profile=_profile(run))
        if is_chat
        else _ResponsesModel(run.model, provider=service, profile=_profile(run))
    )
    is_text = bool(run.parameters.get("text-response-format"))
    return Connection(
        model=model,
        http=http,
        settings=cast(ModelSettings, settings),
        mode=answer_mode(run, AnswerMode.TEXT if is_text else AnswerMode.SCHEMA),
        image_notes=image_notes,
        notes=_notes(run, is_chat=is_chat),
    )


def image_notes(detail: ImageDetail) -> dict[str, Any] | None:
    """How closely an image is looked at, in OpenAI's words, which know no medium."""
    if detail is ImageDetail.AUTO:
        return None
    return {"detail": "high" if detail is ImageDetail.MEDIUM else str(detail)}


def _profile(run: RunDefinition) -> OpenAIModelProfile:
    """What is asked for is sent: whether a model can do it, its service knows best."""
    profile = OpenAIModelProfile(
        supports_json_schema_output=True,
        supports_image_input=True,
        openai_responses_supports_max_reasoning_effort=True,
        openai_chat_supports_max_reasoning_effort=True,
    )
    if "reasoning-mode" in run.parameters:
        profile["openai_responses_supports_reasoning_mode"] = True
    if "reasoning-context" in run.parameters:  # a profile that has it sends a context of its own accord
        profile["openai_responses_supports_reasoning_context"] = True
    return profile


def _notes(run: RunDefinition, *, is_chat: bool) -> tuple[str, ...]:
    missing = RESPONSES_SETTINGS if is_chat else CHAT_ONLY
    api = "Chat Completions" if is_chat else "Responses"
    return tuple(
        f"`{key}` is not sent: OpenAI's {api}, which serves {run.model}, has no such setting"
        for key in missing
        if run.parameters.get(key) is not None
    )

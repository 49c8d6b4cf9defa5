"""The services that follow OpenAI's Chat Completions: each is a row of manners, and one client serves them all."""

from typing import Any, cast

from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings

from evaluator.engine.trials.definitions import ProviderDefinition, RunDefinition
from evaluator.engine.trials.providers.compatible_models import CompatibleModel, RoutedModel
from evaluator.engine.trials.providers.connection import (
    AnswerMode,
    Connection,
    answer_mode,
    base_settings,
    http_client,
    renamed,
)
from evaluator.engine.trials.providers.file_types import read_types
from evaluator.engine.trials.providers.manners import ANY, MANNERS, Manners
from evaluator.engine.trials.providers.plain_openai import PlainOpenAI

OPENROUTER = "openrouter"
ATTRIBUTION = {"X-Title": "Evalboard"}
_FORMATS = {"json-schema": AnswerMode.SCHEMA, "json-object": AnswerMode.OBJECT, "text": AnswerMode.TEXT}


def connect(provider: ProviderDefinition, run: RunDefinition) -> Connection:
    """Make the connection of a run.

    Raises:
        ValueError: the service is none of ours, and its endpoint is not given.
    """
    manners = MANNERS.get(provider.name, ANY)
    endpoint = provider.client.endpoint or manners.endpoint
    if endpoint is None:
        raise ValueError(
            f"the provider {provider.name!r} has no endpoint: write its `endpoint` into `client-config`, or use one of "
            f"{', '.join(sorted(MANNERS))}"
        )
    http = http_client(provider.client)
    sdk = PlainOpenAI(
        api_key=provider.client.api_key.value or "none",  # local services ask for no key, the SDK does
        base_url=endpoint,
        max_retries=0,  # retries are the runner's, which counts them
        http_client=http,
        default_headers=ATTRIBUTION if provider.name == OPENROUTER else None,
    )
    sdk.organization = sdk.project = None  # the environment's are for OpenAI alone
    mode, has_schema_in_prompt = _form(run, manners)
    return Connection(
        model=_model(OpenAICompatibleProvider(provider.name, openai_client=sdk), run, manners),
        http=http,
        settings=_settings(provider, run, manners),
        mode=mode,
        has_schema_in_prompt=has_schema_in_prompt,
        is_streaming=bool(run.parameters.get("stream")),
        image_types=read_types(provider.name, run.model),
    )


def _model(service: OpenAICompatibleProvider, run: RunDefinition, manners: Manners) -> OpenAIChatModel:
    profile = OpenAIModelProfile(
        supports_json_schema_output=True,
        supports_json_object_output=True,
        supports_image_input=True,
        openai_supports_reasoning=False,  # else settings would be taken out; the service decides about them
        openai_chat_supports_max_completion_tokens="max-completion-tokens" in run.parameters,
        openai_supports_strict_tool_definition=manners.has_strict_tools,
        openai_chat_thinking_field="reasoning_content",
    )
    if manners.returns_thoughts:
        profile["openai_chat_send_back_thinking_parts"] = "field"
    if service.name == OPENROUTER:
        return RoutedModel(
            run.model, provider=service, profile=profile, server_tools=run.parameters.get("server-tools")
        )
    return CompatibleModel(run.model, provider=service, profile=profile)


def _settings(provider: ProviderDefinition, run: RunDefinition, manners: Manners) -> ModelSettings:
    body: dict[str, Any] = renamed(run.parameters, manners.body)
    for make in manners.more_body:
        body |= make(run.parameters)
    if manners.takes_extras:
        body |= {key: value for key, value in run.parameters.items() if key not in manners.known}
    settings: dict[str, Any] = {**base_settings(provider.client), **renamed(run.parameters, manners.settings)}
    if body:
        settings["extra_body"] = body
    return cast(ModelSettings, settings)


def _form(run: RunDefinition, manners: Manners) -> tuple[AnswerMode, bool]:
    """The mode of a run, and whether its prompt tells the schema although the service enforces it."""
    wanted = run.parameters.get("response-format")
    if isinstance(wanted, str):
        return answer_mode(run, _FORMATS[wanted]), False
    if run.parameters.get("text-response-format"):
        return answer_mode(run, AnswerMode.TEXT), False
    is_told = manners.has_schema_in_prompt and not run.parameters.get("disable-legacy-json-mode")
    return answer_mode(run, manners.mode), is_told

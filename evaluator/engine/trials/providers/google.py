"""Google's Gemini API."""

from typing import Any, Final, cast

from pydantic_ai.models.google import GoogleModel
from pydantic_ai.profiles.google import GoogleModelProfile
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from evaluator.engine.trials.definitions import JsonValue, ProviderDefinition, RunDefinition
from evaluator.engine.trials.providers.connection import (
    AnswerMode,
    Connection,
    answer_mode,
    base_settings,
    http_client,
    renamed,
)
from evaluator.engine.trials.providers.kept_forms import KeptForms

ENDPOINT: Final = "https://generativelanguage.googleapis.com"
# Their tools and their JSON do not go together; a form is asked for in words while tools are offered.
OLDER_PREFIXES: Final = ("gemini-1", "gemini-2")

SETTINGS: Final = {
    "temperature": "temperature",
    "top-p": "top_p",
    "top-k": "top_k",
    "presence-penalty": "presence_penalty",
    "frequency-penalty": "frequency_penalty",
    "seed": "seed",
}


class _Model(KeptForms, GoogleModel):
    pass


def connect(provider: ProviderDefinition, run: RunDefinition) -> Connection:
    """Make the connection of a run."""
    http = http_client(provider.client)
    service = GoogleProvider(
        api_key=provider.client.api_key.value, http_client=http, base_url=provider.client.endpoint or ENDPOINT
    )
    settings: dict[str, Any] = {
        **base_settings(provider.client),
        **renamed(run.parameters, SETTINGS),
        **_levels(run.parameters.get("thinking-level"), run.parameters.get("media-resolution")),
    }
    profile = GoogleModelProfile(supports_json_schema_output=True, google_supports_tool_combination=True)
    mode = answer_mode(run, AnswerMode.TEXT if run.parameters.get("text-response-format") else AnswerMode.SCHEMA)
    return Connection(
        model=_Model(run.model, provider=service, profile=profile),
        http=http,
        settings=cast(ModelSettings, settings),
        mode=mode,
        mode_with_tools=_mode_with_tools(run, mode),
    )


def _levels(thinking: JsonValue, resolution: JsonValue) -> dict[str, Any]:
    """Levels, in the words of the service."""
    levels: dict[str, Any] = {}
    if thinking is not None:
        levels["google_thinking_config"] = {"thinking_level": str(thinking).upper()}
    if resolution is not None:
        levels["google_video_resolution"] = f"MEDIA_RESOLUTION_{str(resolution).upper()}"
    return levels


def _mode_with_tools(run: RunDefinition, mode: AnswerMode) -> AnswerMode | None:
    needs_words = run.parameters.get("text-response-format-with-tools") or run.model.startswith(OLDER_PREFIXES)
    return AnswerMode.TEXT if needs_words and mode is AnswerMode.SCHEMA else None

"""pydantic-ai's models of Chat Completions, taught what services do that only follow OpenAI."""

from collections.abc import AsyncIterable
from typing import Any, NoReturn, cast

from openai.types import CompletionUsage, chat
from openai.types.chat import ChatCompletionChunk
from openai.types.completion_usage import PromptTokensDetails
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings, OpenAIStreamedResponse
from pydantic_ai.models.openrouter import OpenRouterModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from evaluator.engine.trials.definitions import JsonValue
from evaluator.engine.trials.providers.connection import BROKEN_STREAM
from evaluator.engine.trials.providers.kept_forms import KeptForms

ERROR_STATUSES = range(400, 600)
# DeepSeek's and Moonshot's own words for `prompt_tokens_details.cached_tokens`.
CACHE_READ_WORDS = ("prompt_cache_hit_tokens", "cached_tokens")
CACHE_WRITE_WORD = "cache_creation_input_tokens"  # Alibaba's, among the details

UNTOLD_PROVIDER = "unknown"


class CompatibleModel(KeptForms, OpenAIChatModel):
    """Reads errors that come with status 200, and counts that stand in unusual places."""

    def _validate_completion(self, response: chat.ChatCompletion) -> Any:  # noqa: ANN401 - pydantic-ai's own type
        if error := (response.model_extra or {}).get("error"):
            raise _told_error(error, self.model_name)
        response.usage = usual_usage(response.usage)
        return super()._validate_completion(response)

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return _CompatibleStream


class RoutedModel(KeptForms, OpenRouterModel):
    """OpenRouter's, with the tools that its servers run."""

    def __init__(
        self,
        model_name: str,
        *,
        provider: OpenAICompatibleProvider,
        profile: OpenAIModelProfile,
        server_tools: JsonValue = None,
    ) -> None:
        super().__init__(model_name, provider=provider, profile=profile)
        self._server_tools = cast(list[chat.ChatCompletionToolParam], server_tools or [])

    def _validate_completion(self, response: chat.ChatCompletion) -> Any:  # noqa: ANN401 - pydantic-ai's own type
        if response.choices and not getattr(response, "provider", None):  # proxies leave out who really answered
            cast(Any, response).provider = UNTOLD_PROVIDER
        response.usage = usual_usage(response.usage)
        return super()._validate_completion(response)

    def _get_tool_choice(
        self, model_settings: OpenAIChatModelSettings, model_request_parameters: ModelRequestParameters
    ) -> Any:  # noqa: ANN401 - pydantic-ai's own types
        tools, choice = super()._get_tool_choice(model_settings, model_request_parameters)
        return [*tools, *self._server_tools], choice


class _CompatibleStream(OpenAIStreamedResponse):
    async def _validate_response(self) -> AsyncIterable[ChatCompletionChunk]:
        async for chunk in super()._validate_response():
            chunk.usage = usual_usage(chunk.usage)
            yield chunk

    def _missing_finish_reason(self) -> NoReturn:
        raise ConnectionError(BROKEN_STREAM)


def usual_usage(usage: CompletionUsage | None) -> CompletionUsage | None:
    """The counts where OpenAI puts them.

    Args:
        usage: as the service sent it, not checked.

    Returns:
        `None` where the service tells no counts.
    """
    told = cast(dict[str, Any], {} if usage is None else usage.model_dump(exclude_none=True, warnings=False))
    if usage is None or "prompt_tokens" not in told or "completion_tokens" not in told:
        return None
    details = told.get("prompt_tokens_details") or {}
    read = next((told[word] for word in CACHE_READ_WORDS if word in told), None)
    write = details.get(CACHE_WRITE_WORD)
    if read is None and write is None:
        return usage
    if read is not None:
        details.setdefault("cached_tokens", read)
    if write is not None:
        details.setdefault("cache_write_tokens", write)
    usage.prompt_tokens_details = PromptTokensDetails.model_construct(**details)
    return usage


def _told_error(error: object, model: str) -> ModelAPIError:
    """The failure that a good status hides."""
    told = error if isinstance(error, dict) else {"message": str(error)}
    code = told.get("code")
    if isinstance(code, int) and code in ERROR_STATUSES:
        return ModelHTTPError(code, model, told)
    return ModelAPIError(model, str(told.get("message") or told), body=told)

"""OpenAI's SDK without its own look at what is sent: pydantic-ai has built each request in the form of the service.

That look, value by value, takes a third of the processor time of a request.
"""

from functools import cached_property
from typing import Any

from openai import AsyncOpenAI, AsyncStream, NotGiven, Omit
from openai.resources.chat import AsyncChat, AsyncCompletions
from openai.resources.responses import AsyncResponses
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent

_OPTIONS = {"extra_headers": "headers", "extra_body": "extra_json", "timeout": "timeout"}


class PlainOpenAI(AsyncOpenAI):
    """A client whose two ways of asking send their arguments as they are."""

    @cached_property
    def chat(self) -> AsyncChat:
        """Chat Completions."""
        return _Chat(self)

    @cached_property
    def responses(self) -> AsyncResponses:
        """Responses."""
        return _Responses(self)


class _Chat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncCompletions:
        return _Completions(self._client)


class _Completions(AsyncCompletions):
    async def create(self, **arguments: Any) -> Any:  # noqa: ANN401 - the SDK's types
        return await self._client.post(
            "/chat/completions",
            cast_to=ChatCompletion,
            stream_cls=AsyncStream[ChatCompletionChunk],
            **_request(arguments),
        )


class _Responses(AsyncResponses):
    async def create(self, **arguments: Any) -> Any:  # noqa: ANN401 - the SDK's types
        return await self._client.post(
            "/responses",
            cast_to=Response,
            stream_cls=AsyncStream[ResponseStreamEvent],
            **_request(arguments),
        )


def _request(arguments: dict[str, Any]) -> dict[str, Any]:
    """Body and options of a request, without what is left out."""
    given = {key: value for key, value in arguments.items() if not isinstance(value, NotGiven | Omit)}
    options = {name: value for key, name in _OPTIONS.items() if (value := given.pop(key, None)) is not None}
    return {"body": given, "options": options, "stream": bool(given.get("stream"))}

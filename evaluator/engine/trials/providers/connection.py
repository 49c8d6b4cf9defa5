"""How one run's model is spoken to: what a family of services gives to the conversation."""

import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from evaluator.engine.trials.definitions import Client, ImageDetail, JsonValue, RunDefinition
from evaluator.engine.trials.providers.bounded_transport import ENCODINGS, BoundedTransport
from evaluator.engine.trials.providers.file_types import IMAGES

REQUEST_SECONDS = 1200.0  # where a configuration names no limit: reasoning models take many minutes
CONNECT_SECONDS = 30.0
BROKEN_STREAM = "the stream ended before the answer did"


class AnswerMode(StrEnum):
    """How a service is made to answer in a form."""

    SCHEMA = "schema"  # it enforces a JSON schema
    OBJECT = "object"  # it enforces JSON; the schema stands in the prompt
    TEXT = "text"  # it enforces nothing; the schema stands in the prompt
    CALL = "call"  # the answer is the argument of a tool
    FREE = "free"  # no form at all: the whole reply is the answer


@dataclass(frozen=True)
class Connection:
    """A model, ready to be asked, and the manners of its service."""

    model: Model
    http: httpx2.AsyncClient  # of this run alone
    settings: ModelSettings
    mode: AnswerMode
    has_schema_in_prompt: bool = False  # beside enforcing it
    is_streaming: bool = False
    image_types: frozenset[str] = IMAGES  # media types that it reads
    image_notes: Callable[[ImageDetail], dict[str, Any] | None] = lambda _detail: None
    mode_with_tools: AnswerMode | None = None  # while tools are offered; None = the same
    notes: tuple[str, ...] = field(default=())  # what the user must know: settings that the service does not have


class _Client(httpx2.AsyncClient):
    """A client whose answers are bounded, whichever way they come: a transport of one's own would lose the proxies."""

    def _transport_for_url(self, url: httpx2.URL) -> httpx2.AsyncBaseTransport:
        return BoundedTransport(super()._transport_for_url(url))


def http_client(client: Client) -> httpx2.AsyncClient:
    """The HTTP client of one run; it keeps its connections between requests."""
    seconds = client.request_timeout_seconds or REQUEST_SECONDS
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
    return _Client(
        verify=_trusted(),
        limits=limits,
        headers={"accept-encoding": ENCODINGS},
        # Nobody waits for a connection: the runner's limits say how many requests there are.
        timeout=httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS), pool=None),
    )


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that are trusted; reading them takes longer than everything else about a client."""
    return httpx2.create_ssl_context()


def base_settings(client: Client) -> ModelSettings:
    """What every request gets: the limit of its whole time, if there is one."""
    if client.request_timeout_seconds is None:
        return ModelSettings()
    return ModelSettings(request_timeout=client.request_timeout_seconds)


def answer_mode(run: RunDefinition, usual: AnswerMode) -> AnswerMode:
    """The mode of a run whose service usually answers so."""
    return usual if run.is_structured else AnswerMode.FREE


def renamed(parameters: Mapping[str, JsonValue], names: Mapping[str, str]) -> dict[str, Any]:
    """The parameters that stand in a table, under the names that it gives them; null is not set."""
    return {name: parameters[key] for key, name in names.items() if parameters.get(key) is not None}

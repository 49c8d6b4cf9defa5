"""What a fake model says, and what it was asked: the words in which tests speak with the server."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Dialect(StrEnum):
    """The languages of the services."""

    CHAT = "chat"  # OpenAI's Chat Completions, and everybody who follows it
    RESPONSES = "responses"  # OpenAI's Responses
    MESSAGES = "messages"  # Anthropic's Messages
    GEMINI = "gemini"  # Google's generateContent
    FILE = "file"  # a plain GET, for files of tasks


class Cut(StrEnum):
    """Where a connection is dropped."""

    BEFORE = "before"  # nothing is answered
    INSIDE = "inside"  # the headers promise more than comes


@dataclass(frozen=True)
class Call:
    """A tool call as a model writes it."""

    name: str
    arguments: str = "{}"  # JSON, or not
    id: str = "call-1"


@dataclass(frozen=True)
class Reply:
    """One answer of a fake model. The defaults make a good, empty one."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    usage: Mapping[str, Any] | None = None  # in the dialect's own words; None = the service tells none
    finish: str | None = None  # in the dialect's own words; None = its usual one
    reasoning: str | None = None
    status: int = 200
    error: Mapping[str, Any] | None = None  # the body of a status other than 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None  # the body exactly as it is sent
    delay_seconds: float = 0.0
    cut: Cut | None = None


@dataclass(frozen=True)
class Asked:
    """One request as the server got it."""

    dialect: Dialect
    method: str
    path: str
    headers: Mapping[str, str]  # names in lower case
    body: Any  # decoded JSON; None = there was none
    is_stream: bool
    model: str

    def text(self) -> str:
        """The request's body as JSON text, to search in."""
        return json.dumps(self.body, ensure_ascii=False)


def wrapped(answer: Any, *, title: str = "A title", explanation: str = "Because.") -> str:
    """The JSON text of a wrapped answer."""
    return json.dumps({"title": title, "explanation": explanation, "final_answer": answer})

"""One HTTP request and its answer, bounded in time and size; redirects are answers like any other."""

import json
import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

MOST_BODY_BYTES = 4 * 2**20
BLOCK_BYTES = 65536


class CallError(Exception):
    """There was no answer; the text says why."""


@dataclass(frozen=True)
class Call:
    """What is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None

    def as_curl(self) -> str:
        """The same as a command."""
        words = ["curl", "-i", "-X", self.method]
        for name, value in self.headers.items():
            words += ["-H", f"{name}: {value}"]
        words += ["-d", self.body.decode(errors="replace")] if self.body is not None else []
        return shlex.join([*words, self.url])


@dataclass(frozen=True)
class Answer:
    """What came back; `headers` by small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def content_type(self) -> str:
        """Without parameters, in small letters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def text(self) -> str:
        """The body as text."""
        return self.body.decode(errors="replace")


def make_call(method: str, url: str, headers: Mapping[str, str], body: object) -> Call:
    """Put a request together.

    Args:
        method: in any case.
        url: whole.
        headers: as configured; a Content-Type is added for a body that has none.
        body: any JSON, or a text that is sent as it is; None = no body.
    """
    if body is None:
        return Call(method.upper(), url, headers)
    encoded = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    has_type = any(name.lower() == "content-type" for name in headers)
    kind = "text/plain" if isinstance(body, str) else "application/json"
    return Call(method.upper(), url, headers if has_type else {**headers, "Content-Type": kind}, encoded)


def send(call: Call, timeout_seconds: float) -> Answer:
    """Send a request and wait for the whole answer.

    Raises:
        CallError: no connection, no HTTP, or not done in time.
    """
    parts = urlsplit(call.url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise CallError(f"{call.url!r} is no address of the web; write http://HOST:PORT")
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    deadline = time.monotonic() + timeout_seconds
    try:
        connection = kind(parts.hostname, parts.port, timeout=timeout_seconds)
        try:
            connection.request(call.method, target, body=call.body, headers=dict(call.headers))
            response = connection.getresponse()
            body = bytearray()
            while block := response.read1(BLOCK_BYTES):
                body += block
                if len(body) > MOST_BODY_BYTES:
                    raise CallError(f"the answer has more than {MOST_BODY_BYTES // 2**20} MB")
                if time.monotonic() > deadline:
                    raise TimeoutError
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, headers, bytes(body))
        finally:
            connection.close()
    except TimeoutError as error:
        raise CallError(f"no whole answer within {timeout_seconds:g} s") from error
    except (OSError, HTTPException, ValueError) as error:
        raise CallError(f"no answer: {error or type(error).__name__}") from error

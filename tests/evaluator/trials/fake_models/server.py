"""A model server on loopback, in a thread of its own: speaks the real HTTP dialects, says what a test wrote down."""

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from tests.evaluator.trials.fake_models import chat, gemini, messages, responses
from tests.evaluator.trials.fake_models.replies import Asked, Cut, Dialect, Reply

SPEAKERS = {
    Dialect.CHAT: chat,
    Dialect.RESPONSES: responses,
    Dialect.MESSAGES: messages,
    Dialect.GEMINI: gemini,
}
REASONS = {200: "OK", 429: "Too Many Requests", 500: "Internal Server Error"}

Answer = Callable[[Asked], Reply]


class FakeModels:
    """Serves models while its `with` block lasts.

    Replies are taken from `script` one after the other; when it is used up, `answer` decides.
    """

    def __init__(
        self, script: Iterable[Reply] = (), answer: Answer | None = None, *, keeps_requests: bool = True
    ) -> None:
        self.script = list(script)
        self.answer: Answer = answer or (lambda _asked: Reply("{}"))
        self.asked: list[Asked] = []
        self.port = 0
        self._keeps_requests = keeps_requests
        self._loop = asyncio.new_event_loop()
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="fake-models", daemon=True)
        self._connections: set[asyncio.Task[Any]] = set()

    @property
    def url(self) -> str:
        """Where it is reached, without a path."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._is_ready.set()
        self._loop.run_forever()
        server.close()
        for task in self._connections:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._connections, return_exceptions=True))
        self._loop.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while (asked := await _read(reader)) is not None:
                if not await self._reply(asked, writer):
                    break
        writer.close()

    async def _reply(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False = the connection is over."""
        if self._keeps_requests:
            self.asked.append(asked)
        reply = self.script.pop(0) if self.script else self.answer(asked)
        if reply.delay_seconds:
            await asyncio.sleep(reply.delay_seconds)
        if reply.cut is Cut.BEFORE:
            return False
        body, kind = _body(asked, reply)
        length = len(body) + (1000 if reply.cut is Cut.INSIDE else 0)
        headers = {"content-type": kind, "content-length": str(length), "x-request-id": "req-1", **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Other')}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
        await writer.drain()
        return reply.cut is None


def _body(asked: Asked, reply: Reply) -> tuple[bytes, str]:
    if reply.raw is not None:
        return reply.raw, reply.headers.get("content-type", "application/json")
    if reply.status != 200:
        error = reply.error or {"error": {"message": f"status {reply.status}", "type": "some_error", "code": None}}
        return json.dumps(error).encode(), "application/json"
    speaker = SPEAKERS[asked.dialect]
    if asked.is_stream:
        return speaker.stream(asked, reply), "text/event-stream"
    return json.dumps(speaker.document(asked, reply)).encode(), "application/json"


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *rest = head.decode("latin-1").split("\r\n")
    method, target, _version = first.split(" ", 2)
    pairs = (line.split(":", 1) for line in rest if line)
    headers = {name.lower(): value.strip() for name, value in pairs}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    body = json.loads(raw) if raw else None
    path = urlsplit(target).path
    dialect = _dialect(method, path)
    if dialect is Dialect.GEMINI:
        model = path.rsplit("/", 1)[-1].partition(":")[0]
        return Asked(dialect, method, path, headers, body, ":stream" in path, model)
    is_stream = bool(body and body.get("stream"))
    return Asked(dialect, method, path, headers, body, is_stream, (body or {}).get("model", ""))


def _dialect(method: str, path: str) -> Dialect:
    if method == "GET":
        return Dialect.FILE
    if path.endswith("/chat/completions"):
        return Dialect.CHAT
    if path.endswith("/responses"):
        return Dialect.RESPONSES
    return Dialect.MESSAGES if path.endswith("/messages") else Dialect.GEMINI

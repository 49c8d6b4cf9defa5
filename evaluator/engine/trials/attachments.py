"""The files that go with a task: read from disk or fetched from the web, within limits."""

import asyncio
import ipaddress
import mimetypes
import socket
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

import httpx2

from evaluator.engine.regular_files import read_regular
from evaluator.engine.trials.definitions import TaskFile
from evaluator.engine.trials.interfaces import ConversationError, FailureKind

LARGEST_BYTES: Final = 20 * 1024 * 1024  # of one file: no service takes larger images
DOWNLOAD_SECONDS: Final = 60.0
MOST_REDIRECTS: Final = 5

_WEB = ("http", "https")
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_SAME_TYPES = {"image/jpg": "image/jpeg"}
_LATER = frozenset({408, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Attachment:
    """A file with its contents."""

    file: TaskFile
    data: bytes
    media_type: str


async def attached(file: TaskFile, media_types: Collection[str], *, allows_loopback: bool = False) -> Attachment:
    """Read a file for a service.

    Args:
        file: of a task.
        media_types: what the service reads.
        allows_loopback: whether a redirect may lead to this machine; only tests need it.

    Raises:
        ConversationError: the service does not read such files (`UNSUPPORTED`), or it cannot be had (`EXECUTION`).
    """
    told = _told_type(file)
    if told is not None and told not in media_types:
        raise _unsupported(file, told)
    data = await content_of(file, allows_loopback=allows_loopback)
    media_type = told or _recognised(data) or "application/octet-stream"
    if media_type not in media_types:
        raise _unsupported(file, media_type)
    return Attachment(file, data, media_type)


async def content_of(file: TaskFile, *, allows_loopback: bool = False) -> bytes:
    """The bytes of a file.

    Raises:
        ConversationError: it is missing, too large, or not given within a minute.
    """
    if urlsplit(file.uri).scheme in _WEB:
        return await _download(file, allows_loopback=allows_loopback)
    try:
        return await asyncio.to_thread(_read, file)
    except OSError as error:
        reason = error.strerror or str(error)
    raise _failed(file, f"it cannot be read: {reason}", is_transient=False)


def _read(file: TaskFile) -> bytes:
    path = Path(unquote(urlsplit(file.uri).path)) if file.uri.startswith("file:") else Path(file.uri)
    data = read_regular(path, LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise _too_large(file)
    return data


async def _download(file: TaskFile, *, allows_loopback: bool) -> bytes:
    try:
        async with asyncio.timeout(DOWNLOAD_SECONDS), httpx2.AsyncClient(timeout=DOWNLOAD_SECONDS) as client:
            return await _followed(client, file, allows_loopback=allows_loopback)
    except TimeoutError:
        reason = f"it did not arrive within {DOWNLOAD_SECONDS:g} seconds"
    except httpx2.HTTPError as error:
        reason = f"it cannot be fetched: {error or type(error).__name__}"
    except httpx2.InvalidURL as error:
        raise _failed(file, f"its address is no address: {error}", is_transient=False) from None
    raise _failed(file, reason, is_transient=True)


async def _followed(client: httpx2.AsyncClient, file: TaskFile, *, allows_loopback: bool) -> bytes:
    address = file.uri
    for _hop in range(MOST_REDIRECTS + 1):
        async with client.stream("GET", address) as response:
            if not response.is_redirect:
                return await _body(response, file)
            address = urljoin(address, response.headers.get("location", ""))
        await _check_redirect(file, address, allows_loopback=allows_loopback)
    raise _failed(file, f"it was redirected more than {MOST_REDIRECTS} times", is_transient=False)


async def _body(response: httpx2.Response, file: TaskFile) -> bytes:
    if response.status_code != httpx2.codes.OK:
        raise _failed(
            file,
            f"its server answered with status {response.status_code}, and only 200 will do",
            is_transient=response.status_code in _LATER,
        )
    data = bytearray()
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > LARGEST_BYTES:
            raise _too_large(file)
    return bytes(data)


async def _check_redirect(file: TaskFile, address: str, *, allows_loopback: bool) -> None:
    """A public server must not lead us into the network that we are in."""
    parts = urlsplit(address)
    if parts.scheme not in _WEB or not parts.hostname:
        raise _failed(file, f"it was redirected to {address!r}, which is no address of the web", is_transient=False)
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    except OSError as error:
        raise _failed(file, f"it was redirected to {parts.hostname}, which is unknown: {error}") from None
    for entry in found:
        place = ipaddress.ip_address(str(entry[4][0]).partition("%")[0])
        if not place.is_global and not (allows_loopback and place.is_loopback):
            raise _failed(
                file,
                f"it was redirected to {parts.hostname}, which is in a private network; name that address itself",
                is_transient=False,
            )


def _told_type(file: TaskFile) -> str | None:
    """The media type that the task or the file's name gives."""
    told = file.media_type
    if told is None:
        path = urlsplit(file.uri).path
        told = mimetypes.guess_type(path)[0] or mimetypes.guess_type(file.name)[0]
    return None if told is None else _SAME_TYPES.get(told, told)


def _recognised(data: bytes) -> str | None:
    """The media type that a file's first bytes give away."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((media_type for start, media_type in _BEGINNINGS if data.startswith(start)), None)


def _unsupported(file: TaskFile, media_type: str) -> ConversationError:
    message = f"the service does not read files of type {media_type}: {file.name}"
    return ConversationError(FailureKind.UNSUPPORTED, message, is_transient=False)


def _too_large(file: TaskFile) -> ConversationError:
    return _failed(file, f"it is larger than {LARGEST_BYTES // 1024**2} MB", is_transient=False)


def _failed(file: TaskFile, reason: str, *, is_transient: bool | None = None) -> ConversationError:
    return ConversationError(
        FailureKind.EXECUTION,
        f"the file {file.name!r}: {reason}",
        is_transient=is_transient,
        details={"File": [file.uri]},
    )

"""Answers of services, bounded in size as they are after decompression: no service can fill the memory."""

import zlib
from collections.abc import AsyncIterator
from typing import Final

import httpx2

LARGEST_ANSWER_BYTES: Final = 64 * 1024 * 1024  # of one response, streamed or not
ENCODINGS: Final = "gzip, deflate"  # what is asked for, and what is understood
BLOCK_BYTES: Final = 1024 * 1024


class AnswerRefusedError(httpx2.DecodingError):
    """An answer is too large, or packed in a way that was not asked for."""


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Hands on what another transport brings, unpacked, and stops where it becomes too large."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner
        self._most_bytes = LARGEST_ANSWER_BYTES

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request.

        Raises:
            AnswerRefusedError: the answer is packed otherwise than was asked for; or, while it is read, too large.
        """
        response = await self._inner.handle_async_request(request)
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        stream = response.stream
        if encoding not in {"identity", "", "gzip", "x-gzip", "deflate"} or not isinstance(
            stream, httpx2.AsyncByteStream
        ):
            await response.aclose()
            raise AnswerRefusedError(f"the answer is packed as {encoding!r}, which was not asked for", request=request)
        headers = response.headers.copy()
        is_packed = encoding not in {"identity", ""}
        if is_packed:
            del headers["content-encoding"]
            headers.pop("content-length", None)
        return httpx2.Response(
            response.status_code,
            headers=headers,
            stream=_Bounded(stream, is_packed=is_packed, most_bytes=self._most_bytes, request=request),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Close connections."""
        await self._inner.aclose()


class _Bounded(httpx2.AsyncByteStream):
    def __init__(
        self, inner: httpx2.AsyncByteStream, *, is_packed: bool, most_bytes: int, request: httpx2.Request
    ) -> None:
        self._inner = inner
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32) if is_packed else None  # gzip or zlib, as it begins
        self._left = most_bytes
        self._most_bytes = most_bytes
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for block in self._inner:
            for part in self._unpacked(block):
                self._left -= len(part)
                if self._left < 0:
                    most = f"{self._most_bytes // 2**20} MiB"
                    raise AnswerRefusedError(f"the answer has more than {most}", request=self._request)
                yield part

    def _unpacked(self, block: bytes) -> list[bytes]:
        if self._unpacker is None:
            return [block]
        parts: list[bytes] = []
        size = 0
        try:
            while block and size <= self._left:  # what comes beyond is not even unpacked
                parts.append(self._unpacker.decompress(block, BLOCK_BYTES))
                size += len(parts[-1])
                block = self._unpacker.unconsumed_tail
        except zlib.error as error:
            raise AnswerRefusedError(f"the answer cannot be unpacked: {error}", request=self._request) from error
        return parts

    async def aclose(self) -> None:
        await self._inner.aclose()

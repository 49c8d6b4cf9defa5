"""Server-sent events, as all dialects stream them."""

import json
from typing import Any


def event(data: Any, name: str | None = None) -> bytes:
    """One event with a JSON document in it."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def halves(text: str) -> list[str]:
    """A text in two pieces, so that a stream is put together again by who reads it."""
    middle = len(text) // 2
    return [part for part in (text[:middle], text[middle:]) if part]

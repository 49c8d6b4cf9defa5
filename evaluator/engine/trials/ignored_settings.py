"""Catches the warnings of pydantic-ai and the SDKs: of settings that are not sent, of models that end."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

MODULES = r"(pydantic_ai|openai|anthropic|google\.genai)(\.|$)"

_heard: ContextVar[list[str] | None] = ContextVar("ignored_settings_heard", default=None)
_show = warnings.showwarning


def listen() -> None:
    """Let this process hear every such warning, not only the first of its kind; called again, it changes nothing."""
    global _show  # noqa: PLW0603 - the hook that Python documents is one per process
    warnings.filterwarnings("always", module=MODULES)
    if warnings.showwarning is not _hear:
        _show = warnings.showwarning
        warnings.showwarning = _hear


@contextmanager
def heard() -> Iterator[list[str]]:
    """Collect the warnings of the requests inside; those of other tasks are theirs. `asyncio` keeps them apart."""
    collected: list[str] = []
    token = _heard.set(collected)
    try:
        yield collected
    finally:
        _heard.reset(token)


def _hear(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    collected = _heard.get()
    if collected is None:
        _show(message, category, filename, lineno, file, line)
    elif (text := str(message)) not in collected:
        collected.append(text)

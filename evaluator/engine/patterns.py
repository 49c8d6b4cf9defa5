"""Expressions that somebody wrote, or that are sought in what somebody wrote: found in linear time, whatever it is."""

import re
from functools import lru_cache

import re2

_UNICODE_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u([0-9A-Fa-f]{4})")
_MOST_CHARACTERS = 10_000
_CACHED = 256


class PatternError(ValueError):
    """An expression cannot be used; the text says why."""


class Pattern:
    """An expression without look-around and back-references: its search cannot become slow."""

    def __init__(self, written: str) -> None:
        """Understand an expression.

        Raises:
            PatternError: it is none, or needs more than linear time.
        """
        if len(written) > _MOST_CHARACTERS:
            raise PatternError(f"it has more than {_MOST_CHARACTERS:,} characters")
        self.written = written
        options = re2.Options()
        options.log_errors = False
        try:
            self._compiled = re2.compile(_UNICODE_ESCAPE.sub(r"\1\\x{\2}", written).encode(errors="replace"), options)
        except re2.error as error:
            reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else error
            raise PatternError(f"{reason} (look-around and back-references are not understood)") from None

    def is_in(self, text: str) -> bool:
        """Whether it is found anywhere in a text."""
        return self._compiled.search(text.encode(errors="replace")) is not None

    def first(self, text: str) -> tuple[str, ...] | None:
        """Where it is found first: the whole, then its groups, a missing one as the empty text; None if nowhere."""
        found = self._compiled.search(text.encode(errors="replace"))
        if found is None:
            return None
        return tuple((part or b"").decode(errors="replace") for part in (found[0], *found.groups()))

    def is_whole(self, text: str) -> bool:
        """Whether it is the whole text."""
        return self._compiled.fullmatch(text.encode(errors="replace")) is not None


@lru_cache(maxsize=_CACHED)
def pattern_of(written: str) -> Pattern:
    """An expression; the same text is looked at once.

    Raises:
        PatternError: it cannot be used.
    """
    return Pattern(written)

"""Tasks picked by their names: wildcards or a regular expression, matched in a time that no pattern can blow up."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import re2

WILDCARD, REGULAR = "wildcard", "regexp"
SYNTAXES = (WILDCARD, REGULAR)
MOST_CHARACTERS = 1_000  # of a pattern
MOST_MEMORY_BYTES = 2**20  # of a compiled pattern; RE2 needs time in proportion to it and to the names, never more
LIMIT_S = 0.25  # for all names together, since a page waits for it


class SelectionError(ValueError):
    """The pattern cannot be used; the text says why and what to do."""


@dataclass(frozen=True)
class TaskSelection:
    """Which tasks are meant.

    Attributes:
        text: wildcards are anchored patterns with `*` (anything) and `?` (one character), separated by commas; a
            backslash takes the next character literally. A regular expression (of RE2) may match anywhere. Case is
            ignored.
        syntax: one of `SYNTAXES`.
    """

    text: str = ""
    syntax: str = WILDCARD

    def __bool__(self) -> bool:
        return bool(self.text.strip())

    def among(self, names: Iterable[str]) -> frozenset[str]:
        """The names that match; all of them when nothing is asked for.

        Raises:
            SelectionError: it is no regular expression, it is too large, or it takes too long.
        """
        if not self:
            return frozenset(names)
        pattern = _compiled(self.text, self.syntax)
        found, deadline = set(), time.monotonic() + LIMIT_S
        for name in names:
            if time.monotonic() > deadline:
                raise SelectionError(f"The pattern needs more than {LIMIT_S:g} s for all names; write a shorter one.")
            if pattern.search(name.encode(errors="replace")) is not None:
                found.add(name)
        return frozenset(found)


def _compiled(text: str, syntax: str) -> Any:  # noqa: ANN401  (the package has no types)
    if len(text) > MOST_CHARACTERS:
        raise SelectionError(f"The pattern has {len(text):,} characters; at most {MOST_CHARACTERS:,} are taken.")
    options = re2.Options()
    options.case_sensitive, options.log_errors, options.max_mem = False, False, MOST_MEMORY_BYTES
    written = _of_wildcards(text) if syntax == WILDCARD else text
    try:
        return re2.compile(written.encode(errors="replace"), options)
    except re2.error as error:
        (reason,) = error.args
        said = reason.decode(errors="replace") if isinstance(reason, bytes) else reason
        raise SelectionError(
            f"The pattern cannot be used: {said}. It is a regular expression as RE2 reads it."
        ) from error


def _of_wildcards(text: str) -> str:
    patterns = "|".join("".join(map(_translated, part)) for part in _parts(text))
    return rf"\A(?s:{patterns})\z" if patterns else r"[^\s\S]"


def _translated(character: str) -> str:
    return {"*": ".*", "?": "."}.get(character) or str(re2.escape(character[-1]))


def _parts(text: str) -> list[list[str]]:
    """Patterns as lists of characters; those with a backslash before them keep it."""
    parts: list[list[str]] = [[]]
    characters = iter(text)
    for character in characters:
        if character == ",":
            parts.append([])
        elif not (character == "*" and parts[-1][-1:] == ["*"]):
            parts[-1].append(character + next(characters, "\\") if character == "\\" else character)
    return [part for part in map(_stripped, parts) if part]


def _stripped(part: list[str]) -> list[str]:
    first, last = 0, len(part)
    while first < last and part[first].isspace():
        first += 1
    while last > first and part[last - 1].isspace():
        last -= 1
    return part[first:last]

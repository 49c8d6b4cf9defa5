"""Gathers what is wrong with a project's configuration, so that all of it is told at once."""

import difflib
import re
from collections.abc import Iterable
from copy import deepcopy
from typing import Any, TypeVar

import msgspec

from evaluator.engine.strategies.known_keys import known_keys

MOST_PROBLEMS = 50
_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `([^`]*)`")
_PLACE = re.compile(r" - at `\$(.*)`$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")

T = TypeVar("T")


class ConfigurationError(ValueError):
    """The configuration cannot be used; each problem names the file, the key, the value and the remedy."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Findings:
    """The problems of one file, in the order in which they were found."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._problems: list[str] = []

    def add(self, problem: str) -> None:
        """Keep a problem; the file's name comes before it."""
        self._problems.append(f"{self._file}: {problem}")

    def add_unknown_key(self, path: str, key: str, known: Iterable[str]) -> None:
        """Keep that a key is not known, with those that are."""
        names = sorted(known)
        close = difflib.get_close_matches(key, names, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        self.add(f"{path} is not a key that is known here. {hint}Known: {', '.join(names)}.")

    def convert(self, value: object, kind: type[T], path: str) -> T | None:
        """Read a section; None where it cannot be used, with every problem of it kept.

        A wrong key or value is kept and left out, and the rest is read again. What is then missing is not told, too.
        """
        rest, before = deepcopy(value), len(self._problems)
        while len(self._problems) - before < MOST_PROBLEMS:
            try:
                read = msgspec.convert(rest, kind)
            except msgspec.ValidationError as error:
                if not self._has_left_out(str(error), rest, kind, path, is_first=len(self._problems) == before):
                    return None
            else:
                return read if len(self._problems) == before else None
        return None

    def _has_left_out(self, text: str, rest: object, kind: type[Any], path: str, *, is_first: bool) -> bool:
        """Keep the problem that an error tells, and take its place out of what is left; False where that ends it."""
        place = _PLACE.search(text)
        inside, wrong = place[1] if place else "", _PLACE.sub("", text)
        if (unknown := _UNKNOWN_FIELD.match(wrong)) is not None:
            self.add_unknown_key(f"{path}{inside}.{unknown[1]}", unknown[1], known_keys(kind, inside))
            inside += f".{unknown[1]}"
        elif is_first or "missing required field" not in wrong:
            self.add(f"{path}{inside}: {wrong}. Correct it.")
        return _is_removed(rest, inside)

    def end(self) -> None:
        """Tell what was found.

        Raises:
            ConfigurationError: it was something.
        """
        if self._problems:
            raise ConfigurationError(*self._problems)


def _is_removed(value: Any, path: str) -> bool:  # noqa: ANN401 - any JSON
    """Take out what lies at a path, such as `.endpoints[0].path`; False where there is no such place."""
    steps = [step[1] or int(step[2]) for step in _STEP.finditer(path)]
    if not steps or isinstance(steps[-1], int):  # without an item the next ones would have other numbers
        return False
    try:
        for step in steps[:-1]:
            value = value[step]
        del value[steps[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True

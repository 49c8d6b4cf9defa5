"""What a check of the installation found."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from evaluator.logs import without_secrets


class Level(StrEnum):
    """How bad it is: a problem keeps something from working, a warning may come to it."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    """One finding.

    Attributes:
        about: what was looked at, in a word or two.
        text: what is the case.
        remedy: what to do; empty when all is well.
    """

    about: str
    level: Level
    text: str
    remedy: str = ""


Check = Callable[[], Iterable[Finding]]


def ok(about: str, text: str) -> Finding:
    """All is well."""
    return Finding(about, Level.OK, text)


def warning(about: str, text: str, remedy: str) -> Finding:
    """It works, but should not stay so."""
    return Finding(about, Level.WARNING, text, remedy)


def problem(about: str, text: str, remedy: str) -> Finding:
    """Something does not work."""
    return Finding(about, Level.PROBLEM, text, remedy)


def first_line(error: BaseException) -> str:
    """What an error says, on one line and without passwords; its kind when it says nothing."""
    return without_secrets(str(error).strip().partition("\n")[0]) or type(error).__name__

"""What is wrong with the files of a trial: one line a problem, with its place and the remedy."""

import re
from dataclasses import dataclass

from evaluator.engine.trials.configuration_keys import KEY_PREFIX
from evaluator.engine.trials.configuration_nodes import ConfigurationError, Problem
from evaluator.engine.trials.preflight import PreflightError
from frontend.formats import count

_KEY = re.compile(rf"{KEY_PREFIX}\w+")
MOST = 200  # problems shown


@dataclass(frozen=True)
class ProblemLine:
    """One problem.

    Attributes:
        place: the line in the file; empty = of the file as a whole.
        key: such as `config.providers[0].name`; empty where no key is at fault.
    """

    file: str
    place: str
    key: str
    wrong: str
    remedy: str

    @classmethod
    def of(cls, problem: Problem) -> "ProblemLine":
        """A problem of a file."""
        if (key := missing_key(problem)) is not None:
            return cls("", "", "", f"the key {key} is not known", "type it into its field on this page")
        return cls(
            problem.file, count(problem.line) if problem.line else "", problem.path, problem.wrong, problem.remedy
        )


def missing_key(problem: Problem) -> str | None:
    """The name that stands for a key which stood in a file and is not known; None for any other problem."""
    found = _KEY.search(problem.wrong) if problem.wrong.endswith("is not set") else None
    return found[0] if found else None


def problem_lines(error: Exception) -> tuple[ProblemLine, ...]:
    """The problems of an error, those of the files first."""
    if isinstance(error, ConfigurationError):
        return tuple(ProblemLine.of(problem) for problem in error.problems[:MOST])
    if isinstance(error, PreflightError):
        return tuple(ProblemLine("", "", "", problem, "") for problem in error.problems[:MOST])
    return (ProblemLine("", "", "", str(error), ""),)

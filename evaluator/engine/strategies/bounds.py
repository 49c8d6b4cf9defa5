"""Keeps an outcome small and fit to be stored, whatever a tool wrote into its report."""

from dataclasses import replace

from evaluator.engine.strategies.captured_output import plain_text, shorten
from evaluator.engine.strategies.child_environment import without_secrets
from evaluator.engine.strategies.states import Outcome, Problem

MOST_PROBLEMS = 1_000  # the counts stay those of the tool
MESSAGE_CHARACTERS = 1_000
DETAILS_CHARACTERS = 1_000
NAME_CHARACTERS = 300


def bounded(outcome: Outcome) -> Outcome:
    """The same with every text at most as long as a person would read, and without characters that cannot be stored."""
    problems = tuple(_bounded(problem) for problem in outcome.problems[:MOST_PROBLEMS])
    listed = "\n".join(problem.line_of_text for problem in problems)
    return replace(
        outcome,
        details=clean(outcome.details, DETAILS_CHARACTERS),
        output=shorten(clean(outcome.output or listed)),
        problems=problems,
        notes=tuple(clean(note, NAME_CHARACTERS) for note in outcome.notes),
    )


def clean(text: str, most: int | None = None) -> str:
    """A text without colours, control characters, halves of characters and secrets, of at most `most` characters."""
    whole = without_secrets(plain_text(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")))
    return whole if most is None or len(whole) <= most else shorten(whole, most)


def _bounded(problem: Problem) -> Problem:
    def name(text: str | None) -> str | None:
        return clean(text, NAME_CHARACTERS) if text is not None else None

    return replace(
        problem,
        message=clean(problem.message, MESSAGE_CHARACTERS),
        file=name(problem.file),
        code=name(problem.code),
        test=name(problem.test),
        expected=name(problem.expected),
        reproduction=clean(problem.reproduction, MESSAGE_CHARACTERS) if problem.reproduction else None,
    )

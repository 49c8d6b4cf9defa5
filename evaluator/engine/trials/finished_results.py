"""One result as it comes from a trial, and what it is the result of."""

from dataclasses import dataclass
from typing import NamedTuple

from results.records import RunResult


class ResultKey(NamedTuple):
    """What a trial does once: an entry of `providers` (its position, as a provider may be listed twice), run, task."""

    entry: int
    run: str
    task: str


@dataclass(frozen=True)
class FinishedResult:
    """One result as it comes from a trial.

    `source` is the record as JSON, without any key of a service. `position` sorts results as the configuration lists
    entries, runs and tasks; they finish in another order. `messages` are all that was said about this task.
    """

    key: ResultKey
    position: tuple[int, int, int]
    record: RunResult
    source: bytes
    messages: tuple[str, ...] = ()


def about(provider: str, run: str, task: str) -> str:
    """How every message about a result begins."""
    return f"{provider} {run}, {task}: "

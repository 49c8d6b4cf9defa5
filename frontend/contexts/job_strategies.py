"""A job that evaluates a code project: its strategies as they finish."""

from dataclasses import dataclass

from django.urls import reverse

from frontend.formats import outcome
from results.queries.jobs import iteration_names
from results.queries.strategy_jobs import StrategyProgress, StrategyState, strategy_progress

OUTCOMES = {"pass": "passed", "fail": "failed", "skipped": "skipped", "error": "error"}
VERDICT_OUTCOMES = {"passed": "passed", "failed": "failed", "not evaluated": "error"}
NOT_EVALUATED = "Could not be evaluated"


@dataclass(frozen=True)
class EndedLine:
    """A strategy that has ended, with the look and the word of its state."""

    state: StrategyState
    outcome: str
    label: str


@dataclass(frozen=True)
class StrategiesPanel:
    """What `_job_strategies.html` reads.

    Attributes:
        outcome, verdict: of the whole; empty until there is one.
        href: of the stored iteration; empty until there is one, and after it was deleted.
    """

    progress: StrategyProgress
    lines: tuple[EndedLine, ...]
    outcome: str
    verdict: str
    href: str

    @classmethod
    def build(cls, job_id: int) -> "StrategiesPanel | None":
        """The panel of a job; None for other jobs, and before anything is known."""
        progress = strategy_progress(job_id)
        if progress is None:
            return None
        is_there = progress.stored is not None and iteration_names([progress.stored])
        return cls(
            progress=progress,
            lines=tuple(
                EndedLine(state, OUTCOMES[state.state], outcome(OUTCOMES[state.state])) for state in progress.ended
            ),
            outcome=VERDICT_OUTCOMES.get(progress.verdict, ""),
            verdict=NOT_EVALUATED if progress.verdict == "not evaluated" else progress.verdict.capitalize(),
            href=reverse("iteration-show", args=[progress.stored]) if is_there else "",
        )

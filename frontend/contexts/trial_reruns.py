"""Which results of a trial can be made again, and how many there are of each kind."""

from dataclasses import dataclass

from results.queries.trials import RerunKind
from results.statistics import OutcomeCounts

LABELS = {
    RerunKind.NOT_PASSED: "Run failed and errors again",
    RerunKind.ERRORS: "Run errors again",
    RerunKind.TRANSIENT: "Run transient errors again",
}


@dataclass(frozen=True)
class RerunChoice:
    """A kind of results that are made again in a trial of its own."""

    value: str
    label: str
    count: int


def rerun_choices(outcomes: OutcomeCounts, transient: int) -> tuple[RerunChoice, ...]:
    """The kinds that there are results of.

    Args:
        outcomes: of a trial that has ended.
        transient: errors of it that are marked as transient.
    """
    counts = {
        RerunKind.NOT_PASSED: outcomes.failed + outcomes.errors if outcomes.failed else 0,
        RerunKind.ERRORS: outcomes.errors,
        RerunKind.TRANSIENT: transient,
    }
    return tuple(RerunChoice(kind.value, LABELS[kind], count) for kind, count in counts.items() if count)

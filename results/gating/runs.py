"""One run as a gate sees it: its figures, and how its tasks went against the baseline."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from results.filters import Choice, ResultFilter
from results.gating.picks import Pairing
from results.models.results import Outcome
from results.paired import PairedOutcomes
from results.queries.compare import Comparison, Kind, compare
from results.queries.compare_figures import ColumnFigures
from results.queries.compare_matrix import ABSENT
from results.queries.compare_rows import ComparedRow, named_rows
from results.queries.costs import costs
from results.queries.visibility import VisibleSet

MOST_LISTED = 1_000  # tasks of a kind that are named; they are counted in full

Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class ComparedTasks:
    """How the tasks of a run went against those of the baseline, paired as the compare page pairs them.

    Attributes:
        regressed: rows of tasks that passed and do not pass now, by name; at most 1,000, `pairs` counts them all.
        missing: rows of tasks that have an outcome in the baseline and none here (absent or skipped), likewise.
        missing_count: all of these.
        uncertain: tasks that passed in the baseline and may have regressed: they are missing, or do not pass now and
            have other accepted answers.
    """

    pairs: PairedOutcomes
    regressed: tuple[ComparedRow, ...]
    missing: tuple[ComparedRow, ...]
    missing_count: int
    uncertain: int


@dataclass(frozen=True)
class JudgedRun:
    """A run, over the results that the gate's filter lets through.

    Attributes:
        figures: of the candidate; None when it has no such run.
        tasks: None without a baseline.
        unmetered: passed and failed results that do not say what they used; None = nobody asked.
        held: rows of either side that the filter lets through.
    """

    pairing: Pairing
    figures: ColumnFigures | None
    tasks: ComparedTasks | None
    unmetered: int | None
    held: int


def judged_run(visible: VisibleSet, pairing: Pairing, chosen: ResultFilter, *, has_cost: bool) -> JudgedRun:
    """Read what a gate asks about a run.

    Args:
        visible: evaluations that may be seen.
        pairing: the run and its counterpart.
        chosen: which results count, on both sides.
        has_cost: it is asked what the run cost.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    keys = [column.key for column in (pairing.baseline, pairing.candidate) if column is not None]
    found = compare(visible, keys, chosen)
    if pairing.candidate is None:
        return JudgedRun(pairing, None, None, None, found.rows)
    return JudgedRun(
        pairing=pairing,
        figures=found.columns[-1],
        tasks=None if pairing.baseline is None else _tasks(visible, found),
        unmetered=_unmetered(visible, pairing, chosen) if has_cost else None,
        held=found.rows,
    )


def _tasks(visible: VisibleSet, found: Comparison) -> ComparedTasks:
    before, after, kinds = found.matrix.outcomes[:, 0], found.matrix.outcomes[:, 1], found.kinds[:, 0]
    missing = _is_counted(before) & ~_is_counted(after)
    is_open = missing | ((kinds == Kind.OTHER_ANSWER) & (after != Outcome.PASSED))
    return ComparedTasks(
        pairs=found.candidates[0].pairs,
        regressed=_rows(visible, found, kinds == Kind.REGRESSED),
        missing=_rows(visible, found, missing),
        missing_count=int(missing.sum()),
        uncertain=int((is_open & (before == Outcome.PASSED)).sum()),
    )


def _is_counted(outcomes: "NDArray[np.int8]") -> Marks:
    found: Marks = (outcomes != ABSENT) & (outcomes != Outcome.SKIPPED)
    return found


def _rows(visible: VisibleSet, found: Comparison, marks: Marks) -> tuple[ComparedRow, ...]:
    by_name = found.names_order[marks[found.names_order]]
    return named_rows(visible, found, by_name[:MOST_LISTED].tolist())


def _unmetered(visible: VisibleSet, pairing: Pairing, chosen: ResultFilter) -> int:
    """Answers without any recorded usage: a model that answers uses tokens, so that their cost is not known."""
    column = pairing.named
    names = {"evaluation": str(column.key.evaluation_id), "provider": column.provider, "run": column.run}
    for name, value in names.items():
        chosen = chosen.with_choice(name, Choice((value,)))
    answered = chosen.with_choice("outcome", Choice(("passed", "failed")))
    return sum(group.unused for group in costs(visible, answered))

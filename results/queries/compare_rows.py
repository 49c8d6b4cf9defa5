"""The rows of a comparison: those that a word means, a page at a time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from results.facts.engine import answer
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import Outcome
from results.queries.compare import Comparison, Kind
from results.queries.compare_matrix import ABSENT
from results.queries.visibility import VisibleSet

PAGE_SIZE = 50  # rows
ALL, DIFFER, CHANGED = "all", "differ", "changed"
# What can be shown, as an address says it, and what it means.
SHOWN = {
    "improved": Kind.IMPROVED,
    "regressed": Kind.REGRESSED,
    "same": Kind.SAME,
    "only-here": Kind.ONLY_HERE,
    "not-here": Kind.NOT_HERE,
    "skipped": Kind.SKIPPED,
}
WORDS = (ALL, DIFFER, *SHOWN, CHANGED)


@dataclass(frozen=True)
class ComparedCell:
    """One result in a row; of the baseline, `kind` is None.

    Attributes:
        outcome: None where the column has no such result.
        result_id: None likewise.
        is_changed: the task changed between the baseline's evaluation and this one.
    """

    outcome: str | None
    result_id: int | None
    kind: Kind | None
    is_changed: bool


@dataclass(frozen=True)
class ComparedRow:
    """One task, or one repeat of it, in all columns."""

    task_id: int
    task: str
    repeat: int
    cells: tuple[ComparedCell, ...]


@dataclass(frozen=True)
class ComparedRows:
    """One page of rows; `page` lies in 1..`pages`."""

    rows: tuple[ComparedRow, ...]
    total: int
    page: int


def shown_counts(found: Comparison, place: int | None = None) -> dict[str, int]:
    """How many rows each of `WORDS` would show, of any candidate or of the one at a place, counted from 0."""
    return {word: int(_mask(found, word, place).sum()) for word in WORDS}


def compared_rows(
    visible: VisibleSet,
    found: Comparison,
    shown: str,
    place: int | None = None,
    sort: str = "",
    page: int = 1,
) -> ComparedRows:
    """One page of a comparison.

    Args:
        visible: evaluations that may be seen.
        found: the comparison.
        shown: a key of `SHOWN`, `CHANGED`, `DIFFER` (improved or regressed) or `ALL`: of any candidate.
        place: of the one candidate that is meant, counted from 0; None = any.
        sort: `task` or `-task`, by name; else the most regressed first, then the most improved, then by name.
        page: counted from 1; beyond the end it is the last one.
    """
    rows = found.names_order[_mask(found, shown, place)[found.names_order]]
    if sort == "-task":
        rows = rows[::-1]
    elif sort != "task":
        regressed, improved = ((found.kinds[rows] == kind).sum(axis=1) for kind in (Kind.REGRESSED, Kind.IMPROVED))
        rows = rows[np.lexsort((-improved, -regressed))]
    page = max(1, min(page, -(-len(rows) // PAGE_SIZE)))
    listed = [int(row) for row in rows[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]]
    return ComparedRows(named_rows(visible, found, listed), len(rows), page)


def compared_task(visible: VisibleSet, found: Comparison, task_id: int, repeat: int) -> ComparedRow | None:
    """The row of one task and repeat; None when no column has it."""
    places = np.flatnonzero((found.matrix.task_ids == task_id) & (found.matrix.repeats == repeat))
    return named_rows(visible, found, [int(places[0])])[0] if len(places) else None


def named_rows(visible: VisibleSet, found: Comparison, rows: list[int]) -> tuple[ComparedRow, ...]:
    """Rows of a comparison by their places in its matrix, in the order given."""
    task_ids = frozenset(int(found.matrix.task_ids[row]) for row in rows)
    names = answer(
        visible.evaluation_ids, visible.key, ("tasks", task_ids), lambda reading: reading.names("tasks", task_ids)
    )
    return tuple(_row(found, row, names) for row in rows)


def _mask(found: Comparison, shown: str, place: int | None) -> "NDArray[np.bool_]":
    """Which rows a word shows."""
    chosen = slice(None) if place is None else slice(place, place + 1)
    kinds, changed = found.kinds[:, chosen], found.changed[:, chosen]
    if shown == CHANGED:
        return np.asarray(changed.any(axis=1))
    if shown in SHOWN:
        return np.asarray((kinds == SHOWN[shown]).any(axis=1))
    if shown == DIFFER:
        return np.asarray(((kinds == Kind.IMPROVED) | (kinds == Kind.REGRESSED)).any(axis=1))
    return np.ones(found.rows, np.bool_)


def _row(found: Comparison, row: int, names: dict[int | None, str]) -> ComparedRow:
    kept, task_id = found.matrix, int(found.matrix.task_ids[row])
    cells = []
    for place, key in enumerate(found.keys):
        outcome, ordinal = int(kept.outcomes[row, place]), int(kept.ordinals[row, place])
        is_here = outcome != ABSENT
        cells.append(
            ComparedCell(
                outcome=str(Outcome(outcome).label) if is_here else None,
                result_id=key.evaluation_id * RESULTS_PER_EVALUATION + ordinal if is_here else None,
                kind=Kind(int(found.kinds[row, place - 1])) if place else None,
                is_changed=bool(place) and bool(found.changed[row, place - 1]),
            )
        )
    return ComparedRow(task_id, names[task_id], int(kept.repeats[row]), tuple(cells))

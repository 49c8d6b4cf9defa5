"""A comparison of two to twenty runs: task by task against the first, and whether the difference is real."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.results import Outcome
from results.paired import Interval, PairedOutcomes, holm
from results.queries.compare_changes import VersionChanges
from results.queries.compare_columns import ColumnKey
from results.queries.compare_figures import ColumnFigures, Differences, column_figures, differences
from results.queries.compare_matrix import ABSENT, Matrix, read_matrix
from results.queries.conditions import filtered, question
from results.queries.visibility import VisibleSet


class Kind(IntEnum):
    """How a result of a candidate stands to that of the baseline at the same task and repeat."""

    NEITHER = 0
    IMPROVED = 1
    REGRESSED = 2
    SAME = 3
    OTHER_ANSWER = 4  # accepted answers differ
    ONLY_HERE = 5
    NOT_HERE = 6
    SKIPPED = 7


PAIRS = (Kind.IMPROVED, Kind.REGRESSED, Kind.SAME)
EVERY_RESULT = ResultFilter()


@dataclass(frozen=True)
class Candidate:
    """One column against the first.

    Attributes:
        kinds: how many rows are of each kind. Where accepted answers differ, outcomes cannot be compared, so that the
            row is no pair.
        changed: rows whose task has other accepted answers or other metadata in the two evaluations, of any kind.
        pairs: tasks and repeats that both have an outcome for.
        interval: of the difference in pass rate, by bootstrap; None without pairs.
        corrected_p_value: of all candidates together; None without pairs.
    """

    kinds: dict[Kind, int]
    changed: int
    pairs: PairedOutcomes
    interval: Interval | None
    corrected_p_value: float | None
    differences: Differences


@dataclass(frozen=True)
class KeptMatrix:
    """What is kept of a matrix while its answer is remembered."""

    task_ids: Numbers
    repeats: Numbers
    outcomes: "NDArray[np.int8]"
    ordinals: "NDArray[np.int32]"


@dataclass(frozen=True)
class Comparison:
    """Columns side by side; the first is the baseline, `candidates` are the others in order.

    Attributes:
        rows: tasks and repeats that any column has. shared: those that all have.
        tasks: tasks that any column has. shared_tasks: that all have.
        has_repeats: some task occurs more than once in a column.
        matrix, kinds, changed, names_order: what `compared_rows` reads; a row each, `kinds` and `changed` a place a
            candidate, `names_order` the rows in the order of the tasks' names and repeats.
    """

    keys: tuple[ColumnKey, ...]
    columns: tuple[ColumnFigures, ...]
    candidates: tuple[Candidate, ...]
    rows: int
    shared: int
    tasks: int
    shared_tasks: int
    has_repeats: bool
    matrix: KeptMatrix
    kinds: "NDArray[np.int8]"
    changed: "NDArray[np.bool_]"
    names_order: "NDArray[np.int32]"


def compare(visible: VisibleSet, keys: Sequence[ColumnKey], chosen: ResultFilter = EVERY_RESULT) -> Comparison:
    """Compare columns with the first of them.

    Args:
        visible: evaluations that may be seen.
        keys: at least one, all different; each exists.
        chosen: which of their results count; what it leaves out of a column is as if it were not there.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    wanted = tuple(keys)
    return answer(
        visible.evaluation_ids,
        visible.key,
        question("compare", chosen, wanted),
        lambda reading: _compare(reading, visible, wanted, chosen),
    )


def _compare(reading: Reading, visible: VisibleSet, keys: tuple[ColumnKey, ...], chosen: ResultFilter) -> Comparison:
    with filtered(reading, chosen, visible) as conditions:
        matrix = read_matrix(reading, keys, conditions)
    changes = VersionChanges.between(matrix.versions)
    kinds = _kinds(matrix, changes)
    pairs = [_pairs(kinds[:, place]) for place in range(len(keys) - 1)]
    corrected = holm([pair.p_value for pair in pairs])
    is_here = matrix.outcomes != ABSENT
    shared = is_here.all(axis=1)
    names = reading.names("tasks", set(matrix.task_ids.tolist()))
    ranked = sorted(
        range(len(matrix.task_ids)), key=lambda row: (names[int(matrix.task_ids[row])], matrix.repeats[row])
    )
    return Comparison(
        keys=keys,
        columns=tuple(column_figures(reading, matrix, place) for place in range(len(keys))),
        candidates=tuple(
            Candidate(
                kinds={kind: int((kinds[:, place] == kind).sum()) for kind in Kind},
                changed=int(changes.has_changed[:, place].sum()),
                pairs=pairs[place],
                interval=pairs[place].interval(),
                corrected_p_value=corrected[place],
                differences=differences(reading, matrix, place + 1, np.isin(kinds[:, place], PAIRS)),
            )
            for place in range(len(keys) - 1)
        ),
        rows=len(matrix.task_ids),
        shared=int(shared.sum()),
        tasks=len(np.unique(matrix.task_ids)),
        shared_tasks=len(np.unique(matrix.task_ids[shared])),
        has_repeats=bool((matrix.repeats > 1).any()),
        matrix=KeptMatrix(matrix.task_ids, matrix.repeats, matrix.outcomes, matrix.ordinals),
        kinds=kinds,
        changed=changes.has_changed,
        names_order=np.array(ranked, np.int32),
    )


def _kinds(matrix: Matrix, changes: VersionChanges) -> "NDArray[np.int8]":
    """A `Kind` for each row and candidate; later lines overrule earlier ones."""
    before, after = matrix.outcomes[:, :1], matrix.outcomes[:, 1:]
    kinds = np.full(after.shape, Kind.SAME, np.int8)
    kinds[(before != Outcome.PASSED) & (after == Outcome.PASSED)] = Kind.IMPROVED
    kinds[(before == Outcome.PASSED) & (after != Outcome.PASSED)] = Kind.REGRESSED
    kinds[changes.has_other_answer] = Kind.OTHER_ANSWER
    kinds[(before == Outcome.SKIPPED) | (after == Outcome.SKIPPED)] = Kind.SKIPPED
    is_before, is_after = np.broadcast_arrays(before != ABSENT, after != ABSENT)
    kinds[~is_before & is_after] = Kind.ONLY_HERE
    kinds[is_before & ~is_after] = Kind.NOT_HERE
    kinds[~is_before & ~is_after] = Kind.NEITHER
    return kinds


def _pairs(kinds: "NDArray[np.int8]") -> PairedOutcomes:
    return PairedOutcomes(*(int((kinds == kind).sum()) for kind in PAIRS))

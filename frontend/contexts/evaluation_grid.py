"""The grid of an evaluation: each task, each run, and who passed."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

import numpy as np
from django.http import QueryDict
from numpy.typing import NDArray

from frontend.contexts.columns import Column, Header, changed, ranked_header
from frontend.contexts.evaluation_tabs import GRID, Tab, tabs_of
from frontend.contexts.evaluation_tasks import MOST_RUNS, ScopedGrid, TaskScope
from frontend.contexts.pager import Pager, page_of, size_of
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import unknown_values
from results.filters import Choice, written
from results.queries.evaluations import EvaluationRow
from results.queries.outcome_grid import (
    ALL_FAILED,
    ALL_PASSED,
    BOTH,
    DIFFERENT,
    DISAGREE,
    FIRST,
    KINDS,
    RELATIONS,
    SAME,
    SECOND,
    UNCOUNTED,
    GridRow,
    GridRun,
    OutcomeGrid,
)
from results.queries.visibility import VisibleSet

SIZES = (25, 50, 100, 200)  # rows of a page
USUAL_SIZE = 50
LABELS = {DISAGREE: "Runs disagree", ALL_FAILED: "All failed", ALL_PASSED: "All passed", UNCOUNTED: "All skipped"}
HINTS = {
    DISAGREE: "Some results passed and some did not",
    ALL_FAILED: "No result passed: each failed or ended in an error",
    ALL_PASSED: "Every result passed, skipped ones aside",
    UNCOUNTED: "Every result was skipped",
}
PAIR_WORDS = {
    SAME: "have the same outcome",
    DIFFERENT: "have different outcomes",
    BOTH: "both passed",
    FIRST: "only the first passed",
    SECOND: "only the second passed",
}
PAIR_KEYS = ("first", "second", "is")
TASK = Column("task", "Task")
PASSED = Column("passed", "Passed", is_number=True, starts_descending=True, hint="Passed of the results that count")
MOST_DIGITS = 10  # of the id of a run


@dataclass(frozen=True)
class KindLink:
    """A kind of tasks with how many there are."""

    label: str
    hint: str
    count: int
    href: str
    is_current: bool


@dataclass(frozen=True)
class Pair:
    """Two runs whose common tasks are shown, and what they have to be to each other."""

    first: GridRun
    second: GridRun
    words: str
    clear_href: str


@dataclass(frozen=True)
class GridLine:
    """One task; `query` is that of the explorer with its results."""

    row: GridRow
    query: str


@dataclass(frozen=True)
class EvaluationGridPage:
    """What `evaluation_grid.html` reads.

    Attributes:
        runs: across. lines: one a task, of this page.
        pair: two runs whose common tasks are shown; None for all tasks.
        has_gaps: an empty cell may be a result that the filter leaves out.
    """

    shell: Shell
    row: EvaluationRow
    tabs: tuple[Tab, ...]
    scope: TaskScope
    kinds: tuple[KindLink, ...]
    pair: Pair | None
    headers: tuple[Header, ...]
    runs: tuple[GridRun, ...]
    lines: tuple[GridLine, ...]
    pager: Pager
    has_gaps: bool

    @classmethod
    def build(cls, shell: Shell, row: EvaluationRow, params: QueryDict) -> "EvaluationGridPage":
        """The page of an evaluation that may be seen.

        Its query has filters, `only`, `rank`, `first`, `second`, `is`, `page` and `size`.
        """
        known = {"only": KINDS, "is": RELATIONS, "size": map(str, SIZES)}
        unknown = unknown_values(params, known, {"rank": (TASK, PASSED)})
        found = ScopedGrid.build(VisibleSet.of(frozenset((row.id,))), params, unknown)
        grid, rank = found.grid, _rank(params)
        pair, is_met = _pair(grid, params)
        shown = np.flatnonzero(grid.of_kind(params.get("only", "")) & is_met)
        shown = _ordered(grid, shown, rank)
        pager = Pager.build(page_of(params), size_of(params, SIZES, USUAL_SIZE), shown.size, params, SIZES)
        return cls(
            shell=shell,
            row=row,
            tabs=tabs_of(row, params, GRID),
            scope=replace(found.scope, problems=(*found.scope.problems, *_pair_problems(grid, params))),
            kinds=_kinds(grid, is_met, params),
            pair=pair,
            headers=tuple(ranked_header(column, rank, params) for column in (TASK, PASSED)),
            runs=grid.runs[:MOST_RUNS],
            lines=tuple(_line(grid_row, row.id) for grid_row in grid.rows(shown[max(0, pager.first - 1) : pager.last])),
            pager=pager,
            has_gaps=bool(found.scope.chips),
        )


def _rank(params: QueryDict) -> str:
    asked = params.get("rank", "")
    return asked if asked.removeprefix("-") in (TASK.key, PASSED.key) else TASK.key


def _ordered(grid: OutcomeGrid, shown: NDArray[np.int64], rank: str) -> NDArray[np.int64]:
    """Places of tasks in order, ties by name; tasks of which nothing counts are last both ways."""
    if rank.removeprefix("-") == TASK.key:
        return shown[::-1] if rank.startswith("-") else shown
    counted = grid.counted[shown]
    share = grid.passed[shown] / np.maximum(counted, 1)
    key = np.where(counted == 0, np.inf, -share if rank.startswith("-") else share)
    return shown[np.argsort(key, kind="stable")]


def _pair(grid: OutcomeGrid, params: QueryDict) -> tuple[Pair | None, NDArray[np.bool_]]:
    """The two runs of the address, and which tasks they have in common in that way; all tasks without them."""
    places = {str(run.id): place for place, run in enumerate(grid.runs)}
    first, second = places.get(params.get("first", "")), places.get(params.get("second", ""))
    relation = params.get("is", SAME)
    if first is None or second is None or relation not in RELATIONS:
        return None, np.ones(len(grid.tasks), np.bool_)
    clear = changed(params, page=None, **dict.fromkeys(PAIR_KEYS))
    pair = Pair(grid.runs[first], grid.runs[second], PAIR_WORDS[relation], clear)
    return pair, grid.related(first, second, relation)


def _pair_problems(grid: OutcomeGrid, params: QueryDict) -> tuple[str, ...]:
    """Why two runs that the address names are not compared."""
    ids = {str(run.id) for run in grid.runs}
    asked = [(key, params[key]) for key in PAIR_KEYS[:2] if params.get(key)]
    missing = tuple(
        f"{key}={text[:80]} was left out: no run of that number has results here; choose two runs on the agreement tab."
        for key, text in asked
        if text not in ids
    )
    if len(asked) == 1 and not missing:
        return (f"{asked[0][0]}={asked[0][1]} was left out: it takes two runs, `first` and `second`.",)
    return missing


def _kinds(grid: OutcomeGrid, is_met: NDArray[np.bool_], params: QueryDict) -> tuple[KindLink, ...]:
    asked = params.get("only", "")
    counts = {kind: int((grid.of_kind(kind) & is_met).sum()) for kind in KINDS}
    whole = KindLink("All", "Every task", int(is_met.sum()), changed(params, only=None, page=None), asked not in KINDS)
    return (
        whole,
        *(
            KindLink(LABELS[kind], HINTS[kind], count, changed(params, only=kind, page=None), kind == asked)
            for kind, count in counts.items()
            if count or kind != UNCOUNTED or kind == asked
        ),
    )


def _line(row: GridRow, evaluation_id: int) -> GridLine:
    task = written(Choice((row.task.name,)))
    return GridLine(row, urlencode([("evaluation", str(evaluation_id)), ("task", task[0])]))

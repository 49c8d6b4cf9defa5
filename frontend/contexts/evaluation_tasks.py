"""What the grid and the agreement of an evaluation share: its outcomes under the page's filter and selection."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

import numpy as np
from django.http import QueryDict

from frontend.contexts.chips import Chip, chips_of, clear_href
from frontend.contexts.task_selector import Selected, TaskSelector, unknown_syntax
from results.filters import ResultFilter
from results.queries.outcome_grid import OutcomeGrid, outcome_grid
from results.queries.visibility import VisibleSet
from results.text.search import TooManyToScanError

OF_ONE_EVALUATION = ("project", "evaluation")
MOST_RUNS = 60  # columns of a table; a filter narrows them down


@dataclass(frozen=True)
class TaskScope:
    """What `_task_scope.html` reads.

    Attributes:
        chips: the filters of the page. problems: what the address asks for and cannot be had.
        runs_left_out: runs beyond those that a table shows.
    """

    selector: TaskSelector
    chips: tuple[Chip, ...]
    clear_href: str
    problems: tuple[str, ...]
    runs_left_out: int


@dataclass(frozen=True)
class ScopedGrid:
    """The outcomes of the selected tasks under the page's filter, and what the page says about it."""

    grid: OutcomeGrid
    scope: TaskScope

    @classmethod
    def build(cls, scope: VisibleSet, params: QueryDict, unknown: Iterable[str] = ()) -> "ScopedGrid":
        """The outcomes of the one evaluation for a query with filters, `select` and `syntax`.

        Args:
            scope: the one evaluation.
            params: the page's query.
            unknown: what is said of values of the page's other keys.
        """
        chosen = reduce(ResultFilter.without, OF_ONE_EVALUATION, ResultFilter.parse(params))
        problems = (*chosen.problems, *unknown, *unknown_syntax(params))
        try:
            grid = outcome_grid(scope, chosen)
        except TooManyToScanError as error:
            chosen, problems = chosen.without("text"), (*problems, str(error))
            grid = outcome_grid(scope, chosen)
        picked = Selected.build((task.name for task in grid.tasks), params)
        if picked.names is not None:
            grid = grid.only(np.array([task.name in picked.names for task in grid.tasks], np.bool_))
        shown = TaskScope(
            selector=picked.selector,
            chips=chips_of(chosen, {}, params),
            clear_href=clear_href(chosen, params),
            problems=problems,
            runs_left_out=max(0, len(grid.runs) - MOST_RUNS),
        )
        return cls(grid, shown)

"""The heat map of an evaluation: pass rates of its runs by category, suite, difficulty or tag."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from frontend import formats
from frontend.contexts.asked import OrderLink, order_links
from frontend.contexts.evaluation_scope import EvaluationScope, with_scope
from frontend.contexts.evaluation_tabs import CATEGORIES, Tab, tabs_of
from frontend.contexts.evaluation_tasks import MOST_RUNS, TaskScope
from frontend.contexts.explorer_links import ExplorerLinks, explorer_href, without_skipped
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import unknown_values
from results.queries.evaluations import EvaluationRow
from results.queries.group_figures import GroupFigures, group_figures
from results.statistics import OutcomeCounts

GROUPS = {"category": "Category", "suite": "Suite", "difficulty": "Difficulty", "tag": "Tag"}
KEY = "by"
MOST_COLUMNS = 60


@dataclass(frozen=True)
class CategoryHead:
    """One column; name None = unspecified. `href` leads to its results, empty where that cannot be asked for."""

    name: str | None
    href: str


@dataclass(frozen=True)
class CategoryCell:
    """The results of one run in one column; None = it has none."""

    outcomes: OutcomeCounts | None
    href: str


@dataclass(frozen=True)
class CategoryRow:
    """One run, or all of them: provider and run are empty then."""

    provider: str
    run: str
    href: str
    whole: CategoryCell
    cells: tuple[CategoryCell, ...]


@dataclass(frozen=True)
class EvaluationCategoriesPage:
    """What `evaluation_categories.html` reads.

    Attributes:
        groups: what the columns are, as links; `group` is the one in force.
        range: the n of the cells, such as `1 to 4`; empty without any.
        lines: the best pass rate first. total: all runs together.
        columns_left_out: columns beyond those that are shown.
    """

    shell: Shell
    row: EvaluationRow
    tabs: tuple[Tab, ...]
    scope: TaskScope
    groups: tuple[OrderLink, ...]
    group: str
    range: str
    heads: tuple[CategoryHead, ...]
    lines: tuple[CategoryRow, ...]
    total: CategoryRow | None
    columns_left_out: int
    runs_left_out: int

    @classmethod
    def build(cls, shell: Shell, row: EvaluationRow, params: QueryDict) -> "EvaluationCategoriesPage":
        """The page of an evaluation that may be seen, for a query with filters, `by`, `select` and `syntax`."""
        unknown = unknown_values(params, {KEY: GROUPS})
        return with_scope(row.id, row.tasks, params, lambda scope: cls._of(shell, row, params, scope), unknown)

    @classmethod
    def _of(
        cls, shell: Shell, row: EvaluationRow, params: QueryDict, scope: EvaluationScope
    ) -> "EvaluationCategoriesPage":
        group = params.get(KEY, "category") if params.get(KEY) in GROUPS else "category"
        levels = group_figures(
            scope.visible,
            scope.chosen,
            ((), ("provider", "run"), (group,), ("provider", "run", group)),
            (),
            (),
            scope.task_ids,
        )
        whole, runs, columns, cells = (level.selected for level in levels)
        heads = [found.key[0] for found in columns[:MOST_COLUMNS]]
        links = _Links(scope, group)
        by_run = {run.key: {cell.key[2]: cell for cell in cells if cell.key[:2] == run.key} for run in runs}
        ordered = sorted(runs, key=lambda run: -(run.outcomes.pass_rate.value or -1.0))
        listed = [_line(run, by_run[run.key], heads, links) for run in ordered[:MOST_RUNS]]
        totals = {found.key[0]: found for found in columns}
        return cls(
            shell=shell,
            row=row,
            tabs=tabs_of(row, params, CATEGORIES),
            scope=scope.shown,
            groups=order_links(params, KEY, GROUPS, group),
            group=group,
            range=_range([cell for line in listed for cell in line.cells]),
            heads=tuple(CategoryHead(name, links.to(None, name)) for name in heads),
            lines=tuple(listed),
            total=_line(whole[0], totals, heads, links) if whole else None,
            columns_left_out=max(0, len(columns) - MOST_COLUMNS),
            runs_left_out=max(0, len(ordered) - MOST_RUNS),
        )


class _Links:
    """Ways to the results of a run, of a column, of both; none where an address cannot ask for them."""

    def __init__(self, scope: EvaluationScope, group: str) -> None:
        chosen = None if scope.linked is None else without_skipped(scope.linked)
        is_askable = chosen is not None and not (group == "tag" and chosen.tag)  # one filter cannot ask for both
        self._group = group
        self._everything = "" if chosen is None else explorer_href(chosen)
        self._runs = None if chosen is None else ExplorerLinks(chosen, ("provider", "run"))
        self._columns = ExplorerLinks(chosen, (group,)) if chosen is not None and is_askable else None
        self._cells = ExplorerLinks(chosen, ("provider", "run", group)) if chosen is not None and is_askable else None

    def to(self, run: tuple[str | None, ...] | None, column: str | None) -> str:
        """The results of a column, and of one run of them; `run` is its provider and name, None = all runs."""
        if run is None:
            return "" if self._columns is None else self._columns.href(**{self._group: column})
        if self._cells is None:
            return ""
        return self._cells.href(**{"provider": run[0], "run": run[1], self._group: column})

    def of_run(self, run: tuple[str | None, ...]) -> str:
        """All results of a run; of all runs for an empty key."""
        if not run:
            return self._everything
        return "" if self._runs is None else self._runs.href(provider=run[0], run=run[1])


def _line(
    figures: GroupFigures, cells: dict[str | None, GroupFigures], heads: Sequence[str | None], links: _Links
) -> CategoryRow:
    run = figures.key or None
    return CategoryRow(
        provider=(figures.key[0] or "") if run else "",
        run=(figures.key[1] or "") if run else "",
        href=links.of_run(figures.key),
        whole=CategoryCell(figures.outcomes, links.of_run(figures.key)),
        cells=tuple(
            CategoryCell(found.outcomes, links.to(run, name))
            if (found := cells.get(name)) is not None
            else CategoryCell(None, "")
            for name in heads
        ),
    )


def _range(cells: Sequence[CategoryCell]) -> str:
    counted = [cell.outcomes.counted for cell in cells if cell.outcomes is not None and cell.outcomes.counted]
    if not counted:
        return ""
    low, high = formats.count(min(counted)), formats.count(max(counted))
    return low if low == high else f"{low} to {high}"

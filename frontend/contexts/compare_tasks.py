"""The tasks of a comparison: what can be shown of them, and one page of that."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.columns import Column, Header, changed, headers, order_of
from frontend.contexts.compare_asked import names_of
from frontend.contexts.pager import Pager, page_of
from results.queries.compare import Comparison
from results.queries.compare_columns import ComparedRun
from results.queries.compare_rows import (
    ALL,
    CHANGED,
    DIFFER,
    PAGE_SIZE,
    ComparedRow,
    compared_rows,
    shown_counts,
)
from results.queries.visibility import VisibleSet

LABELS = {
    DIFFER: "Differ",
    "improved": "Improved",
    "regressed": "Regressed",
    "same": "Same",
    CHANGED: "Changed",
    "only-here": "Only here",
    "not-here": "Not here",
    "skipped": "Skipped",
    ALL: "All",
}
HINTS = {
    DIFFER: "improved or regressed in some run",
    "improved": "passed now, not in the baseline",
    "regressed": "passed in the baseline, not now",
    "same": "passed in both or in neither",
    CHANGED: "other accepted answers or other metadata than in the baseline’s evaluation",
    "only-here": "the baseline has no result",
    "not-here": "the baseline has a result, the run has none",
    "skipped": "skipped in one of the two",
    ALL: "every task of any column",
}
ALWAYS = (DIFFER, "improved", "regressed", "same", ALL)  # the others only where there are some
TASK = (Column("task", "Task"),)


@dataclass(frozen=True)
class ShownLink:
    """One way to narrow the tasks down."""

    label: str
    hint: str
    count: int
    href: str
    is_current: bool


@dataclass(frozen=True)
class ComparedTask:
    """One task in all columns; `href` opens its answers below, `is_open` when they are."""

    row: ComparedRow
    href: str
    is_open: bool


@dataclass(frozen=True)
class TasksPanel:
    """What `_compare_tasks.html` reads.

    Attributes:
        links: what can be shown.
        of: name of the one run that they are about; empty for any. of_href: the same for any run.
        headers: of the table's first column.
        columns: in order, for the other headers. has_evaluations: they are of several.
        nothing: what to say when there are no lines.
        all_href: every task.
    """

    links: tuple[ShownLink, ...]
    of: str
    of_href: str
    headers: tuple[Header, ...]
    columns: tuple[ComparedRun, ...]
    has_evaluations: bool
    lines: tuple[ComparedTask, ...]
    nothing: str
    all_href: str
    pager: Pager

    @classmethod
    def build(
        cls, visible: VisibleSet, columns: tuple[ComparedRun, ...], found: Comparison, params: QueryDict
    ) -> "TasksPanel":
        """The panel for a query with `show`, `of`, `sort`, `page`, and `task` with `repeat`."""
        place = next((n for n, column in enumerate(columns[1:]) if column.key.text == params.get("of")), None)
        counts = shown_counts(found, place)
        shown = params.get("show", DIFFER) if params.get("show") in LABELS else DIFFER
        sort = order_of(TASK, params, "")
        page = compared_rows(visible, found, shown, place, sort, page_of(params))
        return cls(
            links=tuple(
                ShownLink(label, HINTS[word], counts[word], _shown(params, word), word == shown)
                for word, label in LABELS.items()
                if word in ALWAYS or counts[word] or word == shown
            ),
            of="" if place is None else names_of(columns)[place + 1],
            of_href=f"{changed(params, of=None, page=None)}#tasks",
            headers=headers(TASK, sort, params),
            columns=columns,
            has_evaluations=len({column.key.evaluation_id for column in columns}) > 1,
            lines=tuple(_line(row, params) for row in page.rows),
            nothing=_nothing(shown, counts),
            all_href=_shown(params, ALL),
            pager=Pager.build(page.page, PAGE_SIZE, page.total, params),
        )


def _shown(params: QueryDict, word: str) -> str:
    return f"{changed(params, show=word, page=None, task=None, repeat=None)}#tasks"


def _line(row: ComparedRow, params: QueryDict) -> ComparedTask:
    task, repeat = str(row.task_id), str(row.repeat)
    is_open = (params.get("task"), params.get("repeat", "1")) == (task, repeat)
    return ComparedTask(row, f"{changed(params, task=task, repeat=repeat)}#answers", is_open)


def _nothing(shown: str, counts: dict[str, int]) -> str:
    if shown == DIFFER and counts["same"]:
        return "No task differs: every pair passed in both or in neither."
    if shown == DIFFER:
        return "No task differs, but none could be paired either."
    return f"No task: {HINTS.get(shown, '')}."

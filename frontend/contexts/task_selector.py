"""The field that picks tasks by their names."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.columns import changed
from frontend.contexts.filters import Kept, kept
from frontend.contexts.unknown_values import unknown_values
from results.queries.task_selection import REGULAR, WILDCARD, SelectionError, TaskSelection

KEYS = ("select", "syntax")


@dataclass(frozen=True)
class TaskSelector:
    """What `_task_selector.html` reads.

    Attributes:
        text: what the field holds. is_regular: as a regular expression.
        selected, remaining: tasks; without a selection all are selected.
        problem: why the pattern cannot be used; empty when it can.
        kept: what the form carries along.
        clear_href: the page without a selection; empty when there is none.
    """

    text: str
    is_regular: bool
    selected: int
    remaining: int
    problem: str
    kept: tuple[Kept, ...]
    clear_href: str

    @property
    def is_active(self) -> bool:
        """Tasks are picked."""
        return bool(self.text.strip()) and not self.problem


@dataclass(frozen=True)
class Selected:
    """The names that a page's selection meets, None = all; and the field."""

    names: frozenset[str] | None
    selector: TaskSelector

    @classmethod
    def everything(cls, tasks: int, params: QueryDict) -> "Selected":
        """All tasks of an evaluation that has so many, for a query without a selection."""
        return cls(None, _selector(TaskSelection("", _syntax(params)), Split(tasks, 0), "", params))

    @classmethod
    def build(cls, names: Iterable[str], params: QueryDict) -> "Selected":
        """Pick among the names of an evaluation's tasks; a pattern that cannot be used picks all of them."""
        listed = list(names)
        asked, problem, found = TaskSelection(params.get("select", ""), _syntax(params)), "", frozenset(listed)
        try:
            found = asked.among(listed)
        except SelectionError as error:
            problem = str(error)
        selector = _selector(asked, Split(len(found), len(listed) - len(found)), problem, params)
        return cls(found if selector.is_active else None, selector)


@dataclass(frozen=True)
class Split:
    """How many tasks are selected, and how many remain."""

    selected: int
    remaining: int


def is_asked(params: QueryDict) -> bool:
    """Whether a query selects tasks."""
    return bool(params.get("select", "").strip())


def unknown_syntax(params: QueryDict) -> tuple[str, ...]:
    """What is said of a syntax that there is not."""
    return unknown_values(params, {"syntax": (WILDCARD, REGULAR)})


def _syntax(params: QueryDict) -> str:
    return REGULAR if params.get("syntax") == REGULAR else WILDCARD


def _selector(asked: TaskSelection, split: Split, problem: str, params: QueryDict) -> TaskSelector:
    return TaskSelector(
        text=asked.text,
        is_regular=asked.syntax == REGULAR,
        selected=split.selected,
        remaining=split.remaining,
        problem=problem,
        kept=kept(params, (*KEYS, "page")),
        clear_href=changed(params, select=None, syntax=None, page=None) if asked else "",
    )

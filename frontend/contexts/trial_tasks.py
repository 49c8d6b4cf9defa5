"""The tasks of a new trial: filtered as the explorer filters results, with counts of what could be chosen."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from evaluator.engine.trials.definitions import TaskDefinition
from evaluator.engine.trials.task_files import ListedTask
from frontend.contexts.columns import changed
from frontend.contexts.facets import FacetGroup, facet_groups, shown_facets
from frontend.contexts.filter_words import choice_names
from results.filters import UNSPECIFIED, Choice, ResultFilter
from results.queries.facets import Facet, FacetOption

FACETS = ("suite", "category", "difficulty", "tag")
FIXED = tuple(name for name in choice_names() if name not in FACETS)


@dataclass(frozen=True)
class TaskFilters:
    """What narrows the tasks down.

    Attributes:
        text: words that a task's name must hold, whatever their case.
        clear_href: the page without any of it; empty when nothing is narrowed down.
        folds: facets that were opened, for the form to carry along.
    """

    text: str
    facets: tuple[FacetGroup, ...]
    folds: tuple[str, ...]
    clear_href: str

    @classmethod
    def build(cls, tasks: Sequence[TaskDefinition], params: QueryDict) -> "TaskFilters":
        """The filters over some tasks in the state that the query asks for."""
        asked = ResultFilter.parse(params)
        counted = [_counted(name, tasks, asked) for name in shown_facets(asked, params, FIXED)]
        is_narrowed = asked.text or any(asked.choice(name) for name in FACETS)
        return cls(
            text=asked.text,
            facets=facet_groups(counted, asked, params, FIXED),
            folds=tuple(params.getlist("open")),
            clear_href=changed(params, q=None, tags=None, **dict.fromkeys(FACETS)) if is_narrowed else "",
        )


def matching(tasks: Iterable[ListedTask], params: QueryDict) -> list[tuple[int, ListedTask]]:
    """The tasks that the query lets through, each with its place in the file."""
    asked = ResultFilter.parse(params)
    return [(place, task) for place, task in enumerate(tasks) if _is_meant(task.definition, asked)]


def _is_meant(task: TaskDefinition, asked: ResultFilter, but: str = "") -> bool:
    """Whether a task passes the filter; `but` names a key that does not count."""
    name = task.name.casefold()
    return all(word in name for word in asked.text.casefold().split()) and all(
        _passes(_values(task, key), asked.choice(key), is_every=key == "tag" and asked.is_every_tag)
        for key in FACETS
        if key != but
    )


def _passes(values: set[str | None], choice: Choice, *, is_every: bool) -> bool:
    if values.intersection(choice.excluded):
        return False
    wanted = set(choice.included)
    return not wanted or (wanted <= values if is_every else bool(wanted & values))


def _values(task: TaskDefinition, key: str) -> set[str | None]:
    if key == "tag":
        return set(task.tags) or {None}
    text = {"suite": task.suite, "category": task.category, "difficulty": task.difficulty}[key]
    return {text or None}


def _counted(name: str, tasks: Sequence[TaskDefinition], asked: ResultFilter) -> Facet:
    choice = asked.choice(name)
    counts = Counter(value for task in tasks if _is_meant(task, asked, but=name) for value in _values(task, name))
    counts.update(dict.fromkeys((*choice.included, *choice.excluded), 0))
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0] is None, item[0] or ""))
    return Facet(
        name,
        tuple(
            FacetOption(value, value or UNSPECIFIED, count, value in choice.included, value in choice.excluded)
            for value, count in listed
        ),
    )

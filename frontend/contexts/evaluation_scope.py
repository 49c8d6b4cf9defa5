"""What the charts and the heat map of an evaluation share: the page's filter, its selection of tasks, its links."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

from django.http import QueryDict

from frontend.contexts.chips import chips_of, clear_href
from frontend.contexts.evaluation_tasks import OF_ONE_EVALUATION, TaskScope
from frontend.contexts.leaderboard_rows import TaskChoices
from frontend.contexts.task_selector import Selected, unknown_syntax
from results.filters import Choice, ResultFilter
from results.queries.evaluation_tasks import task_names
from results.queries.visibility import VisibleSet
from results.text.search import TooManyToScanError

Found = TypeVar("Found")


@dataclass(frozen=True)
class EvaluationScope:
    """The results that a page of one evaluation is about.

    Attributes:
        visible: the one evaluation.
        chosen: the filter within it. task_ids: of the selection; None = all tasks.
        linked: the filter that links to the explorer carry; None where the selection is too long for an address.
        shown: what the page says about it.
    """

    visible: VisibleSet
    chosen: ResultFilter
    task_ids: tuple[int, ...] | None
    linked: ResultFilter | None
    shown: TaskScope

    @classmethod
    def build(
        cls, evaluation_id: int, tasks: int, params: QueryDict, unknown: Iterable[str] = (), *, is_searched: bool = True
    ) -> "EvaluationScope":
        """The scope for a query with filters, `select` and `syntax`.

        Args:
            evaluation_id: of an evaluation that may be seen.
            tasks: how many it has.
            params: the page's query.
            unknown: what is said of values of the page's other keys.
            is_searched: the filter's text counts; else the page says that it would read too much.
        """
        visible = VisibleSet.of(frozenset((evaluation_id,)))
        chosen = reduce(ResultFilter.without, OF_ONE_EVALUATION, ResultFilter.parse(params))
        problems = (*chosen.problems, *unknown, *unknown_syntax(params))
        if not is_searched:
            chosen, problems = chosen.without("text"), (*problems, "The search would read too many results.")
        names = task_names(visible) if params.get("select") else {}
        picked = Selected.build(names.values(), params) if names else Selected.everything(tasks, params)
        choices = TaskChoices.of(names.values(), picked.names)
        linked: ResultFilter | None = chosen.with_choice("evaluation", Choice((str(evaluation_id),)))
        if picked.names is not None and linked is not None:
            linked = None if choices.selected is None else linked.with_choice("task", choices.selected)
        return cls(
            visible=visible,
            chosen=chosen,
            task_ids=None
            if picked.names is None
            else tuple(sorted(pk for pk, name in names.items() if name in picked.names)),
            linked=linked,
            shown=TaskScope(picked.selector, chips_of(chosen, {}, params), clear_href(chosen, params), problems, 0),
        )


def with_scope(
    evaluation_id: int,
    tasks: int,
    params: QueryDict,
    build: Callable[[EvaluationScope], Found],
    unknown: Iterable[str] = (),
) -> Found:
    """What `build` makes of the scope; of that without a search that would read too much."""
    try:
        return build(EvaluationScope.build(evaluation_id, tasks, params, unknown))
    except TooManyToScanError:
        return build(EvaluationScope.build(evaluation_id, tasks, params, unknown, is_searched=False))

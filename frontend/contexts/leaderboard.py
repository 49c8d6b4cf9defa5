"""The leaderboard of an evaluation: figures by provider and run, or by any other nesting of groups."""

from dataclasses import dataclass
from functools import reduce
from urllib.parse import urlencode

from django.http import QueryDict

from frontend.contexts.chips import Chip, chips_of, clear_href
from frontend.contexts.columns import Column, Header, ranked_header
from frontend.contexts.leaderboard_columns import COLUMNS, BoardChooser, needed, shown_columns, spread
from frontend.contexts.leaderboard_columns import KEY as SHOW
from frontend.contexts.leaderboard_groups import KEY as BY
from frontend.contexts.leaderboard_groups import NAMES, GroupMenus, groupings, levels_of
from frontend.contexts.leaderboard_rows import BY_NAME, BY_PROVIDER, BoardTable, RowMaker, TaskChoices, run_name
from frontend.contexts.task_selector import Selected, TaskSelector, is_asked, unknown_syntax
from frontend.contexts.unknown_values import unknown_values
from results.filters import Choice, ResultFilter, written
from results.queries.evaluation_tasks import task_names
from results.queries.group_figures import Level, group_figures
from results.queries.run_names import RunName, run_ids
from results.queries.visibility import VisibleSet
from results.text.search import TooManyToScanError

RANK = "rank"
INSIDE = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
USUAL_RANK = "-pass_rate"
OF_ONE_EVALUATION = ("project", "evaluation")


@dataclass(frozen=True)
class Leaderboard:
    """What `_leaderboard.html` reads.

    Attributes:
        problems: values of `by`, `rank`, `show` and `syntax` that there are not.
        columns: keys of the figures shown. counted: part of a query that leaves skipped results out.
        chips: the filters of the page, which the figures are under.
    """

    problems: tuple[str, ...]
    headers: tuple[Header, ...]
    columns: tuple[str, ...]
    counted: str
    has_provider: bool
    tables: tuple[BoardTable, ...]
    groups: GroupMenus
    chooser: BoardChooser
    selector: TaskSelector
    chips: tuple[Chip, ...]
    clear_href: str

    @classmethod
    def build(cls, scope: VisibleSet, tasks: int, params: QueryDict) -> "Leaderboard":
        """The leaderboard for a query with filters, `by`, `rank`, `show`, `select` and `syntax`.

        Args:
            scope: the one evaluation.
            tasks: how many it has.
            params: the page's query.
        """
        chosen = reduce(ResultFilter.without, OF_ONE_EVALUATION, ResultFilter.parse(params))
        try:
            return cls._of(scope, chosen, tasks, params)
        except TooManyToScanError:  # the list of results says so
            return cls._of(scope, chosen.without("text"), tasks, params)

    @classmethod
    def _of(cls, scope: VisibleSet, chosen: ResultFilter, tasks: int, params: QueryDict) -> "Leaderboard":
        levels, columns = levels_of(params), shown_columns(params)
        names = task_names(scope) if is_asked(params) else {}
        picked = Selected.build(names.values(), params) if names else Selected.everything(tasks, params)
        keys = tuple(column.key for column in columns)
        rank = _rank(params, columns, levels)
        read = (*keys, rank.removeprefix("-"))
        found = group_figures(
            scope,
            chosen,
            ((), *groupings(levels)),
            needed(read),
            spread(read),
            None if picked.names is None else [pk for pk, name in names.items() if name in picked.names],
        )
        choices = TaskChoices.of(names.values(), picked.names)
        maker = RowMaker(levels, rank, chosen, scope, choices, _run_ids(levels, found))
        return cls(
            problems=_problems(params, columns, levels),
            headers=tuple(
                ranked_header(column, rank, params, "#leaderboard") for column in _with_names(columns, levels)
            ),
            columns=keys,
            counted=_counted(chosen),
            has_provider="run" in levels and "provider" not in levels,
            tables=maker.tables(found, picked.selector),
            groups=GroupMenus.build(levels, params),
            chooser=BoardChooser.build(columns, params),
            selector=picked.selector,
            chips=chips_of(chosen, {}, params),
            clear_href=clear_href(chosen, params),
        )


def _run_ids(levels: tuple[str, ...], found: tuple[Level, ...]) -> dict[RunName, int]:
    """The ids of the runs that have a row."""
    if "run" not in levels:
        return {}
    place = levels.index("run")
    level = found[place + 1]  # the first is everything
    return run_ids(run_name(groupings(levels)[place], group) for group in (*level.selected, *level.remaining))


def _counted(chosen: ResultFilter) -> str:
    outcome = chosen.outcome
    kept = tuple(word for word in outcome.included if word != "skipped")
    excluded = tuple(dict.fromkeys((*outcome.excluded, "skipped"))) if not kept else outcome.excluded
    return urlencode([("outcome", text) for text in written(Choice(kept, excluded))])


def _rank(params: QueryDict, columns: tuple[Column, ...], levels: tuple[str, ...]) -> str:
    asked = params.get(RANK, USUAL_RANK)
    known = {column.key for column in _with_names(columns, levels)}
    return asked if asked.removeprefix("-") in known else USUAL_RANK


def _problems(params: QueryDict, columns: tuple[Column, ...], levels: tuple[str, ...]) -> tuple[str, ...]:
    known = {BY: NAMES, SHOW: [column.key for column in COLUMNS]}
    orders = {RANK: _with_names(columns, levels)} if params.get(RANK) != USUAL_RANK else {}
    return (*unknown_values(params, known, orders, lists=known), *unknown_syntax(params))


def _with_names(columns: tuple[Column, ...], levels: tuple[str, ...]) -> tuple[Column, ...]:
    label = f" {INSIDE} ".join(NAMES[name] for name in levels)
    named = [Column(BY_NAME, label)]
    if "run" in levels and "provider" not in levels:
        named.append(Column(BY_PROVIDER, "Provider", is_sortable=levels[-1] == "run"))
    return (*named, *columns)

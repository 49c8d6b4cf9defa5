"""The rows of a leaderboard: groups inside of groups, in order, each with the way to its results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from frontend.contexts.leaderboard_groups import groupings
from frontend.contexts.task_selector import TaskSelector
from results.filters import Choice, ResultFilter
from results.queries.figure_values import figure
from results.queries.group_figures import GroupFigures, Level
from results.queries.run_names import RunName
from results.queries.visibility import VisibleSet

MOST_ROWS = 200  # of one table; the stats command writes all
MOST_LINKED = 600  # characters of task names that a link carries
BY_NAME, BY_PROVIDER = "name", "provider"


@dataclass(frozen=True)
class BoardRow:
    """One group.

    Attributes:
        level: what kind of thing it is, such as `category`.
        label: its name; None = unspecified.
        run_id: of a run, else None.
        provider: of a run; None where the table has no such column.
        depth: how many groups it is inside of; the innermost ones have `is_leaf`.
        query: of the explorer with its results, without an outcome; empty when they cannot be asked for.
    """

    level: str
    label: str | None
    run_id: int | None
    provider: str | None
    depth: int
    is_leaf: bool
    figures: GroupFigures
    query: str


@dataclass(frozen=True)
class BoardTable:
    """One table: of the selected tasks or of the remaining ones.

    Attributes:
        tasks: how many tasks it is about; total: of all its groups, None when it has no result.
        left_out: groups that are not shown.
    """

    title: str
    tasks: int
    rows: tuple[BoardRow, ...]
    total: BoardRow | None
    left_out: int


@dataclass(frozen=True)
class TaskChoices:
    """A selection of tasks as choices of the filter; None where the names are too long for a link."""

    selected: Choice | None
    remaining: Choice | None

    @classmethod
    def of(cls, names: Iterable[str], selected: frozenset[str] | None) -> "TaskChoices":
        """The choices for a selection among all names; None = all are selected."""
        if selected is None:
            return cls(Choice(), None)
        rest = sorted(set(names) - selected)
        return cls(_either(sorted(selected), rest), _either(rest, sorted(selected)))


@dataclass(frozen=True)
class RowMaker:
    """Makes rows of figures."""

    levels: tuple[str, ...]
    rank: str
    chosen: ResultFilter
    scope: VisibleSet
    tasks: TaskChoices
    run_ids: Mapping[RunName, int]

    def tables(self, found: tuple[Level, ...], selector: TaskSelector) -> tuple[BoardTable, ...]:
        """One table of everything, or one of the selected tasks and one of the remaining."""
        title = "Selected tasks" if selector.is_active else ""
        tables = [self._table(title, selector.selected, [level.selected for level in found], self.tasks.selected)]
        if selector.is_active:
            remaining = [level.remaining for level in found]
            tables.append(self._table("Remaining tasks", selector.remaining, remaining, self.tasks.remaining))
        return tuple(tables)

    def _table(self, title: str, tasks: int, found: list[tuple[GroupFigures, ...]], named: Choice | None) -> BoardTable:
        everything, *levels = found
        rows = list(self._rows(levels, (), 0, named))
        total = [self._row("", None, 0, group, named) for group in everything]
        return BoardTable(title, tasks, tuple(rows[:MOST_ROWS]), next(iter(total), None), max(0, len(rows) - MOST_ROWS))

    def _rows(
        self, levels: list[tuple[GroupFigures, ...]], inside: tuple[str | None, ...], depth: int, named: Choice | None
    ) -> Iterable[BoardRow]:
        """The groups inside one group in order, each before those inside of it."""
        if not levels:
            return
        groups = [group for group in levels[0] if group.key[: len(inside)] == inside]
        for group in ordered(groups, self.rank):
            yield self._row(self.levels[depth], group.key[-1], depth, group, named)
            yield from self._rows(levels[1:], group.key, depth + 1, named)

    def _row(self, level: str, label: str | None, depth: int, group: GroupFigures, named: Choice | None) -> BoardRow:
        has_provider = level == "run" and "provider" not in self.levels
        name = run_name(groupings(self.levels)[depth], group) if level == "run" else None
        return BoardRow(
            level=level,
            label=label,
            run_id=None if name is None else self.run_ids.get(name),
            provider=group.key[-2] if has_provider else None,
            depth=depth,
            is_leaf=not level or depth == len(self.levels) - 1,
            figures=group,
            query=self._query(level, depth, group, named),
        )

    def _query(self, level: str, depth: int, group: GroupFigures, named: Choice | None) -> str:
        meant: ResultFilter | None = self.chosen.without("outcome").with_choice(
            "evaluation", Choice(tuple(map(str, sorted(self.scope.evaluation_ids))))
        )
        names = groupings(self.levels)[depth] if level else ()
        wanted = list(zip(names, (Choice((value,)) for value in group.key), strict=True))
        for name, choice in (*wanted, *([("task", named)] if named is None or named else [])):
            meant = _narrowed(meant, name, choice)
        return "" if meant is None else urlencode(meant.pairs())


def run_name(names: tuple[str, ...], group: GroupFigures) -> RunName:
    """The run of a group whose keys have these names, a provider and a run among them."""
    key = dict(zip(names, group.key, strict=True))
    return RunName(key["provider"] or "", key["run"] or "")


def _narrowed(meant: ResultFilter | None, name: str, choice: Choice | None) -> ResultFilter | None:
    """The filter that also asks for this; None when one filter cannot say both."""
    if meant is None or choice is None:
        return None
    before = meant.choice(name)
    excluded = tuple(dict.fromkeys((*before.excluded, *choice.excluded)))
    included = choice.included or before.included
    if before.included and choice.included:
        if name == "tag" and meant.is_every_tag:
            included = tuple(dict.fromkeys((*before.included, *choice.included)))
        elif name == "tag" and not set(choice.included) <= set(before.included):
            return None
        else:
            included = tuple(value for value in choice.included if value in before.included)
    return meant.with_choice(name, Choice(included, excluded))


def _either(names: list[str], others: list[str]) -> Choice | None:
    """A choice of these names out of them and the others, written the shorter way."""
    if sum(map(len, names)) <= MOST_LINKED:
        return Choice(tuple(names)) if names else None
    return Choice((), tuple(others)) if sum(map(len, others)) <= MOST_LINKED else None


def ordered(groups: list[GroupFigures], rank: str) -> list[GroupFigures]:
    """Groups by a figure, ties in the order they have; an unknown figure is last both ways."""
    name, is_descending = rank.removeprefix("-"), rank.startswith("-")
    if name in (BY_NAME, BY_PROVIDER):
        place = -1 if name == BY_NAME else -2
        named = [group for group in groups if group.key[place:][0] is not None]
        unnamed = [group for group in groups if group.key[place:][0] is None]
        return sorted(named, key=lambda group: group.key[place:][0] or "", reverse=is_descending) + unnamed
    values = {id(group): figure(group, name) for group in groups}
    known = [group for group in groups if values[id(group)] is not None]
    unknown = [group for group in groups if values[id(group)] is None]
    return sorted(known, key=lambda group: values[id(group)] or 0, reverse=is_descending) + unknown

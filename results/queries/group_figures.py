"""Figures of a filter's results at several levels of grouping, apart for the tasks of a selection and the remaining."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.queries.conditions import Conditions, filtered, question
from results.queries.costs import Amount, GroupCosts
from results.queries.filter_columns import in_ids
from results.queries.group_money import Sums, money_by_group
from results.queries.grouping import GROUPS, Grouping
from results.queries.quantiles import MEDIAN, P95, quantile, quantiles_sql
from results.queries.summary import Measure
from results.queries.tokens import token_expression
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

_KEPT = {  # measures that the facts keep, and their columns
    "duration": "duration_ns",
    "input_tokens": "model_input_tokens",
    "output_tokens": "model_output_tokens",
    "judge_input_tokens": "judge_input_tokens",
    "judge_output_tokens": "judge_output_tokens",
    "tool_calls": "tool_calls",
}
_COUNTERS = ("cache_read_tokens", "cache_write_tokens", "reasoning_tokens")  # as recorded: answer and error
MEASURES = (*_KEPT, *_COUNTERS)
COST = "cost"
_SKIPPED = 3
_HEAD = 6  # four outcomes, transient and parsing errors
_WIDTH = 4  # of a measure: known, sum, quantiles, deviation


@dataclass(frozen=True)
class GroupFigures:
    """One group; `key` holds its values in the order of its grouping, None is unspecified.

    Attributes:
        measures: by name; what was not asked for is absent. Skipped results are in none of them. `duration` is model
            time in nanoseconds; input and output tokens are effective ones; cache and reasoning tokens are the recorded
            counters of answer and error (of a Validation Error, the answer's); the judge's are apart.
        costs: of the model; None when not asked for.
    """

    key: tuple[str | None, ...]
    outcomes: OutcomeCounts
    transient_errors: int
    response_parsing_errors: int
    measures: tuple[tuple[str, Measure], ...]
    costs: GroupCosts | None

    def measure(self, name: str) -> Measure | None:
        """One of `measures`; None when it was not asked for."""
        return next((measure for key, measure in self.measures if key == name), None)


@dataclass(frozen=True)
class Level:
    """The groups of one grouping in the order of their keys, of the selected tasks and of the remaining ones."""

    selected: tuple[GroupFigures, ...]
    remaining: tuple[GroupFigures, ...]


@dataclass(frozen=True)
class Asked:
    """What is wanted of each group; names in the order of `MEASURES`, ids of tasks sorted, None = all are selected."""

    measures: tuple[str, ...]
    spread: tuple[str, ...]
    has_cost: bool
    tasks: tuple[int, ...] | None

    @property
    def is_selected(self) -> str:
        """SQL: the result's task is one of the selection."""
        return "true" if self.tasks is None else f"({in_ids('task_id', list(self.tasks))})"


def group_figures(
    visible: VisibleSet,
    chosen: ResultFilter,
    levels: Sequence[Sequence[str]],
    wanted: Sequence[str] = (*MEASURES, COST),
    spread: Sequence[str] = MEASURES,
    tasks: Sequence[int] | None = None,
) -> tuple[Level, ...]:
    """Figures at several levels of grouping.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        levels: groupings, each by any of `GROUPS` in the order wanted; an empty one is one group of everything. A
            result counts once in each of its tags.
        wanted: which of `MEASURES`, and `cost`.
        spread: of which measures the median, percentile and deviation are wanted too; they cost more than all sums.
        tasks: ids of the tasks of the selection; None = all are selected.

    Returns:
        A level for each grouping, groups as `results.queries.summary.summary` orders them.

    Raises:
        KeyError: a name is not known.
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    asked = Asked(
        measures=tuple(name for name in MEASURES if name in wanted),
        spread=tuple(name for name in MEASURES if name in wanted and name in spread),
        has_cost=COST in wanted,
        tasks=None if tasks is None else tuple(sorted(tasks)),
    )
    groupings = tuple(tuple(dict.fromkeys(level)) for level in levels)
    unknown = {name for names in groupings for name in names} - set(GROUPS) | (set(wanted) - {*MEASURES, COST})
    if unknown:
        raise KeyError(f"{', '.join(sorted(unknown))}: groups are {', '.join(GROUPS)}; figures {', '.join(MEASURES)}.")
    return answer(
        visible.evaluation_ids,
        visible.key,
        question("group figures", chosen, groupings, asked),
        lambda reading: _levels(reading, chosen, visible, groupings, asked),
    )


def _levels(
    reading: Reading,
    chosen: ResultFilter,
    visible: VisibleSet,
    groupings: tuple[tuple[str, ...], ...],
    asked: Asked,
) -> tuple[Level, ...]:
    with filtered(reading, chosen, visible) as conditions:
        return tuple(_level(reading, conditions, Grouping(names), asked) for names in groupings)


def _level(reading: Reading, conditions: Conditions, grouping: Grouping, asked: Asked) -> Level:
    width = len(grouping.names)
    rows = reading.rows(_sql(reading, conditions, grouping, asked))
    keys = grouping.named(reading, [row[1 : 1 + width] for row in rows])
    money = money_by_group(reading, conditions, grouping, asked.is_selected) if asked.has_cost else {}
    found: dict[bool, list[GroupFigures]] = {True: [], False: []}
    for number in grouping.order(keys):
        selected, figures = bool(rows[number][0]), rows[number][1 + width :]
        if any(figures[:4]):
            found[selected].append(_group(keys[number], figures, asked, money.get((selected, keys[number]))))
    return Level(tuple(found[True]), tuple(found[False]))


def _sql(reading: Reading, conditions: Conditions, grouping: Grouping, asked: Asked) -> str:
    """SQL of a line per group: whether selected, its ids, then what `_group` reads."""
    values = [f"CASE WHEN outcome <> {_SKIPPED} THEN {_value(reading, name)} END AS {name}" for name in asked.measures]
    listed = ", ".join(["outcome, is_transient, is_response_parsing", f"{asked.is_selected} AS is_selected", *values])
    table = "counters" if not set(_COUNTERS).isdisjoint(asked.measures) else "results"
    outcomes = [f"count(*) FILTER (outcome = {outcome})" for outcome in range(4)]
    errors = [f"count(*) FILTER (outcome = 2 AND {flag})" for flag in ("is_transient", "is_response_parsing")]
    figures = ", ".join(
        [*outcomes, *errors, *(_figures(reading, name, name in asked.spread) for name in asked.measures)]
    )
    source = grouping.source(reading, conditions, listed, table)
    return f"SELECT is_selected, {grouping.keys}{figures} FROM ({source}) GROUP BY {grouping.keys}is_selected"


def _value(reading: Reading, name: str) -> str:
    if name in _COUNTERS:
        mine = f"answer_{name}"
        failed = f"CASE WHEN NOT is_error_usage_judge THEN error_{name} END"
        both = f"coalesce({mine}::HUGEINT, 0) + coalesce(({failed})::HUGEINT, 0)"
        return f"CASE WHEN {mine} IS NOT NULL OR ({failed}) IS NOT NULL THEN {both} END"
    column = _KEPT[name]
    return token_expression(column, reading.has_large_numbers) if column.endswith("_tokens") else column


def _figures(reading: Reading, name: str, has_spread: bool) -> str:
    """Known values, their sum, median and 95th percentile, deviation; recorded counters may be large at any time."""
    if not has_spread:
        return f"count({name}), sum({name}), NULL, NULL"
    is_large = reading.has_large_numbers or name in _COUNTERS
    spread = quantiles_sql(name, (MEDIAN, P95), is_large=is_large)
    return f"count({name}), sum({name}), {spread}, stddev_pop({name}::DOUBLE)"


def _group(key: tuple[str | None, ...], figures: tuple[Any, ...], asked: Asked, sums: Sums | None) -> GroupFigures:
    outcomes = OutcomeCounts(*(int(count) for count in figures[:4]))
    listed = [] if sums is None else sorted(sums.amounts.items(), key=lambda item: (item[0] is None, item[0] or ""))
    amounts = tuple(Amount(currency, Decimal(nano).scaleb(-9), *counts) for currency, (nano, *counts) in listed)
    return GroupFigures(
        key=key,
        outcomes=outcomes,
        transient_errors=int(figures[4]),
        response_parsing_errors=int(figures[5]),
        measures=tuple(
            (name, _measure(outcomes.counted, figures[_HEAD + _WIDTH * place :][:_WIDTH]))
            for place, name in enumerate(asked.measures)
        ),
        costs=None
        if sums is None
        else GroupCosts(key, amounts, sums.states["unpriced"], sums.states["inconsistent"], sums.states["unused"]),
    )


def _measure(counted: int, found: tuple[Any, ...]) -> Measure:
    known, total, quantiles, deviation = found
    median, p95 = (None, None) if quantiles is None else map(quantile, quantiles, (MEDIAN, P95))
    return Measure(int(known), counted - int(known), None if total is None else int(total), median, p95, deviation)

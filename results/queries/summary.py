"""Figures by group: counts, rates, model time, tokens and tool calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from results.facts.engine import Reading, answer
from results.filters import ResultFilter
from results.queries.conditions import Conditions, filtered, question
from results.queries.tokens import token_expression
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

GROUPS = ("provider", "run", "model", "task", "suite", "category", "difficulty", "tag", "evaluation")
PERCENTILES = (0.5, 0.95)
_COUNTED = "outcome <> 3"  # skipped results never count
_KEYS = {
    "provider": ("provider_id", "providers"),
    "run": ("run_names.first_id", "runs"),
    "model": ("model_id", "terms"),
    "task": ("task_names.first_id", "tasks"),
    "suite": ("suite_id", "terms"),
    "category": ("category_id", "terms"),
    "difficulty": ("difficulty_id", "terms"),
    "tag": ("set_terms.term_id", "terms"),
}


@dataclass(frozen=True)
class Measure:
    """One quantity over the counted results of a group; skipped results are left out.

    `known` and `unknown` say how many results had a value. `total` is exact at any size. `median` is exact (the mean of
    the middle two for an even count), `deviation` is the population standard deviation. None when nothing is known.
    """

    known: int
    unknown: int
    total: int | None
    median: Decimal | None
    deviation: float | None

    @property
    def mean(self) -> float | None:
        """The total over the known values."""
        return self.total / self.known if self.known and self.total is not None else None


@dataclass(frozen=True)
class GroupSummary:
    """One group. `key` holds its values in the order of the grouping; None is unspecified.

    `p50_ns` and `p95_ns` are exact quantiles of model time by linear interpolation between the two closest ranks
    (Hyndman & Fan definition 7), rounded to the nanosecond; None when no time is known.
    """

    key: tuple[str | None, ...]
    outcomes: OutcomeCounts
    duration_ns: Measure
    input_tokens: Measure
    output_tokens: Measure
    tool_calls: Measure
    p50_ns: int | None
    p95_ns: int | None
    transient_errors: int
    response_parsing_errors: int


def summary(visible: VisibleSet, chosen: ResultFilter, group_by: Sequence[str] = ()) -> list[GroupSummary]:
    """Figures of a filter's results by group.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        group_by: any of `GROUPS`, in the order wanted; empty = one group of everything. A result counts in each of its
            tags once. Runs of one name under several providers are one run unless the provider is asked for too.

    Returns:
        The groups in the order of their keys, code point by code point, unspecified last. A group by evaluation has the
        evaluation's id as text in its key, and comes in order of that id. No group when no result matches.

    Raises:
        KeyError: a name is not one of `GROUPS`.
        results.text.search.TooManyToScan: an exact text was asked of too many results.
    """
    names = tuple(dict.fromkeys(group_by))
    if unknown := set(names) - set(GROUPS):
        raise KeyError(f"{', '.join(sorted(unknown))}: a group is one of {', '.join(GROUPS)}.")
    found = answer(
        visible.evaluation_ids,
        visible.key,
        question("summary", chosen, names),
        lambda reading: _summarise(reading, chosen, visible, names),
    )
    return list(found)


def _summarise(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, names: tuple[str, ...]
) -> tuple[GroupSummary, ...]:
    with filtered(reading, chosen, visible) as conditions:
        rows = reading.rows(_sql(reading, conditions, names))
    return tuple(_group(row, len(names)) for row in rows if row[len(names)])


def _sql(reading: Reading, conditions: Conditions, names: tuple[str, ...]) -> str:
    """SQL of one line per group: its key's values, then the figures in the order that `_group` reads."""
    columns = {name: _column(name, names) for name in names}
    keys = "".join(f"{column} AS key_{name}, " for name, column in columns.items())
    grouped = f"GROUP BY {', '.join(f'key_{name}' for name in names)}" if names else ""
    figures = f"SELECT {keys}{_figures(reading)} FROM {_source(reading, conditions, columns)} {grouped}"
    if not names:
        return figures
    labels = [f"key_{name}::VARCHAR AS label_{name}" if name == "evaluation" else f"{name}_names.name" for name in names]
    joins = " ".join(
        f"LEFT JOIN {_KEYS[name][1]} AS {name}_names ON {name}_names.id = key_{name}" for name in names if name in _KEYS
    )
    orders = ["key_evaluation" if name == "evaluation" else f"{name}_names.name NULLS LAST" for name in names]
    excluded = ", ".join(f"key_{name}" for name in names)
    return f"SELECT {', '.join(labels)}, figures.* EXCLUDE ({excluded}) FROM ({figures}) AS figures {joins} ORDER BY {', '.join(orders)}"


def _column(name: str, names: tuple[str, ...]) -> str:
    if name == "evaluation":
        return "evaluation_id"
    if name == "run" and "provider" in names:
        return "run_id"
    return _KEYS[name][0]


def _source(reading: Reading, conditions: Conditions, columns: dict[str, str]) -> str:
    """The filtered results, joined with what the keys need."""
    source = f"(SELECT * FROM {reading.table('results')} {conditions.where()}) AS results"
    for table, key in (("run_names", "run_id"), ("task_names", "task_id")):
        if any(column.startswith(table) for column in columns.values()):
            source += f" JOIN {table} ON {table}.id = results.{key}"
    if "tag" in columns:
        source += " LEFT JOIN set_terms ON set_terms.tag_set_id = results.tag_set_id"
    return source


def _figures(reading: Reading) -> str:
    counts = ", ".join(f"count(*) FILTER (outcome = {outcome})" for outcome in (0, 1, 2, 3))
    kept = "DECIMAL(38,1)" if reading.has_large_numbers else "BIGINT"
    shares = ", ".join(map(str, PERCENTILES))
    return ", ".join(
        [
            f"count(*), {counts}",
            _measure("duration_ns", kept),
            _measure(token_expression("model_input_tokens", reading.has_large_numbers), kept),
            _measure(token_expression("model_output_tokens", reading.has_large_numbers), kept),
            _measure("tool_calls", kept),
            f"quantile_cont(duration_ns, [{shares}]) FILTER ({_COUNTED})",
            "count(*) FILTER (outcome = 2 AND is_transient)",
            "count(*) FILTER (outcome = 2 AND is_response_parsing)",
        ]
    )


def _measure(expression: str, kept: str) -> str:
    """Known values, their sum, median and deviation."""
    return (
        f"count({expression}) FILTER ({_COUNTED}), sum({expression}) FILTER ({_COUNTED}), "
        f"quantile_cont({expression}::{kept}, 0.5) FILTER ({_COUNTED}), "
        f"stddev_pop({expression}::DOUBLE) FILTER ({_COUNTED})"
    )


def _group(row: tuple[Any, ...], keys: int) -> GroupSummary:
    figures = row[keys:]
    outcomes = OutcomeCounts(*figures[1:5])
    measures = [_read(figures[start : start + 4], outcomes.counted) for start in (5, 9, 13, 17)]
    percentiles = figures[21]
    p50, p95 = (None, None) if percentiles is None else (round(value) for value in percentiles)
    return GroupSummary(row[:keys], outcomes, *measures, p50, p95, figures[22], figures[23])


def _read(values: tuple[Any, ...], counted: int) -> Measure:
    known, total, median, deviation = values
    return Measure(
        known=known,
        unknown=counted - known,
        total=None if total is None else int(total),
        median=None if median is None else Decimal(str(median)),
        deviation=deviation,
    )

"""Figures by group: counts, rates, model time, tokens and tool calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.queries.conditions import Conditions, filtered, question
from results.queries.grouping import GROUPS, Grouping
from results.queries.quantiles import MEDIAN, P95, quantile, quantiles_sql
from results.queries.tokens import token_expression
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

MEASURES = ("duration", "input_tokens", "output_tokens", "tool_calls")
_COLUMNS = {
    "duration": "duration_ns",
    "input_tokens": "model_input_tokens",
    "output_tokens": "model_output_tokens",
    "tool_calls": "tool_calls",
}
_COUNTED = "outcome <> 3"  # skipped results never count


@dataclass(frozen=True)
class Measure:
    """One quantity over the counted results of a group; skipped results are left out.

    `known` and `unknown` say how many results had a value. `total` is exact at any size. `median` and `p95` are
    quantiles by linear interpolation between the two closest ranks (Hyndman & Fan definition 7; for an even count the
    median is the mean of the middle two, exact), `deviation` is the population standard deviation. None when nothing is
    known.
    """

    known: int
    unknown: int
    total: int | None
    median: Decimal | None
    p95: Decimal | None
    deviation: float | None

    @property
    def mean(self) -> float | None:
        """The total over the known values."""
        return self.total / self.known if self.known and self.total is not None else None


@dataclass(frozen=True)
class GroupSummary:
    """One group. `key` holds its values in the order of the grouping; None is unspecified.

    A measure that was not asked for is None.
    `duration` is model time in nanoseconds, tokens are effective ones of the model.
    """

    key: tuple[str | None, ...]
    outcomes: OutcomeCounts
    transient_errors: int
    response_parsing_errors: int
    duration: Measure | None
    input_tokens: Measure | None
    output_tokens: Measure | None
    tool_calls: Measure | None


def summary(
    visible: VisibleSet, chosen: ResultFilter, group_by: Sequence[str] = (), measures: Sequence[str] = MEASURES
) -> list[GroupSummary]:
    """Figures of a filter's results by group.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        group_by: any of `GROUPS`, in the order wanted; empty = one group of everything. A result counts in each of its
            tags once. Runs of one name under several providers are one run unless the provider is asked for too.
        measures: which of `MEASURES`; each costs about as much as all counts together.

    Returns:
        The groups in the order of their keys, code point by code point, unspecified last. A group by evaluation has the
        evaluation's id as text in its key, and comes in order of that id. No group when no result matches.

    Raises:
        KeyError: a name is not one of `GROUPS`, or not one of `MEASURES`.
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    names, wanted = tuple(dict.fromkeys(group_by)), tuple(name for name in MEASURES if name in measures)
    if unknown := (set(names) - set(GROUPS)) | (set(measures) - set(MEASURES)):
        raise KeyError(f"{', '.join(sorted(unknown))}: groups are {', '.join(GROUPS)}; measures {', '.join(MEASURES)}.")
    found = answer(
        visible.evaluation_ids,
        visible.key,
        question("summary", chosen, names, wanted),
        lambda reading: _summarise(reading, chosen, visible, names, wanted),
    )
    return list(found)


def _summarise(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, names: tuple[str, ...], measures: tuple[str, ...]
) -> tuple[GroupSummary, ...]:
    grouping = Grouping(names)
    with filtered(reading, chosen, visible) as conditions:
        rows = reading.rows(_sql(reading, conditions, grouping, measures))
    rows = [row for row in rows if any(row[len(names) : len(names) + 4])]
    keys = grouping.named(reading, [row[: len(names)] for row in rows])
    return tuple(_group(keys[number], rows[number][len(names) :], measures) for number in grouping.order(keys))


def _sql(reading: Reading, conditions: Conditions, grouping: Grouping, measures: tuple[str, ...]) -> str:
    """SQL of one line per group: the ids of its key, then what `_group` reads.

    Counts and sums are taken by outcome and then put together, which is quicker than a condition in each of them.
    What needs every single value follows beside them.
    """
    keys, grouped = grouping.keys, grouping.clause
    pairs = [f"counts.key_{name} IS NOT DISTINCT FROM shares.key_{name}" for name in grouping.names]
    joined = " AND ".join(pairs) or "true"
    values = "".join(f", {_value(reading, name)} AS {name}" for name in measures)
    source = grouping.source(reading, conditions, f"outcome, is_transient, is_response_parsing{values}")
    parts = "".join(f", count({name}) AS known_{name}, sum({name}) AS total_{name}" for name in measures)
    sums = "".join(
        f", sum(known_{name}) FILTER ({_COUNTED}), sum(total_{name}) FILTER ({_COUNTED})" for name in measures
    )
    outcomes = ", ".join(f"sum(results) FILTER (outcome = {outcome}) AS results_{outcome}" for outcome in range(4))
    spread = ", ".join(f"quantiles_{name}, deviation_{name}" for name in measures) or "NULL"
    shares = ", ".join(_spread(reading, name) for name in measures) or "count(*)"  # an aggregate: one line a group
    return f"""
        WITH source AS NOT MATERIALIZED ({source}),
        parts AS (
            SELECT {keys}outcome, count(*) AS results, count(*) FILTER (is_transient) AS transient,
                   count(*) FILTER (is_response_parsing) AS parsing{parts}
            FROM source GROUP BY {keys}outcome),
        counts AS (
            SELECT {keys}{outcomes},
                   sum(transient) FILTER (outcome = 2), sum(parsing) FILTER (outcome = 2){sums}
            FROM parts {grouped}),
        shares AS (SELECT {keys}{shares} FROM source WHERE {_COUNTED} {grouped})
        SELECT counts.*, {spread} FROM counts LEFT JOIN shares ON {joined}"""


def _value(reading: Reading, name: str) -> str:
    column = _COLUMNS[name]
    return token_expression(column, reading.has_large_numbers) if column.endswith("_tokens") else column


def _spread(reading: Reading, name: str) -> str:
    """Median, 95th percentile and deviation."""
    quantiles = quantiles_sql(name, (MEDIAN, P95), is_large=reading.has_large_numbers)
    return f"{quantiles} AS quantiles_{name}, stddev_pop({name}::DOUBLE) AS deviation_{name}"


def _group(key: tuple[str | None, ...], figures: tuple[Any, ...], measures: tuple[str, ...]) -> GroupSummary:
    """Read a line: four outcomes, transient and parsing errors, two numbers per measure, then two more per measure."""
    outcomes = OutcomeCounts(*(int(count or 0) for count in figures[:4]))
    spread = figures[6 + 2 * len(measures) :]
    found = {
        name: _measure(outcomes.counted, figures[6 + 2 * place : 8 + 2 * place], spread[2 * place : 2 + 2 * place])
        for place, name in enumerate(measures)
    }
    return GroupSummary(
        key, outcomes, int(figures[4] or 0), int(figures[5] or 0), *(found.get(name) for name in MEASURES)
    )


def _measure(counted: int, sums: tuple[Any, ...], spread: tuple[Any, ...]) -> Measure:
    known, total = int(sums[0] or 0), sums[1]
    quantiles, deviation = spread
    median, p95 = (None, None) if quantiles is None else map(quantile, quantiles, (MEDIAN, P95))
    return Measure(known, counted - known, None if total is None else int(total), median, p95, deviation)

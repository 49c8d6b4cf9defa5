"""How model time and tokens spread over the results of each run: five quantiles, in one grouped query."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.results import Outcome
from results.queries.conditions import filtered, question
from results.queries.filter_columns import in_ids
from results.queries.grouping import Grouping
from results.queries.quantiles import quantile, quantiles_sql
from results.queries.tokens import token_expression
from results.queries.visibility import VisibleSet

SHARES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))
_GROUPING = Grouping(("provider", "run"))


@dataclass(frozen=True)
class Spread:
    """The quantiles 5, 25, 50, 75 and 95 % of the known values; `unknown` counts the others."""

    known: int
    unknown: int
    quantiles: tuple[Decimal, ...]


@dataclass(frozen=True)
class RunSpread:
    """One run: its counted results, skipped ones left out.

    Attributes:
        duration: model time in nanoseconds. output_tokens: effective ones of the model. None = no value is known.
    """

    provider: str
    run: str
    counted: int
    duration: Spread | None
    output_tokens: Spread | None


def run_spreads(visible: VisibleSet, chosen: ResultFilter, tasks: Sequence[int] | None = None) -> tuple[RunSpread, ...]:
    """The spreads of a filter's runs, by provider and name.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        tasks: ids of the tasks that are meant; None = all.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    wanted = None if tasks is None else tuple(sorted(tasks))
    return answer(
        visible.evaluation_ids,
        visible.key,
        question("run spreads", chosen, wanted),
        lambda reading: _read(reading, chosen, visible, wanted),
    )


def _read(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, tasks: tuple[int, ...] | None
) -> tuple[RunSpread, ...]:
    is_meant = "true" if tasks is None else in_ids("task_id", list(tasks))
    is_large = reading.has_large_numbers
    tokens = token_expression("model_output_tokens", is_large)
    values = f"outcome, ({is_meant}) AS is_meant, duration_ns AS duration, {tokens} AS tokens"
    with filtered(reading, chosen, visible) as conditions:
        source = _GROUPING.source(reading, conditions, values)
        figures = ", ".join(
            f"count({name}), {quantiles_sql(name, SHARES, is_large=is_large)}" for name in ("duration", "tokens")
        )
        rows = reading.rows(
            f"SELECT {_GROUPING.keys}count(*), {figures} FROM ({source}) "
            f"WHERE is_meant AND outcome <> {Outcome.SKIPPED:d} GROUP BY {_GROUPING.keys.rstrip(', ')}"
        )
        keys = _GROUPING.named(reading, [row[:2] for row in rows])
    return tuple(
        RunSpread(
            provider=keys[number][0] or "",
            run=keys[number][1] or "",
            counted=rows[number][2],
            duration=_spread(rows[number][2], *rows[number][3:5]),
            output_tokens=_spread(rows[number][2], *rows[number][5:7]),
        )
        for number in _GROUPING.order(keys)
    )


def _spread(counted: int, known: int, found: list[float | Decimal] | None) -> Spread | None:
    if not known or found is None:
        return None
    listed = (quantile(value, share) for value, share in zip(found, SHARES, strict=True))
    return Spread(known, counted - known, tuple(value for value in listed if value is not None))

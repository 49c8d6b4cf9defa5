"""What each result's model cost, as SQL: at the prices of its file, else at those of the price table on the day it ran.

The rules are those of `results.pricing.estimate`, which a test holds them to. Amounts are whole numbers of 10^-15 units
of a currency: exact for every price with up to nine decimals per million tokens, and their sums are.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from results.facts.reading import Reading
from results.price_table import DAY, HALF_HOUR, Price, PriceTable
from results.pricing import Origin, Reason
from results.queries.filter_columns import in_ids
from results.queries.priced_usage import RATES, Usage

SCALE = -15  # decimal exponent of an amount
NANO_SHIFT = 10**6  # from 10^-9
_RATE_SHIFT = 9  # a price per million tokens times 10^this is a whole amount per token
_HALF_HOUR_US = HALF_HOUR // timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ANSWER, _ERROR = Usage("answer"), Usage("error", "NOT is_error_usage_judge")
_COUNTERS = f"is_error_usage_judge, {_ANSWER.columns}, {_ERROR.columns}"
_PERIOD = ("version", "since_us", "until_us", "table_reason", *RATES, "longest", "origin", "currency_no")


@dataclass(frozen=True)
class Priced:
    """Results with what they cost, while the context lasts.

    Attributes:
        sql: to stand after FROM: the columns asked for and `reason`, `origin`, `amount` (HUGEINT), `currency_id` (of
            `terms`, where the file has the price) and `currency_no` (a place in `currencies`, where a table has it).
        parameters: of the SQL, once for each time that it occurs.
        currencies: of the table.
    """

    sql: str
    parameters: list[Any]
    currencies: tuple[str, ...]

    def currency(self, names: dict[int | None, Any], currency_id: int | None, number: int | None) -> str | None:
        """The currency of an amount; None = the file does not say."""
        return self.currencies[number] if number is not None else names[currency_id] or None


@contextmanager
def priced(reading: Reading, where: str, columns: str, table: PriceTable) -> Iterator[Priced]:
    """Offer the results under a WHERE clause with what they cost.

    Args:
        reading: of the facts, with no results held apart.
        where: the clause, or empty.
        columns: further columns that are wanted, with commas between them.
        table: of the moment.
    """
    periods = _periods(reading, where, table)
    hopeless = _hopeless(periods)
    lines, currencies = _lines([period for period in periods if period.version not in hopeless])
    also = f"{where} AND" if where else "WHERE"
    used = f"{columns}, file_cost_reason, file_cost_nano, file_currency_id"
    recorded = (
        f"SELECT {columns}, file_cost_reason AS reason, CASE WHEN file_cost_nano IS NULL THEN 0 ELSE 1 END AS origin, "
        f"file_cost_nano::HUGEINT * {NANO_SHIFT} AS amount, "
        "CASE WHEN file_cost_nano IS NOT NULL THEN file_currency_id END AS currency_id, NULL::INTEGER AS currency_no "
        f"FROM {reading.table('results', f'{used} {where}')} {also} file_cost_reason <> {Reason.NO_PRICES:d}"
    )
    parts = [recorded]
    if hopeless:
        source = reading.table("results", f"{columns}, file_cost_reason, run_version_id {where}")
        parts.append(_without_prices(f"{source} {also} file_cost_reason = {Reason.NO_PRICES:d}", columns, hopeless))
    if lines:
        source = reading.table(
            "counters", f"{columns}, file_cost_reason, run_version_id, started_at_us, {_COUNTERS} {where}"
        )
        parts.append(_at_table_prices(f"{source} {also} file_cost_reason = {Reason.NO_PRICES:d}", columns))
    yield Priced(f"({' UNION ALL '.join(parts)})", lines, currencies)


def _without_prices(source: str, columns: str, hopeless: dict[int, Reason]) -> str:
    """SQL of results of run versions that never had a price, with the reason: no counter has to be read."""
    whens = " ".join(
        f"WHEN {in_ids('run_version_id', [version for version, why in hopeless.items() if why is reason])} "
        f"THEN {reason:d}"
        for reason in dict.fromkeys(hopeless.values())
    )
    return (
        f"SELECT {columns}, CASE {whens} END AS reason, 0 AS origin, NULL::HUGEINT AS amount, "
        f"NULL::INTEGER AS currency_id, NULL::INTEGER AS currency_no FROM {source} "
        f"AND ({in_ids('run_version_id', [*hopeless])})"
    )


def _at_table_prices(source: str, columns: str) -> str:
    """SQL of results without prices of their own, with what they cost at those of the periods."""
    lists = ", ".join(f"unnest(?::BIGINT[]) AS {name}" for name in _PERIOD)
    by_section = (
        f"SELECT *, {_ANSWER.reason} AS answer_reason, {_ERROR.reason} AS error_reason, "
        f"{_ANSWER.amount} AS answer_amount, {_ERROR.amount} AS error_amount "
        f"FROM (SELECT * FROM {source}) AS found JOIN (SELECT {lists}) AS periods "
        "ON version = run_version_id AND started_at_us >= since_us AND started_at_us < until_us"
    )
    reason = (
        f"CASE WHEN answer_reason NOT IN ({Reason.PRICED:d}, {Reason.NOTHING_USED:d}) THEN answer_reason "
        f"WHEN error_reason = {Reason.NOTHING_USED:d} THEN answer_reason ELSE error_reason END"
    )
    is_priced = f"reason = {Reason.PRICED:d}"
    return (
        f"SELECT {columns}, reason, CASE WHEN {is_priced} THEN origin ELSE 0 END AS origin, "
        f"CASE WHEN {is_priced} THEN answer_amount + error_amount END AS amount, NULL::INTEGER AS currency_id, "
        f"CASE WHEN {is_priced} THEN currency_no END::INTEGER AS currency_no "
        f"FROM (SELECT *, {reason} AS reason FROM ({by_section}))"
    )


def as_decimal(amount: int | None) -> Decimal | None:
    """An amount in units of its currency."""
    return None if amount is None else Decimal(amount).scaleb(SCALE)


@dataclass(frozen=True)
class _Period:
    """From when to when (microseconds since 1970 UTC, the end not included) what held for a run version."""

    version: int
    since_us: int
    until_us: int
    found: Price | Reason


def _periods(reading: Reading, where: str, table: PriceTable) -> list[_Period]:
    """For each run version without prices in its file, which prices held when it was used, in order."""
    also = f"{where} AND" if where else "WHERE"
    used = f"run_version_id provider_id run_id model_id started_at_us file_cost_reason {where}"
    rows = reading.rows(
        f"SELECT run_version_id, any_value(provider_id), any_value(run_id), any_value(model_id), "
        f"started_at_us // {_HALF_HOUR_US} AS slot FROM {reading.table('results', used)} "
        f"{also} file_cost_reason = {Reason.NO_PRICES:d} GROUP BY run_version_id, slot ORDER BY run_version_id, slot"
    )
    providers = reading.names("providers", {row[1] for row in rows})
    runs = reading.names("runs", {row[2] for row in rows})
    models = reading.names("terms", {row[3] for row in rows})
    periods: list[_Period] = []
    for version, provider_id, run_id, model_id, slot in rows:
        found = _found(table, _Use(providers[provider_id], runs[run_id], models[model_id]), slot)
        until_us = (slot + 1) * _HALF_HOUR_US
        last = periods[-1] if periods else None
        if last is not None and last.version == version and last.found == found:
            periods[-1] = replace(last, until_us=until_us)
        else:
            periods.append(_Period(version, slot * _HALF_HOUR_US, until_us, found))
    return periods


def _hopeless(periods: list[_Period]) -> dict[int, Reason]:
    """The run versions that never had a price, always for the same reason."""
    found: dict[int, set[Price | Reason]] = defaultdict(set)
    for period in periods:
        found[period.version].add(period.found)
    single = {version: next(iter(values)) for version, values in found.items() if len(values) == 1}
    return {version: value for version, value in single.items() if isinstance(value, Reason)}


def _lines(periods: list[_Period]) -> tuple[list[Any], tuple[str, ...]]:
    """The periods as columns, in the order of `_PERIOD`, and the currencies."""
    prices = [period.found for period in periods if isinstance(period.found, Price)]
    currencies = {name: number for number, name in enumerate(dict.fromkeys(price.pricing.currency for price in prices))}
    lines = [
        (period.version, period.since_us, period.until_us, *_price_columns(period.found, currencies))
        for period in periods
    ]
    return [list(column) for column in zip(*lines, strict=True)], tuple(currencies)


@dataclass(frozen=True)
class _Use:
    provider: str
    run: str
    model: str | None


def _found(table: PriceTable, use: _Use, slot: int) -> Price | Reason:
    known = table.model_of(use.provider, use.run, use.model)
    if known is None:
        return Reason.NO_MODEL
    slots = table.step(use.provider, known) // HALF_HOUR
    return _at(table, use.provider, known, slot // slots * slots)


@lru_cache(maxsize=65_536)
def _at(table: PriceTable, provider: str, model: str, slot: int) -> Price | Reason:
    """The price at the start of a half hour; a time that no calendar has is that of the nearest day."""
    try:
        at = _EPOCH + slot * HALF_HOUR
    except OverflowError:
        at = datetime.max.replace(tzinfo=UTC) if slot > 0 else datetime.min.replace(tzinfo=UTC) + DAY
    return table.price(provider, model, at)


def _price_columns(found: Price | Reason, currencies: dict[str, int]) -> tuple[int | None, ...]:
    """Reason, five rates in 10^-15 a token, longest input, origin, number of the currency."""
    if isinstance(found, Reason):
        return (int(found), *([None] * len(RATES)), None, int(Origin.NONE), None)
    prices = found.pricing
    rates = (
        prices.input_per_million,
        prices.cache_read_per_million,
        prices.cache_write_per_million,
        prices.output_per_million,
        prices.reasoning_per_million,
    )
    scaled = [None if rate is None else int(Decimal(rate).scaleb(_RATE_SHIFT)) for rate in rates]
    origin = Origin.OWN if found.is_own else Origin.TABLE
    return (int(Reason.PRICED), *scaled, found.longest, int(origin), currencies[prices.currency])

"""What the latest evaluation cost, by run: at the prices in its file, else at those of the price table."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.price_table import PriceTable, price_table
from results.pricing import Origin, Reason
from results.queries.conditions import filtered, question
from results.queries.priced_results import as_decimal, priced
from results.queries.spending_parts import Sum
from results.queries.visibility import VisibleSet

SHOWN = 5  # runs
NANO_SHIFT = 10**6  # from 10^-9 to 10^-15


@dataclass(frozen=True)
class RunCosts:
    """One run's results in one currency; `unpriced` ones are in no sum."""

    run_id: int
    provider: str
    run: str
    sum: Sum
    unpriced: int


@dataclass(frozen=True)
class EvaluationCosts:
    """One evaluation: sums by currency, the one with most results first; the dearest runs in that one.

    `tabled`: priced results whose price is not of their own file but of the price table.
    """

    sums: tuple[Sum, ...]
    tabled: int
    unpriced: int
    inconsistent: int
    runs: tuple[RunCosts, ...]

    @property
    def main(self) -> Sum | None:
        """The sum in the currency that most results are priced in."""
        return self.sums[0] if self.sums else None


@dataclass
class _Held:
    """Amounts by currency: the sum in 10^-15, results, passed ones; and results by the state of their price."""

    amounts: dict[str | None, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    states: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    tabled: int = 0

    def sums(self) -> tuple[Sum, ...]:
        """The main one first."""
        found = (
            Sum(currency, total, results, passed)
            for currency, (amount, results, passed) in self.amounts.items()
            if (total := as_decimal(amount)) is not None
        )
        return tuple(sorted(found, key=lambda entry: (-entry.priced, entry.currency or "")))


def latest_costs(visible: VisibleSet, chosen: ResultFilter, evaluation_id: int) -> EvaluationCosts:
    """What the results of one evaluation cost that a filter lets through.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        evaluation_id: of the evaluation.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    table = price_table()
    asked = question("overview-costs", chosen, evaluation_id, table.key)
    return answer(
        visible.evaluation_ids,
        visible.key,
        asked,
        lambda reading: _read(reading, chosen, visible, evaluation_id, table),
    )


def _read(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, evaluation_id: int, table: PriceTable
) -> EvaluationCosts:
    with filtered(reading, chosen, visible) as conditions:
        where = conditions.where(f"evaluation_id = {evaluation_id}")
        rows = _at_both(reading, where, table) if _may_need(reading, where, table) else _at_own(reading, where)
    held = _Held()
    runs: dict[tuple[int, int], _Held] = defaultdict(_Held)
    for row in rows:
        for one in (held, runs[row.provider_id, row.run_id]):
            one.states[Reason(row.reason).state] += row.results
            if row.amount is not None:
                one.tabled += row.results if row.origin != Origin.FILE else 0
                for place, value in enumerate((int(row.amount), row.results, row.passed)):
                    one.amounts[row.currency][place] += value
    return _costs(reading, held, runs)


class _Row(NamedTuple):
    """Results of one run, reason and currency; the amount is in 10^-15."""

    provider_id: int
    run_id: int
    reason: int
    results: int
    passed: int
    amount: int | None
    currency: str | None
    origin: int


def _may_need(reading: Reading, where: str, table: PriceTable) -> bool:
    """Whether the table can say anything about a run without prices of its own."""
    also = f"{where} AND file_cost_reason = {Reason.NO_PRICES:d}"
    keys = "provider_id, run_id, model_id"
    rows = reading.rows(f"SELECT DISTINCT {keys} FROM {reading.table('results', f'{keys} {also}')} {also}")
    providers = reading.names("providers", {row[0] for row in rows})
    runs, models = reading.names("runs", {row[1] for row in rows}), reading.names("terms", {row[2] for row in rows})
    return any(table.model_of(providers[row[0]], runs[row[1]], models[row[2]]) is not None for row in rows)


def _at_own(reading: Reading, where: str) -> list[_Row]:
    """At the prices in the file alone."""
    keys = "provider_id, run_id, file_cost_reason"
    used = f"{keys} outcome file_cost_nano file_currency_id {where}"
    rows = reading.rows(
        f"SELECT {keys}, count(*), count(*) FILTER (outcome = 0), sum(file_cost_nano)::HUGEINT, "
        "CASE WHEN file_cost_nano IS NOT NULL THEN file_currency_id END AS currency "
        f"FROM {reading.table('results', used)} {where} GROUP BY ALL"
    )
    names = reading.names("terms", {row[6] for row in rows})
    return [
        _Row(provider, run, reason, results, passed, _widened(nano), names[currency], Origin.FILE)
        for provider, run, reason, results, passed, nano, currency in rows
    ]


def _widened(nano: int | None) -> int | None:
    """10^-9 in 10^-15."""
    return None if nano is None else nano * NANO_SHIFT


def _at_both(reading: Reading, where: str, table: PriceTable) -> list[_Row]:
    """At the prices in the file, else at those of the table."""
    keys = "provider_id, run_id, reason, origin"
    with priced(reading, where, "provider_id, run_id, outcome", table) as found:
        rows = reading.rows(
            f"SELECT {keys}, count(*), count(*) FILTER (outcome = 0), sum(amount)::HUGEINT, currency_id, currency_no "
            f"FROM {found.sql} GROUP BY {keys}, currency_id, currency_no",
            found.parameters,
        )
        names = reading.names("terms", {row[7] for row in rows})
        return [
            _Row(provider, run, reason, results, passed, amount, found.currency(names, currency, number), origin)
            for provider, run, reason, origin, results, passed, amount, currency, number in rows
        ]


def _costs(reading: Reading, held: _Held, runs: dict[tuple[int, int], _Held]) -> EvaluationCosts:
    sums = held.sums()
    currency = sums[0].currency if sums else None
    dear = [key for key in runs if sums and currency in runs[key].amounts]
    dear.sort(key=lambda key: (-runs[key].amounts[currency][0], key))
    shown = dear[:SHOWN]
    providers = reading.names("providers", {provider for provider, _ in shown})
    names = reading.names("runs", {run for _, run in shown})
    return EvaluationCosts(
        sums=sums,
        tabled=held.tabled,
        unpriced=held.states["unpriced"],
        inconsistent=held.states["inconsistent"],
        runs=tuple(
            RunCosts(
                run_id=run,
                provider=providers[provider],
                run=names[run],
                sum=next(each for each in runs[provider, run].sums() if each.currency == currency),
                unpriced=runs[provider, run].states["unpriced"],
            )
            for provider, run in shown
        ),
    )

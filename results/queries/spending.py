"""What models cost: by group, by run, the dearest tasks and results, and what could not be priced and why."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.price_table import PriceTable, price_table
from results.pricing import Origin, Reason
from results.queries.conditions import filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.priced_results import Priced, as_decimal, priced
from results.queries.spending_parts import JudgeUse, Money, Spending, Sum, Tops, Unpriced
from results.queries.spending_tops import Dear, dearest_results, dearest_tasks
from results.queries.task_projects import task_projects
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

# Groups -> the columns that tell them apart, and the table of the name in the last of them.
GROUPS = {
    "provider": ("provider_id", "providers"),
    "run": ("run_id", "runs"),
    "model": ("model_id", "terms"),
    "suite": ("suite_id", "terms"),
    "category": ("category_id", "terms"),
    "difficulty": ("difficulty_id", "terms"),
    "tag": ("term_id", "terms"),
    "evaluation": ("evaluation_id", ""),
}
_OUTCOMES = 4
_BY = "outcome, reason, origin, currency_id, currency_no, count(*), sum(amount)::HUGEINT"
MOST_CURRENCIES = 4  # that have their dearest told


def money(visible: VisibleSet, chosen: ResultFilter, group: str) -> Money:
    """What a filter's results cost.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        group: one of `GROUPS`.

    Raises:
        KeyError: the group is not one of those.
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    if group not in GROUPS:
        raise KeyError(f"{group}: groups are {', '.join(GROUPS)}.")
    table = price_table()
    is_one = len(chosen.evaluation.included) == 1  # an evaluation's own numbers are those of its document
    copied = copied_ids(visible)[:0] if is_one else copied_ids(visible)
    found = answer(
        visible.evaluation_ids,
        visible.key,
        question("money", chosen, group, table.key, is_one),
        lambda reading: _read(reading, chosen, visible, group, table, copied),
    )
    return replace(found, tops=_with_projects(found.tops))


def _with_projects(tops: tuple[Tops, ...]) -> tuple[Tops, ...]:
    """The dearest with the projects of their tasks."""
    projects = task_projects(dear.task_id for top in tops for dear in (*top.tasks, *top.results))

    def placed(listed: tuple[Dear, ...]) -> tuple[Dear, ...]:
        return tuple(replace(dear, project=projects.get(dear.task_id, "")) for dear in listed)

    return tuple(replace(top, tasks=placed(top.tasks), results=placed(top.results)) for top in tops)


def _read(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, group: str, table: PriceTable, copied: Numbers
) -> Money:
    with counted_once(reading, copied) as once, filtered(reading, chosen, visible) as conditions:
        found = _money(reading, conditions.where(once), group, table)
    return replace(found, copies=copied.size)


def _money(reading: Reading, where: str, group: str, table: PriceTable) -> Money:
    columns = "result_id, task_id, evaluation_id, provider_id, run_id, model_id, outcome"
    extra = {"suite": "suite_id", "category": "category_id", "difficulty": "difficulty_id", "tag": "tag_set_id"}
    if group in extra:
        columns = f"{columns}, {extra[group]}"
    with priced(reading, where, columns, table) as found:
        rows = reading.rows(
            f"SELECT provider_id, run_id, model_id, {_BY} FROM {found.sql} GROUP BY ALL", found.parameters
        )
        names = _Names.of(reading, rows, found)
        total = _spending(None, "", [row[3:] for row in rows], names)
        groups = _grouped(reading, found, group, rows, names)
        tops = tuple(_tops(reading, found, held.currency, rows, names) for held in total.sums[:MOST_CURRENCIES])
    main = total.sums[0].currency if total.sums else None
    runs = _by_run(rows, names)
    return Money(
        total=total,
        groups=tuple(sorted(groups, key=lambda entry: _dearness(entry, main), reverse=True)),
        runs=runs,
        unpriced=_unpriced(rows, names),
        tops=tops,
        judge=_judge(reading, where),
        currency=main,
        copies=0,
        problem=table.problem,
    )


@dataclass(frozen=True)
class _Names:
    """Names of the ids in the rows by run."""

    providers: dict[int | None, Any]
    runs: dict[int | None, Any]
    models: dict[int | None, Any]
    currencies: dict[int | None, Any]
    found: Priced

    @classmethod
    def of(cls, reading: Reading, rows: list[tuple[Any, ...]], found: Priced) -> "_Names":
        """Read them."""
        return cls(
            reading.names("providers", {row[0] for row in rows}),
            reading.names("runs", {row[1] for row in rows}),
            reading.names("terms", {row[2] for row in rows}),
            reading.names("terms", {row[6] for row in rows}),
            found,
        )

    def currency(self, row: Iterable[Any]) -> str | None:
        """Of a row that ends in the columns of `_BY`."""
        *_, currency_id, currency_no, _, _ = row
        return self.found.currency(self.currencies, currency_id, currency_no)


@dataclass
class _Counts:
    outcomes: list[int] = field(default_factory=lambda: [0] * _OUTCOMES)
    sums: dict[str | None, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    origins: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    states: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def _spending(provider: str | None, name: str | None, rows: Iterable[tuple[Any, ...]], names: _Names) -> Spending:
    """Add up rows of the columns of `_BY`."""
    counts = _Counts()
    for row in rows:
        outcome, reason, origin, _, _, results, amount = row
        counts.outcomes[outcome] += results
        counts.states[Reason(reason).state] += results
        counts.origins[origin] += results
        if amount is not None:
            held = counts.sums[names.currency(row)]
            for place, value in enumerate((amount, results, results if outcome == 0 else 0)):
                held[place] += value
    sums = [Sum(currency, as_decimal(held[0]) or Decimal(0), *held[1:]) for currency, held in counts.sums.items()]
    sums.sort(key=lambda entry: (-entry.priced, entry.currency or ""))
    return Spending(
        provider=provider,
        name=name,
        outcomes=OutcomeCounts(*counts.outcomes),
        sums=tuple(sums),
        own=counts.origins[Origin.OWN],
        table=counts.origins[Origin.TABLE],
        unpriced=counts.states["unpriced"],
        inconsistent=counts.states["inconsistent"],
        unused=counts.states["unused"],
    )


def _by_run(rows: list[tuple[Any, ...]], names: _Names) -> tuple[Spending, ...]:
    parts: dict[tuple[int, int], list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        parts[row[0], row[1]].append(row[3:])
    found = [
        _spending(names.providers[provider], names.runs[run], listed, names)
        for (provider, run), listed in parts.items()
    ]
    return tuple(sorted(found, key=lambda entry: (entry.provider or "", entry.name or "")))


def _grouped(reading: Reading, found: Priced, group: str, rows: list[tuple[Any, ...]], names: _Names) -> list[Spending]:
    if group == "run":
        return list(_by_run(rows, names))
    column, table = GROUPS[group]
    places = {"provider": 0, "model": 2}
    parts: dict[int | None, list[tuple[Any, ...]]] = defaultdict(list)
    if group in places:
        for row in rows:
            parts[row[places[group]]].append(row[3:])
    else:
        joined = " LEFT JOIN set_terms USING (tag_set_id)" if group == "tag" else ""
        sql = f"SELECT {column}, {_BY} FROM {found.sql} AS money{joined} GROUP BY ALL"
        for row in reading.rows(sql, found.parameters):
            parts[row[0]].append(row[1:])
    labels = reading.names(table, parts) if table else {pk: str(pk) for pk in parts}
    return [_spending(None, labels[key], listed, names) for key, listed in parts.items()]


def _dearness(entry: Spending, currency: str | None) -> tuple[bool, Decimal, int]:
    amount = next((held.total for held in entry.sums if held.currency == currency), None)
    return amount is not None, amount or Decimal(0), entry.outcomes.total


def _tops(reading: Reading, found: Priced, currency: str | None, rows: list[tuple[Any, ...]], names: _Names) -> Tops:
    priced_rows = (row for row in rows if row[-1] is not None and names.currency(row[3:]) == currency)
    pairs = sorted({(row[6], row[7]) for row in priced_rows}, key=str)
    parts = (f"currency_id {_is(currency_id)} AND currency_no {_is(currency_no)}" for currency_id, currency_no in pairs)
    is_meant = f"amount > 0 AND ({' OR '.join(parts)})"
    return Tops(currency, dearest_tasks(reading, found, is_meant), dearest_results(reading, found, is_meant))


def _is(value: int | None) -> str:
    return "IS NULL" if value is None else f"= {value}"


def _unpriced(rows: list[tuple[Any, ...]], names: _Names) -> tuple[Unpriced, ...]:
    counts: dict[tuple[int, int, int | None, int], int] = defaultdict(int)
    alike: dict[tuple[int, int, int | None, str], int] = defaultdict(int)
    for provider, run, model, _, reason, *_, results, _ in rows:
        alike[provider, run, model, Reason(reason).state] += results
        if Reason(reason).state in ("unpriced", "inconsistent"):
            counts[provider, run, model, reason] += results
    found = [
        Unpriced(
            names.providers[provider],
            names.runs[run],
            names.models[model],
            Reason(reason),
            results,
            is_alone=alike[provider, run, model, Reason(reason).state] == results,
        )
        for (provider, run, model, reason), results in counts.items()
    ]
    return tuple(sorted(found, key=lambda entry: (-entry.results, entry.provider, entry.run, entry.reason)))


def _judge(reading: Reading, where: str) -> JudgeUse:
    names = ("judge_input_tokens", "judge_output_tokens")
    columns = [f"coalesce({name}_wide, {name}::DECIMAL(38,0))" for name in names]
    also = f"{where} AND has_judge" if where else "WHERE has_judge"
    source = reading.table("results", " ".join([*names, *(f"{name}_wide" for name in names), also]))
    ((results, known, tokens_in, tokens_out),) = reading.rows(
        f"SELECT count(*), count(*) FILTER ({columns[0]} IS NOT NULL OR {columns[1]} IS NOT NULL), sum({columns[0]}), "
        f"sum({columns[1]}) FROM {source} {also}"
    )
    return JudgeUse(
        results, results - known, *(None if value is None else int(value) for value in (tokens_in, tokens_out))
    )

"""What results cost by group: sums by currency, and how many could not be priced."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context, Decimal

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.pricing import Reason
from results.queries.conditions import filtered, question
from results.queries.grouping import GROUPS, Grouping
from results.queries.visibility import VisibleSet

NANO = Decimal("1E-9")  # what costs are kept in
_EXACT = Context(prec=100, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True)
class Amount:
    """The sum over the priced results of one currency (None = not said), in its units, to 9 places a result.

    Attributes:
        passed: of the priced results; 0 also in an estimate, which has no outcomes.
        tabled: of the priced results, those whose price is not of their own file but of the price table.
    """

    currency: str | None
    total: Decimal
    priced: int
    passed: int = 0
    tabled: int = 0

    @property
    def per_pass(self) -> Decimal | None:
        """What a passed result cost, to 9 places: the total over the passed ones of the priced; None without any."""
        return _EXACT.divide(self.total, Decimal(self.passed)).quantize(NANO, context=_EXACT) if self.passed else None


@dataclass(frozen=True)
class GroupCosts:
    """What the model cost in one group; the judge's cost is not known, since its prices are not recorded.

    Attributes:
        key: as in `results.queries.summary.GroupSummary`.
        amounts: by currency in order of its name, the unnamed one last; empty when nothing could be priced.
        unpriced: results that used something whose price is not known; they are in no sum. `inconsistent` ones, whose
            counters contradict each other, are apart.
        unused: results that used nothing.
    """

    key: tuple[str | None, ...]
    amounts: tuple[Amount, ...]
    unpriced: int
    inconsistent: int
    unused: int


@dataclass
class _Sums:
    amounts: list[Amount] = field(default_factory=list)
    states: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def costs(visible: VisibleSet, chosen: ResultFilter, group_by: Sequence[str] = ()) -> list[GroupCosts]:
    """What a filter's results cost by group.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        group_by: any of `GROUPS`, in the order wanted; as in `results.queries.summary.summary`.

    Returns:
        The groups in the order of `summary`; none when no result matches.

    Raises:
        KeyError: a name is not one of `GROUPS`.
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    names = tuple(dict.fromkeys(group_by))
    if unknown := set(names) - set(GROUPS):
        raise KeyError(f"{', '.join(sorted(unknown))}: groups are {', '.join(GROUPS)}.")
    asked = question("costs", chosen, names)
    return list(
        answer(visible.evaluation_ids, visible.key, asked, lambda reading: _sum(reading, chosen, visible, names))
    )


def _sum(reading: Reading, chosen: ResultFilter, visible: VisibleSet, names: tuple[str, ...]) -> tuple[GroupCosts, ...]:
    grouping = Grouping(names)
    with filtered(reading, chosen, visible) as conditions:
        source = grouping.source(reading, conditions, "cost_reason, currency_id, cost_nano, file_cost_nano, outcome")
        rows = reading.rows(
            f"SELECT {grouping.keys}cost_reason, CASE WHEN cost_nano IS NOT NULL THEN currency_id END AS currency_id, "
            f"count(*), sum(cost_nano)::HUGEINT, count(*) FILTER (outcome = 0), "
            f"count(*) FILTER (file_cost_nano IS NULL) FROM ({source}) GROUP BY ALL"
        )
    currencies = reading.names("terms", {row[-5] for row in rows})
    found: dict[tuple[str | None, ...], _Sums] = defaultdict(_Sums)
    for key, row in zip(grouping.named(reading, [row[: len(names)] for row in rows]), rows, strict=True):
        reason, currency_id, results, nano, passed, tabled = row[len(names) :]
        sums = found[key]
        sums.states[Reason(reason).state] += results
        if nano is not None:
            sums.amounts.append(Amount(currencies[currency_id], Decimal(nano).scaleb(-9), results, passed, tabled))
    keys = list(found)
    return tuple(_group(keys[number], found[keys[number]]) for number in grouping.order(keys))


def _group(key: tuple[str | None, ...], sums: _Sums) -> GroupCosts:
    amounts = sorted(sums.amounts, key=lambda amount: (amount.currency is None, amount.currency or ""))
    states = sums.states
    return GroupCosts(key, tuple(amounts), states["unpriced"], states["inconsistent"], states["unused"])

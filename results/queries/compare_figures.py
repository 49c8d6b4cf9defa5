"""The figures of one column of a comparison, and what it took more or less than the baseline over their pairs."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from results.facts.reading import Reading
from results.models.results import Outcome
from results.pricing import Reason
from results.queries.compare_matrix import ABSENT, Matrix, Values, Whole
from results.queries.costs import Amount, GroupCosts
from results.statistics import OutcomeCounts


@dataclass(frozen=True)
class Quantity:
    """One quantity over the counted results of a column; skipped ones are left out.

    `total` is exact at any size, `median` is the mean of the middle two for an even count, rounded to the nearest whole
    number, half to even. Both are None when nothing is known.
    """

    known: int
    unknown: int
    total: int | None
    median: int | None


@dataclass(frozen=True)
class ColumnFigures:
    """What one column holds: `duration` is model time in ns, tokens are effective ones of the model.

    `costs` has an empty key; the skipped results are in it only if they used something.
    """

    outcomes: OutcomeCounts
    duration: Quantity
    input_tokens: Quantity
    output_tokens: Quantity
    costs: GroupCosts


@dataclass(frozen=True)
class Shift:
    """How much more a candidate took than the baseline, over the pairs where both are known.

    `total` is the difference of the sums, `median` the median of the differences, rounded as in `Quantity`.
    """

    pairs: int
    total: int | None
    median: int | None


@dataclass(frozen=True)
class Differences:
    """What a candidate took more than the baseline; less is below zero.

    Attributes:
        costs: by currency, over the pairs that are priced in one currency on both sides.
        unpriced: pairs that are in none of these, because something that one side used has no price, or the
            currencies differ.
    """

    duration: Shift
    input_tokens: Shift
    output_tokens: Shift
    costs: tuple[Amount, ...]
    unpriced: int


def column_figures(reading: Reading, matrix: Matrix, place: int) -> ColumnFigures:
    """The figures of the column at a place."""
    outcomes = matrix.outcomes[:, place]
    counted = (outcomes != ABSENT) & (outcomes != Outcome.SKIPPED)
    counts = (int((outcomes == outcome).sum()) for outcome in Outcome)
    return ColumnFigures(
        outcomes=OutcomeCounts(*counts),
        duration=_quantity(matrix.measures["duration"], place, counted),
        input_tokens=_quantity(matrix.measures["input_tokens"], place, counted),
        output_tokens=_quantity(matrix.measures["output_tokens"], place, counted),
        costs=_costs(reading, matrix, place),
    )


def differences(reading: Reading, matrix: Matrix, place: int, pairs: "NDArray[np.bool_]") -> Differences:
    """What the column at a place took more than the first, over some rows that both have."""
    costs = matrix.measures["cost"]
    currencies = matrix.currencies
    used = matrix.cost_reasons != Reason.NOTHING_USED
    is_priced = costs.is_known | ~used
    # What used nothing costs nothing in any currency.
    is_same = (currencies[:, 0] == currencies[:, place]) | ~used[:, 0] | ~used[:, place]
    is_used = used[:, 0] | used[:, place]
    priced = pairs & is_used & is_priced[:, 0] & is_priced[:, place] & is_same
    which = np.where(used[:, 0], currencies[:, 0], currencies[:, place])
    amounts = [
        (int(currency), _total(costs, 0, place, priced & (which == currency)), int((which[priced] == currency).sum()))
        for currency in np.unique(which[priced])
    ]
    return Differences(
        duration=_shift(matrix.measures["duration"], place, pairs),
        input_tokens=_shift(matrix.measures["input_tokens"], place, pairs),
        output_tokens=_shift(matrix.measures["output_tokens"], place, pairs),
        costs=_amounts(reading, amounts),
        unpriced=int((pairs & is_used & ~priced).sum()),
    )


def _quantity(values: Values, place: int, rows: "NDArray[np.bool_]") -> Quantity:
    known = rows & values.is_known[:, place]
    numbers = values.numbers[known, place]
    return Quantity(len(numbers), int(rows.sum()) - len(numbers), _sum(numbers), _median(numbers))


def _shift(values: Values, place: int, pairs: "NDArray[np.bool_]") -> Shift:
    known = pairs & values.is_known[:, 0] & values.is_known[:, place]
    moved = values.numbers[known, place] - values.numbers[known, 0]
    return Shift(len(moved), _sum(moved), _median(moved))


def _total(values: Values, before: int, after: int, rows: "NDArray[np.bool_]") -> int:
    return _sum(values.numbers[rows, after] - values.numbers[rows, before]) or 0


def _sum(numbers: Whole) -> int | None:
    """The exact sum: numbers of 64 bits are added in two halves, so that thousands of them cannot overflow."""
    if not len(numbers):
        return None
    if numbers.dtype == object:
        return int(sum(numbers))
    high, low = numbers >> 32, numbers & 0xFFFFFFFF
    return (int(high.sum()) << 32) + int(low.sum())


def _median(numbers: Whole) -> int | None:
    if not len(numbers):
        return None
    places = [(len(numbers) - 1) // 2, len(numbers) // 2]
    low, high = (int(number) for number in np.partition(numbers, places)[places])
    return round(Decimal(low + high) / 2)


def _costs(reading: Reading, matrix: Matrix, place: int) -> GroupCosts:
    reasons, currencies = matrix.cost_reasons[:, place], matrix.currencies[:, place]
    costs = matrix.measures["cost"]
    known = costs.is_known[:, place]
    amounts = [
        (
            int(currency),
            _sum(costs.numbers[known & (currencies == currency), place]) or 0,
            int((currencies[known] == currency).sum()),
            int((known & (currencies == currency) & (matrix.outcomes[:, place] == Outcome.PASSED)).sum()),
            int((known & (currencies == currency) & ~matrix.has_own_cost[:, place]).sum()),
        )
        for currency in np.unique(currencies[known])
    ]
    states: dict[str, int] = defaultdict(int)
    for reason in Reason:
        states[reason.state] += int((reasons == reason).sum())
    return GroupCosts((), _amounts(reading, amounts), states["unpriced"], states["inconsistent"], states["unused"])


def _amounts(reading: Reading, found: Sequence[tuple[int, ...]]) -> tuple[Amount, ...]:
    """Amounts by currency in order of its name, the unnamed last, of term id, 10^-9 units and counts of results."""
    names = reading.names("terms", {currency for currency, *_ in found if currency != ABSENT})
    amounts = [Amount(names.get(currency), Decimal(nano).scaleb(-9), *counts) for currency, nano, *counts in found]
    return tuple(sorted(amounts, key=lambda amount: (amount.currency is None, amount.currency or "")))

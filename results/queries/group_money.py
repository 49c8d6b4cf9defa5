"""What the results of groups cost, apart for the tasks of a selection and the remaining, with how many passed."""

from collections import defaultdict
from dataclasses import dataclass, field

from results.facts.reading import Reading
from results.pricing import Reason
from results.queries.conditions import Conditions
from results.queries.grouping import Grouping


@dataclass
class Sums:
    """Money of one group while it is read."""

    amounts: dict[str | None, tuple[int, ...]] = field(default_factory=dict)  # as an `Amount` has them, in nano units
    states: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def money_by_group(
    reading: Reading, conditions: Conditions, grouping: Grouping, is_selected: str
) -> dict[tuple[bool, tuple[str | None, ...]], Sums]:
    """Costs by selection and group; results whose price is not known are counted by the reason."""
    values = f"outcome, cost_reason, currency_id, cost_nano, file_cost_nano, {is_selected} AS is_selected"
    source = grouping.source(reading, conditions, values)
    rows = reading.rows(
        f"SELECT {grouping.keys}is_selected, cost_reason, "
        "CASE WHEN cost_nano IS NOT NULL THEN currency_id END AS currency_id, "
        "count(*), sum(cost_nano)::HUGEINT, count(*) FILTER (outcome = 0), "
        "count(*) FILTER (file_cost_nano IS NULL) "
        f"FROM ({source}) GROUP BY ALL"
    )
    currencies = reading.names("terms", {row[-5] for row in rows})
    width = len(grouping.names)
    found: dict[tuple[bool, tuple[str | None, ...]], Sums] = defaultdict(Sums)
    for key, row in zip(grouping.named(reading, [row[:width] for row in rows]), rows, strict=True):
        selected, reason, currency_id, results, nano, *counts = row[width:]
        sums = found[bool(selected), key]
        sums.states[Reason(reason).state] += results
        if nano is not None:
            before = sums.amounts.get(currencies[currency_id], (0, 0, 0, 0))
            more = (int(nano), results, *counts)
            sums.amounts[currencies[currency_id]] = tuple(map(sum, zip(before, more, strict=True)))
    return found

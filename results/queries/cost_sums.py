"""What the results of some conditions cost, by any column of the facts."""

from collections import defaultdict
from decimal import Decimal

from results.facts.reading import Reading
from results.pricing import Reason
from results.queries.costs import Amount, GroupCosts

NOTHING = GroupCosts((), (), 0, 0, 0)


def costs_by(reading: Reading, key: str, where: str) -> dict[int, GroupCosts]:
    """Sums of cost by one column that is never missing.

    Args:
        reading: of the facts.
        key: the column.
        where: a WHERE clause; empty = all results.

    Returns:
        By value of the column; amounts by currency in order of its name, the unnamed one last.
    """
    used = f"{key} outcome file_cost_nano cost_reason currency_id cost_nano {where}"
    rows = reading.rows(
        f"SELECT {key} AS owner, cost_reason, CASE WHEN cost_nano IS NOT NULL THEN currency_id END AS currency, "
        "count(*), sum(cost_nano)::HUGEINT, count(*) FILTER (outcome = 0), "
        "count(*) FILTER (file_cost_nano IS NULL) "
        f"FROM {reading.table('results', used)} {where} GROUP BY ALL"
    )
    currencies = reading.names("terms", {row[2] for row in rows})
    amounts: dict[int, list[Amount]] = defaultdict(list)
    states: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for owner, reason, currency_id, results, nano, *counts in rows:
        states[owner][Reason(reason).state] += results
        if nano is not None:
            amounts[owner].append(Amount(currencies[currency_id], Decimal(nano).scaleb(-9), results, *counts))
    return {
        owner: GroupCosts(
            (),
            tuple(sorted(amounts[owner], key=lambda amount: (amount.currency is None, amount.currency or ""))),
            counts["unpriced"],
            counts["inconsistent"],
            counts["unused"],
        )
        for owner, counts in states.items()
    }


def largest_sums(reading: Reading, key: str, where: str) -> dict[int, int]:
    """The largest sum in one currency by one column, in 10^-9 units; nothing where no result has a price."""
    used = f"{key} currency_id cost_nano {where}"
    rows = reading.rows(
        f"SELECT owner, max(nano) FROM (SELECT {key} AS owner, currency_id, sum(cost_nano)::HUGEINT AS nano "
        f"FROM {reading.table('results', used)} {where} GROUP BY ALL) WHERE nano IS NOT NULL GROUP BY owner"
    )
    return dict(rows)

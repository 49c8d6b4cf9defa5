"""Costs as the API gives them: by currency, never added up across, with what could not be priced counted."""

from ninja import Schema

from frontend.api.asking import Exact
from results.queries.costs import GroupCosts


class Amount(Schema):
    """The sum over the priced results of one currency; null = the currency is not said."""

    currency: str | None
    sum: Exact
    priced: int


class Costs(Schema):
    """What the model cost; `unpriced` results used something whose price is not known, and are in no sum."""

    amounts: list[Amount]
    unpriced: int
    inconsistent: int


def costs_of(costs: GroupCosts) -> dict[str, object]:
    """Costs as the API gives them."""
    return {
        "amounts": [
            {"currency": amount.currency, "sum": amount.total, "priced": amount.priced} for amount in costs.amounts
        ],
        "unpriced": costs.unpriced,
        "inconsistent": costs.inconsistent,
    }

"""One price rule for every question: prices in a result's own file, else those of the price table on the day it ran."""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from results.facts.overlay import FIRST_OWN, CostOverlay
from results.facts.reading import Reading
from results.price_table import PriceTable, price_table
from results.pricing import LARGEST_NANO, Reason
from results.queries.priced_results import NANO_SHIFT, priced
from results.queries.visibility import VisibleSet

MOST_REMEMBERED = 4  # sets of evaluations, 20 bytes a result that a table prices
_Key = tuple[tuple[str, ...], str, tuple[object, ...]]


@dataclass(frozen=True)
class _Found:
    """An answer; no overlay = the price table prices nothing here."""

    overlay: CostOverlay | None


_known: OrderedDict[_Key, _Found] = OrderedDict()


def at_one_price(reading: Reading, visible: VisibleSet) -> None:
    """Let `cost_nano`, `cost_reason` and `currency_id` of the results say what the price rule says.

    Args:
        reading: of the facts, with no results held apart; it stays so as long as it lasts.
        visible: evaluations that may be seen.
    """
    table = price_table()
    key = (reading.version, visible.key, table.key)
    found = _known.get(key)
    if found is None:
        found = _known[key] = _Found(_overlay(reading, table))
        while len(_known) > MOST_REMEMBERED:
            _known.popitem(last=False)
    if found.overlay is not None:
        reading.price(found.overlay)


def _overlay(reading: Reading, table: PriceTable) -> CostOverlay | None:
    """The costs of results whose files have no prices; None where the table prices none of them."""
    where = f"WHERE file_cost_reason = {Reason.NO_PRICES:d}"
    with priced(reading, where, "result_id", table) as found:
        if not found.parameters:
            return None
        whole, rest = f"(amount // {NANO_SHIFT})", f"(amount % {NANO_SHIFT})"
        half = NANO_SHIFT // 2
        is_up = f"({rest} > {half} OR ({rest} = {half} AND {whole} % 2 = 1))"
        rounded = f"({whole} + CASE WHEN {is_up} THEN 1 ELSE 0 END)"
        is_kept = f"amount IS NOT NULL AND {rounded} <= {LARGEST_NANO}"
        arrays = reading.arrays(
            f"SELECT result_id, CASE WHEN amount IS NULL OR {is_kept} THEN reason ELSE {Reason.TOO_LARGE:d} END "
            f"AS reason, CASE WHEN {is_kept} THEN {rounded}::BIGINT ELSE -1 END AS nano, "
            f"CASE WHEN {is_kept} THEN origin ELSE 0 END AS origin, coalesce(currency_no, -1) AS currency_no "
            f"FROM {found.sql} ORDER BY result_id",
            found.parameters,
        )
        ids = {name: pk for name in found.currencies for pk in reading.ids("terms", [name])}
    missing = tuple(name for name in found.currencies if name not in ids)
    ids |= {name: FIRST_OWN - place for place, name in enumerate(missing)}
    numbers = np.array([*(ids[name] for name in found.currencies), 0], np.int32)
    plain = {name: np.ma.getdata(values) for name, values in arrays.items()}
    return CostOverlay(
        result_ids=plain["result_id"].astype(np.int64),
        reasons=plain["reason"].astype(np.uint8),
        nanos=plain["nano"].astype(np.int64),
        currencies=numbers[plain["currency_no"].astype(np.int64)],
        origins=plain["origin"].astype(np.uint8),
        names=missing,
    )

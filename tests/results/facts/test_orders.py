"""A kept order gives any page of the list, and the place of each result in it."""

from collections.abc import Sequence

import numpy as np
import pytest

from results.facts.links import Numbers
from results.facts.orders import KEPT, LAST, KeptOrders, RowOrder, RowsById

# Two parts of the facts; by number and then by id: 10 and 40 with 1, 20 and 30 with 2, then 50 without a number.
PARTS = [np.array([30, 10]), np.array([20, 50, 40])]
VALUES = np.array([2, 1, 2, LAST, 1])
LISTED = [10, 40, 20, 30, 50]


@pytest.fixture
def order() -> RowOrder:
    return RowOrder.of(RowsById.of(PARTS), VALUES)


@pytest.mark.parametrize(("first", "end"), [(0, 5), (0, 1), (1, 4), (2, 4), (1, 2), (4, 9), (5, 6), (7, 8)])
def test_a_page_of_the_list_is_in_order(order: RowOrder, first: int, end: int) -> None:
    assert order.by_id.ids[order.entries(first, end - first)].tolist() == LISTED[first:end]


def test_values_between_those_at_the_ends_of_a_page_are_sorted() -> None:
    order = RowOrder.of(RowsById.of([np.arange(6)]), np.array([5, 3, 4, 3, 1, 2]))
    assert order.entries(1, 4).tolist() == [5, 1, 3, 2]


def test_each_result_has_its_place_in_the_list(order: RowOrder) -> None:
    assert [order.entry_of(result_id) for result_id in LISTED] == [0, 1, 2, 3, 4]
    assert [order.entry_of(result_id) for result_id in (5, 25, 99)] == [None, None, None]


def test_rows_are_counted_through_all_parts(order: RowOrder) -> None:
    assert (order.by_id.rows.tolist(), order.by_id.begins.tolist()) == ([1, 2, 0, 4, 3], [0, 2])


def test_the_latest_orders_are_kept_until_the_facts_change() -> None:
    kept, made = KeptOrders(), list[object]()

    def get(facts: str, name: int) -> None:
        def values() -> Numbers:
            made.append((facts, name))
            return VALUES

        def ids() -> Sequence[Numbers]:
            made.append(facts)
            return PARTS

        kept.get(facts, name, ids, values)

    for facts, name in [
        ("old", 1),
        ("old", 1),
        ("old", 2),
        ("new", 1),
        *(("new", 1 + number) for number in range(KEPT)),
    ]:
        get(facts, name)
    get("new", 1)
    assert made == ["old", ("old", 1), ("old", 2), "new", ("new", 1), *(("new", 2 + n) for n in range(KEPT - 1))]

"""Orders of all results by a column, kept as long as the facts are the same: any page of the list is then known."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Self

import numpy as np
from numpy.typing import NDArray

from results.facts.links import Numbers

KEPT = 2  # orders, 16 bytes a result each, and 12 bytes a result for all of them
MOST_RESULTS = 2_000_000  # of which orders are kept: at most 88 MB
LAST = 2**63 - 1  # stands for a missing value; facts with numbers anywhere near it are sorted in another way


@dataclass(frozen=True)
class RowsById:
    """All results in the order of their ids.

    Attributes:
        ids: sorted.
        rows: where each lies, counted through all parts of the facts.
        begins: the row at which each part begins.
    """

    ids: Numbers
    rows: NDArray[np.int32]
    begins: Numbers

    @classmethod
    def of(cls, parts: Sequence[Numbers]) -> Self:
        """Sort the ids of the rows of each part."""
        ids = np.concatenate(parts)
        rows = np.argsort(ids, kind="stable")  # quick, since most of them are in order
        return cls(ids[rows], rows.astype(np.int32), np.cumsum([0, *(part.size for part in parts[:-1])]))


@dataclass(frozen=True)
class RowOrder:
    """All results in the order of a number, ties in the order of ids; `LAST` stands for a missing number.

    Attributes:
        by_id: the results.
        values: their numbers, in the order of ids.
        ordered: the same, sorted.
    """

    by_id: RowsById
    values: Numbers
    ordered: Numbers

    @classmethod
    def of(cls, by_id: RowsById, values: Numbers) -> Self:
        """Sort the numbers of all rows."""
        return cls(by_id, values[by_id.rows], np.sort(values))

    def entries(self, first: int, size: int) -> Numbers:
        """The entries of the list from one on, counted from 0, as places in `by_id`."""
        end = min(first + size, self.ordered.size)
        if first >= end:
            return np.empty(0, np.int64)
        low, high = int(self.ordered[first]), int(self.ordered[end - 1])
        skipped = first - int(np.searchsorted(self.ordered, low))
        lowest = np.flatnonzero(self.values == low)[skipped:]
        if low == high:
            return lowest[: end - first]
        between = np.flatnonzero((self.values > low) & (self.values < high))
        between = between[np.argsort(self.values[between], kind="stable")]
        highest = np.flatnonzero(self.values == high)[: end - int(np.searchsorted(self.ordered, high))]
        return np.concatenate([lowest, between, highest])

    def entry_of(self, result_id: int) -> int | None:
        """Where a result stands in the list, counted from 0; None when it is not among all results."""
        place = int(np.searchsorted(self.by_id.ids, result_id))
        if place == self.by_id.ids.size or self.by_id.ids[place] != result_id:
            return None
        own = self.values[place]
        return int(np.searchsorted(self.ordered, own)) + int(np.count_nonzero(self.values[:place] == own))


class KeptOrders:
    """The orders that were asked for last, each by the facts that it is of and by its name."""

    def __init__(self) -> None:
        self._rows: tuple[Hashable, RowsById] | None = None
        self._kept: OrderedDict[Hashable, RowOrder] = OrderedDict()
        self._lock = Lock()

    def get(
        self, facts: Hashable, name: Hashable, ids: Callable[[], Sequence[Numbers]], values: Callable[[], Numbers]
    ) -> RowOrder:
        """An order.

        Args:
            facts: tells facts apart.
            name: tells their orders apart.
            ids: gives the results of each row, part by part.
            values: gives the number of each row.
        """
        with self._lock:  # others would make the same
            found = self._kept.get((facts, name))
            if found is None:
                if self._rows is None or self._rows[0] != facts:
                    self._kept.clear()
                    self._rows = (facts, RowsById.of(ids()))
                found = self._kept[facts, name] = RowOrder.of(self._rows[1], values())
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end((facts, name))
        return found

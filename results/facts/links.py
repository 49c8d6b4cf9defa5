"""What ids stand for, as arrays: counts by id become counts by what the ids say, without asking DuckDB to join."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Column: TypeAlias = "NDArray[np.generic] | np.ma.MaskedArray[tuple[int], np.dtype[np.int64]]"  # as DuckDB gives it
GAP = -1  # stands for a value that an id does not have; ids begin at 1


def whole_numbers(column: Column) -> Numbers:
    """A column of DuckDB as whole numbers, `GAP` where it is missing."""
    return np.ma.filled(np.ma.asarray(column).astype(np.int64), GAP)


@dataclass(frozen=True)
class Cells:
    """How many results have each of some ids: `ids` are sorted and distinct, `missing` counts results without one."""

    ids: Numbers
    counts: Numbers
    missing: int

    @classmethod
    def of(cls, ids: Column, counts: Numbers) -> "Cells":
        """Cells of a query's columns: ids in any order, each in one row or in several, missing ones among them."""
        is_gap = np.ma.getmaskarray(np.ma.asarray(ids))
        known, groups = np.unique(np.ma.getdata(ids)[~is_gap].astype(np.int64), return_inverse=True)
        sums = np.bincount(groups, counts[~is_gap], minlength=known.size).astype(np.int64)
        return cls(known, sums, int(counts[is_gap].sum()))

    @property
    def total(self) -> int:
        """Results of all cells."""
        return int(self.counts.sum()) + self.missing

    def pairs(self) -> list[tuple[int | None, int]]:
        """(id, results), with None for results without an id if there are any."""
        listed: list[tuple[int | None, int]] = list(zip(self.ids.tolist(), self.counts.tolist(), strict=True))
        return [*listed, (None, self.missing)] if self.missing else listed


@dataclass(frozen=True)
class Links:
    """Lines of an id and what it stands for; an id may have several lines, or none.

    Attributes:
        ids: one a line, in any order.
        values: columns by name, as long as `ids`; `GAP` is missing.
    """

    ids: Numbers
    values: dict[str, Numbers]

    def added_up(self, cells: Cells, column: str, among: "NDArray[np.bool_] | None" = None) -> Cells:
        """Counts by id as counts by what the ids stand for; a result counts once in each line of its id.

        Args:
            cells: counts by id. Those without an id stay so.
            column: one of `values`.
            among: which lines count; None = all.
        """
        if not cells.ids.size or not self.ids.size:
            return Cells(np.empty(0, np.int64), np.empty(0, np.int64), cells.missing)
        places = np.minimum(np.searchsorted(cells.ids, self.ids), cells.ids.size - 1)
        is_met = cells.ids[places] == self.ids
        if among is not None:
            is_met &= among
        values, groups = np.unique(self.values[column][is_met], return_inverse=True)
        sums = np.bincount(groups, cells.counts[places[is_met]], minlength=values.size).astype(np.int64)
        is_known = values != GAP
        return Cells(values[is_known], sums[is_known], cells.missing + int(sums[~is_known].sum()))

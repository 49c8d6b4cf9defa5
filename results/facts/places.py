"""Where results and tool sets lie in a part of the facts, so that some can be marked there without looking each up."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from results.facts.links import Numbers
from results.models.evaluations import RESULTS_PER_EVALUATION


@dataclass(frozen=True)
class Places:
    """The results of one part in the order of its rows, 4 bytes each, numbered without the gaps between evaluations.

    Attributes:
        numbers: of each row.
        evaluation_ids: sorted.
        first: the number that ordinal 0 of each of these evaluations has, and after the last one, of what comes then.
    """

    numbers: NDArray[np.int32]
    evaluation_ids: Numbers
    first: Numbers

    @classmethod
    def of(cls, result_ids: Numbers) -> Self:
        """Number the results of a part; `result_ids` are those of its rows, in any order."""
        owners, ordinals = np.divmod(result_ids, RESULTS_PER_EVALUATION)
        evaluation_ids, groups = np.unique(owners, return_inverse=True)
        sizes = np.zeros(len(evaluation_ids), np.int64)
        np.maximum.at(sizes, groups, ordinals + 1)
        first = np.concatenate([[0], np.cumsum(sizes)])
        return cls((first[groups] + ordinals).astype(np.int32), evaluation_ids, first)

    def ranks(self, result_ids: Numbers) -> "NDArray[np.int64]":
        """Which of some results each row is: its place among `result_ids`, sorted and distinct; -1 = none of them."""
        table = np.full(int(self.first[-1]) if len(self.first) else 0, -1, np.int64)
        bounds = np.searchsorted(result_ids, self.evaluation_ids * RESULTS_PER_EVALUATION)
        ends = np.searchsorted(result_ids, (self.evaluation_ids + 1) * RESULTS_PER_EVALUATION)
        for place, (low, high) in enumerate(zip(bounds.tolist(), ends.tolist(), strict=True)):
            own = result_ids[low:high] - int(self.evaluation_ids[place]) * RESULTS_PER_EVALUATION + self.first[place]
            is_here = own < self.first[place + 1]
            table[own[is_here]] = np.arange(low, high)[is_here]
        return table[self.numbers]

    def marks(self, result_ids: Numbers) -> "NDArray[np.bool_]":
        """Which rows belong to some results: `result_ids` are sorted and distinct."""
        table = np.zeros(int(self.first[-1]), np.bool_)
        bounds = np.searchsorted(result_ids, self.evaluation_ids * RESULTS_PER_EVALUATION)
        ends = np.searchsorted(result_ids, (self.evaluation_ids + 1) * RESULTS_PER_EVALUATION)
        for place, (low, high) in enumerate(zip(bounds.tolist(), ends.tolist(), strict=True)):
            numbers = (
                result_ids[low:high] - int(self.evaluation_ids[place]) * RESULTS_PER_EVALUATION + self.first[place]
            )
            table[numbers[numbers < self.first[place + 1]]] = True
        return table[self.numbers]


@dataclass(frozen=True)
class SetPlaces:
    """The tool sets of one part in the order of its rows, 4 bytes each.

    Attributes:
        sets: those that are known, sorted and distinct.
        numbers: of each row, its set's place in `sets`; their number stands for none and for one that is not known.
    """

    sets: Numbers
    numbers: NDArray[np.int32]

    @classmethod
    def of(cls, sets: Numbers, column: "np.ma.MaskedArray[Any, Any] | Numbers") -> Self:
        """Number the sets of a part; `column` are those of its rows, missing ones among them."""
        is_missing, values = np.ma.getmaskarray(np.ma.asarray(column)), np.ma.getdata(column)
        numbers = np.full(values.size, sets.size, np.int32)
        if sets.size:
            rows = np.flatnonzero(~is_missing)
            found = np.minimum(np.searchsorted(sets, values[rows]), sets.size - 1)
            is_known = sets[found] == values[rows]
            numbers[rows[is_known]] = found[is_known]
        return cls(sets, numbers)

    def marks(self, wanted: Numbers) -> "NDArray[np.bool_]":
        """Which rows have one of some sets."""
        return np.append(np.isin(self.sets, wanted), False)[self.numbers]

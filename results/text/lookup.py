"""What the index itself says about a search, in ids."""

import sqlite3

import numpy as np
from numpy.typing import NDArray

from results.models.evaluations import RESULTS_PER_EVALUATION

Ids = NDArray[np.int64]


def ids_between(index: sqlite3.Connection, expression: str, first: int, last: int) -> Ids:
    """The sorted ids that match an expression of FTS5's language, of the evaluations from `first` to `last`."""
    # One long text is four times as fast as a million rows.
    joined = index.execute(
        "SELECT group_concat(rowid) FROM result_text WHERE result_text MATCH ? AND rowid BETWEEN ? AND ?",
        (expression, first * RESULTS_PER_EVALUATION, (last + 1) * RESULTS_PER_EVALUATION - 1),
    ).fetchone()[0]
    return np.empty(0, np.int64) if joined is None else np.sort(np.fromstring(joined, np.int64, sep=","))

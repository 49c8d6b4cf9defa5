"""Counts, medians and flips by task, each in one pass over few columns."""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from results.facts.links import Numbers
from results.facts.reading import Reading
from results.queries.evaluation_marks import evaluation_order
from results.queries.flips import FLIP_COLUMNS, FlipCounts, KeyBits, count_flips, flips_of_keys
from results.queries.quantiles import MEDIAN, quantile, quantiles_sql

_OUTCOMES = 4


@dataclass(frozen=True)
class TaskCounts:
    """Results by task and outcome: `counts` has a row a task, in the order of `task_ids`, and a column an outcome."""

    task_ids: Numbers
    counts: "np.ndarray[tuple[int, int], np.dtype[np.int64]]"

    @property
    def counted(self) -> Numbers:
        """Results that count, by task: all but the skipped ones."""
        found: Numbers = self.counts[:, :3].sum(axis=1)
        return found

    @property
    def rates(self) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """Pass rates; 2 for a task without a counted result, which comes after all others."""
        counted = self.counted
        return np.where(counted > 0, self.counts[:, 0] / np.maximum(counted, 1), 2.0)


def count_tasks(reading: Reading, where: str) -> TaskCounts:
    """Count results by task and outcome under a WHERE clause."""
    source = reading.table("results", f"task_id outcome {where}")
    cells = reading.arrays(f"SELECT task_id * {_OUTCOMES} + outcome AS cell FROM {source} {where}")["cell"]
    counts = np.bincount(cells)
    counts = np.pad(counts, (0, -counts.size % _OUTCOMES)).reshape(-1, _OUTCOMES)
    task_ids = np.flatnonzero(counts.any(axis=1))
    return TaskCounts(task_ids, counts[task_ids])


def counted_only(where: str) -> str:
    """The same WHERE clause for the results that count: all but the skipped ones."""
    return f"{where} AND outcome <> 3" if where else "WHERE outcome <> 3"


def medians_by(reading: Reading, key: str, where: str) -> dict[int, Decimal]:
    """The median model time in ns of counted results by one column; nothing where no time is known."""
    counted = counted_only(where)
    source = reading.table("results", f"{key} duration_ns {counted}")
    medians = quantiles_sql("duration_ns", (MEDIAN,), is_large=reading.has_large_numbers)
    rows = reading.rows(f"SELECT {key}, {medians} FROM {source} {counted} GROUP BY 1")
    found = {owner: quantile(listed[0], MEDIAN) for owner, listed in rows if listed is not None}
    return {owner: median for owner, median in found.items() if median is not None}


def flips_under(reading: Reading, where: str, latest: int) -> FlipCounts:
    """Changes of outcome by task under a WHERE clause, over so many of the latest evaluations of each run."""
    counted = counted_only(where)
    order = evaluation_order(reading.evaluation_ids)
    source = reading.table("results", f"{FLIP_COLUMNS} {counted}")
    if [*order] != sorted(order):  # the ids of evaluations do not follow time
        return count_flips(reading.arrays(f"SELECT {FLIP_COLUMNS} FROM {source} {counted}"), order, latest)
    repeats = reading.rows(f"SELECT max(repeat) FROM {source} {counted}")[0][0] or 0
    runs = reading.links("run_versions").values["run_id"].max(initial=0)
    bits = KeyBits(int(runs).bit_length(), max(order, default=0).bit_length(), int(repeats).bit_length())
    key = f"((task_id::BIGINT << {bits.run} | run_id) << {bits.evaluation} | evaluation_id) << {bits.repeat} | repeat"
    found = reading.arrays(f"SELECT ({key}) << 1 | (outcome = 0)::INTEGER AS key FROM {source} {counted}")["key"]
    return flips_of_keys(found, bits, latest if len(order) > latest else None)

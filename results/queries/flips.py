"""How often outcomes change between passed and not passed, counted for many tasks in one pass."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from results.facts.links import Numbers

Marks = NDArray[np.bool_]
LATEST = 10  # evaluations of a run and task that are looked at, unless asked otherwise
FLIP_COLUMNS = "task_id, run_id, evaluation_id, repeat, outcome"
_PASSED = 0


@dataclass(frozen=True)
class Flips:
    """Changes of outcome of one task, over all its runs.

    Attributes:
        count: steps from one counted result of a run to its next at which passed became not passed, or the reverse.
        within: those between repeats in one evaluation; the others are from one evaluation to the next.
        steps: how many there could have been.
    """

    count: int
    within: int
    steps: int


@dataclass(frozen=True)
class FlipCounts:
    """`Flips` of many tasks as arrays, by task id."""

    task_ids: Numbers
    counts: Numbers
    within: Numbers
    steps: Numbers

    def of(self) -> dict[int, Flips]:
        """By task id."""
        columns = (self.counts.tolist(), self.within.tolist(), self.steps.tolist())
        return {pk: Flips(*row) for pk, *row in zip(self.task_ids.tolist(), *columns, strict=True)}


NOTHING = FlipCounts(*(np.empty(0, np.int64) for _ in range(4)))


@dataclass(frozen=True)
class KeyBits:
    """How many bits the parts of a result's key take; the task has those above."""

    run: int
    evaluation: int
    repeat: int


def count_flips(found: Mapping[str, "NDArray[np.generic]"], order: dict[int, int], latest: int = LATEST) -> FlipCounts:
    """Count the flips of each task.

    Args:
        found: `FLIP_COLUMNS` of counted results, which are never skipped ones, as arrays in any order.
        order: the places of their evaluations in time.
        latest: evaluations of each run and task that are looked at, the newest ones with a counted result.

    Returns:
        Counts for each task that has a step: results of a run follow each other by evaluation, then by repeat. Failed
        and error are both "not passed".
    """
    if not found["task_id"].size:
        return NOTHING
    ranks = np.zeros(max(order, default=0) + 1, np.int64)
    ranks[list(order)] = list(order.values())
    parts = (found["run_id"], ranks[found["evaluation_id"]], found["repeat"], found["outcome"] == _PASSED)
    bits = KeyBits(*(int(part.max()).bit_length() for part in parts[:3]))
    key = found["task_id"].astype(np.int64)
    for part, width in zip(parts, (bits.run, bits.evaluation, bits.repeat, 1), strict=True):
        key <<= width
        key |= part
    return flips_of_keys(key, bits, latest if len(order) > latest else None)


def flips_of_keys(key: Numbers, bits: KeyBits, latest: int | None) -> FlipCounts:
    """Count the flips of results that are numbers each, which one sort puts in order.

    Args:
        key: task, run, place of the evaluation in time, repeat and 1 for passed, from the highest bits to the lowest;
            it is sorted in place.
        bits: how many of them each part takes.
        latest: as `count_flips` takes it; None = all evaluations.
    """
    if not key.size:
        return NOTHING
    key.sort()
    changed = key[1:] ^ key[:-1]
    begins_cell = changed >= 1 << bits.repeat + 1
    is_step = changed < 1 << bits.evaluation + bits.repeat + 1
    if latest is not None:
        is_step &= _is_late(begins_cell, ~is_step, latest)
    is_flip = is_step & (changed & 1).astype(np.bool_)
    owners = key[1:] >> bits.run + bits.evaluation + bits.repeat + 1
    steps = np.bincount(owners[is_step])
    flips = np.bincount(owners[is_flip], minlength=steps.size)
    within = np.bincount(owners[is_flip & ~begins_cell], minlength=steps.size)
    task_ids = np.flatnonzero(steps)
    return FlipCounts(task_ids, flips[task_ids], within[task_ids], steps[task_ids])


def _is_late(begins_cell: Marks, begins_pair: Marks, latest: int) -> Marks:
    """Which steps begin in one of the latest evaluations of their run and task; the marks are those of the second."""
    numbers = np.concatenate([[0], np.cumsum(begins_cell, dtype=np.int32)])
    ends = np.concatenate([np.flatnonzero(begins_pair), [begins_pair.size]])
    last = numbers[ends][np.concatenate([[0], np.cumsum(begins_pair, dtype=np.int32)])]
    found: Marks = (last - numbers < latest)[:-1]
    return found

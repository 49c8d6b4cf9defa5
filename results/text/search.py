"""Finds the results that match a search, as sorted arrays of ids."""

import sqlite3
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np

from results.models.evaluations import RESULTS_PER_EVALUATION
from results.text.common import common_matches
from results.text.index_file import IndexLostError, opened
from results.text.lookup import Ids, ids_between
from results.text.query import TextQuery
from results.text.scan import scan

MAX_SCANNED = 20_000  # documents that `exact:"…"` may read: about a second
MAX_EVALUATION_ID = 2**39 - 2  # its results' ids still fit into 64 bits
HALVED_FROM = 200_000  # results of an index that is searched on two cores
MAX_REMEMBERED = 2_000_000  # ids of the latest searches, 8 bytes each


class TooManyToScanError(Exception):
    """An exact text was asked of more results than may be read; the message says how many and what to do."""


def matching_ids(query: TextQuery, evaluation_ids: Iterable[int] | None = None, candidates: Ids | None = None) -> Ids:
    """Find the results that match.

    Args:
        query: the parsed search; an empty one matches everything.
        evaluation_ids: only results of these; None = of all, also of some that are not visible.
        candidates: only these result ids, sorted and distinct; None = no limit. Needed to keep `exact:"…"` affordable.

    Returns:
        Result ids, int64, sorted and distinct. Results that the index does not hold yet are missing, unless the search
        has only exact texts and candidates; ask `index.lagging`.

    Raises:
        TooManyToScanError: the query has an exact text and more than 20,000 results would have to be read.
    """
    evaluations = None if evaluation_ids is None else np.unique(np.fromiter(evaluation_ids, np.int64))
    if query.terms or candidates is None:
        found = _indexed(query, evaluations)
        if candidates is not None:
            found = found[np.isin(found, candidates, assume_unique=True)]
    else:
        found = _within(candidates, evaluations)
    if not query.exact:
        return found
    if len(found) > MAX_SCANNED:
        raise TooManyToScanError(
            f'exact:"…" reads every document, and {len(found):,} results are left to read; at most {MAX_SCANNED:,} '
            "can be. Add words or filters first."
        )
    return scan(found, query.exact, query.columns)


def _indexed(query: TextQuery, evaluations: Ids | None) -> Ids:
    included, excluded = query.expression(is_excluded=False), query.expression(is_excluded=True)
    try:
        with opened() as index:
            if included:
                expression = f"{included} NOT {excluded}" if excluded else included
                return _within(_matched(index, query, expression, evaluations), evaluations)
            every = _every(index, evaluations)
            if not excluded:
                return every
            unwanted = _matched(index, query, excluded, evaluations)
            return every[~np.isin(every, unwanted, assume_unique=True)]
    except IndexLostError:  # it is filled again, and until then says that it lags
        return np.empty(0, np.int64)


class _Remembered:
    """What the latest searches found: a search is asked again for every page, order and filter that follow it."""

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, Ids] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Ids | None:
        """What was found; None = not remembered."""
        with self._lock:
            found = self._found.get(key)
            if found is not None:
                self._found.move_to_end(key)
            return found

    def put(self, key: Hashable, found: Ids) -> None:
        """Remember, and forget what was asked longest ago."""
        with self._lock:
            self._found[key] = found
            while len(self._found) > 1 and sum(map(len, self._found.values())) > MAX_REMEMBERED:
                self._found.popitem(last=False)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._found.clear()


_remembered = _Remembered()


def forget_matches() -> None:
    """Let every search be done again, as the benchmarks need it."""
    _remembered.clear()


def _matched(index: sqlite3.Connection, query: TextQuery, expression: str, evaluations: Ids | None) -> Ids:
    """What matches an expression; the same arrays are given out again while the index holds the same."""
    progress = index.execute("SELECT evaluation_id, next_ordinal, is_forgotten FROM progress ORDER BY 1").fetchall()
    path = index.execute("PRAGMA database_list").fetchone()[2]
    key = (path, expression, tuple(progress), None if evaluations is None else tuple(evaluations.tolist()))
    found = _remembered.get(key)
    if found is None:
        found = _with_common(index, query, expression, evaluations)
        found.flags.writeable = False
        _remembered.put(key, found)
    return found


def _with_common(index: sqlite3.Connection, query: TextQuery, expression: str, evaluations: Ids | None) -> Ids:
    """What matches an expression of a search; evaluations of which that is known are not looked at."""
    known = common_matches(index, query)
    if not len(known.evaluation_ids):
        return _looked_up(index, expression, evaluations)
    if evaluations is None:
        listed = index.execute("SELECT evaluation_id FROM progress ORDER BY 1").fetchall()
        evaluations = np.array(listed, np.int64).ravel()
    rest = np.setdiff1d(evaluations, known.evaluation_ids)
    runs = np.split(rest, np.unique(np.searchsorted(rest, known.evaluation_ids)))
    found = [known.ids, *(_looked_up(index, expression, run) for run in runs if len(run))]
    return np.sort(np.concatenate(found)) if found[1:] else known.ids


def _looked_up(index: sqlite3.Connection, expression: str, evaluations: Ids | None) -> Ids:
    """What matches among the ids of some evaluations; a large index is read in two halves at once."""
    if evaluations is not None and not len(evaluations):
        return np.empty(0, np.int64)
    first, last = (0, MAX_EVALUATION_ID) if evaluations is None else (int(evaluations[0]), int(evaluations[-1]))
    middle = _middle(index, first, last)
    if middle is None:
        return ids_between(index, expression, first, last)
    with ThreadPoolExecutor(max_workers=1) as thread:
        later = thread.submit(_between_apart, expression, middle, last)
        return np.concatenate([ids_between(index, expression, first, middle - 1), later.result()])


def _middle(index: sqlite3.Connection, first: int, last: int) -> int | None:
    """The evaluation at which the second half of the indexed results begins; None where there are few."""
    sizes = index.execute(
        "SELECT evaluation_id, next_ordinal FROM progress WHERE evaluation_id BETWEEN ? AND ? ORDER BY 1", (first, last)
    ).fetchall()
    total, before = sum(size for _, size in sizes), 0
    if total < HALVED_FROM:
        return None
    for evaluation_id, size in sizes:
        if before >= total / 2:
            return int(evaluation_id)
        before += size
    return None


def _between_apart(expression: str, first: int, last: int) -> Ids:
    with opened() as index:
        return ids_between(index, expression, first, last)


def _every(index: sqlite3.Connection, evaluations: Ids | None) -> Ids:
    """All ids that the index holds: the ordinals of an evaluation have no gaps."""
    ranges = [
        np.arange(next_ordinal, dtype=np.int64) + evaluation_id * RESULTS_PER_EVALUATION
        for evaluation_id, next_ordinal in index.execute(
            "SELECT evaluation_id, next_ordinal FROM progress WHERE NOT is_forgotten ORDER BY evaluation_id"
        )
        if evaluations is None or evaluation_id in evaluations
    ]
    return np.concatenate(ranges) if ranges else np.empty(0, np.int64)


def _within(ids: Ids, evaluations: Ids | None) -> Ids:
    """Those of some sorted ids that belong to sorted evaluations: one look at each evaluation, not at each id."""
    if evaluations is None:
        return ids
    lows = np.searchsorted(ids, evaluations * RESULTS_PER_EVALUATION).tolist()
    highs = np.searchsorted(ids, (evaluations + 1) * RESULTS_PER_EVALUATION).tolist()
    if sum(highs) - sum(lows) == len(ids):
        return ids
    parts = [ids[low:high] for low, high in zip(lows, highs, strict=True)]
    return np.concatenate(parts) if parts else ids[:0]

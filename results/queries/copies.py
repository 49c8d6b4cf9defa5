"""Results that several evaluations of a project hold: in history and trends each counts once, in the oldest one."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np

from results.facts import manifest
from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.models.evaluations import Evaluation
from results.queries.filter_columns import in_ids
from results.queries.visibility import VisibleSet

NO_COPY = "(false)"  # SQL that is true of copies, where there is none
COPY_MARK = "copied_1"  # the same where there are some: a column, other than `_MARK` as both may be in use at once
COPY_COLUMNS = "result_id, evaluation_id, run_id, task_id, trace_hash"
_MOST_LISTED = 10_000  # trace ids that are asked for one by one
_MARK = "copied_0"
_MOST_REMEMBERED = 16  # sets of evaluations, 8 bytes a copy
_NONE: Numbers = np.empty(0, np.int64)
_known: OrderedDict[tuple[tuple[str, ...], str], Numbers] = OrderedDict()


def copied_ids(visible: VisibleSet) -> Numbers:
    """The results that do not count in history, because an older evaluation of the project holds them too.

    Args:
        visible: evaluations that may be seen; what only others hold too is no copy.

    Returns:
        Result ids, sorted and distinct. A trace id that one document holds twice for a run and task means repeats:
        then none of its results is a copy. Results without a trace id are none either.
    """
    key = (manifest.current().version, visible.key)
    found = _known.get(key)
    if found is not None:
        return found
    found = answer(visible.evaluation_ids, visible.key, None, _copied)
    if manifest.current().version == key[0]:  # else it may belong to another manifest already
        _known[key] = found
        while len(_known) > _MOST_REMEMBERED:
            _known.popitem(last=False)
    return found


@contextmanager
def counted_once(reading: Reading, copied: Numbers) -> Iterator[str]:
    """Offer the SQL condition that leaves copies out, good while the context lasts; empty where there is none."""
    if not copied.size:
        yield ""
        return
    with reading.marking(_MARK, copied):
        yield f"NOT {_MARK}"


@contextmanager
def offered_copies(reading: Reading, copied: Numbers) -> Iterator[str]:
    """Offer the SQL condition that is true of copies, good while the context lasts."""
    if not copied.size:
        yield NO_COPY
        return
    with reading.marking(COPY_MARK, copied):
        yield COPY_MARK


def evaluation_ages(evaluation_ids: Iterable[int]) -> dict[int, int]:
    """The places of evaluations from the oldest on; one is as old as its document, else as its import."""
    rows = Evaluation.objects.filter(pk__in=list(evaluation_ids)).values_list("created_at", "imported_at", "pk")
    aged = sorted((created_at or imported_at, pk) for created_at, imported_at, pk in rows)
    return {pk: place for place, (_, pk) in enumerate(aged)}


def copies_among(found: dict[str, Numbers], ages: dict[int, int]) -> Numbers:
    """Which of some results are copies of others among them.

    Args:
        found: `COPY_COLUMNS` as arrays; all results have a trace id.
        ages: of their evaluations.

    Returns:
        Result ids, sorted.
    """
    evaluations, ids = found["evaluation_id"], found["result_id"]
    age = np.array([ages.get(pk, -1) for pk in evaluations.tolist()], np.int64)
    keys = [found[name] for name in ("trace_hash", "run_id", "task_id")]
    order = np.lexsort((ids, age, *keys))
    is_same = np.ones(max(0, len(ids) - 1), np.bool_)
    for key in keys:
        is_same &= key[order][1:] == key[order][:-1]
    is_twice = is_same & (evaluations[order][1:] == evaluations[order][:-1])
    groups = np.concatenate([[0], np.cumsum(~is_same)]) if len(ids) else _NONE
    repeated = np.zeros(len(ids) + 1, np.bool_)
    repeated[groups[1:][is_twice]] = True
    is_copy = np.concatenate([[False], is_same]) & ~repeated[groups] if len(ids) else np.empty(0, np.bool_)
    return np.sort(ids[order][is_copy])


def _copied(reading: Reading) -> Numbers:
    if len(reading.evaluation_ids) <= 1:
        return _NONE
    hashes = reading.arrays(
        f"SELECT trace_hash FROM {reading.table('results', 'trace_hash')} WHERE trace_hash IS NOT NULL"
    )["trace_hash"]
    hashes = np.sort(np.ma.getdata(hashes))
    again = hashes[1:][hashes[1:] == hashes[:-1]]
    if not again.size:
        return _NONE
    is_first = np.concatenate([[True], again[1:] != again[:-1]])
    again = again[is_first]
    listed = in_ids("trace_hash", again.tolist()) if again.size <= _MOST_LISTED else "trace_hash IS NOT NULL"
    arrays = reading.arrays(f"SELECT {COPY_COLUMNS} FROM {reading.table('results', COPY_COLUMNS)} WHERE {listed}")
    found = {name: np.ma.getdata(values).astype(np.int64) for name, values in arrays.items()}
    places = np.minimum(np.searchsorted(again, found["trace_hash"]), again.size - 1)
    is_met = again[places] == found["trace_hash"]
    return copies_among(
        {name: values[is_met] for name, values in found.items()}, evaluation_ages(reading.evaluation_ids)
    )

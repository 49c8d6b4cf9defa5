"""What a merge of evaluations would hold: the last result per provider, run and task, and what it replaces."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import Outcome
from results.queries.filter_columns import in_ids
from results.queries.visibility import VisibleSet
from results.records import MergeStats, RunMergeStats

SHOWN = 200  # replacements that are listed one by one
_COLUMNS = ("result_id", "provider_id", "run_id", "task_id", "outcome", "document_bytes")


@dataclass(frozen=True)
class Replacement:
    """A result that would not be in the merge, and the one that takes its place; of several, the last before it."""

    provider: str
    run: str
    task: str
    before_id: int
    before_outcome: str
    after_id: int
    after_outcome: str
    results: int  # that this one takes the place of

    @property
    def is_within_one(self) -> bool:
        """Both stand in one evaluation: they are repeats."""
        return self.before_id // RESULTS_PER_EVALUATION == self.after_id // RESULTS_PER_EVALUATION


@dataclass(frozen=True)
class OutcomeChange:
    """How many tasks change from one outcome to another."""

    before: str
    after: str
    tasks: int


@dataclass(frozen=True)
class MergePlan:
    """What a merge would hold.

    Attributes:
        result_ids: those that stay, in the order of the merged document: providers by name; runs in the order in which
            they are first seen; a replaced result's place is that of the first one of its task.
        provider_starts: place of each provider's first result in `result_ids`, in the order of their names.
        document_bytes: size of these results' documents before compression, together.
        stats: per provider and run.
        left_out: results that are not in the merge.
        repeats: tasks of a run that one evaluation holds several times; only the last one stays.
        changes: of the tasks that are replaced, by outcomes before and after.
        replacements: the first `SHOWN`, in document order; those whose outcome changes come first.
    """

    result_ids: Numbers
    provider_starts: tuple[int, ...]
    document_bytes: int
    stats: MergeStats
    left_out: int
    repeats: int
    changes: tuple[OutcomeChange, ...]
    replacements: tuple[Replacement, ...]

    @property
    def updated(self) -> int:
        """Tasks that are replaced, of all runs."""
        return sum(run.updated for runs in self.stats.runs.values() for run in runs.values())


@dataclass(frozen=True)
class _Keys:
    """The (run, task) pairs of a merge, in the order of its document; places count all results in order of sources.

    Attributes:
        first, last, before: places of a pair's first, last and last but one result (of one alone: the same place).
        counts: results of each pair.
        within: some evaluation holds the pair twice.
    """

    first: Numbers
    last: Numbers
    before: Numbers
    counts: Numbers
    within: "NDArray[np.bool_]"


def merge_plan(evaluation_ids: Sequence[int]) -> MergePlan:
    """Plan a merge.

    Args:
        evaluation_ids: ready evaluations of one project; of those with a result of one run and task the last wins.
    """
    listed = tuple(dict.fromkeys(evaluation_ids))
    visible = VisibleSet.of(frozenset(listed))
    return answer(visible.evaluation_ids, visible.key, ("merge", listed), lambda reading: _plan(reading, listed))


def _plan(reading: Reading, listed: tuple[int, ...]) -> MergePlan:
    found = _results(reading, listed)
    providers = reading.names("providers", np.unique(found["provider_id"]).tolist())
    by_name = sorted((name, pk) for pk, name in providers.items() if pk is not None)
    ranks = {pk: rank for rank, (_, pk) in enumerate(by_name)}
    keys = _keys(found, ranks)
    provider_ids = found["provider_id"][keys.first]
    begins = np.ones(len(provider_ids), np.bool_)
    begins[1:] = provider_ids[1:] != provider_ids[:-1]
    is_updated = keys.counts > 1
    before, after = found["outcome"][keys.before], found["outcome"][keys.last]
    return MergePlan(
        result_ids=found["result_id"][keys.last],
        provider_starts=tuple(np.flatnonzero(begins).tolist()),
        document_bytes=int(found["document_bytes"][keys.last].sum()),
        stats=_stats(reading, found, keys, providers),
        left_out=len(found["result_id"]) - len(keys.first),
        repeats=int(keys.within.sum()),
        changes=_changes(before[is_updated], after[is_updated]),
        replacements=_replacements(reading, found, keys, providers),
    )


def _results(reading: Reading, listed: tuple[int, ...]) -> dict[str, Numbers]:
    """The results of all sources: these in the order given, each in document order."""
    wanted = in_ids("evaluation_id", list(listed))
    columns = ", ".join(_COLUMNS)
    arrays = reading.arrays(
        f"SELECT {columns} FROM {reading.table('results', f'{columns} evaluation_id')} WHERE {wanted}"
    )
    found = {name: np.ma.filled(np.ma.asarray(arrays[name]).astype(np.int64), 0) for name in _COLUMNS}
    places = np.array(listed, np.int64)
    order = np.argsort(places, kind="stable")
    source = order[np.searchsorted(places[order], found["result_id"] // RESULTS_PER_EVALUATION)]
    in_order = np.lexsort((found["result_id"], source))
    return {name: values[in_order] for name, values in found.items()}


def _keys(found: dict[str, Numbers], ranks: dict[int, int]) -> _Keys:
    pairs = np.stack((found["run_id"], found["task_id"]))
    order = np.lexsort((np.arange(pairs.shape[1]), pairs[1], pairs[0]))  # the places of a pair rise
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (pairs[:, order[1:]] != pairs[:, order[:-1]]).any(axis=0)
    begins = np.flatnonzero(is_new)
    ends = np.append(begins, len(order))[1:]
    evaluations = found["result_id"][order] // RESULTS_PER_EVALUATION
    is_again = np.zeros(len(order), np.bool_)
    is_again[1:] = ~is_new[1:] & (evaluations[1:] == evaluations[:-1])
    within = np.add.reduceat(is_again, begins) > 0 if len(begins) else np.zeros(0, np.bool_)
    first, last = order[begins], order[ends - 1]
    before = order[np.maximum(ends - 2, begins)]
    run_ids, runs = np.unique(found["run_id"][first], return_inverse=True)
    run_first = np.full(len(run_ids), len(order), np.int64)
    np.minimum.at(run_first, runs, first)
    rank = np.array([ranks[pk] for pk in found["provider_id"][first].tolist()], np.int64)
    sorted_ = np.lexsort((first, run_first[runs], rank))
    return _Keys(first[sorted_], last[sorted_], before[sorted_], (ends - begins)[sorted_], within[sorted_])


def _stats(reading: Reading, found: dict[str, Numbers], keys: _Keys, providers: dict[int | None, str]) -> MergeStats:
    run_ids, places, runs = np.unique(found["run_id"][keys.first], return_index=True, return_inverse=True)
    totals = np.bincount(runs, minlength=len(run_ids))
    updated = np.bincount(runs[keys.counts > 1], minlength=len(run_ids))
    names = reading.names("runs", run_ids.tolist())
    stats: dict[str, dict[str, RunMergeStats]] = {}
    for number in np.argsort(places):
        provider = providers[int(found["provider_id"][keys.first[places[number]]])]
        counted = RunMergeStats(total=int(totals[number]), updated=int(updated[number]))
        stats.setdefault(provider, {})[names[int(run_ids[number])]] = counted
    return MergeStats(runs=stats)


def _changes(before: Numbers, after: Numbers) -> tuple[OutcomeChange, ...]:
    kinds = len(Outcome)
    tasks = np.bincount(before * kinds + after, minlength=kinds * kinds)
    words = [str(outcome.label) for outcome in Outcome]
    return tuple(
        OutcomeChange(words[place // kinds], words[place % kinds], int(number))
        for place, number in enumerate(tasks)
        if number
    )


def _replacements(
    reading: Reading, found: dict[str, Numbers], keys: _Keys, providers: dict[int | None, str]
) -> tuple[Replacement, ...]:
    updated = np.flatnonzero(keys.counts > 1)
    is_same = found["outcome"][keys.before[updated]] == found["outcome"][keys.last[updated]]
    shown = updated[np.lexsort((updated, is_same))][:SHOWN]
    first = keys.first[shown]
    runs = reading.names("runs", found["run_id"][first].tolist())
    tasks = reading.names("tasks", found["task_id"][first].tolist())

    def row(number: int) -> Replacement:
        place, before, after = (int(values[number]) for values in (keys.first, keys.before, keys.last))
        return Replacement(
            provider=providers[int(found["provider_id"][place])],
            run=runs[int(found["run_id"][place])],
            task=tasks[int(found["task_id"][place])],
            before_id=int(found["result_id"][before]),
            before_outcome=str(Outcome(found["outcome"][before]).label),
            after_id=int(found["result_id"][after]),
            after_outcome=str(Outcome(found["outcome"][after]).label),
            results=int(keys.counts[number]) - 1,
        )

    return tuple(row(number) for number in shown.tolist())

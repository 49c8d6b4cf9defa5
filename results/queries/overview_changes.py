"""What got better and worse from one evaluation to another: results paired by run, task and repeat."""

from dataclasses import dataclass

import numpy as np

from results.facts.links import Numbers
from results.facts.reading import Reading
from results.models.results import Outcome
from results.paired import PairedOutcomes
from results.queries.compare_changes import VersionChanges

LISTED = 100  # results of either kind that are told one by one
_MOST_CELLS = 8_000_000  # of an array that pairs results; more are sorted
PAIRED_COLUMNS = ("result_id", "run_id", "task_id", "task_version_id", "repeat", "outcome")


@dataclass(frozen=True)
class ChangedResult:
    """A result whose outcome differs from that of the reference; `outcome` is the new one."""

    id: int
    before_id: int
    task: str
    provider: str
    run: str
    outcome: str


@dataclass(frozen=True)
class RunChange:
    """The pairs of one run."""

    run_id: int
    provider: str
    run: str
    pairs: PairedOutcomes


@dataclass(frozen=True)
class Changes:
    """The latest evaluation against the reference.

    Skipped results are no pairs, nor are those of tasks whose accepted answers differ.

    Attributes:
        pairs: of all runs together.
        runs: those with any difference; the most regressions first.
        regressed, improved: the first `LISTED` of each, in the order of `runs`, then in document order.
    """

    pairs: PairedOutcomes
    runs: tuple[RunChange, ...]
    regressed: tuple[ChangedResult, ...]
    improved: tuple[ChangedResult, ...]


def changes_between(reading: Reading, before: dict[str, Numbers], after: dict[str, Numbers]) -> Changes:
    """Pair the results of two evaluations.

    Args:
        reading: of the facts.
        before: `PAIRED_COLUMNS` of the reference.
        after: the same of the latest, and `provider_id`.
    """
    old, new = _paired(before, after)
    was, now = before["outcome"][old], after["outcome"][new]
    is_pair = (was != Outcome.SKIPPED) & (now != Outcome.SKIPPED)
    is_pair[_with_other_answers(before["task_version_id"][old], after["task_version_id"][new])] = False
    was_passed, is_passed = was == Outcome.PASSED, now == Outcome.PASSED
    improved, regressed = is_pair & ~was_passed & is_passed, is_pair & was_passed & ~is_passed
    pairs = _Pairs(before["result_id"][old], after["result_id"][new], new, after)
    runs = _runs(reading, pairs, improved, regressed, is_pair)
    return Changes(
        pairs=_outcomes(np.count_nonzero(improved), np.count_nonzero(regressed), np.count_nonzero(is_pair)),
        runs=tuple(runs),
        regressed=_told(reading, pairs, regressed, runs),
        improved=_told(reading, pairs, improved, runs),
    )


@dataclass(frozen=True)
class _Pairs:
    """Ids of paired results, and the places of the later ones in the latest evaluation's columns."""

    before_ids: Numbers
    after_ids: Numbers
    places: Numbers
    after: dict[str, Numbers]

    def column(self, name: str) -> Numbers:
        """A column of the later results."""
        return self.after[name][self.places]


def _with_other_answers(before: Numbers, after: Numbers) -> Numbers:
    """The places of pairs whose accepted answers differ, from their task versions."""
    places = np.flatnonzero(before != after)
    if not places.size:
        return places
    versions = np.stack((before[places], after[places]), axis=1).astype(np.int64)
    return places[VersionChanges.between(versions).has_other_answer[:, 0]]


def _outcomes(improved: "int | np.integer", regressed: "int | np.integer", pairs: "int | np.integer") -> PairedOutcomes:
    return PairedOutcomes(int(improved), int(regressed), int(pairs - improved - regressed))


def _runs(reading: Reading, pairs: _Pairs, improved: Numbers, regressed: Numbers, is_pair: Numbers) -> list[RunChange]:
    """The runs with any difference, as `Changes` orders them."""
    runs = pairs.column("run_id")
    found, first, places = np.unique(runs, return_index=True, return_inverse=True)
    better, worse, both = (np.bincount(places[kind], minlength=found.size) for kind in (improved, regressed, is_pair))
    changed = np.flatnonzero(better + worse)
    owners = pairs.column("provider_id")[first]
    names = reading.names("runs", found[changed].tolist())
    providers = reading.names("providers", owners[changed].tolist())
    changes = [
        RunChange(
            int(found[place]),
            providers[int(owners[place])],
            names[int(found[place])],
            _outcomes(better[place], worse[place], both[place]),
        )
        for place in changed.tolist()
    ]
    return sorted(
        changes, key=lambda change: (-change.pairs.regressed, -change.pairs.improved, change.provider, change.run)
    )


def _told(reading: Reading, pairs: _Pairs, kind: Numbers, runs: list[RunChange]) -> tuple[ChangedResult, ...]:
    """The first results of a kind, those of the most changed runs first."""
    chosen, owners = np.flatnonzero(kind), pairs.column("run_id")
    told: list[tuple[RunChange, int]] = []
    for run in runs:
        if len(told) >= LISTED:
            break
        mine = chosen[owners[chosen] == run.run_id]
        mine = mine[np.argsort(pairs.after_ids[mine], kind="stable")]
        told += [(run, place) for place in mine[: LISTED - len(told)].tolist()]
    tasks, outcomes = pairs.column("task_id"), pairs.column("outcome")
    names = reading.names("tasks", [int(tasks[place]) for _, place in told])
    return tuple(
        ChangedResult(
            id=int(pairs.after_ids[place]),
            before_id=int(pairs.before_ids[place]),
            task=names[int(tasks[place])],
            provider=run.provider,
            run=run.run,
            outcome=str(Outcome(outcomes[place]).label),
        )
        for run, place in told
    )


def _paired(before: dict[str, Numbers], after: dict[str, Numbers]) -> tuple[Numbers, Numbers]:
    """The places of results of one run, task and repeat in both; an evaluation holds each of these once."""
    both = [np.concatenate((before[name], after[name])) for name in ("run_id", "task_id", "repeat")]
    if not both[0].size:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    lows = [int(values.min()) for values in both]
    sizes = [int(values.max()) - low + 1 for values, low in zip(both, lows, strict=True)]
    middle = before["run_id"].size
    if sizes[0] * sizes[1] * sizes[2] > _MOST_CELLS:
        keys = np.unique(np.stack(both), axis=1, return_inverse=True)[1].ravel()
        _, old, new = np.intersect1d(keys[:middle], keys[middle:], assume_unique=True, return_indices=True)
        return old, new
    keys = ((both[0] - lows[0]) * sizes[1] + both[1] - lows[1]) * sizes[2] + both[2] - lows[2]
    places = np.full(sizes[0] * sizes[1] * sizes[2], -1, np.int32)
    places[keys[:middle]] = np.arange(middle, dtype=np.int32)
    found = places[keys[middle:]].astype(np.int64)
    new = np.flatnonzero(found >= 0)
    return found[new], new

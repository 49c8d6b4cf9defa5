"""What stands beside a result: the same task and run elsewhere, and other runs at the same task."""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

from results.facts.engine import answer
from results.facts.reading import Reading
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation
from results.models.results import Outcome, Result
from results.price_table import price_table
from results.queries.price_overlay import at_one_price
from results.queries.rows import ResultRow, named_rows, row_columns
from results.queries.visibility import VisibleSet

NEWEST = 20  # rows of the history
MARKS = 60  # of the strip
MOST_RESULTS = 5_000  # of one task and run that are looked at, the newest
PEERS = 100  # other runs that are listed


@dataclass(frozen=True)
class HistoryEntry:
    """One result of the same task and run.

    Attributes:
        row: that of the page's own evaluation where it holds the result, else that of the oldest one.
        copies: results of other evaluations with the trace id of `row`, that of the oldest evaluation first.
        counted_id: which of them counts in the history: that of the oldest evaluation.
        has_this: `row` is the page's own result.
    """

    row: ResultRow
    copies: tuple[ResultRow, ...]
    counted_id: int
    has_this: bool


@dataclass(frozen=True)
class Peer:
    """A result of another run at the same task."""

    id: int
    provider: str
    run: str
    outcome: str
    repeat: int


@dataclass(frozen=True)
class Related:
    """What stands beside a result.

    Attributes:
        own: the page's own result; None when there is no such one.
        history: the newest results of the same task and run, newest first; one that several evaluations hold is one.
        strip: their outcomes, the newest 60, oldest first; of copies, that of the oldest evaluation.
        total, passed: of all of them, whatever is listed; at most the newest 5,000.
        copies: results of other evaluations with this result's trace id.
        repeats: results of this task and run in this evaluation, this one with them.
        peers: results of other runs at this task in this evaluation, by provider and run.
        peer_total: how many there are.
    """

    own: ResultRow | None
    history: tuple[HistoryEntry, ...]
    strip: tuple[str, ...]
    total: int
    passed: int
    copies: tuple[ResultRow, ...]
    repeats: int
    peers: tuple[Peer, ...]
    peer_total: int


NOTHING = Related(None, (), (), 0, 0, (), 0, (), 0)


@dataclass(frozen=True)
class _Found:
    """One result of the same task and run, before its row is read."""

    result_id: int
    outcome: int
    started_at_us: int
    trace_hash: int | None

    @property
    def evaluation_id(self) -> int:
        """The evaluation that holds it."""
        return self.result_id // RESULTS_PER_EVALUATION


@dataclass(frozen=True)
class _Beside:
    """What the facts say: groups of copies, that of the page's own result, and the rows that are shown."""

    groups: tuple[tuple[_Found, ...], ...]
    own: tuple[_Found, ...]
    rows: tuple[ResultRow, ...]
    peers: tuple[Peer, ...]
    peer_total: int


def related_results(visible: VisibleSet, result_id: int) -> Related:
    """Find what stands beside a visible result.

    Args:
        visible: evaluations that may be seen.
        result_id: of the result; an unknown one has nothing beside it.
    """
    ids = Result.objects.filter(pk=result_id).values_list("task_version__task_id", "run_version__run_id").first()
    if ids is None:
        return NOTHING
    beside = answer(
        visible.evaluation_ids,
        visible.key,
        ("related", result_id, price_table().key),
        lambda reading: _beside(reading, visible, result_id, *ids),
    )
    rows = _with_evaluations(beside.rows)
    groups, evaluation_id = beside.groups, result_id // RESULTS_PER_EVALUATION
    return Related(
        own=rows.get(result_id),
        history=tuple(_entry(group, rows, result_id) for group in groups[:NEWEST]),
        strip=tuple(str(Outcome(group[0].outcome).label) for group in reversed(groups[:MARKS])),
        total=len(groups),
        passed=sum(group[0].outcome == Outcome.PASSED for group in groups),
        copies=tuple(rows[found.result_id] for found in beside.own if found.result_id != result_id),
        repeats=sum(found.evaluation_id == evaluation_id for group in groups for found in group),
        peers=beside.peers,
        peer_total=beside.peer_total,
    )


def _with_evaluations(rows: tuple[ResultRow, ...]) -> dict[int, ResultRow]:
    """Rows by id, with the names of evaluations, which may change while the facts do not."""
    names = dict(Evaluation.objects.filter(pk__in={row.evaluation_id for row in rows}).values_list("pk", "name"))
    return {row.id: replace(row, evaluation=names.get(row.evaluation_id, "")) for row in rows}


def _entry(group: tuple[_Found, ...], rows: dict[int, ResultRow], result_id: int) -> HistoryEntry:
    """The group as one row: the values of the page's own evaluation, never those of another one in its place."""
    listed = [rows[found.result_id] for found in group]
    shown = next((row for row in listed if row.id == result_id), listed[0])
    copies = tuple(row for row in listed if row.id != shown.id)
    return HistoryEntry(shown, copies, listed[0].id, shown.id == result_id)


def _grouped(same: tuple[_Found, ...]) -> list[tuple[_Found, ...]]:
    """Results with one trace id in several evaluations together, that of the oldest evaluation first; newest first.

    An evaluation is as old as its document, which for a merged one is younger than those that it was made of.
    """
    by_trace: dict[tuple[str, int], list[_Found]] = defaultdict(list)
    for found in same:
        key = ("result", found.result_id) if found.trace_hash is None else ("trace", found.trace_hash)
        by_trace[key].append(found)
    ages = _ages({found.evaluation_id for group in by_trace.values() if len(group) > 1 for found in group})
    groups: list[tuple[_Found, ...]] = []
    for group in by_trace.values():
        if len({found.evaluation_id for found in group}) < len(group):  # twice in one document: repeats, not copies
            groups += [(found,) for found in group]
        else:
            groups.append(tuple(sorted(group, key=lambda found: ages.get(found.evaluation_id, (0.0, 0)))))
    return sorted(groups, key=lambda group: (group[0].started_at_us, group[0].result_id), reverse=True)


def _ages(evaluation_ids: set[int]) -> dict[int, tuple[float, int]]:
    if not evaluation_ids:
        return {}
    rows = Evaluation.objects.filter(pk__in=evaluation_ids).values_list("pk", "created_at", "imported_at")
    return {pk: ((created_at or imported_at).timestamp(), pk) for pk, created_at, imported_at in rows}


def _beside(reading: Reading, visible: VisibleSet, result_id: int, task_id: int, run_id: int) -> _Beside:
    """One pass over the task's results, of the columns that tell what is shown; the others are read of these only."""
    at_one_price(reading, visible)
    evaluation_id = result_id // RESULTS_PER_EVALUATION
    is_wanted = f"WHERE task_id = {task_id}"
    source = reading.places(f"result_id run_id {is_wanted}")
    found = reading.rows(f"SELECT part, place, result_id, run_id FROM {source} {is_wanted}")
    shown = [row for row in found if row[3] == run_id or row[2] // RESULTS_PER_EVALUATION == evaluation_id]
    columns = f"result_id, outcome, started_at_us, trace_hash, provider_id, run_id, repeat, {row_columns(reading)}"
    rows = reading.rows_at(columns, [row[:2] for row in shown])
    rows.sort(key=lambda row: (row[0] // RESULTS_PER_EVALUATION == evaluation_id, row[2], row[0]), reverse=True)
    own_run = [row for row in rows if row[5] == run_id][:MOST_RESULTS]
    groups = _grouped(tuple(_Found(*row[:4]) for row in own_run))
    own = next((group for group in groups if result_id in {entry.result_id for entry in group}), ())
    wanted = {entry.result_id for group in (*groups[:NEWEST], own) for entry in group}
    named = named_rows(reading, (row[7:] for row in own_run if row[0] in wanted))
    peers = _peers(reading, [(row[0], row[4], row[5], row[1], row[6]) for row in rows if row[5] != run_id])
    return _Beside(tuple(groups), own, named, peers[:PEERS], len(peers))


def _peers(reading: Reading, found: list[tuple[Any, ...]]) -> tuple[Peer, ...]:
    """Results of other runs, by provider and run."""
    providers = reading.names("providers", {row[1] for row in found})
    runs = reading.names("runs", {row[2] for row in found})
    peers = (
        Peer(pk, providers[provider], runs[run], str(Outcome(outcome).label), repeat)
        for pk, provider, run, outcome, repeat in found
    )
    return tuple(sorted(peers, key=lambda peer: (peer.provider, peer.run, peer.repeat, peer.id)))

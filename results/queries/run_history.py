"""One run through time, and by category against the other runs of the same evaluations; each result counts once."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.dimensions import Run
from results.queries.conditions import Conditions, filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.cost_sums import NOTHING, costs_by
from results.queries.costs import GroupCosts
from results.queries.evaluation_marks import EvaluationMark, evaluation_marks
from results.queries.filter_columns import in_ids
from results.queries.task_counts import medians_by
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

HEAT_GROUPS = {"category": "category_id", "suite": "suite_id", "difficulty": "difficulty_id"}
MOST_OTHERS = 30  # other runs that have a column of their own, those with most results


@dataclass(frozen=True)
class RunPoint:
    """A run in one evaluation. `median_ns` is model time over counted results with a known one."""

    evaluation: EvaluationMark
    outcomes: OutcomeCounts
    median_ns: Decimal | None
    costs: GroupCosts


@dataclass(frozen=True)
class OtherRun:
    """Another run of the same evaluations."""

    id: int
    provider: str
    run: str


@dataclass(frozen=True)
class HeatRow:
    """One category (None = unspecified): this run, all other runs together, and each listed one (None = no result)."""

    name: str | None
    own: OutcomeCounts
    rest: OutcomeCounts
    others: tuple[OutcomeCounts | None, ...]


@dataclass(frozen=True)
class RunHistory:
    """A run through time.

    Attributes:
        points: an entry an evaluation, the earliest first.
        costs: over all of them.
        others: other runs of the same evaluations by provider and name, at most 30; `other_total` counts all.
        heat: by name, unspecified last.
        copies: the run's results that an older evaluation holds too; they are left out. `all_copies`: those of any run.
    """

    id: int
    provider: str
    run: str
    points: tuple[RunPoint, ...]
    outcomes: OutcomeCounts
    median_ns: Decimal | None
    costs: GroupCosts
    others: tuple[OtherRun, ...]
    other_total: int
    heat: tuple[HeatRow, ...]
    copies: int
    all_copies: int


@dataclass(frozen=True)
class _Found:
    """What the facts say; names of evaluations may change while these do not."""

    outcomes: dict[int, OutcomeCounts]
    medians: dict[int, Decimal]
    median_ns: Decimal | None
    costs_by_evaluation: dict[int, GroupCosts]
    costs: GroupCosts
    others: tuple[OtherRun, ...]
    other_total: int
    heat: tuple[HeatRow, ...]
    copies: int


def run_history(visible: VisibleSet, run_id: int, chosen: ResultFilter, group: str = "category") -> RunHistory | None:
    """The history of a run.

    Args:
        visible: evaluations that may be seen.
        run_id: of the run.
        chosen: further conditions on the results.
        group: one of `HEAT_GROUPS`.

    Returns:
        None for an unknown run, and for one of which no result may be seen. With results, but none that the filter
        lets through, its lists are empty.

    Raises:
        KeyError: `group` is none of `HEAT_GROUPS`.
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    known = Run.objects.filter(pk=run_id).values_list("provider__name", "name").first()
    column = HEAT_GROUPS[group]
    if known is None:
        return None
    copied = copied_ids(visible)
    found = answer(
        visible.evaluation_ids,
        visible.key,
        question("run", chosen, run_id, group),
        lambda reading: _find(reading, visible, run_id, chosen, column, copied),
    )
    if found is None:
        return None
    marks = evaluation_marks(found.outcomes)
    return RunHistory(
        id=run_id,
        provider=known[0],
        run=known[1],
        points=tuple(
            RunPoint(mark, found.outcomes[pk], found.medians.get(pk), found.costs_by_evaluation.get(pk, NOTHING))
            for pk, mark in marks.items()
        ),
        outcomes=total(found.outcomes.values()),
        median_ns=found.median_ns,
        costs=found.costs,
        others=found.others,
        other_total=found.other_total,
        heat=found.heat,
        copies=found.copies,
        all_copies=copied.size,
    )


def total(counts: Iterable[OutcomeCounts]) -> OutcomeCounts:
    """The sum of some counts."""
    listed = list(counts)
    return OutcomeCounts(
        passed=sum(one.passed for one in listed),
        failed=sum(one.failed for one in listed),
        errors=sum(one.errors for one in listed),
        skipped=sum(one.skipped for one in listed),
    )


def _find(
    reading: Reading, visible: VisibleSet, run_id: int, chosen: ResultFilter, column: str, copied: Numbers
) -> _Found | None:
    own = f"run_id = {run_id}"
    with counted_once(reading, copied) as once, filtered(reading, chosen, visible) as conditions:
        where = conditions.where(" AND ".join(filter(None, [own, once])))
        used = f"evaluation_id outcome {where}"
        rows = reading.rows(
            f"SELECT evaluation_id, outcome, count(*) FROM {reading.table('results', used)} {where} GROUP BY ALL"
        )
        if not rows and not reading.rows(f"SELECT 1 FROM {reading.table('results', own)} WHERE {own} LIMIT 1"):
            return None
        counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for evaluation_id, outcome, results in rows:
            counts[evaluation_id][outcome] += results
        cells = _cells(reading, conditions, once, column, list(counts))
        others = _others(reading, cells, run_id)
        return _Found(
            outcomes={pk: OutcomeCounts(*values) for pk, values in counts.items()},
            medians=medians_by(reading, "evaluation_id", where),
            median_ns=medians_by(reading, "run_id", where).get(run_id),
            costs_by_evaluation=costs_by(reading, "evaluation_id", where),
            costs=costs_by(reading, "run_id", where).get(run_id, NOTHING),
            others=others[:MOST_OTHERS],
            other_total=len(others),
            heat=_heat(reading, cells, run_id, [other.id for other in others[:MOST_OTHERS]]),
            copies=_copies(reading, conditions.where(own), copied),
        )


def _copies(reading: Reading, where: str, copied: Numbers) -> int:
    """How many of some results are copies."""
    if not copied.size:
        return 0
    held = reading.arrays(f"SELECT result_id FROM {reading.table('results', f'result_id {where}')} {where}")
    return int(np.isin(np.ma.getdata(held["result_id"]), copied).sum())


Cells = dict[int | None, dict[int, OutcomeCounts]]  # category -> run -> counts


def _cells(reading: Reading, conditions: Conditions, once: str, column: str, evaluation_ids: list[int]) -> Cells:
    """Results of all runs in some evaluations."""
    where = conditions.where(" AND ".join(filter(None, [f"({in_ids('evaluation_id', evaluation_ids)})", once])))
    used = f"run_id {column} outcome {where}"
    rows = reading.rows(
        f"SELECT {column}, run_id, outcome, count(*) FROM {reading.table('results', used)} {where} GROUP BY ALL"
    )
    counts: dict[int | None, dict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0, 0]))
    for name_id, run_id, outcome, results in rows:
        counts[name_id][run_id][outcome] += results
    return {name: {run: OutcomeCounts(*values) for run, values in runs.items()} for name, runs in counts.items()}


def _others(reading: Reading, cells: Cells, run_id: int) -> tuple[OtherRun, ...]:
    """The other runs, those with most results first; of those that are listed the order is by name."""
    sizes: dict[int, int] = defaultdict(int)
    for runs in cells.values():
        for pk, counts in runs.items():
            sizes[pk] += counts.total
    sizes.pop(run_id, None)
    links = reading.links("run_versions")
    owners = dict(zip(links.values["run_id"].tolist(), links.values["provider_id"].tolist(), strict=True))
    names, providers = reading.names("runs", sizes), reading.names("providers", {owners[pk] for pk in sizes})
    found = [OtherRun(pk, providers[owners[pk]], names[pk]) for pk in sizes]
    found.sort(key=lambda other: (-sizes[other.id], other.provider, other.run))
    listed = sorted(found[:MOST_OTHERS], key=lambda other: (other.provider, other.run, other.id))
    return (*listed, *found[MOST_OTHERS:])


def _heat(reading: Reading, cells: Cells, run_id: int, listed: list[int]) -> tuple[HeatRow, ...]:
    names = reading.names("terms", cells)
    rows = [
        HeatRow(
            name=names[name_id],
            own=runs.get(run_id, OutcomeCounts()),
            rest=total(counts for pk, counts in runs.items() if pk != run_id),
            others=tuple(runs.get(pk) for pk in listed),
        )
        for name_id, runs in cells.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.name is None, row.name or "")))

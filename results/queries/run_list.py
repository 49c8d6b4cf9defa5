"""Runs in one list, with their pass rate from evaluation to evaluation; each result counts once."""

from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal

from results.facts.engine import answer
from results.facts.links import GAP, Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.queries.conditions import filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.cost_sums import NOTHING, costs_by
from results.queries.costs import GroupCosts
from results.queries.evaluation_marks import EvaluationMark, evaluation_marks, evaluation_order
from results.queries.task_counts import medians_by
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts

_GROUP = "provider_id, run_id, run_version_id, evaluation_id, outcome"


@dataclass(frozen=True)
class TrendPoint:
    """The results of a run in one evaluation."""

    evaluation_id: int
    outcomes: OutcomeCounts


@dataclass(frozen=True)
class RunLine:
    """One run with its counted results.

    Attributes:
        model: as its latest evaluation records it; None = not recorded.
        versions: distinct recorded configurations.
        trend: an entry an evaluation, the earliest first.
        median_ns: of model time over counted results with a known one; None when there is none.
        costs: of the model.
    """

    id: int
    provider: str
    run: str
    model: str | None
    versions: int
    outcomes: OutcomeCounts
    trend: tuple[TrendPoint, ...]
    median_ns: Decimal | None
    costs: GroupCosts


@dataclass(frozen=True)
class RunList:
    """All runs of a filter by provider and name.

    Attributes:
        evaluations: that have a counted result, by id.
        copies: results that an older evaluation holds too, of all visible ones; they are left out.
    """

    runs: tuple[RunLine, ...]
    evaluations: dict[int, EvaluationMark]
    copies: int


@dataclass
class _Counts:
    provider_id: int
    versions: dict[int, int] = field(default_factory=dict)
    evaluations: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0, 0]))


def run_list(visible: VisibleSet, chosen: ResultFilter) -> RunList:
    """The runs that a filter's results are of.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    copied = copied_ids(visible)
    runs = answer(
        visible.evaluation_ids,
        visible.key,
        question("runs", chosen),
        lambda reading: _runs(reading, chosen, visible, copied),
    )
    marks = evaluation_marks({point.evaluation_id for run in runs for point in run.trend})
    return RunList(runs, marks, copied.size)


def _runs(reading: Reading, chosen: ResultFilter, visible: VisibleSet, copied: Numbers) -> tuple[RunLine, ...]:
    with counted_once(reading, copied) as once, filtered(reading, chosen, visible) as conditions:
        where = conditions.where(once)
        source = reading.table("results", f"{_GROUP} {where}")
        rows = reading.rows(f"SELECT {_GROUP}, count(*) FROM {source} {where} GROUP BY ALL")
        medians, costs = medians_by(reading, "run_id", where), costs_by(reading, "run_id", where)
    order = evaluation_order({row[3] for row in rows})
    counts: dict[int, _Counts] = {}
    for provider_id, run_id, version_id, evaluation_id, outcome, results in rows:
        own = counts.setdefault(run_id, _Counts(provider_id))
        own.versions[version_id] = max(own.versions.get(version_id, 0), order.get(evaluation_id, 0))
        own.evaluations[evaluation_id][outcome] += results
    names = reading.names("runs", counts)
    providers = reading.names("providers", {own.provider_id for own in counts.values()})
    models = _models(reading, counts)
    lines = [
        RunLine(
            id=run_id,
            provider=providers[own.provider_id],
            run=names[run_id],
            model=models[run_id],
            versions=len(own.versions),
            outcomes=OutcomeCounts(*map(sum, zip(*own.evaluations.values(), strict=True))),
            trend=tuple(
                TrendPoint(pk, OutcomeCounts(*own.evaluations[pk]))
                for pk in sorted(own.evaluations, key=lambda pk: order.get(pk, 0))
            ),
            median_ns=medians.get(run_id),
            costs=costs.get(run_id, NOTHING),
        )
        for run_id, own in counts.items()
    ]
    return tuple(sorted(lines, key=lambda line: (line.provider, line.run, line.id)))


def _models(reading: Reading, counts: dict[int, _Counts]) -> dict[int, str | None]:
    """The model of each run's latest version."""
    latest = {run_id: max(own.versions, key=lambda pk: (own.versions[pk], pk)) for run_id, own in counts.items()}
    links = reading.links("run_versions")
    known = dict(zip(links.ids.tolist(), links.values["model_id"].tolist(), strict=True))
    ids = {run_id: None if (pk := known.get(version, GAP)) == GAP else pk for run_id, version in latest.items()}
    names = reading.names("terms", set(ids.values()))
    return {run_id: names[pk] for run_id, pk in ids.items()}

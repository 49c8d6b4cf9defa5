"""Figures of one evaluation for the overview: rates by category, times by run and task, failing tools."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from results.facts.links import GAP, Numbers, whole_numbers
from results.facts.reading import Reading
from results.models.results import CallStatus, Outcome, Section
from results.queries.conditions import Conditions
from results.queries.filter_columns import in_ids
from results.queries.grouped_times import SortedTimes, quantile_of
from results.queries.overview_changes import PAIRED_COLUMNS
from results.statistics import OutcomeCounts

SHOWN = 5  # of each kind
COLUMNS = (
    *PAIRED_COLUMNS,
    "provider_id",
    "category_id",
    "duration_ns",
    "is_error_usage_judge",
)
_COUNTED, _OUTCOMES = 3, len(Outcome)
P95 = Fraction(95, 100)
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class CategoryFigures:
    """One category; None = unspecified."""

    category_id: int | None
    category: str | None
    outcomes: OutcomeCounts


@dataclass(frozen=True)
class TaskTimes:
    """One task: median and longest model time of its counted results."""

    task_id: int
    task: str
    median_ns: Fraction
    longest_ns: int
    passed: int
    counted: int


@dataclass(frozen=True)
class ToolFailures:
    """One tool's recorded calls; `mostly` is the most frequent failure, None when none failed."""

    tool_id: int
    tool: str
    calls: int
    failed: int
    mostly: str | None


@dataclass(frozen=True)
class Latest:
    """Figures of the latest evaluation.

    Attributes:
        median_ns, p95_ns: model time of counted results; None = not known of any. timed: how many have a time.
        categories: the lowest pass rates first, at most `SHOWN`; all_categories: how many there are.
        run_medians_ns: model time by id of the run.
        tasks: the slowest ones by median.
        tools: those with the most failed calls; all_tools: how many were called.
    """

    outcomes: OutcomeCounts
    median_ns: Fraction | None
    p95_ns: Fraction | None
    timed: int
    categories: tuple[CategoryFigures, ...]
    all_categories: int
    run_medians_ns: tuple[tuple[int, Fraction], ...]
    tasks: tuple[TaskTimes, ...]
    tools: tuple[ToolFailures, ...]
    all_tools: int


def read_results(
    reading: Reading, conditions: Conditions, evaluation_id: int, columns: Iterable[str]
) -> dict[str, Numbers]:
    """Columns of the results of one evaluation, as small as they are stored; `GAP` where a value is missing."""
    listed = ", ".join(columns)
    where = conditions.where(f"evaluation_id = {evaluation_id}")
    found = reading.arrays(f"SELECT {listed} FROM {reading.table('results', f'{listed} {where}')} {where}")
    return {
        name: whole_numbers(values) if _has_gaps(values) else np.ma.getdata(values) for name, values in found.items()
    }


def _has_gaps(values: "NDArray[np.generic]") -> bool:
    return bool(np.ma.is_masked(values))


def latest_figures(
    reading: Reading, conditions: Conditions, evaluation_id: int, found: dict[str, Numbers], *, is_filtered: bool
) -> Latest:
    """The figures of one evaluation from its `COLUMNS`.

    Args:
        reading: of the facts.
        conditions: of the filter.
        evaluation_id: of the evaluation.
        found: its results that the filter lets through.
        is_filtered: they need not be all of them.
    """
    outcome, time = found["outcome"], found["duration_ns"]
    is_timed = (outcome != _COUNTED) & (time >= 0)
    times = np.sort(time[is_timed])
    categories = _categories(reading, found)
    by_run = SortedTimes.by(found["run_id"][is_timed], time[is_timed])
    where = conditions.where(f"evaluation_id = {evaluation_id}") if is_filtered else ""
    tools = _tools(reading, evaluation_id, where, found)
    return Latest(
        outcomes=OutcomeCounts(*np.bincount(outcome, minlength=_OUTCOMES).tolist()),
        median_ns=quantile_of(times, HALF),
        p95_ns=quantile_of(times, P95),
        timed=int(times.size),
        categories=tuple(categories[:SHOWN]),
        all_categories=len(categories),
        run_medians_ns=tuple(by_run.medians(range(by_run.ids.size)).items()),
        tasks=_tasks(reading, found, is_timed),
        tools=tuple(tools[:SHOWN]),
        all_tools=len(tools),
    )


def _categories(reading: Reading, found: dict[str, Numbers]) -> list[CategoryFigures]:
    used = np.bincount(found["category_id"] - GAP) > 0
    ids, places = np.flatnonzero(used) + GAP, (np.cumsum(used) - 1)[found["category_id"] - GAP]
    counts = np.bincount(places * _OUTCOMES + found["outcome"], minlength=ids.size * _OUTCOMES).reshape(-1, _OUTCOMES)
    names = {GAP: None, **reading.names("terms", [pk for pk in ids.tolist() if pk != GAP])}
    listed = [
        CategoryFigures(None if pk == GAP else pk, names[pk], OutcomeCounts(*row))
        for pk, row in zip(ids.tolist(), counts.tolist(), strict=True)
    ]
    rated = [figures for figures in listed if figures.outcomes.counted]
    return sorted(
        rated,
        key=lambda row: (row.outcomes.pass_rate.value or 0.0, -row.outcomes.counted, row.category or "\U0010ffff"),
    )


def _tasks(reading: Reading, found: dict[str, Numbers], is_timed: "NDArray[np.bool_]") -> tuple[TaskTimes, ...]:
    """Tasks by median."""
    groups = SortedTimes.by(found["task_id"][is_timed], found["duration_ns"][is_timed])
    low, high = groups.middles
    slowest = np.lexsort((groups.ids, -(low / 2 + high / 2)))[:SHOWN].tolist()
    medians = groups.medians(slowest)
    names = reading.names("tasks", medians)

    def figures(place: int) -> TaskTimes:
        pk = int(groups.ids[place])
        outcomes = found["outcome"][found["task_id"] == pk]
        return TaskTimes(
            task_id=pk,
            task=names[pk],
            median_ns=medians[pk],
            longest_ns=int(groups.times[groups.begins[place] + groups.sizes[place] - 1]),
            passed=int(np.count_nonzero(outcomes == Outcome.PASSED)),
            counted=int(np.count_nonzero(outcomes != _COUNTED)),
        )

    return tuple(figures(place) for place in slowest)


def _tools(reading: Reading, evaluation_id: int, where: str, found: dict[str, Numbers]) -> list[ToolFailures]:
    """Tools of the model's own calls: those in an answer, and in an error that is not its judge's."""
    judged = found["result_id"][found["is_error_usage_judge"] == 1].tolist()
    is_mine = f"evaluation_id = {evaluation_id} AND section <> {int(Section.VALIDATION)}"
    if judged:
        is_mine += f" AND NOT (section = {int(Section.ERROR)} AND ({in_ids('result_id', judged)}))"
    source = reading.table("calls", "result_id evaluation_id tool_id status section")
    if where:
        kept = f"SELECT result_id FROM {reading.table('results', f'result_id {where}')} {where}"
        is_mine += f" AND result_id IN ({kept})"
    rows = reading.rows(f"SELECT tool_id, status, count(*) FROM {source} WHERE {is_mine} GROUP BY ALL")
    calls: dict[int, dict[int | None, int]] = {}
    for tool_id, status, number in rows:
        calls.setdefault(tool_id, {})[status] = number
    names = reading.names("terms", calls)
    listed = [_failures(pk, names[pk], by_status) for pk, by_status in calls.items()]
    return sorted(listed, key=lambda tool: (-tool.failed, -tool.calls, tool.tool))


def _failures(tool_id: int, tool: str, by_status: dict[int | None, int]) -> ToolFailures:
    """A status that we do not know is no failure."""
    bad = {status: number for status, number in by_status.items() if status not in (None, int(CallStatus.SUCCESS))}
    worst = max(bad, key=lambda status: (bad[status], -(status or 0)), default=None)
    return ToolFailures(
        tool_id,
        tool,
        sum(by_status.values()),
        sum(bad.values()),
        None if worst is None else str(CallStatus(worst).label),
    )

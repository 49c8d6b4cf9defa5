"""Tool calls joined to outcomes: whether results with a failed call of a tool pass less often than those without."""

from dataclasses import dataclass

import numpy as np

from results.facts.columns import STATUS_BITS
from results.facts.links import GAP, Links, Numbers, whole_numbers
from results.facts.reading import Reading
from results.models.results import FAILED_STATUSES
from results.queries.tool_call_source import judge_condition
from results.statistics import OutcomeCounts, fisher_p_value

_FAILED = sum(STATUS_BITS[status] for status in FAILED_STATUSES)
_OUTCOMES = 4
MOST_NAMED = 100  # results that are told one by one
_GOOD, _BAD, _UNCLEAR, _NO_CALLS = range(4)  # what became of the calls of a result
_KINDS = 4


@dataclass(frozen=True)
class Joined:
    """Results in which a tool was used, by what became of its recorded calls.

    Attributes:
        good: outcomes of the results in which every call succeeded.
        failed: of those in which at least one failed.
        unclear: results with a call whose status is a word that is not known, and no failed one; in neither.
        without_calls: results that name the tool in their totals, but have no recorded call; in neither.
    """

    good: OutcomeCounts
    failed: OutcomeCounts
    unclear: int
    without_calls: int

    @property
    def results(self) -> int:
        """All of them."""
        return self.good.total + self.failed.total + self.unclear + self.without_calls

    @property
    def with_calls(self) -> int:
        """Those with a recorded call."""
        return self.results - self.without_calls

    @property
    def p_value(self) -> float | None:
        """Fisher's exact test of passed against not passed; None when one of the two has no counted result."""
        good, failed = self.good, self.failed
        return fisher_p_value(
            ((good.passed, good.counted - good.passed), (failed.passed, failed.counted - failed.passed))
        )


@dataclass(frozen=True)
class Gap:
    """Results whose calls and totals do not agree; `ids` are theirs while they are few, else none."""

    results: int = 0
    ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class JoinedBy:
    """By tool, and by provider and run whatever the tool; `using` results of `results` used one."""

    results: int
    using: int
    by_tool: dict[int, Joined]
    by_run: dict[tuple[int, int], Joined]


def joined_by(reading: Reading, where: str, tool_id: int | None) -> JoinedBy:
    """Count results under a WHERE clause by the tools that they used, the statuses of their calls, and outcome.

    Args:
        reading: of the facts.
        where: the clause, or empty.
        tool_id: only one tool; None = every tool, and by run any of them.
    """
    groups, lines = _groups(reading, where), _lines(reading.links("tools"), tool_id)
    sets, of_line = np.unique(lines.ids, return_inverse=True)
    of_group = np.searchsorted(sets, groups["tool_set"])
    is_met = (np.append(sets, GAP)[of_group] == groups["tool_set"]) & (groups["tool_set"] != GAP)
    found, of_group = {name: column[is_met] for name, column in groups.items()}, of_group[is_met]
    together = np.zeros(sets.size, np.int64)
    np.bitwise_or.at(together, of_line, lines.statuses)
    by_set = np.zeros((sets.size, _OUTCOMES), np.int64)
    np.add.at(by_set, (of_group, found["outcome"]), found["results"])
    tools, of_tool = np.unique(lines.tools, return_inverse=True)
    by_tool = np.zeros((tools.size, _KINDS, _OUTCOMES), np.int64)
    np.add.at(by_tool, (of_tool, _kinds(lines.statuses)), by_set[of_line])
    runs, of_run = np.unique(np.stack([found["provider_id"], found["run_id"]]), axis=1, return_inverse=True)
    by_run = np.zeros((runs.shape[1], _KINDS, _OUTCOMES), np.int64)
    np.add.at(by_run, (of_run.ravel(), _kinds(together)[of_group], found["outcome"]), found["results"])
    used = np.flatnonzero(by_tool.any(axis=(1, 2)))
    return JoinedBy(
        results=int(groups["results"].sum()),
        using=int(by_set.sum()),
        by_tool={int(tools[place]): _joined(by_tool[place].tolist()) for place in used},
        by_run={tuple(run): _joined(counts) for run, counts in zip(runs.T.tolist(), by_run.tolist(), strict=True)},
    )


def _groups(reading: Reading, where: str) -> dict[str, Numbers]:
    """Results under a WHERE clause by tool set (`GAP` = none), provider, run and outcome."""
    columns = "tool_set, provider_id, run_id, outcome"
    source = reading.table("results", f"{columns} {where}")
    found = reading.arrays(f"SELECT {columns}, count(*) AS results FROM {source} {where} GROUP BY ALL")
    return {name: whole_numbers(values) for name, values in found.items()}


@dataclass(frozen=True)
class _Lines:
    """The tools of every set: a line a tool of a set, with the statuses of its calls."""

    ids: Numbers
    tools: Numbers
    statuses: Numbers


def _lines(links: Links, tool_id: int | None) -> _Lines:
    """Each tool of a set once, of one tool or of all."""
    wanted = np.ones(links.ids.size, np.bool_) if tool_id is None else links.values["tool_id"] == tool_id
    both = np.stack([links.ids[wanted], links.values["tool_id"][wanted]])
    pairs, places = np.unique(both, axis=1, return_inverse=True)
    statuses = np.zeros(pairs.shape[1], np.int64)
    np.bitwise_or.at(statuses, places.ravel(), np.maximum(links.values["statuses"][wanted], 0))
    return _Lines(pairs[0], pairs[1], statuses)


def _kinds(statuses: Numbers) -> Numbers:
    """What became of calls with these statuses, as places in what `_joined` reads."""
    is_failed, is_good = statuses & _FAILED != 0, statuses == STATUS_BITS["success"]
    return np.select([is_failed, is_good, statuses != 0], [_BAD, _GOOD, _UNCLEAR], _NO_CALLS)


def _joined(counts: list[list[int]]) -> Joined:
    """Results by what became of their calls and by outcome."""
    good, failed = (OutcomeCounts(*counts[kind]) for kind in (_GOOD, _BAD))
    return Joined(good, failed, sum(counts[_UNCLEAR]), sum(counts[_NO_CALLS]))


def calls_without_usage(reading: Reading, source: str) -> dict[int | None, Gap]:
    """By tool, the results with calls of it in a section whose totals do not have it; of any tool under None.

    Args:
        reading: of the facts.
        source: SQL of the calls.
    """
    uses = reading.table("uses", "result_id section tool_id")
    rows = reading.rows(
        f"SELECT tool_id, count(DISTINCT result_id) AS results, CASE WHEN results <= {MOST_NAMED} "
        f"THEN list(DISTINCT result_id) END FROM {source} AS found "
        f"ANTI JOIN {uses} AS uses USING (result_id, section, tool_id) GROUP BY GROUPING SETS ((tool_id), ())"
    )
    return _gaps(rows)


def usage_without_calls(reading: Reading, where: str, source: str, tool_id: int | None) -> dict[int | None, Gap]:
    """The other way round: results with a total of a tool in a section that has no call of it; of any under None.

    A total of 0 calls agrees with no calls; one that does not say how many does not.

    Args:
        reading: of the facts.
        where: a WHERE clause of the results, or empty.
        source: SQL of the models' calls of these results.
        tool_id: only one tool; None = every tool.
    """
    conditions = ["calls IS DISTINCT FROM 0", f"NOT {judge_condition(reading)}"]
    if tool_id is not None:
        conditions.append(f"tool_id = {int(tool_id)}")
    if where:
        conditions.append(
            f"result_id IN (SELECT result_id FROM {reading.table('results', f'result_id {where}')} {where})"
        )
    uses = reading.table("uses", "result_id section tool_id calls")
    rows = reading.rows(
        f"SELECT tool_id, count(DISTINCT result_id) AS results, CASE WHEN results <= {MOST_NAMED} "
        f"THEN list(DISTINCT result_id) END FROM (SELECT * FROM {uses} WHERE {' AND '.join(conditions)}) AS uses "
        f"ANTI JOIN {source} AS found USING (result_id, section, tool_id) GROUP BY GROUPING SETS ((tool_id), ())"
    )
    return _gaps(rows)


def _gaps(rows: list[tuple[int | None, int, list[int] | None]]) -> dict[int | None, Gap]:
    return {tool_id: Gap(results, tuple(sorted(ids or ()))) for tool_id, results, ids in rows}

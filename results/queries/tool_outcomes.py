"""Tool calls joined to outcomes: whether results with a failed call of a tool pass less often than those without."""

from collections import defaultdict
from dataclasses import dataclass

from results.facts.columns import STATUS_BITS
from results.facts.reading import Reading
from results.models.results import FAILED_STATUSES
from results.statistics import OutcomeCounts, fisher_p_value

_FAILED = sum(STATUS_BITS[status] for status in FAILED_STATUSES)
_OUTCOMES = 4
MOST_NAMED = 100  # results that are told one by one


@dataclass(frozen=True)
class Joined:
    """Results in which a tool was used, by what became of its recorded calls.

    Attributes:
        good: outcomes of the results in which every call succeeded.
        failed: of those in which at least one failed.
        unclear: results with a call whose status is a word that is not known, and no failed one; in neither.
        without_calls: results with a recorded total, but no recorded call; in neither.
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


class _Tally:
    def __init__(self) -> None:
        self.good, self.failed = [0] * _OUTCOMES, [0] * _OUTCOMES
        self.unclear = self.without_calls = 0

    def add(self, statuses: int, outcome: int, results: int) -> None:
        """Count results whose calls have these statuses."""
        if statuses & _FAILED:
            self.failed[outcome] += results
        elif statuses == STATUS_BITS["success"]:
            self.good[outcome] += results
        elif statuses:
            self.unclear += results
        else:
            self.without_calls += results

    @property
    def joined(self) -> Joined:
        """What was counted."""
        return Joined(OutcomeCounts(*self.good), OutcomeCounts(*self.failed), self.unclear, self.without_calls)


def joined_by(reading: Reading, where: str, tool_id: int | None) -> JoinedBy:
    """Count results under a WHERE clause by the tools that they used, the statuses of their calls, and outcome.

    Args:
        reading: of the facts.
        where: the clause, or empty.
        tool_id: only one tool; None = every tool, and by run any of them.
    """
    source = reading.table("results", f"tool_set provider_id run_id outcome {where}")
    rows = reading.rows(f"SELECT tool_set, provider_id, run_id, outcome, count(*) FROM {source} {where} GROUP BY ALL")
    sets = _statuses_by_set(reading)
    by_tool: dict[int, _Tally] = defaultdict(_Tally)
    by_run: dict[tuple[int, int], _Tally] = defaultdict(_Tally)
    using = 0
    for tool_set, provider_id, run_id, outcome, results in rows:
        statuses = sets.get(tool_set, {})
        wanted = statuses if tool_id is None else {pk: bits for pk, bits in statuses.items() if pk == tool_id}
        if not wanted:
            continue
        using += results
        together = 0
        for pk, bits in wanted.items():
            by_tool[pk].add(bits, outcome, results)
            together |= bits
        by_run[provider_id, run_id].add(together, outcome, results)
    return JoinedBy(
        results=sum(row[-1] for row in rows),
        using=using,
        by_tool={key: tally.joined for key, tally in by_tool.items()},
        by_run={key: tally.joined for key, tally in by_run.items()},
    )


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
    return {tool_id: Gap(results, tuple(sorted(ids or ()))) for tool_id, results, ids in rows}


def _statuses_by_set(reading: Reading) -> dict[int, dict[int, int]]:
    links = reading.links("tools")
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for tool_set, tool_id, statuses in zip(
        links.ids.tolist(), links.values["tool_id"].tolist(), links.values["statuses"].tolist(), strict=True
    ):
        found[tool_set][tool_id] = found[tool_set].get(tool_id, 0) | max(statuses, 0)
    return found

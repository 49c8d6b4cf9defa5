"""Figures of tool calls that were recorded one by one: statuses, times, turns, the slowest ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from results.facts.reading import Reading
from results.models.results import CallStatus, Outcome
from results.queries.quantiles import MEDIAN, P95, quantile, quantiles_sql
from results.statistics import Rate

STATUSES = (*CallStatus,)
SHARES = (Fraction(1, 20), Fraction(1, 4), MEDIAN, Fraction(3, 4), P95)
SLOWEST = 10
LARGE = 2**52  # nanoseconds; halves of whole numbers below are exact in floating point


@dataclass(frozen=True)
class Calls:
    """One quantity over calls or results: how many say it, how many do not, exact sum, quantiles; None = nobody does.

    `quantiles` are those of `SHARES`, linear between the two closest ranks (Hyndman & Fan definition 7), over those
    that say it.
    """

    known: int
    unknown: int
    total: int | None
    quantiles: tuple[Decimal, ...] | None

    @property
    def median(self) -> Decimal | None:
        """Half are below."""
        return None if self.quantiles is None else self.quantiles[SHARES.index(MEDIAN)]

    @property
    def p95(self) -> Decimal | None:
        """95 % are below."""
        return None if self.quantiles is None else self.quantiles[-1]


@dataclass(frozen=True)
class ToolFigures:
    """Calls of one group.

    Attributes:
        calls: how many.
        statuses: how many calls have each of `STATUSES`, in order.
        other: calls whose status is a word that is not known; they are in no rate.
        timed_out: calls that say that they timed out, whatever their status.
        wall, own: wall and own time in nanoseconds; a process that never ran has no own time.
        turns: of a result with calls, the last turn with one; None where nobody asks for it (by tool).
    """

    calls: int
    statuses: tuple[int, ...]
    other: int
    timed_out: int
    wall: Calls
    own: Calls
    turns: Calls | None

    @property
    def success(self) -> Rate:
        """Successful calls of those whose status is known."""
        return Rate(self.statuses[0], sum(self.statuses))

    @property
    def failed(self) -> int:
        """Calls with one of the five other statuses."""
        return sum(self.statuses[1:])


@dataclass(frozen=True)
class SlowCall:
    """One call; `status` is empty for a word that is not known, `project` where all calls are of one."""

    result_id: int
    tool_id: int
    tool: str
    status: str
    wall_ns: int
    own_ns: int | None
    task_id: int
    task: str
    provider: str
    run: str
    outcome: str
    project: str = ""


@dataclass(frozen=True)
class Figures:
    """Calls of a source together, by tool, and by provider and run; `total` is None when there are none."""

    total: ToolFigures | None
    by_tool: dict[int, ToolFigures]
    by_run: dict[tuple[int, int], ToolFigures]


def figures_by(reading: Reading, source: str) -> Figures:
    """Figures of calls.

    Args:
        reading: of the facts.
        source: SQL of the calls.
    """
    ((largest,),) = reading.rows(f"SELECT max(greatest(wall_time_ns, duration_ns)) FROM {source}")
    exact = largest is not None and largest >= LARGE
    statuses = ", ".join(f"count(*) FILTER (status = {int(status)})" for status in STATUSES)
    times = ", ".join(_spread(name, is_large=exact) for name in ("wall_time_ns", "duration_ns"))
    rows = reading.rows(
        "SELECT grouping(tool_id), grouping(run_id), tool_id, provider_id, run_id, count(*), "
        f"{statuses}, count(*) FILTER (is_timed_out), {times} FROM {source} "
        "GROUP BY GROUPING SETS ((), (tool_id), (provider_id, run_id))"
    )
    turns = _turns(reading, source)
    by_tool, by_run, total = {}, {}, None
    for is_every_tool, is_every_run, tool, provider, run, *row in rows:
        if not is_every_tool:
            by_tool[tool] = _figures(row, None)
        elif not is_every_run:
            by_run[provider, run] = _figures(row, turns[provider, run])
        elif row[0]:
            total = _figures(row, turns[None, None])
    return Figures(total, by_tool, by_run)


def _turns(reading: Reading, source: str) -> dict[tuple[int | None, int | None], Calls]:
    """The last turn with a call over the results with calls, by provider and run; of all, by None."""
    rows = reading.rows(
        f"SELECT provider_id, run_id, count(*), {_spread('turns', is_large=False)} FROM "
        f"(SELECT any_value(provider_id) AS provider_id, any_value(run_id) AS run_id, max(turn) AS turns FROM {source} "
        "GROUP BY result_id) GROUP BY GROUPING SETS ((), (provider_id, run_id))"
    )
    return {row[:2]: _calls(row[2], row[3:]) for row in rows}


def _spread(name: str, *, is_large: bool) -> str:
    """Known, sum, quantiles."""
    return f"count({name}), sum({name})::HUGEINT, {quantiles_sql(name, SHARES, is_large=is_large)}"


def _figures(row: Sequence[Any], turns: Calls | None) -> ToolFigures:
    calls, rest = row[0], row[1 + len(STATUSES) :]
    statuses = tuple(row[1 : 1 + len(STATUSES)])
    return ToolFigures(
        calls=calls,
        statuses=statuses,
        other=calls - sum(statuses),
        timed_out=rest[0],
        wall=_calls(calls, rest[1:4]),
        own=_calls(calls, rest[4:7]),
        turns=turns,
    )


def _calls(all_of: int, spread: Sequence[Any]) -> Calls:
    known, total, quantiles = spread
    pairs = zip(quantiles or (), SHARES, strict=False)
    exact = tuple(found for value, share in pairs if (found := quantile(value, share)) is not None) or None
    return Calls(known, all_of - known, None if total is None else int(total), exact)


def slowest_calls(reading: Reading, source: str, shown: int = SLOWEST) -> tuple[SlowCall, ...]:
    """The calls that took longest by the clock on the wall."""
    rows = reading.rows(
        "SELECT result_id, tool_id, status, wall_time_ns, duration_ns, task_id, provider_id, run_id, outcome "
        f"FROM {source} WHERE wall_time_ns IS NOT NULL ORDER BY wall_time_ns DESC, call_id LIMIT {shown}"
    )
    tools = reading.names("terms", {row[1] for row in rows})
    tasks = reading.names("tasks", {row[5] for row in rows})
    providers = reading.names("providers", {row[6] for row in rows})
    runs = reading.names("runs", {row[7] for row in rows})
    return tuple(
        SlowCall(
            result_id=row[0],
            tool_id=row[1],
            tool=tools[row[1]],
            status="" if row[2] is None else str(CallStatus(row[2]).label),
            wall_ns=row[3],
            own_ns=row[4],
            task_id=row[5],
            task=tasks[row[5]],
            provider=providers[row[6]],
            run=runs[row[7]],
            outcome=str(Outcome(row[8]).label),
        )
        for row in rows
    )

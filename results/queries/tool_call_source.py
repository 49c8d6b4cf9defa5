"""The tool calls of a filter's results, as SQL that several questions read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from results.facts.reading import Reading

_HELD = "calls_held"
_COLUMNS = (
    "result_id, call_id, provider_id, run_id, task_id, outcome, section, tool_id, status, turn, duration_ns, "
    "wall_time_ns, is_timed_out"
)


@dataclass(frozen=True)
class CallSource:
    """Calls of models, as SQL to stand after FROM, good while the context lasts; and how many judges made."""

    models: str
    judge_calls: int


def judge_condition(reading: Reading) -> str:
    """SQL that tells what a judge did, for a table with `result_id` and `section`."""
    judged = reading.table("results", "result_id is_error_usage_judge")
    return f"(section = 2 OR section = 3 AND result_id IN (SELECT result_id FROM {judged} WHERE is_error_usage_judge))"


@contextmanager
def calls_of(reading: Reading, where: str, tool_id: int | None) -> Iterator[CallSource]:
    """Offer the calls of the results under a WHERE clause.

    Args:
        reading: of the facts.
        where: the clause; empty = of all. Where there is one, the calls are copied for a while, so that their results
            are looked up once.
        tool_id: only calls of one tool (judges' too); None = of any.
    """
    is_judge = judge_condition(reading)
    conditions = [] if tool_id is None else [f"tool_id = {int(tool_id)}"]
    if where:
        results = reading.table("results", f"result_id {where}")
        conditions.append(f"result_id IN (SELECT result_id FROM {results} {where})")
    also = " AND ".join(conditions) or "true"
    source = reading.table("calls", _COLUMNS)
    ((judge_calls,),) = reading.rows(
        f"SELECT count(*) FROM (SELECT * FROM {source} WHERE section <> 1) WHERE {is_judge} AND {also}"
    )
    models = f"(SELECT {_COLUMNS} FROM {source} WHERE NOT {is_judge} AND {also})"
    if not where:
        yield CallSource(models, judge_calls)
        return
    reading.rows(f"CREATE TEMP TABLE {_HELD} AS {models[1:-1]}")
    try:
        yield CallSource(_HELD, judge_calls)
    finally:
        reading.rows(f"DROP TABLE {_HELD}")

"""How many tool calls an evaluation records, counted in the two ways that its document may."""

from dataclasses import dataclass

from results.facts.engine import answer
from results.facts.reading import Reading
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class EvaluationCalls:
    """Tool calls of the model in one evaluation; the judge's are in neither count.

    Attributes:
        one_by_one: calls recorded one by one.
        total: calls in the recorded totals of the tools; None when no result has one.
        disagreeing: results in which both are known and not the same.
    """

    one_by_one: int
    total: int | None
    disagreeing: int


def evaluation_calls(visible: VisibleSet, evaluation_id: int) -> EvaluationCalls:
    """Count the tool calls of a visible evaluation; of one that cannot be seen there are none."""
    if evaluation_id not in visible.evaluation_ids:
        return EvaluationCalls(0, None, 0)
    return answer(
        visible.evaluation_ids, visible.key, ("calls", evaluation_id), lambda reading: _counted(reading, evaluation_id)
    )


def _counted(reading: Reading, evaluation_id: int) -> EvaluationCalls:
    columns, where = "calls, tool_calls", f"WHERE evaluation_id = {evaluation_id}"
    ((one_by_one, total, disagreeing),) = reading.rows(
        f"SELECT sum(calls)::HUGEINT, sum(tool_calls)::HUGEINT, count(*) FILTER (calls <> tool_calls) "
        f"FROM {reading.table('results', f'{columns} {where}')} {where}"
    )
    return EvaluationCalls(int(one_by_one or 0), None if total is None else int(total), disagreeing)

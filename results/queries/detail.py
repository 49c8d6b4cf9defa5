"""One result with everything that its document says."""

from dataclasses import dataclass

from results.compression import decompress
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import ResultDocument
from results.queries.evaluations import EvaluationRow, evaluation_row
from results.queries.results import result_rows
from results.queries.rows import ResultRow
from results.queries.visibility import VisibleSet
from results.records import RunResult, decode_result


@dataclass(frozen=True)
class ResultDetail:
    """A result, its own bytes (compact JSON, every token as imported), and its place."""

    record: RunResult
    source: bytes
    row: ResultRow
    evaluation: EvaluationRow


def result_detail(visible: VisibleSet, result_id: int, row: ResultRow | None = None) -> ResultDetail | None:
    """One visible result, None if there is no such one.

    Args:
        visible: evaluations that may be seen.
        result_id: of the result.
        row: of the result, where the caller has it already.
    """
    evaluation = evaluation_row(visible, result_id // RESULTS_PER_EVALUATION)
    if evaluation is None:
        return None
    source = result_document(visible, result_id)
    rows = (row,) if row is not None else result_rows(visible, (result_id,))
    if source is None or not rows:
        return None
    return ResultDetail(decode_result(source), source, rows[0], evaluation)


def result_document(visible: VisibleSet, result_id: int) -> bytes | None:
    """The bytes of one visible result: compact JSON, every token as imported; None if there is no such one."""
    if result_id // RESULTS_PER_EVALUATION not in visible.evaluation_ids:
        return None
    body = ResultDocument.objects.filter(pk=result_id).values_list("body", flat=True).first()
    return None if body is None else decompress(body)

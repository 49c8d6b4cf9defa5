"""One result with everything that its document says."""

from dataclasses import dataclass

import zstandard

from results.answers import is_want_ambiguous
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import ResultDocument
from results.queries.evaluations import EvaluationRow, evaluation_row
from results.queries.results import result_rows
from results.queries.rows import ResultRow
from results.queries.visibility import VisibleSet
from results.records import RunResult, decode_result


@dataclass(frozen=True)
class ResultDetail:
    """A result, its own bytes (compact JSON, every token as imported), its place, and what to be careful about."""

    record: RunResult
    source: bytes
    row: ResultRow
    evaluation: EvaluationRow
    warnings: tuple[str, ...]


def result_detail(visible: VisibleSet, result_id: int) -> ResultDetail | None:
    """One visible result, None if there is no such one."""
    evaluation = evaluation_row(visible, result_id // RESULTS_PER_EVALUATION)
    if evaluation is None:
        return None
    body = ResultDocument.objects.filter(pk=result_id).values_list("body", flat=True).first()
    rows = result_rows(visible, (result_id,))
    if body is None or not rows:
        return None
    source = zstandard.ZstdDecompressor().decompress(bytes(body))
    record = decode_result(source)
    return ResultDetail(record, source, rows[0], evaluation, tuple(_warnings(record)))


def _warnings(record: RunResult) -> list[str]:
    if is_want_ambiguous(record):
        return ["It is not recorded whether the expected list is one accepted answer or several accepted answers."]
    return []

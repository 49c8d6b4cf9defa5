"""The errors of one evaluation: whether trying again may help, and cancelled work apart."""

from dataclasses import dataclass

from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.results import Outcome
from results.queries.cancelled import cancelled_ids, cancelled_marked
from results.queries.conditions import filtered, question
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class ErrorKinds:
    """Errors by what the file says of trying again, without those that somebody cancelled."""

    transient: int = 0
    permanent: int = 0
    unknown: int = 0
    cancelled: int = 0


def error_kinds(visible: VisibleSet, chosen: ResultFilter, evaluation_id: int) -> ErrorKinds:
    """Count the errors of one evaluation that a filter lets through, as its document holds them.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        evaluation_id: of the evaluation.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    cancelled = cancelled_ids(VisibleSet.of(visible.evaluation_ids & {evaluation_id}))
    return answer(
        visible.evaluation_ids,
        visible.key,
        question("error kinds", chosen, evaluation_id, hash(cancelled.tobytes())),  # the text index may grow yet
        lambda reading: _kinds(reading, chosen, visible, evaluation_id, cancelled),
    )


def _kinds(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, evaluation_id: int, cancelled: Numbers
) -> ErrorKinds:
    with cancelled_marked(reading, cancelled) as mark, filtered(reading, chosen, visible) as conditions:
        where = conditions.where(f"evaluation_id = {evaluation_id} AND outcome = {Outcome.ERROR:d}")
        source = reading.table("results", f"is_transient outcome {mark} {where}")
        rows = reading.rows(f"SELECT {mark}, is_transient, count(*) FROM {source} {where} GROUP BY ALL")
    counts: dict[object, int] = dict.fromkeys((True, False, None, "cancelled"), 0)
    for is_cancelled, is_transient, results in rows:
        counts["cancelled" if is_cancelled else is_transient] += results
    return ErrorKinds(counts[True], counts[False], counts[None], counts["cancelled"])

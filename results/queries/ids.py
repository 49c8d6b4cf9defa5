"""The ids of the results that a filter means."""

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.queries.conditions import filtered
from results.queries.visibility import VisibleSet


def result_ids(visible: VisibleSet, chosen: ResultFilter) -> list[int]:
    """The ids of all results of a filter, in order of the evaluations and their documents.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    return answer(visible.evaluation_ids, visible.key, None, lambda reading: _ids(reading, chosen, visible))


def _ids(reading: Reading, chosen: ResultFilter, visible: VisibleSet) -> list[int]:
    with filtered(reading, chosen, visible) as conditions:
        where = conditions.where()
        source = reading.table("results", f"result_id {where}")
        found = reading.arrays(f"SELECT result_id FROM {source} {where} ORDER BY result_id")["result_id"]
        ids: list[int] = found.tolist()
        return ids

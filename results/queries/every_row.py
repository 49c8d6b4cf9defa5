"""Every result of a filter in an order, read piece by piece: memory stays flat however many there are."""

from collections.abc import Iterator
from dataclasses import dataclass

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.queries.conditions import Plan, filtered
from results.queries.results import result_rows_unsaved
from results.queries.rows import ResultRow
from results.queries.sorting import Sort, rank_of, sort_columns
from results.queries.visibility import VisibleSet

PIECE = 10_000  # rows in memory at once, about 10 MB


class ResultsGoneError(Exception):
    """Some results were deleted while they were being read."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} of the results were deleted while they were being exported; export again.")


@dataclass(frozen=True)
class EveryRow:
    """The rows of a filter: how many there are, and the rows, which can be gone through once."""

    total: int
    pieces: Iterator[tuple[ResultRow, ...]]


def every_row(visible: VisibleSet, chosen: ResultFilter, sort: str = "") -> EveryRow:
    """Go through all results of a filter, in the order of the explorer.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        sort: as `result_page` takes it.

    Returns:
        The number, fixed now, and the rows of at most 10,000 results a piece. A piece raises `ResultsGoneError` when
        some of its results were deleted meanwhile: what was written before it must not pass for the whole.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    order = Sort.parse(sort)
    ids = answer(visible.evaluation_ids, visible.key, None, lambda reading: _ids(reading, chosen, visible, order))
    return EveryRow(len(ids), _pieces(visible, ids))


def _ids(reading: Reading, chosen: ResultFilter, visible: VisibleSet, order: Sort) -> list[int]:
    with filtered(reading, chosen, visible, Plan(sort_columns(reading, order))) as conditions:
        where, rank = conditions.where(), rank_of(reading, order)
        columns = f"result_id {rank.column or rank.key} {where}"
        found = reading.arrays(
            f"SELECT found.result_id FROM (SELECT * FROM {reading.table('results', columns)} {where}) AS found "
            f"{rank.join} ORDER BY {rank.key} {order.direction} NULLS LAST, found.result_id",
            [*rank.parameters],
        )["result_id"]
        ids: list[int] = found.tolist()
        return ids


def _pieces(visible: VisibleSet, ids: list[int]) -> Iterator[tuple[ResultRow, ...]]:
    for start in range(0, len(ids), PIECE):
        asked = tuple(ids[start : start + PIECE])
        rows = result_rows_unsaved(visible, asked)
        if len(rows) < len(asked):
            raise ResultsGoneError(len(asked) - len(rows))
        yield rows

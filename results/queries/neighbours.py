"""The results before and after one result, in the order of a filtered and sorted list."""

from dataclasses import dataclass
from typing import Any

from results.facts.engine import Reading, answer
from results.filters import ResultFilter
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.queries.conditions import filtered, question
from results.queries.sorting import Sort, rank_of
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class Neighbours:
    """Where a result stands in a list.

    Attributes:
        position: counted from 1; None when the filter does not let the result through. `previous_id` and `next_id` then
            are those between which it would stand.
        total: results of the list.
    """

    position: int | None
    total: int
    previous_id: int | None
    next_id: int | None


def neighbours(visible: VisibleSet, chosen: ResultFilter, sort: str, result_id: int) -> Neighbours:
    """Find the neighbours of a result in the order of `results.queries.results.result_page`.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter of the list.
        sort: as `result_page` takes it.
        result_id: a visible result.

    Raises:
        results.text.search.TooManyToScan: an exact text was asked of too many results.
    """
    order = Sort.parse(sort)
    # Names of evaluations may change while the facts do not, so an order by them is not remembered.
    asked = None if order.name == "evaluation" else question("neighbours", chosen, order, result_id)
    return answer(
        visible.evaluation_ids,
        visible.key,
        asked,
        lambda reading: _find(reading, chosen, visible, order, result_id),
    )


def _find(reading: Reading, chosen: ResultFilter, visible: VisibleSet, order: Sort, result_id: int) -> Neighbours:
    rank = rank_of(reading, order)
    source = f"FROM {reading.table('results')} AS found {rank.join}"
    own = f"evaluation_id = {result_id // RESULTS_PER_EVALUATION} AND result_id = {result_id}"
    here = reading.rows(f"SELECT {rank.key} {source} WHERE {own}", rank.parameters)
    if not here:
        return Neighbours(None, 0, None, None)
    place = _Place(rank.key, here[0][0], result_id, order.is_descending)
    with filtered(reading, chosen, visible) as conditions:
        sql = f"SELECT {place.columns()} {source} {conditions.where()}"
        is_listed, total, before, previous_id, next_id, *keys = reading.rows(sql, rank.parameters)[0]
        previous_key, next_key, has_gaps = keys

        def end(side: str, condition: str) -> int | None:
            found = reading.rows(f"SELECT {side}(result_id) {source} {conditions.where(condition)}", rank.parameters)
            return None if found[0][0] is None else int(found[0][0])

        if previous_id is None and previous_key is not None:
            previous_id = end("max", f"{rank.key} = {previous_key}")
        if next_id is None and (next_key is not None or has_gaps):
            next_id = end("min", f"{rank.key} IS NULL" if next_key is None else f"{rank.key} = {next_key}")
    return Neighbours(before + 1 if is_listed else None, total, previous_id, next_id)


@dataclass(frozen=True)
class _Place:
    """A result's place in an order: its key, where None comes last, and its id among equal keys."""

    key: str
    value: Any
    result_id: int
    is_descending: bool

    def columns(self) -> str:
        """SQL of what `_find` reads.

        That is: is it listed, how many are, how many stand before it, its neighbours of the same key, the nearest keys
        before and after, and how many without a key come after it.
        """
        nearer, farther = ("<", "max"), (">", "min")
        before, after = (farther, nearer) if self.is_descending else (nearer, farther)
        if self.value is None:
            same, is_before, gaps = f"{self.key} IS NULL", f"{self.key} IS NOT NULL", "0"
            keys = f"{'min' if self.is_descending else 'max'}({self.key}), NULL"
        else:
            same, is_before = f"{self.key} = {self.value}", f"{self.key} {before[0]} {self.value}"
            gaps = f"count(*) FILTER ({self.key} IS NULL)"
            keys = (
                f"{before[1]}({self.key}) FILTER ({is_before}), "
                f"{after[1]}({self.key}) FILTER ({self.key} {after[0]} {self.value})"
            )
        return (
            f"count(*) FILTER (result_id = {self.result_id}), count(*), "
            f"count(*) FILTER ({is_before} OR ({same} AND result_id < {self.result_id})), "
            f"max(result_id) FILTER ({same} AND result_id < {self.result_id}), "
            f"min(result_id) FILTER ({same} AND result_id > {self.result_id}), {keys}, {gaps}"
        )

"""The results before and after one result, in the order of a filtered and sorted list."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from results.facts.engine import answer
from results.facts.orders import LAST, RowOrder
from results.facts.reading import Reading
from results.filters import Choice, ResultFilter
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation, EvaluationState
from results.queries.conditions import Conditions, filtered, question
from results.queries.filter_columns import in_ids
from results.queries.sorting import Rank, Sort, kept_order, rank_of
from results.queries.visibility import VisibleSet

Numbers = NDArray[np.int64]
Values = tuple[int | None, ...]
FEW = 300_000  # results that are looked at in memory even without a filter: that takes one question in place of five


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

    def reversed(self) -> "Neighbours":
        """The same in the opposite order."""
        position = None if self.position is None else self.total + 1 - self.position
        return Neighbours(position, self.total, self.next_id, self.previous_id)


@dataclass(frozen=True)
class _Around:
    """The list around a result, by the value that it is sorted by.

    Attributes:
        total: results of the list.
        before: how many stand before all those with the result's own value.
        column: of the results.
        previous, same, following: what it holds for the nearest value before, for the result's own, for the nearest one
            after; None = it is missing there; empty where there are none.
    """

    total: int
    before: int
    column: str
    previous: Values
    same: Values
    following: Values

    def among(self, *values: Values) -> str:
        """The condition that the column holds one of these."""
        listed = {value for group in values for value in group}
        return f"({in_ids(self.column, [value for value in listed if value is not None], None in listed)})"


def neighbours(visible: VisibleSet, chosen: ResultFilter, sort: str, result_id: int) -> Neighbours:
    """Find the neighbours of a result in the order of `results.queries.results.result_page`.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter of the list.
        sort: as `result_page` takes it.
        result_id: a visible result.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    order = Sort.parse(sort)
    if order.name == "id" and replace(chosen, evaluation=Choice()) == ResultFilter():
        found = _of_whole_evaluations(visible, chosen.evaluation, result_id)
        if found is not None:
            return found.reversed() if order.is_descending else found
    # Names of evaluations may change while the facts do not, so an order by them is not remembered.
    asked = None if order.name == "evaluation" else question("neighbours", chosen, order, result_id)
    return answer(
        visible.evaluation_ids,
        visible.key,
        asked,
        lambda reading: _find(reading, chosen, visible, order, result_id),
    )


def _of_whole_evaluations(visible: VisibleSet, wanted: Choice, result_id: int) -> Neighbours | None:
    """Whole evaluations in order of id: their sizes say everything. None while one of them is still growing."""
    chosen = {int(text) for text in wanted.included if text is not None} or visible.evaluation_ids
    chosen = (chosen & visible.evaluation_ids) - {int(text) for text in wanted.excluded if text is not None}
    listed = Evaluation.objects.filter(pk__in=chosen, state=EvaluationState.READY).values_list("pk", "results")
    sizes = dict(listed.order_by("pk"))
    if len(sizes) < len(chosen):
        return None
    own, ordinal = divmod(result_id, RESULTS_PER_EVALUATION)
    own_size = sizes.get(own, 0)
    firsts = [pk * RESULTS_PER_EVALUATION for pk, size in sizes.items() if pk > own and size]
    lasts = [pk * RESULTS_PER_EVALUATION + size - 1 for pk, size in sizes.items() if pk < own and size]
    before = sum(size for pk, size in sizes.items() if pk < own) + min(ordinal, own_size)
    return Neighbours(
        position=before + 1 if ordinal < own_size else None,
        total=sum(sizes.values()),
        previous_id=result_id - 1 if 0 < ordinal <= own_size else max(lasts, default=None),
        next_id=result_id + 1 if ordinal + 1 < own_size else min(firsts, default=None),
    )


def _find(reading: Reading, chosen: ResultFilter, visible: VisibleSet, order: Sort, result_id: int) -> Neighbours:
    """Either the list is small enough to be looked at in memory, or its values are counted first."""
    with filtered(reading, chosen, visible) as conditions:
        if not conditions.where() and (kept := kept_order(reading, order)) is not None:
            entry = kept.entry_of(result_id)
            if entry is not None:
                return _in_order(kept, entry)
        rank = rank_of(reading, order)
        if not reading.has_large_numbers and (conditions.where() or _rows(reading, "count(*)", "")[0][0] <= FEW):
            return _in_memory(reading, conditions, rank, order, result_id)
        around = _around_name if rank.join else _around_number
        found = around(reading, conditions, rank, order, result_id)
        is_same = found.among(found.same)
        earlier, later = f"({is_same} AND result_id < {result_id})", f"({is_same} AND result_id > {result_id})"
        columns = f"""
            count(*) FILTER (result_id = {result_id}), count(*) FILTER {earlier},
            max(result_id) FILTER {earlier}, max(result_id) FILTER {found.among(found.previous)},
            min(result_id) FILTER {later}, min(result_id) FILTER {found.among(found.following)}"""
        row = _rows(reading, columns, conditions.where(found.among(found.previous, found.same, found.following)))[0]
    is_listed, ties, previous_tie, previous_id, next_tie, next_id = row
    return Neighbours(
        found.before + ties + 1 if is_listed else None,
        found.total,
        previous_id if previous_tie is None else previous_tie,
        next_id if next_tie is None else next_tie,
    )


def _in_order(kept: RowOrder, entry: int) -> Neighbours:
    """The neighbours of an entry of the list of all results, counted from 0."""
    first, total = max(0, entry - 1), kept.ordered.size
    beside = kept.by_id.ids[kept.entries(first, entry + 2 - first)].tolist()
    return Neighbours(
        position=entry + 1,
        total=total,
        previous_id=beside[0] if entry else None,
        next_id=beside[-1] if entry + 1 < total else None,
    )


def _in_memory(reading: Reading, conditions: Conditions, rank: Rank, order: Sort, result_id: int) -> Neighbours:
    """One pass that fetches the list's values and ids: most filters leave a fraction of all results."""
    where, sign = conditions.where(), -1 if order.is_descending else 1
    columns = f"result_id, ({rank.key})::BIGINT AS value"
    source = reading.table("results", f"{columns} {rank.column} {where}")
    arrays = reading.arrays(f"SELECT {columns} FROM {source} AS found {rank.join} {where}", rank.parameters)
    ids: Numbers = arrays["result_id"]
    values: Numbers = np.ma.filled(sign * arrays["value"], LAST)
    listed = values[ids == result_id]
    if listed.size:
        own = int(listed[0])
    else:
        known = _own_value(reading, rank, result_id)
        own = LAST if known is None else sign * int(known)
    is_same = values == own
    before = (values < own) | (is_same & (ids < result_id))
    after = (values > own) | (is_same & (ids > result_id))
    return Neighbours(
        position=int(np.count_nonzero(before)) + 1 if listed.size else None,
        total=len(ids),
        previous_id=_last(values[before], ids[before]),
        next_id=_first(values[after], ids[after]),
    )


def _last(values: Numbers, ids: Numbers) -> int | None:
    return int(ids[values == values.max()].max()) if ids.size else None


def _first(values: Numbers, ids: Numbers) -> int | None:
    return int(ids[values == values.min()].min()) if ids.size else None


def _around_number(reading: Reading, conditions: Conditions, rank: Rank, order: Sort, result_id: int) -> _Around:
    """The nearest values of a column of numbers. Conditions are quicker than aggregates with a filter of their own."""
    key, value = rank.key, _own_value(reading, rank, result_id)
    before, after = (">", "<") if order.is_descending else ("<", ">")
    first, last = ("max", "min") if order.is_descending else ("min", "max")
    total, known = _rows(reading, f"count(*), count({key})", conditions.where())[0]
    if value is None:  # after all others
        previous = _rows(reading, f"{last}({key})", conditions.where())[0][0]
        return _Around(total, known, key, _known(previous), (None,), ())
    earlier = conditions.where(f"{key} {before} {value}")
    number, previous = _rows(reading, f"count(*), {last}({key})", earlier)[0]
    following = _rows(reading, f"{first}({key})", conditions.where(f"{key} {after} {value}"))[0][0]
    end: Values = (None,) if known < total else ()
    return _Around(total, number, key, _known(previous), (value,), _known(following) or end)


def _known(value: Decimal | int | None) -> Values:
    return () if value is None else (_whole(value),)


def _whole(value: Decimal | int) -> int:
    return int(value) if isinstance(value, Decimal) else value  # tokens beyond 64 bits are decimals


def _around_name(reading: Reading, conditions: Conditions, rank: Rank, order: Sort, result_id: int) -> _Around:
    """The nearest names: few names, many results, so these are counted by name first."""
    where = conditions.where()
    own = _own(reading, rank.column, result_id)
    source = reading.table("results", f"{rank.column} {where}")
    counted = f"SELECT {rank.column}, count(*) AS results FROM {source} {where} GROUP BY 1"
    unlisted = f"SELECT {'NULL' if own is None else own}, 0"  # so that its place is known in any case
    rows = reading.rows(
        f"SELECT {rank.column}, {rank.key}, results FROM ({counted} UNION ALL {unlisted}) AS found {rank.join}",
        rank.parameters,
    )
    sign = -1 if order.is_descending else 1
    named = [_Name(pk, (place is None, sign * (place or 0)), results) for pk, place, results in rows]
    same = next(name.place for name in named if name.id == own)
    earlier = max((name.place for name in named if name.place < same), default=None)
    later = min((name.place for name in named if name.place > same), default=None)
    return _Around(
        total=sum(name.results for name in named),
        before=sum(name.results for name in named if name.place < same),
        column=rank.column,
        previous=tuple(name.id for name in named if name.place == earlier),
        same=tuple(name.id for name in named if name.place == same),
        following=tuple(name.id for name in named if name.place == later),
    )


@dataclass(frozen=True)
class _Name:
    """A name, its place in the order (where there is none, it comes last), and how many listed results have it."""

    id: int | None
    place: tuple[bool, int]
    results: int


def _own_value(reading: Reading, rank: Rank, result_id: int) -> int | None:
    """What the result itself is sorted by; None where it has no such value, or does not exist."""
    if not rank.join:
        return _own(reading, rank.key, result_id)
    own = _own(reading, rank.column, result_id)
    row = f"(SELECT {'NULL' if own is None else own} AS {rank.column})"
    value: int | None = reading.rows(f"SELECT {rank.key} FROM {row} AS found {rank.join}", rank.parameters)[0][0]
    return value


def _own(reading: Reading, column: str, result_id: int) -> int | None:
    evaluation_id = result_id // RESULTS_PER_EVALUATION
    found = _rows(reading, column, f"WHERE evaluation_id = {evaluation_id} AND result_id = {result_id}")
    return _whole(found[0][0]) if found and found[0][0] is not None else None


def _rows(reading: Reading, columns: str, where: str) -> list[tuple[Any, ...]]:
    return reading.rows(f"SELECT {columns} FROM {reading.table('results', f'{columns} {where}')} {where}")

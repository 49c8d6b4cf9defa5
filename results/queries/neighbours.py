"""The results before and after one result, in the order of a filtered and sorted list."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.queries.conditions import Conditions, filtered, in_ids, question
from results.queries.sorting import Rank, Sort, rank_of
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


@dataclass(frozen=True)
class _Around:
    """The list around a result, by the value that it is sorted by.

    Attributes:
        total: results of the list.
        before: how many stand before all those with the result's own value.
        previous, same, following: conditions of the results with the nearest value before, the same one, the nearest one
            after; empty where there are none.
    """

    total: int
    before: int
    previous: str
    same: str
    following: str


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
    # Names of evaluations may change while the facts do not, so an order by them is not remembered.
    asked = None if order.name == "evaluation" else question("neighbours", chosen, order, result_id)
    return answer(
        visible.evaluation_ids,
        visible.key,
        asked,
        lambda reading: _find(reading, chosen, visible, order, result_id),
    )


def _find(reading: Reading, chosen: ResultFilter, visible: VisibleSet, order: Sort, result_id: int) -> Neighbours:
    """Count by value first, then look only at the results with one of the three values that matter."""
    rank = rank_of(reading, order)
    with filtered(reading, chosen, visible) as conditions:
        if order.name == "id":
            return _by_id(reading, conditions, order, result_id)
        around = _around_name if rank.join else _around_number
        found = around(reading, conditions, rank, order, result_id)
        earlier, later = f"({found.same} AND result_id < {result_id})", f"({found.same} AND result_id > {result_id})"
        sql = f"""
            count(*) FILTER (result_id = {result_id}), count(*) FILTER {earlier},
            max(result_id) FILTER {earlier}, max(result_id) FILTER ({found.previous or "false"}),
            min(result_id) FILTER {later}, min(result_id) FILTER ({found.following or "false"})"""
        places = " OR ".join(f"({part})" for part in (found.previous, found.same, found.following) if part)
        row = _rows(reading, sql, conditions.where(f"({places})"))[0]
    is_listed, ties, previous_tie, previous_id, next_tie, next_id = row
    position = found.before + ties + 1 if is_listed else None
    return Neighbours(
        position,
        found.total,
        previous_id if previous_tie is None else previous_tie,
        next_id if next_tie is None else next_tie,
    )


def _by_id(reading: Reading, conditions: Conditions, order: Sort, result_id: int) -> Neighbours:
    before, after = f"(result_id < {result_id})", f"(result_id > {result_id})"
    sql = f"""
        count(*), count(*) FILTER {before}, count(*) FILTER {after},
        max(result_id) FILTER {before}, min(result_id) FILTER {after}"""
    total, lower, higher, last_before, first_after = _rows(reading, sql, conditions.where())[0]
    is_listed = lower + higher < total
    if order.is_descending:
        return Neighbours(higher + 1 if is_listed else None, total, first_after, last_before)
    return Neighbours(lower + 1 if is_listed else None, total, last_before, first_after)


def _around_number(reading: Reading, conditions: Conditions, rank: Rank, order: Sort, result_id: int) -> _Around:
    """The nearest values of a column of numbers, with one pass over them."""
    key, value = rank.key, _own_value(reading, rank.key, result_id)
    before, after = (">", "<") if order.is_descending else ("<", ">")
    first, last = ("max", "min") if order.is_descending else ("min", "max")
    if value is None:  # after all others
        sql = f"count(*), count({key}), {last}({key})"
        total, known, previous = _rows(reading, sql, conditions.where())[0]
        return _Around(total, known, _equal(key, previous), f"{key} IS NULL", "")
    sql = f"""
        count(*), count({key}), count(*) FILTER ({key} {before} {value}),
        {last}({key}) FILTER ({key} {before} {value}), {first}({key}) FILTER ({key} {after} {value})"""
    total, known, number, previous, following = _rows(reading, sql, conditions.where())[0]
    end = f"{key} IS NULL" if known < total else ""
    return _Around(total, number, _equal(key, previous), f"{key} = {value}", _equal(key, following) or end)


def _equal(key: str, value: object) -> str:
    return "" if value is None else f"{key} = {value}"


def _around_name(reading: Reading, conditions: Conditions, rank: Rank, order: Sort, result_id: int) -> _Around:
    """The nearest names: few names, many results, so these are counted by name first."""
    own, where = _own_value(reading, rank.column, result_id), conditions.where()
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
        previous=_among(rank.column, (name.id for name in named if name.place == earlier)),
        same=_among(rank.column, (name.id for name in named if name.place == same)),
        following=_among(rank.column, (name.id for name in named if name.place == later)),
    )


@dataclass(frozen=True)
class _Name:
    """A name, its place in the order (where there is none, it comes last), and how many listed results have it."""

    id: int | None
    place: tuple[bool, int]
    results: int


def _among(column: str, ids: Iterable[int | None]) -> str:
    listed = set(ids)
    return f"({in_ids(column, [pk for pk in listed if pk is not None], None in listed)})" if listed else ""


def _own_value(reading: Reading, column: str, result_id: int) -> object:
    """What the result itself is sorted by; None where it has no such value, or does not exist."""
    evaluation_id = result_id // RESULTS_PER_EVALUATION
    found = _rows(reading, column, f"WHERE evaluation_id = {evaluation_id} AND result_id = {result_id}")
    return found[0][0] if found else None


def _rows(reading: Reading, columns: str, where: str) -> list[tuple[Any, ...]]:
    return reading.rows(f"SELECT {columns} FROM {reading.table('results', f'{columns} {where}')} {where}")

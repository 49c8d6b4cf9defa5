"""Sorting of results by any column: missing values last both ways, ties in order of id."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from results.facts.links import Numbers
from results.facts.orders import LAST, RowOrder
from results.facts.reading import Reading
from results.models.evaluations import Evaluation
from results.queries.conditions import Conditions
from results.queries.filter_columns import in_ids
from results.queries.rows import row_columns
from results.queries.tokens import token_expression

_NUMBERS = {
    "id": "result_id",
    "outcome": "outcome",
    "repeat": "repeat",
    "attempts": "attempts",
    "duration": "duration_ns",
    "input_tokens": "model_input_tokens",
    "output_tokens": "model_output_tokens",
    "tool_calls": "tool_calls",
    "cost": "cost_nano",
    "started": "started_at_us",
    "transient": "is_transient",
}
_NAMES = {
    "evaluation": ("evaluation_id", "evaluation_names"),
    "provider": ("provider_id", "providers"),
    "run": ("run_id", "runs"),
    "model": ("model_id", "terms"),
    "task": ("task_id", "tasks"),
    "suite": ("suite_id", "terms"),
    "category": ("category_id", "terms"),
    "difficulty": ("difficulty_id", "terms"),
    "tags": ("tag_set_id", "tag_sets"),
    "error": ("error_title_id", "terms"),
}
DEEP = 2_000  # rows before a page from which on it is not looked for from the top
SORTS = (*_NUMBERS, *_NAMES)


@dataclass(frozen=True)
class Sort:
    """By which column, and whether descending."""

    name: str = "id"
    is_descending: bool = False

    @property
    def direction(self) -> str:
        """The word of SQL."""
        return "DESC" if self.is_descending else "ASC"

    @classmethod
    def parse(cls, text: str) -> "Sort":
        """Read `name` or `-name`; anything else is the default, by id."""
        name = text.removeprefix("-")
        return cls(name, text.startswith("-")) if name in SORTS else cls()


def sort_columns(reading: Reading, order: Sort) -> str:
    """SQL of the columns of the results that finding an order reads."""
    if order.name in _NAMES:
        return f"result_id {_NAMES[order.name][0]}"
    return f"result_id {sort_key(reading, order)}"


def sort_key(reading: Reading, order: Sort) -> str:
    """SQL of the number that results are sorted by; not for names."""
    key = _NUMBERS[order.name]
    return token_expression(key, reading.has_large_numbers) if key.endswith("_tokens") else key


def sorted_rows(reading: Reading, conditions: Conditions, order: Sort, offset: int, size: int) -> list[tuple[Any, ...]]:
    """One page of results in order, as rows of `row_columns`.

    The order is found on few columns; all of them are then read for the results of the page only.
    """
    if not conditions.where() and (kept := kept_order(reading, order)) is not None:
        return _in_order(reading, kept, offset, size)
    if order.name in _NAMES:
        places = _by_name(reading, conditions, order, offset, size)
    elif offset >= DEEP and not reading.has_large_numbers:
        places = _far_down(reading, conditions, order, offset, size)
    else:
        key = sort_key(reading, order)
        where = conditions.where()
        places = reading.rows(
            f"SELECT part, place, result_id FROM {reading.places(f'{key} {where}')} {where} "
            f"ORDER BY {key} {order.direction} NULLS LAST, result_id LIMIT {size} OFFSET {offset}"
        )
    rows = {row[0]: row for row in reading.rows_at(row_columns(reading), [place[:2] for place in places])}
    return [rows[result_id] for _, _, result_id in places]


def kept_order(reading: Reading, order: Sort) -> RowOrder | None:
    """The order of all results, which is kept for the next question; None where it cannot be.

    Costs that are not the recorded ones may change while the facts do not.
    """
    if not reading.keeps_orders or (order.name == "cost" and reading.overlay is not None):
        return None
    names = None  # of evaluations; they may change while the facts do not
    if order.name == "evaluation":
        names = tuple(Evaluation.objects.filter(pk__in=reading.evaluation_ids).order_by("pk").values_list("pk", "name"))
    return reading.order((order, names), lambda: _values(reading, order))


def _values(reading: Reading, order: Sort) -> Numbers:
    """A number of each row by which the results are ascending."""
    sign = -1 if order.is_descending else 1
    if order.name not in _NAMES:
        values = reading.column(sort_key(reading, order))
        return np.where(values == LAST, LAST, sign * values)
    column, table = _NAMES[order.name]
    parameters: list[int | str] = []
    if order.name == "evaluation":
        table, parameters = _evaluation_names(reading)
    ranked = reading.rows(f"SELECT id, dense_rank() OVER (ORDER BY name) FROM {table} AS named", parameters)
    places = np.full(max((pk for pk, _ in ranked), default=0) + 2, LAST, np.int64)
    for pk, place in ranked:
        places[pk] = sign * place
    return places[np.minimum(reading.column(column), places.size - 1)]


def _in_order(reading: Reading, kept: RowOrder, offset: int, size: int) -> list[tuple[Any, ...]]:
    """A page of a kept order."""
    shown = kept.entries(offset, size)
    places = reading.places_in(kept.by_id, shown)
    rows = {row[0]: row for row in reading.rows_at(row_columns(reading), places)}
    return [rows[pk] for pk in kept.by_id.ids[shown].tolist()]


def _far_down(reading: Reading, conditions: Conditions, order: Sort, offset: int, size: int) -> list[tuple[Any, ...]]:
    """A page far from the top: the values at its ends are selected first, then only results between them are sorted."""
    key, where = sort_key(reading, order), conditions.where()
    columns = f"({key})::BIGINT AS value, result_id, part, place"
    found = reading.arrays(f"SELECT {columns} FROM {reading.places(f'{key} {where}')} {where}")
    if not len(found["result_id"]):
        return []
    sign = -1 if order.is_descending else 1
    values: Numbers = np.ma.filled(sign * np.ma.asarray(found["value"]), LAST)
    first, last = min(offset, len(values) - 1), min(offset + size, len(values)) - 1
    bounds = np.partition(values, (first, last))
    near = np.flatnonzero((values >= bounds[first]) & (values <= bounds[last]))
    ordered = near[np.lexsort((found["result_id"][near], values[near]))]
    skipped = offset - int(np.count_nonzero(values < bounds[first]))
    page = ordered[skipped : skipped + size]
    return list(zip(*(found[name][page].tolist() for name in ("part", "place", "result_id")), strict=True))


def _by_name(reading: Reading, conditions: Conditions, order: Sort, offset: int, size: int) -> list[tuple[Any, ...]]:
    """Few names, many results: count by name first, then sort only the results of the names that the page shows."""
    column, table = _NAMES[order.name]
    where = conditions.where()
    parameters: list[int | str] = []
    if order.name == "evaluation":
        table, parameters = _evaluation_names(reading)
    shown = reading.rows(
        f"""
        SELECT counted.id, sum(counted.results) OVER same AS peers, sum(counted.results) OVER upto AS through
        FROM (SELECT {column} AS id, count(*) AS results FROM {reading.table("results", f"{column} {where}")} {where}
              GROUP BY 1) AS counted
        LEFT JOIN {table} AS named ON named.id = counted.id
        WINDOW same AS (PARTITION BY name), upto AS (ORDER BY name {order.direction} NULLS LAST)
        QUALIFY through > {offset} AND through - peers < {offset + size}
        ORDER BY through""",
        parameters,
    )
    if not shown:
        return []
    places = {pk: through for pk, _, through in shown}
    condition = in_ids(column, [pk for pk in places if pk is not None], None in places)
    cases = " ".join(f"WHEN {pk} THEN {through}" for pk, through in places.items() if pk is not None)
    last = places.get(None, 0)
    place = f"CASE {column} {cases} ELSE {last} END, " if len(set(places.values())) > 1 else ""
    before = shown[0][2] - shown[0][1]
    where = conditions.where(f"({condition})")
    return reading.rows(
        f"SELECT part, place, result_id FROM {reading.places(f'{column} {where}')} {where} "
        f"ORDER BY {place}result_id LIMIT {size} OFFSET {offset - before}"
    )


def _evaluation_names(reading: Reading) -> tuple[str, list[int | str]]:
    """Names of evaluations may change, so they are read anew: SQL of a table with its parameters."""
    names = list(Evaluation.objects.filter(pk__in=reading.evaluation_ids).values_list("pk", "name"))
    marks = ", ".join(["(?, ?)"] * len(names)) or "(NULL, NULL)"
    return f"(SELECT * FROM (VALUES {marks}) AS listed(id, name))", [value for pair in names for value in pair]


@dataclass(frozen=True)
class Rank:
    """An order as one whole number or truth value per result.

    Attributes:
        key: SQL of the value; NULL comes last whatever the direction.
        join: SQL that must follow the results, called `found`; empty when the value is a column of theirs.
        parameters: of the join.
        column: of the results, to which the join belongs; empty without one.
    """

    key: str
    join: str
    parameters: list[int | str]
    column: str = ""


def rank_of(reading: Reading, order: Sort) -> Rank:
    """The value by which `sorted_rows` sorts, before the id, with a number in place of each name."""
    if order.name == "id":
        return Rank("result_id", "", [])
    if order.name in _NUMBERS:
        return Rank(sort_key(reading, order), "", [])
    column, table = _NAMES[order.name]
    parameters: list[int | str] = []
    if order.name == "evaluation":
        table, parameters = _evaluation_names(reading)
    ranks = f"(SELECT id AS named_id, dense_rank() OVER (ORDER BY name) AS place FROM {table} AS named)"
    return Rank("place", f"LEFT JOIN {ranks} AS ranks ON ranks.named_id = {column}", parameters, column)

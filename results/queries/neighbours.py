"""The results before and after one result, in the order of a filtered and sorted list."""

from dataclasses import dataclass

from results.facts.engine import answer
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.queries.conditions import Conditions, filtered, question
from results.queries.narrowing import narrowed
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
    value = _own_value(reading, rank, source, result_id)
    place = _Place(rank.key, value, result_id, order.is_descending)
    with filtered(reading, chosen, visible) as conditions:
        counted = reading.rows(_sql(place.questions(), rank, source, conditions), rank.parameters)[0]
        is_listed, total, before, previous_id, next_id, previous_key, next_key, gaps = counted
        position = before + 1 if is_listed else None
        if order.name == "id":
            return Neighbours(position, total, previous_key, next_key)
        is_previous = "false" if previous_key is None else f"{rank.key} = {previous_key}"
        is_next = f"{rank.key} = {next_key}" if next_key is not None else f"{rank.key} IS NULL" if gaps else "false"
        if (previous_id is None and previous_key is not None) or (next_id is None and is_next != "false"):
            ends = f"max(result_id) FILTER ({is_previous}), min(result_id) FILTER ({is_next})"
            sql = f"SELECT {ends} {source} {conditions.where(f'({is_previous} OR {is_next})')}"
            last_before, first_after = reading.rows(narrowed(sql), rank.parameters)[0]
            previous_id, next_id = previous_id or last_before, next_id or first_after
    return Neighbours(position, total, previous_id, next_id)


def _own_value(reading: Reading, rank: Rank, source: str, result_id: int) -> object:
    """The key of the result itself; None where it has none, or does not exist."""
    if rank.key == "result_id":
        return result_id
    own = f"evaluation_id = {result_id // RESULTS_PER_EVALUATION} AND result_id = {result_id}"
    found = reading.rows(narrowed(f"SELECT {rank.key} {source} WHERE {own}"), rank.parameters)
    return found[0][0] if found else None


@dataclass(frozen=True)
class _Question:
    """An aggregate over the listed results that meet a condition."""

    aggregate: str
    condition: str


@dataclass(frozen=True)
class _Place:
    """A result's place in an order: its key, where None comes last, and its id among equal keys."""

    key: str
    value: object
    result_id: int
    is_descending: bool

    def questions(self) -> list[_Question]:
        """What `_find` reads.

        That is: is it listed, how many are, how many stand before it, its neighbours of the same key, the nearest keys
        before and after, and how many without a key come after it.
        """
        before, after = (">", "<") if self.is_descending else ("<", ">")
        nearest = {"<": f"max({self.key})", ">": f"min({self.key})"}
        if self.value is None:
            same, is_before, is_after, is_gap = f"{self.key} IS NULL", f"{self.key} IS NOT NULL", "false", "false"
        else:
            same, is_gap = f"{self.key} = {self.value}", f"{self.key} IS NULL"
            is_before, is_after = f"{self.key} {before} {self.value}", f"{self.key} {after} {self.value}"
        earlier = f"({same} AND result_id < {self.result_id})"
        return [
            _Question("count(*)", f"result_id = {self.result_id}"),
            _Question("count(*)", "true"),
            _Question("count(*)", f"({is_before} OR {earlier})"),
            _Question("max(result_id)", earlier),
            _Question("min(result_id)", f"({same} AND result_id > {self.result_id})"),
            _Question(nearest[before], is_before),
            _Question(nearest[after], is_after),
            _Question("count(*)", is_gap),
        ]


def _sql(questions: list[_Question], rank: Rank, source: str, conditions: Conditions) -> str:
    """One query for all questions.

    A pass over the results for each question is quicker than one pass for all, unless names have to be joined first.
    """
    if rank.join:
        columns = (f"{question.aggregate} FILTER ({question.condition})" for question in questions)
        return narrowed(f"SELECT {', '.join(columns)} {source} {conditions.where()}")
    columns = (
        f"(SELECT {question.aggregate} {source} {conditions.where(question.condition)})" for question in questions
    )
    return narrowed(f"SELECT {', '.join(columns)}")

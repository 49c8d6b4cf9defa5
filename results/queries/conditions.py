"""A filter as SQL conditions on the facts, one per key, so that a facet can leave its own out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from results.facts.reading import Reading
from results.filters import SPANS, Choice, ResultFilter
from results.models.results import Outcome
from results.queries.tokens import token_expression
from results.queries.visibility import VisibleSet
from results.text.query import parse
from results.text.search import matching_ids

# Key of the filter -> column of the facts and the table that holds its names.
NAMED = {
    "provider": ("provider_id", "providers"),
    "run": ("run_id", "runs"),
    "model": ("model_id", "terms"),
    "task": ("task_id", "tasks"),
    "suite": ("suite_id", "terms"),
    "category": ("category_id", "terms"),
    "difficulty": ("difficulty_id", "terms"),
    "error": ("error_title_id", "terms"),
}
_SPAN_COLUMNS = {
    "duration": "duration_ns",
    "tool_calls": "tool_calls",
    "attempts": "attempts",
    "repeat": "repeat",
    "started": "started_at_us",
}
_USERS = "SELECT result_id FROM {tools} WHERE tool_id IN ({ids})"
_MATCHED = "matched_results"


class Conditions:
    """The conditions of one filter on one reading."""

    def __init__(self, reading: Reading, chosen: ResultFilter) -> None:
        self._reading = reading
        self._parts: dict[str, str] = {}
        for name, (column, table) in NAMED.items():
            self._add(name, chosen.choice(name), self._by_name(column, table))
        self._add("evaluation", chosen.evaluation, _by_number("evaluation_id", int))
        self._add("outcome", chosen.outcome, _by_number("outcome", lambda word: int(Outcome[word.upper()])))
        self._add("tool", chosen.tool, self._by_tool)
        self._add_tags(chosen)
        for name in SPANS:
            span, column = chosen.span(name), self._span_column(name)
            limits = [f"{column} >= {span.low}"] if span.low is not None else []
            limits += [f"{column} <= {span.high}"] if span.high is not None else []
            if limits:
                self._parts[name] = " AND ".join(limits)

    def add_matches(self) -> None:
        """Keep only the results offered by `matched`."""
        self._parts["text"] = f"result_id IN (SELECT result_id FROM {_MATCHED})"

    def where(self, more: str = "", without: str = "") -> str:
        """A WHERE clause, empty for no condition.

        Args:
            more: another condition.
            without: a key whose own condition is left out.
        """
        parts = [f"({part})" for name, part in self._parts.items() if name != without]
        parts += [more] if more else []
        return f"WHERE {' AND '.join(parts)}" if parts else ""

    def has(self, name: str) -> bool:
        """Whether a key has a condition."""
        return name in self._parts

    def _span_column(self, name: str) -> str:
        if name in ("input_tokens", "output_tokens"):
            return token_expression(f"model_{name}", self._reading.has_large_numbers)
        return _SPAN_COLUMNS[name]

    def _add(self, name: str, choice: Choice, condition: Callable[[list[str], bool], str]) -> None:
        """Add (included values OR …) AND NOT (excluded values OR …); a missing value is only met by None."""
        parts = []
        for values, is_wanted in ((choice.included, True), (choice.excluded, False)):
            if values:
                known = [value for value in values if value is not None]
                met = condition(known, None in values)
                parts.append(met if is_wanted else f"NOT coalesce({met}, false)")
        if parts:
            self._parts[name] = " AND ".join(f"({part})" for part in parts)

    def _by_name(self, column: str, table: str) -> Callable[[list[str], bool], str]:
        return lambda names, has_gap: _in(column, self._reading.ids(table, names), has_gap)

    def _by_tool(self, names: list[str], has_gap: bool) -> str:
        tools = self._reading.table("tools")
        users = _USERS.format(tools=tools, ids=_listed(self._reading.ids("terms", names)))
        parts = [f"result_id IN ({users})"] if names else []
        parts += [f"result_id NOT IN (SELECT result_id FROM {tools})"] if has_gap else []
        return " OR ".join(parts)

    def _add_tags(self, chosen: ResultFilter) -> None:
        if not chosen.is_every_tag:
            self._add("tag", chosen.tag, self._by_tag)
            return
        parts = [self._by_tag([] if value is None else [value], value is None) for value in chosen.tag.included]
        parts += [
            f"NOT coalesce({self._by_tag([] if value is None else [value], value is None)}, false)"
            for value in chosen.tag.excluded
        ]
        if parts:
            self._parts["tag"] = " AND ".join(f"({part})" for part in parts)

    def _by_tag(self, names: list[str], has_gap: bool) -> str:
        terms = _listed(self._reading.ids("terms", names))
        sets = (
            self._reading.rows(f"SELECT DISTINCT tag_set_id FROM set_terms WHERE term_id IN ({terms})") if names else []
        )
        return _in("tag_set_id", [row[0] for row in sets], has_gap)


def _listed(ids: list[int]) -> str:
    return ", ".join(map(str, sorted(ids))) or "NULL"


def _in(column: str, ids: list[int], has_gap: bool) -> str:
    parts = [f"{column} IN ({_listed(ids)})"] if ids else []
    parts += [f"{column} IS NULL"] if has_gap else []
    return " OR ".join(parts) or "false"


def _by_number(column: str, number: Callable[[str], int]) -> Callable[[list[str], bool], str]:
    return lambda words, has_gap: _in(column, [number(word) for word in words], has_gap)


@contextmanager
def filtered(reading: Reading, chosen: ResultFilter, visible: VisibleSet) -> Iterator[Conditions]:
    """Turn a filter into conditions, with the text search done.

    Raises:
        results.text.search.TooManyToScan: an exact text was asked of too many results.
    """
    conditions = Conditions(reading, chosen)
    query = parse(chosen.text)
    if query.is_empty:
        yield conditions
        return
    candidates: NDArray[np.int64] | None = None
    if query.needs_scan:
        sql = f"SELECT result_id FROM {reading.table('results')} {conditions.where()} ORDER BY result_id"
        candidates = reading.arrays(sql)["result_id"].astype(np.int64)
    ids = matching_ids(query, visible.evaluation_ids, candidates)
    conditions.add_matches()
    with reading.offered(_MATCHED, {"result_id": ids}):
        yield conditions


def question(name: str, chosen: ResultFilter, *details: object) -> tuple[object, ...] | None:
    """What tells a question apart; None for a text search, whose answer grows while the index is filled."""
    return None if chosen.text else (name, chosen, *details)

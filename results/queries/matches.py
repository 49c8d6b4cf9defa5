"""A text search on the facts: words in texts, and the same words as parts of names and trace ids."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from results.facts.reading import Reading
from results.models.results import Result
from results.queries.filter_columns import in_ids
from results.queries.visibility import VisibleSet
from results.text.query import Term, TextQuery
from results.text.search import matching_ids

# Tables of names, and the columns of the facts that point to them.
_NAMES = {
    "providers": ("provider_id",),
    "runs": ("run_id",),
    "tasks": ("task_id",),
    "terms": ("model_id", "suite_id", "category_id", "difficulty_id"),
}
COMMON = 1 / 3  # of all results
# Looks like (part of) a trace id: looking for one reads them all, about 0.1 s for a million.
_TRACE_ID = re.compile(r"(?=.*\d)[\w-]{6,}", re.ASCII)


@dataclass(frozen=True)
class Offer:
    """What a text search found: a condition on the results, and whether a great part of them meets it."""

    condition: str
    is_common: bool


@contextmanager
def offered_matches(reading: Reading, query: TextQuery, visible: VisibleSet, where: str) -> Iterator[Offer]:
    """Do a text search, and offer what it found to SQL.

    Every term has to be met by a text (answer, explanation, error) or by a name as part of it (provider, run,
    task, model, suite, category, difficulty, tag; case and accents do not matter). A single word that looks like one is
    also looked for in trace ids, as part of them. A search that names its columns (`in:answer`) is one for texts only.

    Args:
        reading: of the facts.
        query: not an empty one.
        visible: evaluations that may be seen.
        where: the other conditions, for an exact search.

    Returns:
        The offer, good while the context lasts.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    named = (
        {}
        if query.columns or query.exact
        else {term: found for term in query.terms if (found := _named(reading, term))}
    )
    texts = replace(query, terms=tuple(term for term in query.terms if term.is_excluded or term not in named))
    conditions = [f"NOT coalesce({found}, false)" for term, found in named.items() if term.is_excluded]
    sizes: list[int] = []
    with ExitStack() as stack:

        def offer(ids: NDArray[np.int64]) -> str:
            name = f"matched_{len(conditions)}"
            sizes.append(len(ids))
            stack.enter_context(reading.marking(name, ids))
            return name

        if texts.terms or texts.exact:
            candidates = _candidates(reading, where) if query.needs_scan else None
            ids = matching_ids(texts, visible.evaluation_ids, candidates)
            ids = _with_traces(ids, query)
            conditions.append(offer(ids))
        for term, found in named.items():
            if not term.is_excluded:
                ids = _with_traces(matching_ids(replace(query, terms=(term,)), visible.evaluation_ids), query)
                conditions.append(f"({offer(ids)} OR {found})")
        is_common = min(sizes, default=0) > COMMON * reading.size
        condition = " AND ".join(conditions)
        if is_common and named:  # then it is read again and again
            condition = stack.enter_context(reading.noting(f"matched_{len(conditions)}", condition))
        yield Offer(condition, is_common)


def _candidates(reading: Reading, where: str) -> NDArray[np.int64]:
    source = reading.table("results", f"result_id {where}")
    found: NDArray[np.int64] = reading.arrays(f"SELECT result_id FROM {source} {where} ORDER BY result_id")["result_id"]
    return found.astype(np.int64)


def _named(reading: Reading, term: Term) -> str:
    """SQL of the results that have a name with this term in it; empty = there is no such name."""
    parts = []
    for table, columns in _NAMES.items():
        holds = "contains(lower(strip_accents(name)), lower(strip_accents(?)))"
        ids = [row[0] for row in reading.rows(f"SELECT id FROM {table} WHERE {holds}", [term.text])]
        if not ids:
            continue
        parts += [in_ids(column, ids) for column in columns]
        if table == "terms":
            tags = reading.links("set_terms")
            sets = np.unique(tags.ids[np.isin(tags.values["term_id"], ids)]).tolist()
            parts += [in_ids("tag_set_id", sets)] if sets else []
    return f"({' OR '.join(f'coalesce({part}, false)' for part in parts)})" if parts else ""


def _with_traces(ids: NDArray[np.int64], query: TextQuery) -> NDArray[np.int64]:
    """What was found, with the results whose trace id holds the search, if it is a single word that may be one."""
    if len(query.terms) != 1 or not query.is_plain or _TRACE_ID.fullmatch(query.terms[0].text) is None:
        return ids
    text = query.terms[0].text
    wanted = Q(trace_id__contains=text) | Q(trace_id__contains=text.upper())
    traced = np.fromiter(Result.objects.filter(wanted).values_list("pk", flat=True), np.int64)
    return np.union1d(ids, traced)

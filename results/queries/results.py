"""Pages of results: filtered, sorted by any column, missing values always last."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from results.facts.engine import Reading, answer
from results.filters import ResultFilter
from results.models.evaluations import Evaluation
from results.models.results import Outcome
from results.queries.conditions import filtered, question
from results.queries.sorting import SORTS, Sort, sorted_ids
from results.queries.tokens import token_expression
from results.queries.visibility import VisibleSet

__all__ = ["MAX_SIZE", "SORTS", "ResultPage", "ResultRow", "result_page", "result_rows"]

MAX_SIZE = 1_000  # rows of one page
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class ResultRow:
    """One result in a list. None = not recorded, or for suite, category and difficulty: unspecified.

    `duration_ns` is model time. Tokens are effective ones of the model (never the judge's), exact at any size.
    `tool_calls` is the recorded total of answer and error. `started_at_source` is a `TimeSource`.
    """

    id: int
    evaluation_id: int
    evaluation: str
    provider: str
    run: str
    model: str | None
    task: str
    suite: str | None
    category: str | None
    difficulty: str | None
    tags: tuple[str, ...]
    outcome: str
    repeat: int
    attempts: int | None
    duration_ns: int | None
    input_tokens: int | None
    output_tokens: int | None
    tool_calls: int | None
    started_at: datetime
    started_at_source: int
    is_transient: bool | None
    error_title: str | None


@dataclass(frozen=True)
class ResultPage:
    """One page. `total` counts all results of the filter; `pages` is at least 1; `page` lies in 1..pages."""

    rows: tuple[ResultRow, ...]
    total: int
    page: int
    pages: int
    size: int


def result_page(
    visible: VisibleSet, chosen: ResultFilter, sort: str = "", page: int = 1, size: int = 50
) -> ResultPage:
    """One page of the results that a filter means.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter.
        sort: a name of `SORTS`, `-` before it for descending; empty or unknown = by id (evaluation, then document
            order). Missing values come last both ways, ties in order of id. Names sort code point by code point.
        page: counted from 1; a page past the end is the last one.
        size: rows per page, 1 to 1,000.

    Raises:
        results.text.search.TooManyToScan: an exact text was asked of too many results.
    """
    size = max(1, min(size, MAX_SIZE))
    total = answer(
        visible.evaluation_ids, visible.key, question("count", chosen), lambda reading: _count(reading, chosen, visible)
    )
    pages = max(1, -(-total // size))
    page = max(1, min(page, pages))
    order = Sort.parse(sort)
    ids = answer(
        visible.evaluation_ids,
        visible.key,
        None if order.name == "evaluation" else question("page", chosen, order, page, size),
        lambda reading: _page_ids(reading, chosen, visible, order, (page - 1) * size, size),
    )
    return ResultPage(result_rows(visible, ids), total, page, pages, size)


def result_rows(visible: VisibleSet, result_ids: tuple[int, ...]) -> tuple[ResultRow, ...]:
    """The rows of some results, in the order of the ids; ids that cannot be seen are left out."""
    if not result_ids:
        return ()
    rows = answer(
        visible.evaluation_ids, visible.key, ("rows", result_ids), lambda reading: _rows(reading, result_ids)
    )
    names = dict(Evaluation.objects.filter(pk__in={row[1] for row in rows}).values_list("pk", "name"))
    return tuple(_row(row, names) for row in rows)


def _count(reading: Reading, chosen: ResultFilter, visible: VisibleSet) -> int:
    with filtered(reading, chosen, visible) as conditions:
        counted: int = reading.rows(f"SELECT count(*) FROM {reading.table('results')} {conditions.where()}")[0][0]
        return counted


def _page_ids(
    reading: Reading, chosen: ResultFilter, visible: VisibleSet, order: Sort, offset: int, size: int
) -> tuple[int, ...]:
    with filtered(reading, chosen, visible) as conditions:
        return sorted_ids(reading, conditions, order, offset, size)


def _rows(reading: Reading, result_ids: tuple[int, ...]) -> tuple[tuple[Any, ...], ...]:
    inputs, outputs = (
        token_expression(name, reading.has_large_numbers) for name in ("model_input_tokens", "model_output_tokens")
    )
    listed = ", ".join(map(str, result_ids))
    rows = reading.rows(f"""
        SELECT result_id, evaluation_id, provider.name, run.name, model.name, task.name, suite.name, category.name,
               difficulty.name, tag_set.name, outcome, repeat, attempts, duration_ns, {inputs}, {outputs}, tool_calls,
               started_at_us, started_at_source, is_transient, title.name
        FROM (SELECT * FROM {reading.table("results")} WHERE result_id IN ({listed})) AS found
        LEFT JOIN providers AS provider ON provider.id = provider_id
        LEFT JOIN runs AS run ON run.id = run_id
        LEFT JOIN terms AS model ON model.id = model_id
        LEFT JOIN tasks AS task ON task.id = task_id
        LEFT JOIN terms AS suite ON suite.id = suite_id
        LEFT JOIN terms AS category ON category.id = category_id
        LEFT JOIN terms AS difficulty ON difficulty.id = difficulty_id
        LEFT JOIN tag_sets AS tag_set ON tag_set.id = tag_set_id
        LEFT JOIN terms AS title ON title.id = error_title_id""")
    place = {result_id: number for number, result_id in enumerate(result_ids)}
    return tuple(sorted(rows, key=lambda row: place[row[0]]))


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


def _row(row: tuple[Any, ...], names: dict[int, str]) -> ResultRow:
    return ResultRow(
        id=row[0],
        evaluation_id=row[1],
        evaluation=names.get(row[1], ""),
        provider=row[2],
        run=row[3],
        model=row[4],
        task=row[5],
        suite=row[6],
        category=row[7],
        difficulty=row[8],
        tags=tuple(row[9] or ()),
        outcome=str(Outcome(row[10]).label),
        repeat=row[11],
        attempts=row[12],
        duration_ns=row[13],
        input_tokens=_whole(row[14]),
        output_tokens=_whole(row[15]),
        tool_calls=row[16],
        started_at=EPOCH + timedelta(microseconds=row[17]),
        started_at_source=row[18],
        is_transient=row[19],
        error_title=row[20],
    )

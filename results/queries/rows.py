"""Rows of a list of results: their columns in the facts, and their names."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from results.facts.reading import Reading
from results.models.results import Outcome
from results.pricing import Origin, Reason
from results.queries.reviews import UNREVIEWED, Review
from results.queries.tokens import token_expression

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COLUMNS = (
    "result_id, evaluation_id, provider_id, run_id, model_id, task_id, suite_id, category_id, difficulty_id, "
    "tag_set_id, error_title_id, outcome, repeat, attempts, duration_ns, tool_calls, started_at_us, "
    "started_at_source, is_transient, cost_nano, cost_reason, currency_id"
)
# Tables of the names of the columns that follow `evaluation_id`.
_NAMES = ("providers", "runs", "terms", "tasks", "terms", "terms", "terms", "tag_sets", "terms")
_COST, _CURRENCY = 19, 21  # the places of `cost_nano` and `currency_id`


@dataclass(frozen=True)
class ResultRow:
    """One result in a list. None = not recorded, or for suite, category and difficulty: unspecified.

    `duration_ns` is model time. Tokens are effective ones of the model (never the judge's), exact at any size.
    `tool_calls` is the recorded total of answer and error. `started_at_source` is a `TimeSource`. `cost` is what the
    model cost in units of `currency` (None = not said), to 9 places; None without an estimate: `cost_reason` says why,
    `cost_origin` whose price it was. `review` is what people say of it, beside what is recorded.
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
    cost: Decimal | None
    currency: str | None
    cost_reason: Reason
    cost_origin: Origin
    review: Review = UNREVIEWED


def row_columns(reading: Reading) -> str:
    """SQL of the columns that `named_rows` reads."""
    tokens = (token_expression(f"model_{side}_tokens", reading.has_large_numbers) for side in ("input", "output"))
    return ", ".join((_COLUMNS, *tokens))


def named_rows(reading: Reading, rows: Iterable[tuple[Any, ...]]) -> tuple[ResultRow, ...]:
    """Rows of `row_columns` with their names; the name of the evaluation, which may change, is still empty."""
    recorded = list(rows)
    origins = {row[0]: Origin.NONE if row[_COST] is None else Origin.FILE for row in recorded}
    listed = [_priced(reading, row, origins) for row in recorded]
    places = [*enumerate(_NAMES, start=2), (_CURRENCY, "terms")]
    columns = [(place, reading.names(table, {row[place] for row in listed})) for place, table in places]
    return tuple(_row(row, [known[row[place]] for place, known in columns], origins[row[0]]) for row in listed)


def _priced(reading: Reading, row: tuple[Any, ...], origins: dict[int, Origin]) -> tuple[Any, ...]:
    """A row with its cost at the one price rule, whether or not it was read so."""
    found = None if reading.overlay is None else reading.overlay.at(row[0])
    if found is None:
        return row
    origins[row[0]] = Origin(found.origin)
    return (*row[:_COST], found.nano, found.reason, found.currency_id, *row[_CURRENCY + 1 :])


def _row(row: tuple[Any, ...], names: list[Any], origin: Origin) -> ResultRow:
    provider, run, model, task, suite, category, difficulty, tags, error_title, currency = names
    outcome, repeat, attempts, duration_ns, tool_calls, started_at_us, source, is_transient, *figures = row[11:]
    cost_nano, cost_reason, _, inputs, outputs = figures
    return ResultRow(
        id=row[0],
        evaluation_id=row[1],
        evaluation="",
        provider=provider,
        run=run,
        model=model,
        task=task,
        suite=suite,
        category=category,
        difficulty=difficulty,
        tags=tuple(tags or ()),
        outcome=str(Outcome(outcome).label),
        repeat=repeat,
        attempts=attempts,
        duration_ns=duration_ns,
        input_tokens=None if inputs is None else int(inputs),
        output_tokens=None if outputs is None else int(outputs),
        tool_calls=tool_calls,
        started_at=EPOCH + timedelta(microseconds=started_at_us),
        started_at_source=source,
        is_transient=is_transient,
        error_title=error_title,
        cost=None if cost_nano is None else Decimal(cost_nano).scaleb(-9),
        currency=currency,
        cost_reason=Reason(cost_reason),
        cost_origin=origin,
    )

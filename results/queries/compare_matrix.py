"""What a comparison reads: the results of its columns as one matrix, a row for each task and repeat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from results.facts.links import Numbers, whole_numbers
from results.facts.reading import Reading
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.queries.compare_columns import ColumnKey
from results.queries.conditions import Conditions
from results.queries.tokens import token_expression

ABSENT = -1  # of an outcome, ordinal or version where a column has no result
MEASURES = ("duration", "input_tokens", "output_tokens", "cost")
REPEAT_BITS = 32

Whole = NDArray[Any]  # whole numbers: of 64 bits, or Python's own where the facts hold larger ones


@dataclass(frozen=True)
class Values:
    """One quantity of the results in a matrix: `numbers` where `is_known`."""

    numbers: Whole
    is_known: "NDArray[np.bool_]"


@dataclass(frozen=True)
class Matrix:
    """Results by task and repeat (rows) and column; every array has one line a row and one place a column.

    Attributes:
        task_ids, repeats: of each row.
        outcomes: as stored; `ABSENT` where the column has no such result.
        ordinals: of the result within its evaluation, counted from 0; `ABSENT` likewise.
        versions: of the task; `ABSENT` likewise.
        measures: by name, of `MEASURES`: model time in ns, effective tokens of the model, its cost in 10^-9.
        cost_reasons: a `Reason`; 0 where there is no result.
        has_own_cost: the price of the result's file says what it cost.
        currencies: ids of terms; `ABSENT` = not said.
    """

    task_ids: Numbers
    repeats: Numbers
    outcomes: "NDArray[np.int8]"
    ordinals: "NDArray[np.int32]"
    versions: Numbers
    measures: dict[str, Values]
    cost_reasons: "NDArray[np.int8]"
    has_own_cost: "NDArray[np.bool_]"
    currencies: Numbers


def read_matrix(reading: Reading, keys: Sequence[ColumnKey], conditions: Conditions) -> Matrix:
    """Read the results of some columns that meet conditions, in one pass over the facts."""
    found = reading.arrays(_sql(reading, keys, conditions))
    owners = whole_numbers(found["evaluation_id"]) << REPEAT_BITS | whole_numbers(found["run_id"])
    asked = np.array([key.evaluation_id << REPEAT_BITS | key.run_id for key in keys], np.int64)
    order = np.argsort(asked)
    places = np.minimum(np.searchsorted(asked, owners, sorter=order), len(keys) - 1)
    is_asked = asked[order[places]] == owners  # the SQL lets other pairs of the same evaluations and runs through
    columns = order[places][is_asked]
    units = (whole_numbers(found["task_id"]) << REPEAT_BITS | whole_numbers(found["repeat"]))[is_asked]
    rows, row_of = np.unique(units, return_inverse=True)
    shape = (len(rows), len(keys))
    where = (row_of, columns)

    def spread(values: "NDArray[Any]", missing: int, dtype: type[np.generic] | None = None) -> "NDArray[Any]":
        full = np.full(shape, missing, dtype or values.dtype)
        full[where] = values[is_asked]
        return full

    return Matrix(
        task_ids=rows >> REPEAT_BITS,
        repeats=rows & (1 << REPEAT_BITS) - 1,
        outcomes=spread(whole_numbers(found["outcome"]), ABSENT, np.int8),
        ordinals=spread(whole_numbers(found["result_id"]) % RESULTS_PER_EVALUATION, ABSENT, np.int32),
        versions=spread(whole_numbers(found["task_version_id"]), ABSENT),
        measures={name: _values(found[name], spread) for name in MEASURES},
        cost_reasons=spread(whole_numbers(found["cost_reason"]), 0, np.int8),
        has_own_cost=spread(whole_numbers(found["has_own_cost"]), 0, np.int8).astype(np.bool_),
        currencies=spread(whole_numbers(found["currency_id"]), ABSENT),
    )


def _values(column: "np.ma.MaskedArray[Any, Any] | NDArray[Any]", spread: Any) -> Values:  # noqa: ANN401
    """A quantity; text stands for numbers that do not fit 64 bits, which then are Python's own."""
    is_known = ~np.ma.getmaskarray(np.ma.asarray(column))
    data = np.ma.getdata(column)
    numbers = np.array([int(text) if text else 0 for text in data], object) if data.dtype == object else data
    return Values(spread(np.where(is_known, numbers, 0), 0), spread(is_known, 0).astype(np.bool_))


def _sql(reading: Reading, keys: Sequence[ColumnKey], conditions: Conditions) -> str:
    quantities = {
        "duration": "duration_ns",
        "input_tokens": token_expression("model_input_tokens", reading.has_large_numbers),
        "output_tokens": token_expression("model_output_tokens", reading.has_large_numbers),
        "cost": "cost_nano",
    }
    kept = "::VARCHAR" if reading.has_large_numbers else ""
    listed = ", ".join(f"({value}){kept} AS {name}" for name, value in quantities.items())
    keys_read = "evaluation_id, run_id, task_id, repeat, task_version_id, outcome, result_id, cost_reason, currency_id"
    columns = f"{keys_read}, file_cost_nano IS NOT NULL AS has_own_cost, {listed}"
    evaluations = ", ".join(str(pk) for pk in sorted({key.evaluation_id for key in keys}))
    runs = ", ".join(str(pk) for pk in sorted({key.run_id for key in keys}))
    where = conditions.where(f"evaluation_id IN ({evaluations}) AND run_id IN ({runs})")
    return f"SELECT {columns} FROM {reading.table('results', f'{columns} {where}')} {where}"

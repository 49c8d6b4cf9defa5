"""The fields of an exported result: what stands under which name, in which unit; one column of the explorer is some."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import TypeAlias

from results.models.evaluations import TimeSource
from results.queries.rows import ResultRow

Value: TypeAlias = str | int | bool | Decimal | datetime | tuple[str, ...] | None


class FieldKind(Enum):
    """The type of a field's values; each of them may be missing."""

    TEXT = "text"
    NAMES = "list of texts"
    NUMBER = "whole number"  # exact, of any size
    AMOUNT = "decimal number"  # with at most nine places
    FLAG = "true or false"
    TIME = "time in UTC"


@dataclass(frozen=True)
class ExportRow:
    """One result with its whole answer; None = it recorded none, or no field asks for it."""

    result: ResultRow
    answer: str | None


@dataclass(frozen=True)
class Field:
    """One column of an export."""

    name: str
    kind: FieldKind
    read: Callable[[ExportRow], Value]


def _text(name: str, read: Callable[[ResultRow], str | None]) -> Field:
    return Field(name, FieldKind.TEXT, lambda row: read(row.result))


def _number(name: str, read: Callable[[ResultRow], int | None]) -> Field:
    return Field(name, FieldKind.NUMBER, lambda row: read(row.result))


RESULT_ID = _number("result_id", lambda row: row.id)
ANSWER = Field("answer", FieldKind.TEXT, lambda row: row.answer)
# Keys of the explorer's columns, in its order.
COLUMN_FIELDS: dict[str, tuple[Field, ...]] = {
    "task": (_text("task", lambda row: row.task),),
    "outcome": (_text("outcome", lambda row: row.outcome),),
    "provider": (_text("provider", lambda row: row.provider),),
    "run": (_text("run", lambda row: row.run),),
    "answer": (ANSWER,),
    "duration": (_number("duration_ns", lambda row: row.duration_ns),),
    "input_tokens": (_number("input_tokens", lambda row: row.input_tokens),),
    "output_tokens": (_number("output_tokens", lambda row: row.output_tokens),),
    "tool_calls": (_number("tool_calls", lambda row: row.tool_calls),),
    "cost": (
        Field("cost", FieldKind.AMOUNT, lambda row: row.result.cost),
        _text("currency", lambda row: row.currency),
        _text("cost_state", lambda row: row.cost_reason.state),
    ),
    "category": (_text("category", lambda row: row.category),),
    "difficulty": (_text("difficulty", lambda row: row.difficulty),),
    "evaluation": (
        _number("evaluation_id", lambda row: row.evaluation_id),
        _text("evaluation", lambda row: row.evaluation),
    ),
    "started": (
        Field("started_at", FieldKind.TIME, lambda row: row.result.started_at),
        _text("started_at_source", lambda row: str(TimeSource(row.started_at_source).label)),
    ),
    "model": (_text("model", lambda row: row.model),),
    "suite": (_text("suite", lambda row: row.suite),),
    "tags": (Field("tags", FieldKind.NAMES, lambda row: row.result.tags),),
    "error": (
        _text("error_title", lambda row: row.error_title),
        Field("is_transient", FieldKind.FLAG, lambda row: row.result.is_transient),
    ),
    "attempts": (_number("attempts", lambda row: row.attempts),),
    "repeat": (_number("repeat", lambda row: row.repeat),),
    "corrected": (
        _text("corrected_outcome", lambda row: row.review.corrected),
        Field("is_confirmed", FieldKind.FLAG, lambda row: row.result.review.is_confirmed),
    ),
    "reason": (_text("reason", lambda row: row.review.reason),),
    "labels": (Field("labels", FieldKind.NAMES, lambda row: row.result.review.labels),),
    "comments": (Field("comments", FieldKind.NAMES, lambda row: row.result.review.comments),),
}


def fields_of(columns: Sequence[str]) -> tuple[Field, ...]:
    """The fields of an export that holds some columns of the explorer; the result's id comes first, always.

    Args:
        columns: keys of `COLUMN_FIELDS`, in order; empty = all.

    Raises:
        KeyError: there is no such column.
    """
    listed = columns or tuple(COLUMN_FIELDS)
    return (RESULT_ID, *(field for key in dict.fromkeys(listed) for field in COLUMN_FIELDS[key]))

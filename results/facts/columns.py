"""The columns of the facts: what each row holds, in which order, and how a record becomes its part of one."""

import json
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, reduce
from hashlib import blake2b
from operator import or_
from typing import NamedTuple, TypeAlias

from results.answers import is_type_mismatch
from results.models.results import CALL_STATUSES, FAILED_STATUSES, Outcome
from results.pricing import is_judge_failure, model_cost, nano
from results.records import (
    AnswerDetails,
    ErrorDetails,
    ResultKind,
    RunResult,
    TokenUsage,
    ValidationDetails,
)

Value: TypeAlias = int | float | bool | None
Row: TypeAlias = tuple[Value, ...]


class Kind(Enum):
    """How a column is kept: `array` type code, SQL type, and the number that stands for missing on the way in."""

    SMALL = "B", "UTINYINT", 255
    FLAG = "B", "BOOLEAN", 255
    ID = "i", "INTEGER", -(2**31)
    BIG = "q", "BIGINT", -(2**63)
    REAL = "d", "DOUBLE", None

    def __init__(self, code: str, sql_type: str, missing: int | None) -> None:
        self.code = code
        self.sql_type = sql_type
        self.missing = missing


@dataclass(frozen=True)
class Column:
    """One column of a facts table; every column may hold missing values."""

    name: str
    kind: Kind


class ResultKeys(NamedTuple):
    """What the store knows about a result: its ids and its place. A facts row is these fields, then `measures`."""

    result_id: int
    evaluation_id: int
    provider_id: int
    run_id: int
    run_version_id: int
    model_id: int | None
    task_id: int
    task_version_id: int
    suite_id: int | None
    category_id: int | None
    difficulty_id: int | None
    tag_set_id: int | None
    repeat: int
    attempts: int | None
    started_at_us: int
    started_at_source: int
    trace_hash: int | None
    error_title_id: int | None
    currency_id: int | None


def _columns(kind: Kind, names: str) -> list[Column]:
    return [Column(name, kind) for name in names.split()]


def _usage_columns(section: str) -> list[Column]:
    counts = "input_tokens cache_write_tokens cache_read_tokens output_tokens reasoning_tokens"
    return _columns(Kind.BIG, " ".join(f"{section}_{name}" for name in counts.split())) + _columns(
        Kind.SMALL, f"{section}_input_accounting {section}_output_accounting"
    )


RESULT_COLUMNS: tuple[Column, ...] = (
    *_columns(Kind.BIG, "result_id"),
    *_columns(Kind.ID, "evaluation_id provider_id run_id run_version_id model_id task_id task_version_id"),
    *_columns(Kind.ID, "suite_id category_id difficulty_id tag_set_id repeat attempts"),
    *_columns(Kind.BIG, "started_at_us"),
    *_columns(Kind.SMALL, "started_at_source"),
    *_columns(Kind.BIG, "trace_hash"),
    *_columns(Kind.ID, "error_title_id currency_id"),
    *_columns(Kind.SMALL, "outcome"),
    *_columns(Kind.BIG, "duration_ns"),
    *_columns(Kind.FLAG, "is_transient is_response_parsing is_type_mismatch has_validation has_judge"),
    *_columns(Kind.FLAG, "is_error_usage_judge"),
    *_columns(Kind.BIG, "document_bytes"),
    *_usage_columns("answer"),
    *_usage_columns("validation"),
    *_usage_columns("error"),
    *_columns(Kind.BIG, "calls calls_failed tool_calls tool_duration_ns"),
    *_columns(Kind.SMALL, "call_statuses"),
    *_columns(Kind.BIG, "tool_set cost_nano"),
    *_columns(Kind.SMALL, "cost_reason"),
    *_columns(Kind.REAL, "score"),
)
MEASURE_COLUMNS = RESULT_COLUMNS[len(ResultKeys._fields) :]
CALL_COLUMNS: tuple[Column, ...] = (
    *_columns(Kind.BIG, "result_id"),
    *_columns(Kind.ID, "evaluation_id"),
    *_columns(Kind.BIG, "call_id"),
    *_columns(Kind.ID, "provider_id run_id task_id"),
    *_columns(Kind.SMALL, "outcome section"),
    *_columns(Kind.ID, "position tool_id"),
    *_columns(Kind.SMALL, "status"),
    *_columns(Kind.BIG, "turn started_at_us duration_ns wall_time_ns exit_code"),
    *_columns(Kind.FLAG, "is_timed_out"),
    *_columns(Kind.BIG, "stdout_bytes stderr_bytes"),
)
USE_COLUMNS: tuple[Column, ...] = (
    *_columns(Kind.BIG, "result_id"),
    *_columns(Kind.ID, "evaluation_id"),
    *_columns(Kind.SMALL, "section"),
    *_columns(Kind.ID, "tool_id"),
    *_columns(Kind.BIG, "calls duration_ns"),
)

OUTCOMES: dict[ResultKind, int] = {
    ResultKind.PASSED: int(Outcome.PASSED),
    ResultKind.FAILED: int(Outcome.FAILED),
    ResultKind.ERROR: int(Outcome.ERROR),
    ResultKind.SKIPPED: int(Outcome.SKIPPED),
}
OTHER_ACCOUNTING = 3
INPUT_ACCOUNTINGS = {"cache_tokens_separate": 1, "cache_tokens_included": 2}
OUTPUT_ACCOUNTINGS = {"reasoning_tokens_separate": 1, "reasoning_tokens_included": 2}
# `call_statuses` says which statuses occur among a result's calls, one bit each; a word that is not known is bit 0.
STATUS_BITS = {word: 1 << status for word, status in CALL_STATUSES.items()}
OTHER_STATUS_BIT = 1
LARGEST = 2**63 - 1
_NO_USAGE: Row = (None,) * 7
_NO_TOOLS: Row = (0, 0, None, None, 0, None)
_NO_CALLS: Row = (0, 0, 0, 0, 0, None)

Part: TypeAlias = AnswerDetails | ErrorDetails


def trace_hash(trace_id: str) -> int | None:
    """A signed 64-bit number for a trace id, the same in every file; None for an empty one."""
    if not trace_id:
        return None
    return int.from_bytes(
        blake2b(trace_id.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True
    )


def currency_of(record: RunResult) -> str:
    """The currency of a result's prices; empty when there are none or it is not said."""
    config = record.run_config
    return "" if config is None or config.pricing is None else config.pricing.currency


def _usage(usage: TokenUsage | None) -> Row:
    if usage is None:
        return _NO_USAGE
    accounting, reasoning = usage.input_token_accounting, usage.output_token_accounting
    return (
        usage.input_tokens,
        usage.input_cache_write_tokens,
        usage.input_cache_read_tokens,
        usage.output_tokens,
        usage.reasoning_tokens,
        INPUT_ACCOUNTINGS.get(accounting, OTHER_ACCOUNTING) if accounting else None,
        OUTPUT_ACCOUNTINGS.get(reasoning, OTHER_ACCOUNTING) if reasoning else None,
    )


def _sum(values: list[int], nothing: int | None) -> int | None:
    """The sum, `nothing` where there are no values, None when it leaves 64 bits (then it is not a number of calls)."""
    if not values:
        return nothing
    total = sum(values)
    return total if -LARGEST <= total <= LARGEST else None


def _tools(parts: list[Part], *, is_complete: bool) -> Row:
    """Recorded calls, failed ones, the model's own totals (calls and time in ns), statuses that occur, the tool set.

    `is_complete`: the record was made by our own runner, so that what it does not list did not happen.
    """
    if not parts:
        return _NO_CALLS if is_complete else _NO_TOOLS
    calls = [call for part in parts for call in part.tool_calls]
    uses = [use for part in parts for use in part.tool_usage.values()]
    nothing = 0 if is_complete and not uses else None
    statuses = {name: 0 for part in parts for name in part.tool_usage}
    for call in calls:
        statuses[call.tool] = statuses.get(call.tool, 0) | STATUS_BITS.get(call.status, OTHER_STATUS_BIT)
    return (
        len(calls),
        sum(call.status in FAILED_STATUSES for call in calls),
        _sum([use.call_count for use in uses if use.call_count is not None], nothing),
        _sum([use.total_duration_ns for use in uses if use.total_duration_ns is not None], nothing),
        reduce(or_, statuses.values(), 0),
        _tool_set(frozenset(statuses.items())),
    )


@lru_cache(maxsize=4_096)
def _tool_set(statuses: frozenset[tuple[str, int]]) -> int:
    """A signed 64-bit number for tools with the statuses of their calls: equal for equal ones, in every file."""
    text = json.dumps(sorted(statuses)).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)


def _cost(record: RunResult) -> tuple[Value, Value]:
    """What the model cost in 10^-9 currency units, and the `Reason`."""
    amount, reason = nano(model_cost(record))
    return amount, int(reason)


def is_copied_usage(validation: ValidationDetails, answer: AnswerDetails | None) -> bool:
    """Older documents repeat the model's usage as the judge's although the judge was never called.

    Source: MindTrial commit 34009e6, which ended it.
    """
    return (
        validation.title == "Invalid Response Type"
        and answer is not None
        and validation.usage is not None
        and validation.usage == answer.usage
    )


def measures(record: RunResult, document_bytes: int) -> Row:
    """What the record itself says about a result.

    Args:
        record: the decoded result.
        document_bytes: size of its document before compression.

    Returns:
        The values of `MEASURE_COLUMNS`; None where the record is silent.
    """
    details = record.details
    answer, validation, error = details.answer, details.validation, details.error
    judge_failed = is_judge_failure(error)
    judge_usage = None
    if validation is not None and not is_copied_usage(validation, answer):
        judge_usage = validation.usage
    parts: list[Part] = []
    if answer is not None and (answer.tool_calls or answer.tool_usage):
        parts.append(answer)
    if error is not None and not judge_failed and (error.tool_calls or error.tool_usage):
        parts.append(error)
    return (
        OUTCOMES[record.kind],
        record.duration_ns,
        None if error is None else error.transient,
        None if error is None else error.response_parsing,
        is_type_mismatch(record),
        validation is not None,
        judge_failed or judge_usage is not None or _is_semantic(validation),
        judge_failed,
        document_bytes,
        *(_NO_USAGE if answer is None else _usage(answer.usage)),
        *_usage(judge_usage),
        *(_NO_USAGE if error is None else _usage(error.usage)),
        *_tools(parts, is_complete=record.evalboard is not None),
        *_cost(record),
        None,
    )


def _is_semantic(validation: ValidationDetails | None) -> bool:
    return validation is not None and (validation.semantic is not None or validation.title == "Semantic Assessment")

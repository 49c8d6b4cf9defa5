"""The types in the middle: what one result says, under our names, decoded from its JSON document.

Names in JSON come from the field names (`duration_ns` is `DurationNS`). Absent and null are `None` where that differs
from an empty value. Free JSON (`got`, `want`, parameters, verdicts) stays as `msgspec.Raw`, so that no number token is
lost; an empty `Raw` means absent.
"""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct, field

from results.json_folding import NameCheck, Widening, fold_document, open_record
from results.json_surrogates import has_lone_surrogates, without_lone_surrogates

_ABSENT = Raw(b"")
_UPPER_CASE_WORDS = {"id": "ID", "ns": "NS"}

Int64 = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
# Never negative where a tool counted right: the strict decoder takes no other, the lenient one takes any `Int64`.
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Instant = Annotated[datetime, Meta(tz=True)]
JsonNumber = Decimal  # the exact value of a JSON number


def json_name(name: str) -> str:
    """The name that a field has in JSON: `total_duration_ns` -> `TotalDurationNS`."""
    return "".join(_UPPER_CASE_WORDS.get(word, word.capitalize()) for word in name.split("_"))


class Record(
    Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, rename=json_name
):
    """A record that names every key it knows; a key it does not know sends the document down the lenient path."""


class ResultKind(StrEnum):
    """The recorded outcome of a result."""

    PASSED = "Passed"
    FAILED = "Failed"
    ERROR = "Error"
    SKIPPED = "Skipped"


class TaskMetadata(Record, frozen=True, kw_only=True):
    """Labels of a task; blank and empty mean unspecified."""

    suite: str = ""
    category: str = ""
    difficulty: str = ""
    tags: list[str] = []


class Pricing(Record, frozen=True, kw_only=True):
    """Prices per million tokens as the document gives them; `None` is unknown, never free."""

    currency: str = ""
    input_per_million: JsonNumber | None = None
    output_per_million: JsonNumber | None = None
    cache_read_per_million: JsonNumber | None = None
    cache_write_per_million: JsonNumber | None = None
    reasoning_per_million: JsonNumber | None = None


class RetryPolicy(Record, frozen=True, kw_only=True):
    """How often and after how many seconds a failed try is repeated."""

    max_retry_attempts: Int64 | None = None
    initial_delay_seconds: Int64 | None = None


class RunConfig(Record, frozen=True, kw_only=True):
    """The configuration of the run that made the result."""

    model: str = ""
    max_requests_per_minute: Int64 | None = None
    model_parameters: Raw = _ABSENT
    retry_policy: RetryPolicy | None = None
    pricing: Pricing | None = None


class TokenUsage(Record, frozen=True, kw_only=True):
    """Token counters as recorded; `None` is unknown, 0 is a reported zero. The words say how subsets count."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    input_cache_write_tokens: Count | None = None
    input_cache_read_tokens: Count | None = None
    reasoning_tokens: Count | None = None
    input_token_accounting: str | None = None
    output_token_accounting: str | None = None


class ToolUsage(Record, frozen=True, kw_only=True):
    """The recorded totals of one tool; they need not agree with the calls."""

    call_count: Count | None = None
    total_duration_ns: Count | None = None


class ToolCallOutput(Record, frozen=True, kw_only=True):
    """A captured output stream: its whole size, and the beginning of its text."""

    bytes: Int64 | None = None
    preview: str | None = None
    truncated: bool = False


class ToolCallSummary(Record, frozen=True, kw_only=True):
    """One recorded invocation of a tool. `conversation_turn` counts from 1; 0 and `None` are unknown."""

    tool: str = ""
    call_id: str = ""
    conversation_turn: Int64 | None = None
    started_at: Instant | None = None
    completed_at: Instant | None = None
    duration_ns: Count | None = None
    wall_time_ns: Count | None = None
    exit_code: Int64 | None = None
    timed_out: bool = False
    status: str = ""
    stdout: ToolCallOutput | None = None
    stderr: ToolCallOutput | None = None
    error_message: str = ""


class AnswerDetails(Record, frozen=True, kw_only=True):
    """What the model answered. `expected_answer` has an entry, a list of lines, per accepted answer."""

    title: str = ""
    explanation: list[str] = []
    actual_answer: list[str] = []
    expected_answer: list[list[str]] | None = None
    usage: TokenUsage | None = None
    tool_usage: dict[str, ToolUsage] = {}
    tool_calls: list[ToolCallSummary] = []


class Semantic(Record, frozen=True, kw_only=True):
    """A judge's verdict, in whatever shape the task asked for."""

    verdict: Raw = _ABSENT


class ValidationDetails(Record, frozen=True, kw_only=True):
    """How the answer was judged, and what the judge used."""

    title: str = ""
    explanation: list[str] = []
    usage: TokenUsage | None = None
    tool_usage: dict[str, ToolUsage] = {}
    tool_calls: list[ToolCallSummary] = []
    semantic: Semantic | None = None


class ErrorDetails(Record, frozen=True, kw_only=True):
    """What went wrong. `transient` and `response_parsing` have three states: `None` is unknown, not false."""

    title: str = ""
    message: str = ""
    details: dict[str, list[str]] = {}
    usage: TokenUsage | None = None
    tool_usage: dict[str, ToolUsage] = {}
    tool_calls: list[ToolCallSummary] = []
    transient: bool | None = None
    response_parsing: bool | None = None


class Details(Record, frozen=True, kw_only=True):
    """The three sections of a result; `None` is absent."""

    answer: AnswerDetails | None = None
    validation: ValidationDetails | None = None
    error: ErrorDetails | None = None


class Execution(Record, frozen=True, kw_only=True):
    """What we know of a result that we made ourselves and MindTrial's format has no place for.

    `attempts` is how many tries it took, from 1; `wall_time_ns` all of its time: every try, and the waiting between.
    """

    attempts: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    wall_time_ns: Int64 | None = None


class RunResult(Record, frozen=True, kw_only=True):
    """One run at one task. `duration_ns` is the model's time only; `None` is not recorded.

    `evalboard` is ours; MindTrial's reader passes over it, as it does over every key that it does not know.
    """

    trace_id: str = ""
    kind: ResultKind
    task: str = ""
    provider: str = ""
    run: str = ""
    run_config: RunConfig | None = None
    got: Raw = _ABSENT
    want: Raw = _ABSENT
    task_metadata: TaskMetadata = field(default_factory=TaskMetadata)
    details: Details = field(default_factory=Details)
    duration_ns: Count | None = None
    evalboard: Execution | None = None


class RunMergeStats(Record, frozen=True, kw_only=True):
    """What a merge did to one run: results after it, and distinct tasks that a later input replaced."""

    total: int = 0
    updated: int = 0


class MergeStats(Record, frozen=True, kw_only=True):
    """What a merge did: provider name -> run name -> counts."""

    runs: dict[str, dict[str, RunMergeStats]] = {}


class _PriceProbe(Struct, rename=json_name):
    """Prices as Go reads them; a decimal of ours would also take a text, and so `"NaN"`."""

    input_per_million: float | None = None
    output_per_million: float | None = None
    cache_read_per_million: float | None = None
    cache_write_per_million: float | None = None
    reasoning_per_million: float | None = None


class _PricingProbe(Struct, rename=json_name):
    pricing: _PriceProbe | None = None


class _ResultProbe(Struct, rename=json_name):
    run_config: _PricingProbe | None = None


_STRICT = msgspec.json.Decoder(RunResult)
_OPEN = msgspec.json.Decoder(open_record(RunResult, Widening(Count, Int64)))
_PROBE = msgspec.json.Decoder(_ResultProbe)
_NAMES = NameCheck(RunResult)


def decode_result(source: bytes) -> RunResult:
    """Decode a result's document, leniently where it needs it.

    Args:
        source: the compact JSON of one result, in UTF-8.

    Returns:
        The record. Its raw parts are views of `source` (or of its repaired form).

    Raises:
        msgspec.DecodeError: the text is not JSON, or `msgspec.ValidationError`: not a result.
    """
    try:
        return decode_result_strictly(source)
    except msgspec.DecodeError:
        return decode_result_leniently(source)


def decode_result_strictly(source: bytes) -> RunResult:
    """Decode a document that has exact names, no unknown keys, no nulls and no negative count.

    Everything but its raw parts is shallow.

    Raises:
        msgspec.DecodeError: the document needs the lenient way, or is bad.
    """
    return _with_checked_prices(_STRICT.decode(source), source)


def decode_result_leniently(source: bytes) -> RunResult:
    """Decode any document that Go would read: unknown keys, odd case, nulls, lone surrogates (they become U+FFFD).

    Returns:
        The record; of a type derived from `RunResult` where it may hold negative counts.

    Raises:
        msgspec.DecodeError: the document is bad in the lenient sense too.
    """
    if not _NAMES.needs_folding(source):
        try:
            return _with_checked_prices(_OPEN.decode(source), source)
        except msgspec.DecodeError:
            pass  # perhaps a null, which folding takes away, or a lone surrogate
    if has_lone_surrogates(source):
        source = without_lone_surrogates(source)
    folded = fold_document(msgspec.json.format(source, indent=-1), RunResult)
    try:
        record = _STRICT.decode(folded)
    except msgspec.ValidationError:  # perhaps a negative count
        record = _OPEN.decode(folded)
    return _with_checked_prices(record, folded)


def _with_checked_prices(record: RunResult, source: bytes) -> RunResult:
    if record.run_config is not None and record.run_config.pricing is not None and b'PerMillion":"' in source:
        _PROBE.decode(source)
    return record

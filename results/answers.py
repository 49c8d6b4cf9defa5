"""What a result accepts as right, whether its answer has another JSON type, and when it began: read from its record."""

import re
from dataclasses import dataclass

import msgspec
from msgspec import Raw

from results.json_scanning import QUOTE
from results.records import ResultKind, RunResult

_JSON_TYPES = {
    ord('"'): "string",
    ord("{"): "object",
    ord("["): "array",
    ord("t"): "boolean",
    ord("f"): "boolean",
    ord("n"): "null",
}
_ELEMENTS = msgspec.json.Decoder(list[Raw])
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", re.IGNORECASE)
_TIME_CHARACTERS = 10
_BASE_32 = str.maketrans("ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz", "abcdefghijklmnopqrstuv" * 2)
_EARLIEST_MS = 1_262_304_000_000  # 2010-01-01
_LATEST_MS = 4_102_444_800_000  # 2100-01-01


@dataclass(frozen=True)
class AcceptedAnswers:
    """The accepted answers as compact JSON, every number token kept; empty = none recorded.

    `is_ambiguous` says that the document does not tell whether its array is one answer or several; `values` then holds
    its elements, as MindTrial's own reader would take it.
    """

    values: tuple[bytes, ...]
    is_ambiguous: bool = False


def accepted_answers(record: RunResult) -> AcceptedAnswers:
    """Read `Want`, which is written alike for one answer that is an array and for several answers.

    Args:
        record: a result.

    Returns:
        The answers. `Details.Answer.ExpectedAnswer` has one entry per answer before equal ones are removed, so one
        entry, or fewer entries than the array has elements, means that the array is the answer. An array of one
        element is the answer too: a single answer is written bare. Null was never set, so it is nothing.

    Source: `MarshalJSON` of `pkg/utils/valueset.go` in MindTrial.
    """
    want = bytes(record.want)
    if not want or want == b"null":
        return AcceptedAnswers(())
    if not want.startswith(b"["):
        return AcceptedAnswers((want,))
    elements = tuple(bytes(element) for element in _ELEMENTS.decode(want))
    answer = record.details.answer
    expected = len(answer.expected_answer or ()) if answer is not None else 0
    if len(elements) == 1 or 0 < expected < max(len(elements), 2):
        return AcceptedAnswers((want,))
    if expected:
        return AcceptedAnswers(elements)
    if record.kind is ResultKind.PASSED and bytes(record.got) == want:
        return AcceptedAnswers((want,))
    return AcceptedAnswers(elements, is_ambiguous=True)


def json_type(value: bytes | memoryview) -> str:
    """Name the JSON type of a compact value: string, number, boolean, null, object or array."""
    return _JSON_TYPES.get(value[0], "number")


def is_type_mismatch(record: RunResult, accepted: AcceptedAnswers | None = None) -> bool | None:
    """Whether the answer's JSON type differs from that of every accepted answer.

    Args:
        record: a result.
        accepted: its accepted answers, where the caller has read them already.

    Returns:
        None where it cannot be told: the result was neither passed nor failed (then `Got` is a message), `Got` or
        `Want` is absent, or an ambiguous `Want` allows both.
    """
    if record.kind is not ResultKind.PASSED and record.kind is not ResultKind.FAILED:
        return None
    got, want = memoryview(record.got), memoryview(record.want)  # may be large: they are looked at where they are
    if not got:
        return None
    if want and got[0] == want[0] == QUOTE:  # a text against one text: nearly always
        return False
    accepted = accepted_answers(record) if accepted is None else accepted
    differs = all(json_type(got) != json_type(value) for value in accepted.values)
    if accepted.is_ambiguous:
        return differs if differs == (json_type(got) != "array") else None
    return differs if accepted.values else None


def trace_time_us(trace_id: str) -> int | None:
    """The time in a trace id that is a ULID: when the try began.

    Args:
        trace_id: any text.

    Returns:
        Microseconds since 1970 UTC, exact to the millisecond; None unless it is 26 characters of Crockford's base 32
        below 2^128 with a time from 2010 up to 2100.

    Source: the ULID specification, "Binary Layout and Byte Order": the first 48 bits are Unix time in milliseconds.
    """
    if _ULID.fullmatch(trace_id) is None:
        return None
    time_ms = int(trace_id[:_TIME_CHARACTERS].translate(_BASE_32), 32)
    return time_ms * 1000 if _EARLIEST_MS <= time_ms < _LATEST_MS else None

"""Got and the accepted answers of a result, each with the name of its type."""

from dataclasses import dataclass

import msgspec
from msgspec import Raw

from frontend.shown_json import indented, text_of
from results.records import AnswerDetails, RunResult

TYPE_NAMES = {'"': "text", "{": "object", "[": "list", "t": "true", "f": "false", "n": "null"}  # by first character


@dataclass(frozen=True)
class Value:
    """One JSON value as a reader sees it: a text as itself, anything else as indented JSON."""

    type_name: str
    text: str


@dataclass(frozen=True)
class Answers:
    """What was answered, and what would have been accepted.

    Attributes:
        got: the canonical answer; None = not recorded.
        raw: the answer as the model wrote it; None = not recorded, or the same text as `got`.
        is_raw_same: the model wrote exactly the canonical answer.
        accepted: canonical accepted answers; None = not recorded.
        accepted_raw: accepted answers as the task has them, before equal ones were removed; None = not recorded.
        is_ambiguous: the file does not tell one list-valued answer from several; `accepted` holds the list whole.
    """

    got: Value | None
    raw: str | None
    is_raw_same: bool
    accepted: tuple[Value, ...] | None
    accepted_raw: tuple[str, ...] | None
    is_ambiguous: bool

    @classmethod
    def build(cls, record: RunResult) -> "Answers":
        """The answers of a result."""
        answer = record.details.answer
        got = _value(record.got)
        raw = "\n".join(answer.actual_answer) if answer is not None and answer.actual_answer else None
        is_same = raw is not None and got is not None and raw == got.text
        accepted, is_ambiguous = _accepted(record.want, answer)
        return cls(
            got=got,
            raw=None if is_same else raw,
            is_raw_same=is_same,
            accepted=accepted,
            accepted_raw=_accepted_raw(answer, accepted),
            is_ambiguous=is_ambiguous,
        )


def _value(raw: Raw) -> Value | None:
    source = bytes(raw)
    if not source:
        return None
    type_name = TYPE_NAMES.get(chr(source[0]), "number")
    return Value(type_name, text_of(source) if type_name == "text" else indented(source))


def _accepted(want: Raw, answer: AnswerDetails | None) -> tuple[tuple[Value, ...] | None, bool]:
    whole = _value(want)
    if whole is None or whole.type_name == "null":
        return None, False
    expected = None if answer is None else answer.expected_answer
    if whole.type_name != "list" or (expected is not None and len(expected) == 1):
        return (whole,), False
    members = tuple(value for member in msgspec.json.decode(want, type=list[Raw]) if (value := _value(member)))
    if expected or not members:
        return members, False
    return (whole,), True


def _accepted_raw(answer: AnswerDetails | None, accepted: tuple[Value, ...] | None) -> tuple[str, ...] | None:
    """The raw accepted answers, None when they say nothing that the canonical ones do not."""
    if answer is None or answer.expected_answer is None:
        return None
    raw = tuple("\n".join(lines) for lines in answer.expected_answer)
    return None if accepted is not None and raw == tuple(value.text for value in accepted) else raw

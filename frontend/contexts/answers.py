"""Got and the accepted answers of a result, each with the name of its type."""

from dataclasses import dataclass

from frontend.shown_json import indented, text_of
from results.answers import accepted_answers, is_type_mismatch, is_want_ambiguous
from results.records import AnswerDetails, ResultKind, RunResult

TYPE_NAMES = {'"': "text", "{": "object", "[": "list", "t": "true", "f": "false", "n": "null"}  # by first character
NOT_SET = (b"", b"null")  # no accepted answer was ever set; `[]` was set, to none


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
        is_message: no answer was compared: `got` is the error's text, the reason of a skip, or an answer not judged.
        is_raw_same: the model wrote exactly the canonical answer.
        accepted: canonical accepted answers; None = not recorded.
        accepted_raw: accepted answers as the task has them, before equal ones were removed; None = not recorded.
        is_ambiguous: the file does not tell one list-valued answer from several.
        is_type_mismatch: the answer's JSON type is that of no accepted answer.
    """

    got: Value | None
    is_message: bool
    raw: str | None
    is_raw_same: bool
    accepted: tuple[Value, ...] | None
    accepted_raw: tuple[str, ...] | None
    is_ambiguous: bool
    is_type_mismatch: bool

    @classmethod
    def build(cls, record: RunResult) -> "Answers":
        """The answers of a result."""
        answer = record.details.answer
        got = _value(bytes(record.got))
        raw = "\n".join(answer.actual_answer) if answer is not None and answer.actual_answer else None
        is_same = raw is not None and got is not None and raw == got.text
        accepted = _accepted(record)
        return cls(
            got=got,
            is_message=record.kind in (ResultKind.ERROR, ResultKind.SKIPPED),
            raw=None if is_same else raw,
            is_raw_same=is_same,
            accepted=accepted,
            accepted_raw=_accepted_raw(answer, accepted),
            is_ambiguous=is_want_ambiguous(record),
            is_type_mismatch=is_type_mismatch(record) is True,
        )


def _value(source: bytes) -> Value | None:
    if not source:
        return None
    type_name = TYPE_NAMES.get(chr(source[0]), "number")
    return Value(type_name, text_of(source) if type_name == "text" else indented(source))


def _accepted(record: RunResult) -> tuple[Value, ...] | None:
    if bytes(record.want) in NOT_SET:
        return None
    return tuple(value for source in accepted_answers(record).values if (value := _value(source)))


def _accepted_raw(answer: AnswerDetails | None, accepted: tuple[Value, ...] | None) -> tuple[str, ...] | None:
    """The raw accepted answers, None when they say nothing that the canonical ones do not."""
    if answer is None or answer.expected_answer is None:
        return None
    raw = tuple("\n".join(lines) for lines in answer.expected_answer)
    return None if accepted is not None and raw == tuple(value.text for value in accepted) else raw

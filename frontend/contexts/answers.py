"""What was answered and what would have been accepted, each with the name of its type."""

from dataclasses import dataclass

import msgspec

from frontend.shown_json import text_of
from results.answers import accepted_answers, is_type_mismatch
from results.records import AnswerDetails, ResultKind, RunResult

TYPE_NAMES = {'"': "text", "{": "object", "[": "list", "t": "true", "f": "false", "n": "null"}  # by first character
NOT_SET = (b"", b"null")  # no accepted answer was ever set; `[]` was set, to none
WITHOUT_ANSWER = (ResultKind.ERROR, ResultKind.SKIPPED)  # what is recorded in the answer's place is a message, mostly
SHOWN_ACCEPTED = 20  # accepted answers that are listed


@dataclass(frozen=True)
class Value:
    """One JSON value.

    Attributes:
        source: its JSON, every token as recorded.
        text: what a text says; None for anything else.
    """

    type_name: str
    source: bytes
    text: str | None

    @classmethod
    def build(cls, source: bytes) -> "Value | None":
        """The value of some JSON; None for none."""
        if not source:
            return None
        type_name = TYPE_NAMES.get(chr(source[0]), "number")
        return cls(type_name, source, text_of(source) if type_name == "text" else None)


@dataclass(frozen=True)
class Answers:
    """What was answered, and what would have been accepted.

    Attributes:
        got: the canonical answer; None = not recorded. Without one, the error's text or the reason of a skip.
        raw: the answer as the model wrote it; None = not recorded.
        is_message: nothing was answered: `got` is the error's text or the reason of a skip.
        message: what is recorded in the answer's place though something was answered; None where that is the answer,
            or the error's own message, which is told with the error.
        is_raw_same: the model wrote exactly the canonical answer.
        accepted: canonical accepted answers, at most 20 of `accepted_count`; None = not recorded.
        accepted_raw: accepted answers as the task has them, equal ones kept, at most 20; None = not recorded.
        is_ambiguous: the file does not tell one list-valued answer from several.
        is_type_mismatch: the answer's JSON type is that of no accepted answer.
    """

    got: Value | None
    is_message: bool
    message: Value | None
    raw: str | None
    is_raw_same: bool
    accepted: tuple[Value, ...] | None
    accepted_raw: tuple[str, ...] | None
    accepted_count: int
    is_ambiguous: bool
    is_type_mismatch: bool

    @classmethod
    def build(cls, record: RunResult) -> "Answers":
        """The answers of a result."""
        answer = record.details.answer
        recorded = Value.build(bytes(record.got))
        raw = "\n".join(answer.actual_answer) if answer is not None and answer.actual_answer else None
        is_answer = record.kind not in WITHOUT_ANSWER or _is_answer(recorded, raw)
        got = recorded if is_answer or raw is None else Value("text", msgspec.json.encode(raw), raw)
        found = accepted_answers(record)
        accepted = found.values
        return cls(
            got=got,
            is_message=not is_answer and raw is None,
            message=None if got is recorded else _message(recorded, record),
            raw=raw,
            is_raw_same=raw is not None and got is not None and raw == got.text,
            accepted=None if memoryview(record.want)[:5] in NOT_SET else _values(accepted[:SHOWN_ACCEPTED]),
            accepted_raw=_accepted_raw(answer),
            accepted_count=len(accepted),
            is_ambiguous=found.is_ambiguous,
            is_type_mismatch=is_type_mismatch(record, found) is True,
        )


def _is_answer(recorded: Value | None, raw: str | None) -> bool:
    """Whether what is recorded in the answer's place is what was answered: an error or a skip may stand there instead.

    A judge that fails leaves the answer there. Validation may have changed its case and white space, or read its JSON.
    """
    if recorded is None or raw is None or recorded.type_name == "null":
        return False
    return recorded.text is None or recorded.text.casefold().split() == raw.casefold().split()


def _message(recorded: Value | None, record: RunResult) -> Value | None:
    error = record.details.error
    is_told = recorded is None or not recorded.text or (error is not None and recorded.text == error.message)
    return None if is_told else recorded


def _values(sources: tuple[bytes, ...]) -> tuple[Value, ...]:
    return tuple(value for source in sources if (value := Value.build(source)))


def _accepted_raw(answer: AnswerDetails | None) -> tuple[str, ...] | None:
    if answer is None or answer.expected_answer is None:
        return None
    return tuple("\n".join(lines) for lines in answer.expected_answer[:SHOWN_ACCEPTED])

"""What the text index knows of a result: its answer, its explanations and its error as three plain texts."""

import json
import re
from dataclasses import dataclass

import msgspec

from results.records import ErrorDetails, ResultKind, RunResult

MAX_COLUMN_CHARACTERS = 1_000_000  # longer texts are indexed up to here
# Scripts written without spaces: each sign becomes a word of its own, so that any part of a sentence is found.
_UNSPACED = re.compile("([\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f])")
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The texts of one result; empty = it has none."""

    answer: str
    explanation: str
    error: str


def texts_of(record: RunResult) -> IndexedText:
    """Gather the texts of a result, as people read them.

    Got counts as the answer, except where a result failed or was skipped before an answer: there it repeats the reason.
    """
    details = record.details
    got = readable(record.got)
    answer_lines: list[str] = []
    explanation_lines: list[str] = []
    error_lines: list[str] = []
    if details.answer is not None:
        raw_answer = "\n".join(details.answer.actual_answer)
        answer_lines += [details.answer.title, raw_answer]
        explanation_lines += details.answer.explanation
        if got.casefold() != raw_answer.strip().casefold():
            answer_lines.append(got)
    elif record.kind in (ResultKind.ERROR, ResultKind.SKIPPED):
        error_lines.append(got)
    else:
        answer_lines.append(got)
    if details.validation is not None:
        explanation_lines += [details.validation.title, *details.validation.explanation]
    if details.error is not None:
        error_lines += _error_lines(details.error, "".join(error_lines))
    return IndexedText("\n".join(answer_lines), "\n".join(explanation_lines), "\n".join(error_lines))


def indexed_text(record: RunResult) -> IndexedText:
    """The texts of a result as they are indexed; none where it holds what cannot be read: it must not stop others."""
    try:
        texts = texts_of(record)
    except ValueError:
        return IndexedText("", "", "")
    return IndexedText(indexable(texts.answer), indexable(texts.explanation), indexable(texts.error))


def indexable(text: str) -> str:
    """Prepare a text for the tokenizer: cut to the limit, free of what SQLite cannot hold, unspaced scripts spaced."""
    text = text[:MAX_COLUMN_CHARACTERS]
    if text.isascii():
        return text.replace("\x00", " ") if "\x00" in text else text
    return _UNSPACED.sub(r" \1 ", _SURROGATES.sub("\ufffd", text).replace("\x00", " "))


def readable(raw: msgspec.Raw | bytes) -> str:
    """Show a JSON value as text: a string as itself, anything else as its JSON.

    Args:
        raw: one JSON value, or nothing at all, which reads as an empty text.
    """
    source = bytes(raw)
    if b"\\" not in source:  # then the text stands there as it is, number tokens included
        text = source.decode(errors="replace")
        return text[1:-1] if source.startswith(b'"') else text
    value = json.loads(source)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _error_lines(error: ErrorDetails, already: str) -> list[str]:
    lines = [error.title, "" if error.message == already else error.message]
    for name, texts in error.details.items():
        lines.append(name)
        lines += texts
    return lines

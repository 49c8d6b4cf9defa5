"""Everything else that an iteration's document says: keys that the schema does not know, kept and shown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from frontend.shown_json import text_of
from results.iteration_records import OUR_KEY, EvalResult, Part

OURS = re.compile(rf"strategyResults\[\d+\]\.{OUR_KEY}")


@dataclass(frozen=True)
class Note:
    """One value: a text, or else JSON; `path` says where it stands in the document."""

    path: str
    text: str
    source: bytes


def notes_of(record: EvalResult) -> tuple[Note, ...]:
    """The further keys of an iteration and of its parts, in the document's order of sections."""
    texts = {
        "evaluator": record.evaluator,
        "failureReason": record.failure_reason,
        "failedCriteria": None if record.failed_criteria is None else ", ".join(record.failed_criteria),
        "feedback": record.feedback,
    }
    notes = [Note(path, text, b"") for path, text in texts.items() if text is not None]
    notes += [Note(f"concerns[{position}]", text, b"") for position, text in enumerate(record.concerns or [])]
    notes += _extras("", record)
    if record.score is not None:
        notes += _extras("score.", record.score)
    sections: dict[str, Sequence[Part] | None] = {
        "strategyResults": record.strategy_results,
        "criteriaResults": record.criteria_results,
        "regressions": record.regressions,
        "generatorFeedback": record.generator_feedback,
    }
    for name, parts in sections.items():
        for position, part in enumerate(parts or []):
            notes += _extras(f"{name}[{position}].", part)
    is_ours = record.evaluator == OUR_KEY  # then what we add to a strategy stands beside it
    return tuple(note for note in notes if not (is_ours and OURS.fullmatch(note.path)))


def _extras(prefix: str, part: Part) -> Iterator[Note]:
    for key, raw in part.extras.items():
        yield _note(f"{prefix}{key}", raw)


def _note(path: str, raw: msgspec.Raw) -> Note:
    source = bytes(raw)
    return Note(path, text_of(source), b"") if source.startswith(b'"') else Note(path, "", source)

"""The types of one iteration: what one evaluation of a sprint recorded, and what we compute beside it.

A section that is `None` was not recorded; an empty list was recorded as empty. Words are kept as they were written
wherever they are not the documented ones.
"""

from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Any

import msgspec

KNOWN_STRATEGIES = frozenset({"typecheck", "lint", "unit-test", "playwright", "api-check", "build", "custom"})
KNOWN_PRIORITIES = frozenset({"critical", "high", "medium", "low"})
KNOWN_CATEGORIES = frozenset({"bug", "missing-feature", "regression", "quality", "performance"})
OUR_KEY = "evalboard"  # of what our own runs record beside the documented keys, and the evaluator that they name
KNOWN_SEVERITIES = frozenset({"critical", "major", "minor"})


class OverallResult(StrEnum):
    """The verdict of a whole iteration."""

    PASS = "pass"  # noqa: S105 - a verdict, not a secret
    FAIL = "fail"


class PartResult(StrEnum):
    """The result of one strategy or one criterion."""

    PASS = "pass"  # noqa: S105 - a verdict, not a secret
    FAIL = "fail"
    SKIPPED = "skipped"


class Shape(StrEnum):
    """Which kind of writer the document came from."""

    SKILL = "skill"
    HYBRID = "hybrid"
    ENGINE = "engine"


class Part(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What every object of the document has: keys that we do not know, kept as raw JSON."""

    extras: dict[str, msgspec.Raw] = {}


class Score(Part, frozen=True, kw_only=True):
    """Counts of criteria, or a number of points where the writer gave only that; None = not recorded."""

    criteria_total: int | None = None
    criteria_passed: int | None = None
    criteria_failed: int | None = None
    criteria_skipped: int | None = None
    required_passed: int | None = None
    required_failed: int | None = None
    required_total: int | None = None
    points: float | None = None

    @property
    def skipped(self) -> int | None:
        """Skipped criteria as recorded, else total − passed − failed; None when that is unknown or negative."""
        if self.criteria_skipped is not None:
            return self.criteria_skipped
        if self.criteria_total is None or self.criteria_passed is None or self.criteria_failed is None:
            return None
        rest = self.criteria_total - self.criteria_passed - self.criteria_failed
        return rest if rest >= 0 else None


class Failure(Part, frozen=True, kw_only=True):
    """One thing that a strategy found wrong; `line_text` is set where the line is not one whole number."""

    criterion: str | None = None
    message: str | None = None
    severity: str | None = None
    file: str | None = None
    line: int | None = None
    line_text: str | None = None


class StrategyResult(Part, frozen=True, kw_only=True):
    """One check; the same strategy may stand more than once in an iteration.

    `required` and `result` are None when not recorded or not readable; `result_text` is the word as written where it is
    not the documented one. `label` is a display name, `score` runs from 0 to 100. `is_not_run`: recorded as passed, but
    its own text says that it never ran.
    """

    strategy: str
    label: str | None = None
    required: bool | None = None
    result: PartResult | None = None
    result_text: str | None = None
    is_amended: bool = False
    is_not_run: bool = False
    exit_code: int | None = None
    error_count: int | None = None
    score: float | None = None
    output: str | None = None
    details: str | None = None
    feedback: str | None = None
    failures: list[Failure] | None = None

    @property
    def is_known(self) -> bool:
        """Whether this is one of the seven documented strategies."""
        return self.strategy in KNOWN_STRATEGIES

    @property
    def is_unjudged(self) -> bool:
        """Whether it could not be judged, for which the document has no word but fail; only our own runs tell it."""
        if self.result is not PartResult.FAIL or OUR_KEY not in self.extras:
            return False
        try:
            return msgspec.json.decode(self.extras[OUR_KEY], type=_OurState).state == "error"
        except msgspec.DecodeError:  # another writer uses the key for something else
            return False


class _OurState(msgspec.Struct, frozen=True):
    state: str = ""


class CriterionResult(Part, frozen=True, kw_only=True):
    """One success criterion. Its description and required flag may have been filled in from the contract."""

    criterion_id: str
    description: str | None = None
    required: bool | None = None
    result: PartResult | None = None
    result_text: str | None = None
    is_amended: bool = False
    evidence: str | None = None
    feedback: str | None = None
    verification_method: str | None = None
    is_description_joined: bool = False
    is_required_joined: bool = False

    @property
    def counts_as_required(self) -> bool:
        """A criterion whose flag is unknown counts as required."""
        return self.required is not False


class Regression(Part, frozen=True, kw_only=True):
    """Something that worked before the sprint and no longer does."""

    description: str | None = None
    evidence: str | None = None
    severity: str | None = None
    affected_files: list[str] | None = None
    anti_pattern: str | None = None
    source: str | None = None


class Feedback(Part, frozen=True, kw_only=True):
    """One item of advice for the next iteration; `line_text` is set where the line is not one whole number."""

    priority: str | None = None
    category: str | None = None
    description: str | None = None
    file: str | None = None
    line: int | None = None
    line_text: str | None = None
    expected: str | None = None
    reproduction: str | None = None
    criterion: str | None = None


class EvalResult(Part, frozen=True, kw_only=True):
    """One evaluation of a sprint. The key within a project is (`contract_id`, `iteration`)."""

    eval_id: str | None = None
    contract_id: str
    spec_id: str | None = None
    timestamp: str | None = None
    iteration: int
    overall_result: OverallResult
    score: Score | None = None
    strategy_results: list[StrategyResult] | None = None
    criteria_results: list[CriterionResult] | None = None
    regressions: list[Regression] | None = None
    generator_feedback: list[Feedback] | None = None
    summary: str | None = None
    evaluator: str | None = None
    concerns: list[str] | None = None
    failed_criteria: list[str] | None = None
    failure_reason: str | None = None
    feedback: str | None = None
    shape: Shape = Shape.SKILL
    is_verdict_derived: bool = False

    @property
    def recorded_at(self) -> datetime | None:
        """The recorded time, UTC where it names no zone; None when absent or unreadable. Never use it for order."""
        return parse_time(self.timestamp)

    @property
    def is_date_only(self) -> bool:
        """Whether the recorded time is midnight exactly, which writers use where they know only the day."""
        recorded = self.recorded_at
        return recorded is not None and recorded.time() == time(0)


def parse_time(text: str | None) -> datetime | None:
    """Read an ISO 8601 time.

    Args:
        text: the time as written, or None.

    Returns:
        The instant, with UTC where no zone is written; None when absent or unreadable.
    """
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def encode_eval_result(record: EvalResult) -> bytes:
    """Write a record as a document in the documented schema, unknown keys included.

    Args:
        record: an iteration; sections that are None are left out.

    Returns:
        Compact UTF-8 JSON; reading it gives an equal record of shape `skill`. What we only worked out (`shape`, `is_…`)
        is not written; words and lines stand as recorded.
    """
    return msgspec.json.encode(_document_of(record))


def encode_feedback(items: list[Feedback]) -> bytes:
    """Write items of feedback as the document has them, unknown keys included: compact UTF-8 JSON, a list."""
    return msgspec.json.encode([_document_of(item) for item in items])


# Names of ours that the document does not have, and the key that takes the value where it has one.
_OURS = {
    "shape": None,
    "isVerdictDerived": None,
    "isAmended": None,
    "isNotRun": None,
    "isDescriptionJoined": None,
    "isRequiredJoined": None,
    "resultText": "result",
    "lineText": "line",
}
_SECTIONS = ("strategy_results", "criteria_results", "regressions", "generator_feedback", "failures")


def _document_of(part: Part) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(part), type=dict[str, msgspec.Raw])
    fields.pop("extras", None)
    for ours, key in _OURS.items():
        value = fields.pop(ours, None)
        if value is not None and key is not None:
            fields[key] = value
    for section in _SECTIONS:
        items: list[Part] | None = getattr(part, section, None)
        if items is not None:
            fields[type(part).__struct_encode_fields__[part.__struct_fields__.index(section)]] = [
                _document_of(item) for item in items
            ]
    if isinstance(part, EvalResult) and part.score is not None:
        is_number = part.score == Score(points=part.score.points) and part.score.points is not None
        fields["score"] = part.score.points if is_number else _document_of(part.score)
    return fields | {key: raw for key, raw in part.extras.items() if key not in fields}

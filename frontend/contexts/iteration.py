"""One iteration of a sprint: its verdict beside ours, its checks, criteria, regressions and advice."""

from collections import Counter
from dataclasses import dataclass

import msgspec

from frontend.contexts.iteration_notes import Note, notes_of
from frontend.contexts.iteration_strategies import StrategyLine
from frontend.contexts.shell import Shell
from results.importers.source import ImportWarning
from results.iteration_records import (
    CriterionResult,
    EvalResult,
    Feedback,
    PartResult,
    Regression,
    encode_feedback,
)
from results.iteration_verdicts import computed_verdict, is_unjudged
from results.models.sprints import Verdict
from results.queries.iterations import IterationDetail, IterationRow, iteration_detail
from results.queries.sprint_sides import feedback_key
from results.queries.sprints import CriteriaCounts, IterationMark, SprintRow, count_criteria, criteria_counts

PRIORITIES = ("critical", "high", "medium", "low")  # in this order; other words and none come last
NAMES_SHOWN = 5  # parts that made our verdict


@dataclass(frozen=True)
class CriterionLine:
    """A criterion, and its result in the iteration before; `has_before` says whether it stood there."""

    record: CriterionResult
    before: PartResult | None
    has_before: bool


@dataclass(frozen=True)
class FeedbackItem:
    """One piece of advice.

    Attributes:
        priority: one of the four known words; empty for any other, which stays in the record.
        place: file and line as recorded, empty when it names none.
        standing: `new` or `repeated` beside the iteration before; empty where that says nothing of feedback.
        source: the item as the document has it, JSON.
    """

    record: Feedback
    priority: str
    place: str
    standing: str
    source: str


@dataclass(frozen=True)
class Verdicts:
    """The recorded verdict and ours.

    Attributes:
        computed: None when none follows from the recorded parts.
        reason: why ours is what it is.
        is_derived: nothing was recorded; the verdict itself was worked out from the parts.
    """

    recorded: str
    computed: str | None
    reason: str
    is_disagreeing: bool
    is_derived: bool


@dataclass(frozen=True)
class IterationPage:
    """What `iteration_show.html` reads.

    Attributes:
        feedback: the most urgent first; None = not recorded.
        feedback_json: all of it as the document's JSON list, in this order; empty for none.
        feedback_counts: how many items of each priority, such as `1 critical · 2 low`.
        required: criteria that count as required; None when no criteria are listed.
        is_compared: there is an iteration before, whose results stand beside these.
        revisions: of this iteration, the newest first.
    """

    shell: Shell
    row: IterationRow
    sprint: SprintRow
    record: EvalResult
    verdicts: Verdicts
    criteria: tuple[CriterionLine, ...] | None
    counts: CriteriaCounts
    required: CriteriaCounts | None
    strategies: tuple[StrategyLine, ...] | None
    regressions: list[Regression] | None
    feedback: tuple[FeedbackItem, ...] | None
    feedback_json: str
    feedback_counts: str
    notes: tuple[Note, ...]
    warnings: tuple[ImportWarning, ...]
    revisions: tuple[IterationRow, ...]
    is_compared: bool
    previous: IterationMark | None
    following: IterationMark | None
    source: bytes

    @classmethod
    def build(cls, shell: Shell, iteration_id: int) -> "IterationPage | None":
        """The page of a revision of an iteration; None when there is no such one."""
        detail = iteration_detail(iteration_id)
        return None if detail is None else cls._of(shell, detail)

    @classmethod
    def _of(cls, shell: Shell, detail: IterationDetail) -> "IterationPage":
        record = detail.record
        criteria, feedback = record.criteria_results, record.generator_feedback
        return cls(
            shell=shell,
            row=detail.row,
            sprint=detail.sprint,
            record=record,
            verdicts=_verdicts(detail),
            criteria=None if criteria is None else tuple(_criterion(part, detail) for part in criteria),
            counts=criteria_counts(record),
            required=None
            if criteria is None
            else count_criteria([part for part in criteria if part.counts_as_required]),
            strategies=None
            if record.strategy_results is None
            else tuple(StrategyLine.build(part) for part in record.strategy_results),
            regressions=record.regressions,
            feedback=None if feedback is None else _feedback(feedback, detail.feedback_before),
            feedback_json=_json(_ranked(feedback)) if feedback else "",
            feedback_counts=_priorities(feedback or []),
            notes=notes_of(record),
            warnings=detail.warnings,
            revisions=detail.revisions,
            is_compared=detail.previous is not None,
            previous=detail.previous,
            following=detail.following,
            source=detail.source,
        )


def _verdicts(detail: IterationDetail) -> Verdicts:
    record = detail.record
    computed = computed_verdict(record)
    return Verdicts(
        recorded=Verdict.ERROR.value if is_unjudged(record) else record.overall_result.value,
        computed=computed.value if computed else None,
        reason=_reason(record),
        is_disagreeing=detail.is_disagreeing,
        is_derived=record.is_verdict_derived,
    )


def _reason(record: EvalResult) -> str:
    """What our verdict follows from, in a few words."""
    strategies = [
        part.label or part.strategy
        for part in record.strategy_results or []
        if part.required and part.result is PartResult.FAIL and not part.is_unjudged
    ]
    criteria = [
        part.criterion_id
        for part in record.criteria_results or []
        if part.counts_as_required and part.result is PartResult.FAIL
    ]
    failed = [*strategies, *criteria]
    if failed:
        return f"required and failed: {_names(failed)}"
    lines = [StrategyLine.build(part) for part in record.strategy_results or [] if part.required and part.is_unjudged]
    if lines:
        return f"required, and could not be judged: {_names([_with_reason(line) for line in lines])}"
    if computed_verdict(record) is None:
        return "a required part is skipped, unclear or not recorded"
    if record.score is not None and record.score.required_failed:
        return "the score counts required criteria that failed"
    return "every required part passed"


def _names(parts: list[str]) -> str:
    return f"{', '.join(parts[:NAMES_SHOWN])}{', …' if len(parts) > NAMES_SHOWN else ''}"


def _with_reason(line: StrategyLine) -> str:
    name = line.record.label or line.record.strategy
    return f"{name} ({line.reason})" if line.reason else name


def _criterion(part: CriterionResult, detail: IterationDetail) -> CriterionLine:
    before = detail.before
    return CriterionLine(part, before.get(part.criterion_id), part.criterion_id in before)


def _feedback(items: list[Feedback], before: frozenset[tuple[str, str]] | None) -> tuple[FeedbackItem, ...]:
    words = (*PRIORITIES, "")
    return tuple(
        FeedbackItem(
            record=item,
            priority=words[_rank(item.priority)],
            place=_place(item),
            standing="" if before is None else "repeated" if feedback_key(item) in before else "new",
            source=msgspec.json.format(encode_feedback([item])[1:-1], indent=2).decode(),
        )
        for item in _ranked(items)
    )


def _ranked(items: list[Feedback]) -> list[Feedback]:
    return sorted(items, key=lambda item: _rank(item.priority))


def _json(items: list[Feedback]) -> str:
    return msgspec.json.format(encode_feedback(items), indent=2).decode()


def _rank(priority: str | None) -> int:
    word = (priority or "").strip().casefold()
    return PRIORITIES.index(word) if word in PRIORITIES else len(PRIORITIES)


def _place(item: Feedback) -> str:
    line = item.line_text or (str(item.line) if item.line is not None else "")
    if not item.file:
        return f"line {line}" if line else ""
    return f"{item.file}:{line}" if line else item.file


def _priorities(items: list[Feedback]) -> str:
    counts = Counter(_rank(item.priority) for item in items)
    names = (*PRIORITIES, "other")
    return " · ".join(f"{counts[rank]} {names[rank]}" for rank in sorted(counts))

"""The iterations of a sprint side by side: which strategies and criteria flipped, which feedback stayed or went."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from results.iteration_records import CriterionResult, EvalResult, Feedback, PartResult, StrategyResult


class FeedbackState(StrEnum):
    """How an item of feedback stands in one iteration; absent before its first iteration."""

    NEW = "new"
    REPEATED = "repeated"
    RESOLVED = "resolved"
    NOT_RECORDED = "not recorded"
    ABSENT = ""


@dataclass(frozen=True)
class PartCell:
    """A strategy or criterion in one iteration.

    Attributes:
        is_recorded: the iteration lists it.
        result: None where it is not recorded or not readable.
        is_unjudged: a strategy that could not be judged; it never counts as a flip.
        is_flipped: another result than in the last iteration before that has a readable one.
    """

    is_recorded: bool
    result: PartResult | None = None
    text: str | None = None
    is_amended: bool = False
    is_flipped: bool = False
    is_unjudged: bool = False


@dataclass(frozen=True)
class PartLine:
    """A strategy or criterion through the iterations. `note` is a criterion's text."""

    name: str
    note: str
    cells: tuple[PartCell, ...]

    @property
    def is_flipped(self) -> bool:
        """Whether it ever changed."""
        return any(cell.is_flipped for cell in self.cells)


@dataclass(frozen=True)
class FeedbackLine:
    """An item of feedback through the iterations, as it stood in the first that has it."""

    record: Feedback
    states: tuple[FeedbackState, ...]


@dataclass(frozen=True)
class SprintSides:
    """Iterations side by side; a list is empty where no iteration has the section."""

    strategies: tuple[PartLine, ...]
    criteria: tuple[PartLine, ...]
    feedback: tuple[FeedbackLine, ...]


def feedback_key(item: Feedback) -> tuple[str, str]:
    """What makes two items the same: the file and the words, whatever their case, spacing, line and priority."""
    return " ".join((item.file or "").split()).casefold(), " ".join((item.description or "").split()).casefold()


def sprint_sides(records: Sequence[EvalResult]) -> SprintSides:
    """Put the iterations of a sprint side by side.

    Args:
        records: in the order of the iterations, joined with the contract.
    """
    return SprintSides(
        strategies=_lines([_strategies(record) for record in records]),
        criteria=_lines([_criteria(record) for record in records]),
        feedback=_feedback(records),
    )


@dataclass(frozen=True)
class _Part:
    name: str
    note: str
    record: StrategyResult | CriterionResult


def _strategies(record: EvalResult) -> dict[str, _Part]:
    return _numbered([_Part(part.label or part.strategy, "", part) for part in record.strategy_results or []])


def _criteria(record: EvalResult) -> dict[str, _Part]:
    parts = record.criteria_results or []
    return _numbered([_Part(part.criterion_id, part.description or "", part) for part in parts])


def _numbered(parts: Sequence[_Part]) -> dict[str, _Part]:
    """Parts by name; a name that stands twice in one iteration is numbered from the second on."""
    seen: Counter[str] = Counter()
    found = {}
    for part in parts:
        seen[part.name] += 1
        shown = part.name if seen[part.name] == 1 else f"{part.name} ({seen[part.name]})"
        found[shown] = replace(part, name=shown)
    return found


def _lines(columns: Sequence[dict[str, _Part]]) -> tuple[PartLine, ...]:
    latest_first = [part for column in reversed(columns) for part in column.values()]
    notes = {part.name: part.note for part in reversed(latest_first)}
    names = dict.fromkeys(part.name for column in columns for part in column.values())
    return tuple(PartLine(name, notes[name], _cells([column.get(name) for column in columns])) for name in names)


def _cells(parts: Sequence[_Part | None]) -> tuple[PartCell, ...]:
    cells = []
    before: PartResult | None = None
    for part in parts:
        if part is None:
            cells.append(PartCell(is_recorded=False))
            continue
        record = part.record
        is_unjudged = isinstance(record, StrategyResult) and record.is_unjudged
        result = None if is_unjudged else record.result
        is_flipped = before is not None and result is not None and result is not before
        cells.append(PartCell(True, record.result, record.result_text, record.is_amended, is_flipped, is_unjudged))
        before = result or before
    return tuple(cells)


def _feedback(records: Sequence[EvalResult]) -> tuple[FeedbackLine, ...]:
    first: dict[tuple[str, str], Feedback] = {}
    keys = []
    for record in records:
        items = record.generator_feedback
        keys.append(None if items is None else {feedback_key(item) for item in items})
        for item in items or []:
            first.setdefault(feedback_key(item), item)
    return tuple(FeedbackLine(item, _states(key, keys)) for key, item in first.items())


def _states(key: tuple[str, str], columns: Sequence[set[tuple[str, str]] | None]) -> tuple[FeedbackState, ...]:
    states = []
    is_known = is_open = False
    for column in columns:
        if column is None:
            states.append(FeedbackState.NOT_RECORDED if is_open or not is_known else FeedbackState.ABSENT)
            continue
        if key in column:
            states.append(FeedbackState.REPEATED if is_open else FeedbackState.NEW)
        else:
            states.append(FeedbackState.RESOLVED if is_open else FeedbackState.ABSENT)
        is_open = key in column
        is_known = is_known or is_open
    return tuple(states)

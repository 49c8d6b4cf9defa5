"""The answers of all columns to one task, side by side or each against that of the baseline."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from django.http import QueryDict

from frontend.contexts.answers import Value
from frontend.contexts.columns import changed
from frontend.contexts.compare_asked import numbers_of
from frontend.contexts.comparison import JSON_INDENT, SHOWN_LINES, ViewLink, drawn_spaces
from frontend.formats import plural
from results.diff.lines import DiffLine
from results.diff.structures import comparable_lines
from results.diff.texts import Difference, compare_texts
from results.queries.compare import Comparison
from results.queries.compare_columns import ComparedRun
from results.queries.compare_rows import ComparedCell, compared_task
from results.queries.detail import result_document
from results.queries.results import ResultRow, result_rows
from results.queries.visibility import VisibleSet
from results.records import RunResult, decode_result

VIEWS = {"side": "Side by side", "diff": "Against the baseline"}
MOST_DIFFS = 6  # each may take a twentieth of a second
SAID = {
    Difference.NONE: "the same, character by character",
    Difference.WHITE_SPACE: "only white space differs",
    Difference.CASE: "only letter case differs",
    Difference.TEXT: "",
}


@dataclass(frozen=True)
class AnswerPanel:
    """One column's answer.

    Attributes:
        row: of the result; None where the column has none.
        value: what was answered, or the message that came instead; None = not recorded.
        error: title of the error; empty = none recorded.
        lines: against the baseline's answer; empty when that is not shown. spaces: which white space is drawn.
        note: how much differs, or why there is no comparison.
    """

    column: ComparedRun
    cell: ComparedCell
    row: ResultRow | None
    value: Value | None
    is_message: bool
    error: str
    lines: tuple[DiffLine, ...]
    spaces: str
    note: str


@dataclass(frozen=True)
class AnswersSection:
    """What `_compare_answers.html` reads.

    Attributes:
        views: ways to look at the answers. is_diff: each against the baseline's.
        more: columns whose comparison with the baseline is not made here.
        close_href: the page without this section.
    """

    task_id: int
    task: str
    repeat: int
    has_repeats: bool
    views: tuple[ViewLink, ...]
    is_diff: bool
    panels: tuple[AnswerPanel, ...]
    more: int
    close_href: str

    @classmethod
    def build(
        cls, visible: VisibleSet, columns: Sequence[ComparedRun], found: Comparison, params: QueryDict
    ) -> "AnswersSection | None":
        """The section for a query with `task`, `repeat` and `view`; None when no column has such a row."""
        task_ids, repeats = (numbers_of([params.get(key, default)]) for key, default in (("task", ""), ("repeat", "1")))
        row = compared_task(visible, found, task_ids[0], repeats[0]) if task_ids and repeats else None
        if row is None:
            return None
        is_diff = params.get("view") == "diff"
        answers = [_Answer.read(visible, cell) for cell in row.cells]
        rows = {
            one.id: one for one in result_rows(visible, tuple(a.cell.result_id for a in answers if a.cell.result_id))
        }
        first = answers[0]
        diffs = [n for n, answer in enumerate(answers) if n and is_diff and answer.text is not None]
        panels = [
            _panel(column, answer, rows, first if n in diffs[:MOST_DIFFS] else None)
            for n, (column, answer) in enumerate(zip(columns, answers, strict=True))
        ]
        return cls(
            task_id=row.task_id,
            task=row.task,
            repeat=row.repeat,
            has_repeats=found.has_repeats,
            views=tuple(
                ViewLink(label, f"{changed(params, view=word)}#answers", (word == "diff") == is_diff)
                for word, label in VIEWS.items()
            ),
            is_diff=is_diff,
            panels=tuple(panels),
            more=max(0, len(diffs) - MOST_DIFFS),
            close_href=f"{changed(params, task=None, repeat=None, view=None)}#tasks",
        )


@dataclass(frozen=True)
class _Answer:
    """What one result answered; `text` is what is compared, None when there is no answer."""

    cell: ComparedCell
    record: RunResult | None
    value: Value | None
    text: str | None

    @classmethod
    def read(cls, visible: VisibleSet, cell: ComparedCell) -> "_Answer":
        source = None if cell.result_id is None else result_document(visible, cell.result_id)
        if source is None:
            return cls(cell, None, None, None)
        record = decode_result(source)
        value = Value.build(bytes(record.got))
        is_answer = value is not None and cell.outcome in ("passed", "failed")
        return cls(cell, record, value, _text(value) if is_answer and value is not None else None)


def _text(value: Value) -> str:
    if value.text is not None:
        return value.text
    return comparable_lines(value.source) or msgspec.json.format(value.source, indent=JSON_INDENT).decode(
        "utf-8", "replace"
    )


def _panel(column: ComparedRun, answer: _Answer, rows: dict[int, ResultRow], first: _Answer | None) -> AnswerPanel:
    lines: tuple[DiffLine, ...] = ()
    note = ""
    if first is not None:
        lines, note = _compared(first.text, answer.text)
    error = None if answer.record is None else answer.record.details.error
    return AnswerPanel(
        column=column,
        cell=answer.cell,
        row=rows.get(answer.cell.result_id or 0),
        value=answer.value,
        is_message=answer.text is None,
        error="" if error is None else error.title,
        lines=lines,
        spaces=drawn_spaces(lines),
        note=note,
    )


def _compared(before: str | None, after: str | None) -> tuple[tuple[DiffLine, ...], str]:
    if before is None or after is None:
        return (), "the baseline has no answer to compare with"
    comparison = compare_texts(after, before)  # what only the run has is marked as added
    is_equal = comparison.difference is Difference.NONE
    notes = [SAID[comparison.difference]]
    if comparison.is_cut or comparison.before or comparison.answer_after or comparison.expected_after:
        notes.append("only the part around the difference is shown")
    if len(comparison.lines) > SHOWN_LINES:
        notes.append(f"{plural(len(comparison.lines) - SHOWN_LINES, 'more line')} not shown")
    return () if is_equal else comparison.lines[:SHOWN_LINES], "; ".join(note for note in notes if note)

"""The cells of one row of a table of results; in Python because a page has hundreds of them."""

from collections.abc import Callable, Iterable
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from frontend import formats
from frontend.templatetags.formats import (
    cost_parts,
    duration_or_missing,
    number_or_missing,
    or_missing,
    visible_label,
    visible_text,
)
from frontend.templatetags.marks import TIME_NOTES, provider
from results.answer_heads import AnswerPreview
from results.models.evaluations import TimeSource
from results.pricing import Origin, Reason
from results.queries.results import ResultRow

CONFIRMED, NOTHING_SAID = "right as recorded", "none"  # where people corrected nothing
NO_NAME, UNSPECIFIED, NOT_RECORDED = "no name", "unspecified", "not recorded"
NOTHING = SafeString("")
MESSAGES = ("error", "skipped")  # outcomes that say something instead of an answer
NO_ANSWER = SafeString(f'<td><span class="missing">{NOT_RECORDED}</span></td>')
EMPTY_ANSWER = SafeString('<td><span class="missing">empty</span></td>')
REMEMBERED = 4096  # cells of one kind
LONG = 200  # characters of a text whose cell is not kept

register = template.Library()


@register.simple_tag
def result_cells(row: ResultRow, answer: AnswerPreview | None, columns: Iterable[str], query: str) -> SafeString:
    """The cells of a row.

    Args:
        row: the result.
        answer: the beginning of what it answered; None = not recorded.
        columns: keys of `CELLS`, `answer` and the first column, `task`, from left to right.
        query: what the link to the result's page carries.
    """
    cells = []
    for key in columns:
        if key == "task":
            cells.append(_task(row, query))
        elif key == "answer":
            cells.append(_answer(answer, row.outcome in MESSAGES))
        else:
            cells.append(CELLS[key](row))
    return SafeString("".join(cells))


def _remembered(cell: Callable[..., SafeString]) -> Callable[..., SafeString]:
    """Names, numbers and days come again and again: their cells are made once. Long texts are not kept."""
    known = lru_cache(maxsize=REMEMBERED)(cell)
    return lambda *values: (
        cell(*values) if any(isinstance(value, str) and len(value) > LONG for value in values) else known(*values)
    )


@_remembered
def _named(text: str | None, missing: str) -> SafeString:
    return format_html("<td>{}</td>", or_missing(text, missing))


@_remembered
def _clipped(text: str, missing: str) -> SafeString:
    return format_html('<td class="clip" title="{}">{}</td>', visible_label(text), or_missing(text, missing))


@_remembered
def _number(value: int | None) -> SafeString:
    return format_html('<td class="num">{}</td>', number_or_missing(value))


@_remembered
def _duration(value_ns: int | None) -> SafeString:
    return format_html('<td class="num">{}</td>', duration_or_missing(value_ns))


@_remembered
def _cost(value: Decimal | None, currency: str | None, reason: Reason, origin: Origin) -> SafeString:
    return format_html('<td class="num" title="{}">{}</td>', *cost_parts(value, currency, reason, origin))


@_remembered
def _evaluation(evaluation_id: int, name: str) -> SafeString:
    address = reverse("evaluation-show", args=(evaluation_id,))
    return format_html(
        '<td class="clip"><a href="{}" title="{}">{}</a></td>', address, visible_label(name), visible_text(name)
    )


@_remembered
def _outcome(outcome: str, is_transient: bool | None, repeat: int, corrected: str | None) -> SafeString:
    return format_html(
        '<td><span class="outcome" data-outcome="{}">{}</span>{}{}{}</td>',
        outcome,
        formats.outcome(outcome),
        format_html(' <span class="tag" data-kind="warning">should be {}</span>', corrected) if corrected else NOTHING,
        SafeString(' <span class="tag" data-kind="warning">transient</span>') if is_transient else NOTHING,
        format_html(' <span class="tag">repeat {}</span>', formats.count(repeat)) if repeat > 1 else NOTHING,
    )


@_remembered
def _started(moment: datetime, source: int) -> SafeString:
    note = TIME_NOTES.get(source, "")
    return format_html(
        '<td><time datetime="{}" title="{}, from the {}">{}</time>{}</td>',
        formats.machine_time(moment),
        formats.moment(moment),
        TimeSource(source).label,
        formats.date(moment),
        format_html(' <span class="sub muted">{}</span>', note) if note else NOTHING,
    )


def _task(row: ResultRow, query: str) -> SafeString:
    name = visible_label(row.task)
    return format_html(
        '<th scope="row"><span class="row"><input type="checkbox" name="pick" value="{}" form="selection" '
        'aria-label="Select {}, {}"><a href="{}{}" title="{}">{}</a></span></th>',
        row.id,
        name or NO_NAME,
        visible_label(row.run) or NO_NAME,
        reverse("result-show", args=(row.id,)),
        query,
        name,
        or_missing(row.task, NO_NAME),
    )


@_remembered
def _provider(name: str) -> SafeString:
    if not name:
        return _named(name, NO_NAME)
    return format_html("<td>{}</td>", provider(name))


def _answer(answer: AnswerPreview | None, is_message: bool) -> SafeString:
    """The beginning of an answer on one line; a message of ours or of the provider's is not set as one."""
    if answer is None or not (answer.text or answer.is_cut):
        return NO_ANSWER if answer is None else EMPTY_ANSWER
    line = answer.line
    more = "…" if answer.is_cut else ""
    title = visible_label(line) + more if line else "It comes later in a large document: open the result to see it"
    kind = "muted" if is_message else "mono"
    cell = '<td class="clip" title="{}"><span class="cell-main {}" dir="auto">{}{}</span></td>'
    return format_html(cell, title, kind, visible_text(line), more)


def _error(row: ResultRow) -> SafeString:
    """An error's title; a result that is no error has none, which is not the same as an error without one."""
    if row.error_title is None and row.outcome != "error":
        return _named(None, "none")
    return _clipped(row.error_title or "", NOT_RECORDED)


CELLS: dict[str, Callable[[ResultRow], SafeString]] = {
    "outcome": lambda row: _outcome(row.outcome, row.is_transient, row.repeat, row.review.corrected),
    "provider": lambda row: _provider(row.provider),
    "run": lambda row: _named(row.run, NO_NAME),
    "evaluation": lambda row: _evaluation(row.evaluation_id, row.evaluation),
    "duration": lambda row: _duration(row.duration_ns),
    "input_tokens": lambda row: _number(row.input_tokens),
    "output_tokens": lambda row: _number(row.output_tokens),
    "tool_calls": lambda row: _number(row.tool_calls),
    "cost": lambda row: _cost(row.cost, row.currency, row.cost_reason, row.cost_origin),
    "category": lambda row: _named(row.category, UNSPECIFIED),
    "difficulty": lambda row: _named(row.difficulty, UNSPECIFIED),
    "started": lambda row: _started(row.started_at, row.started_at_source),
    "model": lambda row: _named(row.model, NOT_RECORDED),
    "suite": lambda row: _named(row.suite, UNSPECIFIED),
    "tags": lambda row: _clipped(", ".join(row.tags), "none"),
    "error": _error,
    "attempts": lambda row: _number(row.attempts),
    "repeat": lambda row: _number(row.repeat),
    "corrected": lambda row: _named(row.review.corrected, CONFIRMED if row.review.is_confirmed else NOTHING_SAID),
    "reason": lambda row: _named(row.review.reason, NOTHING_SAID),
    "labels": lambda row: _clipped(", ".join(row.review.labels), NOTHING_SAID),
    "comments": lambda row: _clipped(" · ".join(row.review.comments), NOTHING_SAID),
}

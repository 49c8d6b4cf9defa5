"""The cells of one row of a table of results; in Python because a page has hundreds of them."""

from collections.abc import Callable, Iterable

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from frontend import formats
from frontend.templatetags.formats import (
    duration_or_missing,
    number_or_missing,
    or_missing,
    visible_label,
    visible_text,
)
from frontend.templatetags.marks import TIME_NOTES
from results.models.evaluations import TimeSource
from results.queries.results import ResultRow

NO_NAME, UNSPECIFIED, NOT_RECORDED = "no name", "unspecified", "not recorded"
NOTHING = SafeString("")

register = template.Library()


@register.simple_tag
def result_cells(row: ResultRow, columns: Iterable[str], query: str) -> SafeString:
    """The cells of a row.

    Args:
        row: the result.
        columns: keys of `CELLS` and of the first column, `task`, from left to right.
        query: what the link to the result's page carries.
    """
    return SafeString("".join([_task(row, query) if key == "task" else CELLS[key](row) for key in columns]))


def _task(row: ResultRow, query: str) -> SafeString:
    return format_html(
        '<th scope="row"><a href="{}{}" title="{}">{}</a></th>',
        reverse("result-show", args=(row.id,)),
        query,
        visible_label(row.task),
        or_missing(row.task, NO_NAME),
    )


def _evaluation(row: ResultRow) -> SafeString:
    return format_html(
        '<td class="clip"><a href="{}" title="{}">{}</a></td>',
        reverse("evaluation-show", args=(row.evaluation_id,)),
        visible_label(row.evaluation),
        visible_text(row.evaluation),
    )


def _outcome(row: ResultRow) -> SafeString:
    return format_html(
        '<td><span class="outcome" data-outcome="{}">{}</span>{}{}</td>',
        row.outcome,
        formats.outcome(row.outcome),
        SafeString(' <span class="tag" data-kind="warning">transient</span>') if row.is_transient else NOTHING,
        format_html(' <span class="tag">repeat {}</span>', formats.count(row.repeat)) if row.repeat > 1 else NOTHING,
    )


def _name(value: Callable[[ResultRow], str | None], missing: str) -> Callable[[ResultRow], SafeString]:
    return lambda row: format_html("<td>{}</td>", or_missing(value(row), missing))


def _clipped(value: Callable[[ResultRow], str], missing: str) -> Callable[[ResultRow], SafeString]:
    return lambda row: format_html(
        '<td class="clip" title="{}">{}</td>', visible_label(value(row)), or_missing(value(row), missing)
    )


def _number(value: Callable[[ResultRow], int | None]) -> Callable[[ResultRow], SafeString]:
    return lambda row: format_html('<td class="num">{}</td>', number_or_missing(value(row)))


def _error(row: ResultRow) -> SafeString:
    """An error's title; an outcome that is no error has none, which is not the same as an error without one."""
    if row.error_title is None and row.outcome != "error":
        return SafeString('<td class="clip"><span class="missing">none</span></td>')
    return _clipped(lambda other: other.error_title or "", NOT_RECORDED)(row)


def _started(row: ResultRow) -> SafeString:
    note = TIME_NOTES.get(row.started_at_source, "")
    return format_html(
        '<td><time datetime="{}" title="{}, from the {}">{}</time>{}</td>',
        formats.machine_time(row.started_at),
        formats.moment(row.started_at),
        TimeSource(row.started_at_source).label,
        formats.date(row.started_at),
        format_html(' <span class="sub muted">{}</span>', note) if note else NOTHING,
    )


CELLS: dict[str, Callable[[ResultRow], SafeString]] = {
    "outcome": _outcome,
    "provider": _name(lambda row: row.provider, NO_NAME),
    "run": _name(lambda row: row.run, NO_NAME),
    "evaluation": _evaluation,
    "duration": lambda row: format_html('<td class="num">{}</td>', duration_or_missing(row.duration_ns)),
    "input_tokens": _number(lambda row: row.input_tokens),
    "output_tokens": _number(lambda row: row.output_tokens),
    "tool_calls": _number(lambda row: row.tool_calls),
    "category": _name(lambda row: row.category, UNSPECIFIED),
    "difficulty": _name(lambda row: row.difficulty, UNSPECIFIED),
    "started": _started,
    "model": _name(lambda row: row.model, NOT_RECORDED),
    "suite": _name(lambda row: row.suite, UNSPECIFIED),
    "tags": _clipped(lambda row: ", ".join(row.tags), "none"),
    "error": _error,
    "attempts": _number(lambda row: row.attempts),
    "repeat": _number(lambda row: row.repeat),
}

"""Template tags of histories: marks of a matrix, trend lines, heat cells; in Python because there are many."""

from collections.abc import Sequence

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from frontend import formats
from frontend.templatetags.formats import visible_label
from results.queries.evaluation_marks import EvaluationMark
from results.queries.run_list import TrendPoint
from results.queries.task_strips import TaskCell
from results.statistics import OutcomeCounts

MOST_MARKS = 6  # repeats that have a mark each; of more, the count stands there
NOT_RUN = (
    '<td><span class="mark" data-outcome="not-run" title="{0}"><span class="visually-hidden">{0}</span></span></td>'
)
HEAT_STEPS = 6
WIDTH, HEIGHT, EDGE = 96, 24, 3  # of a trend line
MOST_POINTS = 30  # of a trend line; the latest are drawn

register = template.Library()


@register.simple_tag
def task_cells(
    run: str, cells: Sequence[TaskCell | None], evaluations: Sequence[EvaluationMark], query: str
) -> SafeString:
    """The cells of one run's line in a task's history.

    Args:
        run: its name.
        cells: one an evaluation, None where the run has no result.
        evaluations: of the columns.
        query: what links to results carry; it begins with `?`, or is empty.
    """
    name, end, address = visible_label(run), escape(query), reverse("results-list")
    found = []
    for cell, mark in zip(cells, evaluations, strict=True):
        place = escape(f"{name}, {visible_label(mark.name)}, {formats.date(mark.started_at)}")
        if cell is None:
            found.append(NOT_RUN.format(f"{place}: not run"))
            continue
        if len(cell.marks) > MOST_MARKS:
            found.append(_many(cell, place, f"{address}?evaluation={cell.evaluation_id}&amp;{end.removeprefix('?')}"))
            continue
        is_repeated = len(cell.marks) > 1
        links = []
        for one in cell.marks:
            label = f"{place}{f', repeat {one.repeat}' if is_repeated else ''}: {one.outcome}"
            links.append(
                f'<a class="mark" data-outcome="{one.outcome}" href="{address}{one.id}/{end}" title="{label}">'
                f'<span class="visually-hidden">{label}</span></a>'
            )
        marks = "".join(links)
        found.append(f'<td><span class="marks">{marks}</span></td>' if is_repeated else f"<td>{marks}</td>")
    return SafeString("".join(found))


def _many(cell: TaskCell, place: str, href: str) -> str:
    passed = sum(mark.outcome == "passed" for mark in cell.marks)
    text = f"{formats.count(passed)}/{formats.count(len(cell.marks))}"
    return f'<td><a class="mark-count" href="{href}" title="{place}: {text} passed">{text}</a></td>'


@register.simple_tag
def trend_line(trend: Sequence[TrendPoint]) -> SafeString:
    """The pass rate from evaluation to evaluation as a line from 0 to 100 %; nothing for fewer than two rates."""
    rates = [point.outcomes.pass_rate.value for point in trend]
    known = [rate for rate in rates if rate is not None][-MOST_POINTS:]
    if len(known) <= 1:
        return SafeString(
            '<span class="missing">one evaluation</span>' if known else '<span class="missing">n/a</span>'
        )
    step = WIDTH / (len(known) - 1)
    places = [(place * step, HEIGHT - EDGE - rate * (HEIGHT - 2 * EDGE)) for place, rate in enumerate(known)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    label = f"pass rate in {formats.plural(len(known), 'evaluation')}, oldest first: " + ", ".join(
        formats.rate(rate) for rate in known
    )
    return format_html(
        '<svg class="sparkline" viewBox="0 0 {} {}" role="img" aria-label="{}"><polyline points="{}"/>'
        '<circle class="sparkline-last" cx="{}" cy="{}" r="2.5"/></svg>',
        WIDTH,
        HEIGHT,
        label,
        points,
        SafeString(f"{places[-1][0]:.1f}"),
        SafeString(f"{places[-1][1]:.1f}"),
    )


@register.simple_tag
def heat_cell(outcomes: OutcomeCounts | None, href: str) -> SafeString:
    """A pass rate in percent as a cell, the stronger the higher, with its n; n/a without a counted result.

    Args:
        outcomes: of the cell; None = no result at all.
        href: the explorer with its results; empty = no link.
    """
    rate = None if outcomes is None else outcomes.pass_rate
    if rate is None or rate.value is None:
        note = "not run" if outcomes is None or not outcomes.total else "n/a"
        return SafeString(f'<td class="heat-cell" data-heat="0"><span class="missing">{note}</span></td>')
    title = f'title="{formats.count(rate.hits)} of {formats.count(rate.n)} passed"'
    text = f'{formats.percent(rate.value)} <span class="sub">{formats.count(rate.n)}</span>'
    inner = f'<a href="{escape(href)}" {title}>{text}</a>' if href else f"<span {title}>{text}</span>"
    return SafeString(f'<td class="heat-cell" data-heat="{round(rate.value * HEAT_STEPS)}">{inner}</td>')


@register.simple_tag
def rate_delta(change: float | None, is_certain: bool = False) -> SafeString:
    """A difference of two rates in points; coloured only where a test says that it is more than chance."""
    if change is None:
        return SafeString('<span class="missing">n/a</span>')
    points = formats.percent(abs(change))
    if points == "0.0":
        return format_html('<span class="delta">0.0{}pp</span>', formats.NBSP)
    direction, sign = ("up", "+") if change > 0 else ("down", formats.MINUS)
    good = format_html(' data-good="{}"', "true" if change > 0 else "false") if is_certain else SafeString("")
    return format_html(
        '<span class="delta" data-direction="{}"{}>{}{}{}pp</span>', direction, good, sign, points, formats.NBSP
    )


@register.filter
def whole_ns(value: object) -> int | None:
    """A median in nanoseconds, perhaps between two of them, as a whole number; None stays None."""
    return None if value is None else round(value)  # type: ignore[call-overload]

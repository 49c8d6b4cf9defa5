"""The cells of one row of the grid of tasks and runs; in Python because a page has thousands of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from urllib.parse import quote

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from frontend import formats
from frontend.templatetags.formats import or_missing, visible_label
from results.filters import Choice, written
from results.queries.outcome_grid import GridResult, GridRow, GridRun

MOST_MARKS = 6  # of one cell; more are a link to all of them
NO_NAME = "no name"

register = template.Library()


@dataclass(frozen=True)
class AgreementCell:
    """Two runs: the share of their common pairs in percent, with the tasks behind it.

    Attributes:
        text: empty on the diagonal. common: how many both have.
        heat: step of the colour from 0 to 6; None where there is no pair.
        href: of the grid with these tasks; empty where there is none.
    """

    text: str
    common: str
    heat: int | None
    title: str
    href: str


@register.simple_tag
def grid_cells(row: GridRow, runs: Sequence[GridRun], query: str, gap: str) -> SafeString:
    """The cells of a task, one a run.

    Args:
        row: the task; runs beyond `runs` are not shown.
        runs: across.
        query: of the explorer with the task's results.
        gap: what an empty cell says.
    """
    said = f'<span class="visually-hidden">{gap}</span>'
    empty = f'<td><span class="mark" data-outcome="not-run" title="{gap}">{said}</span></td>'
    cells = [
        _cell(results, run, query) if results else empty
        for results, run in zip(row.cells[: len(runs)], runs, strict=True)
    ]
    return SafeString("".join(cells))


@register.simple_tag
def agreement_cells(cells: Sequence[AgreementCell]) -> SafeString:
    """The cells of one run against all."""
    return SafeString("".join(map(_agreement, cells)))


def _agreement(cell: AgreementCell) -> str:
    if not cell.text:
        return '<td class="heat-cell faint">—</td>'
    if cell.heat is None:
        return f'<td class="heat-cell" title="{cell.title}"><span class="missing">{cell.text}</span></td>'
    heat = f'<td class="heat-cell" data-heat="{cell.heat}"'
    shown = f'{cell.text} <span class="sub">{cell.common}</span>'
    if not cell.href:
        return f'{heat} title="{cell.title}">{shown}</td>'
    return f'{heat}><a href="{escape(cell.href)}" title="{cell.title}">{shown}</a></td>'


@register.simple_tag
def grid_passed(row: GridRow, query: str) -> SafeString:
    """How many of the results that count passed, leading to these."""
    if not row.counted:
        return or_missing(None, formats.NOT_AVAILABLE)
    counted = query if "outcome=" in query else f"{query}&outcome=-skipped"
    address = f"{_results_address()}?{escape(counted)}"
    return SafeString(f'<a href="{address}">{formats.count(row.passed)} of {formats.count(row.counted)}</a>')


def _cell(results: Sequence[GridResult], run: GridRun, query: str) -> str:
    if not results[1:]:
        return f"<td>{_mark(results[0], run.name, has_repeat=False)}</td>"
    marks = "".join([_mark(result, run.name, has_repeat=True) for result in results[:MOST_MARKS]])
    passed = sum(result.outcome == "passed" for result in results)
    more = ""
    if len(results) > MOST_MARKS:
        named = "".join(
            f"&{key}={quote(text)}"
            for key, value in (("provider", run.provider), ("run", run.name))
            for text in written(Choice((value,)))
        )
        address = f"{_results_address()}?{escape(query + named)}"
        more = f'<a class="sub" href="{address}">+{len(results) - MOST_MARKS}</a>'
    said = f"{passed} of {len(results)} passed"
    label = f"{_label(run.name)}: {said}"
    return f'<td><span class="marks" role="group" aria-label="{label}" title="{said}">{marks}{more}</span></td>'


def _mark(result: GridResult, run: str, *, has_repeat: bool) -> str:
    said = f"{_label(run)}: {result.outcome}" + (f", repeat {result.repeat}" if has_repeat else "")
    return (
        f'<a class="mark" data-outcome="{result.outcome}" href="{_results_address()}{result.id}/" title="{said}">'
        f'<span class="visually-hidden">{said}</span></a>'
    )


@lru_cache(maxsize=1024)
def _label(name: str) -> str:
    return escape(visible_label(name) or NO_NAME)


@lru_cache(maxsize=1)
def _results_address() -> str:
    return reverse("results-list")

"""The cells of one task in a comparison; in Python because a page has up to two thousand of them."""

from functools import cache, lru_cache

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from frontend import formats
from results.queries.compare import Kind
from results.queries.compare_rows import ComparedCell, ComparedRow

WORDS = {
    Kind.NEITHER: "in neither",
    Kind.SAME: "same",
    Kind.OTHER_ANSWER: "not compared",
    Kind.ONLY_HERE: "only here",
    Kind.NOT_HERE: "not here",
    Kind.SKIPPED: "not compared",
}
MOVED = {
    Kind.IMPROVED: '<span class="delta" data-direction="up" data-good="true">improved</span>',
    Kind.REGRESSED: '<span class="delta" data-direction="down" data-good="false">regressed</span>',
}
ABOUT = {
    Kind.OTHER_ANSWER: "the accepted answers are not those of the baseline’s evaluation",
    Kind.SKIPPED: "skipped in one of the two",
}

register = template.Library()


@register.simple_tag
def compared_cells(row: ComparedRow) -> SafeString:
    """The outcome of the baseline, then of each candidate its outcome and how it moved."""
    return SafeString("".join([_outcome(cell) + _moved(cell.kind, cell.is_changed) for cell in row.cells]))


@register.simple_tag
def compared_word(cell: ComparedCell) -> SafeString:
    """How a result stands to the baseline's, such as `regressed`; empty for the baseline itself."""
    return SafeString(_word(cell.kind, cell.is_changed))


def _outcome(cell: ComparedCell) -> str:
    if cell.outcome is None:
        return '<td><span class="missing">no result</span></td>'
    quiet = "" if cell.kind in MOVED else " data-quiet"
    badge = f'<span class="outcome" data-outcome="{cell.outcome}"{quiet}>{formats.outcome(cell.outcome)}</span>'
    return f'<td><a href="{_results()}{cell.result_id}/">{badge}</a></td>'


@cache
def _results() -> str:
    return reverse("results-list")


def _moved(kind: Kind | None, is_changed: bool) -> str:
    return "" if kind is None else f"<td>{_word(kind, is_changed)}</td>"


@lru_cache
def _word(kind: Kind | None, is_changed: bool) -> str:
    if kind is None:
        return ""
    title = f' title="{ABOUT[kind]}"' if kind in ABOUT else ""
    word = MOVED.get(kind) or f'<span class="faint"{title}>{WORDS[kind]}</span>'
    what = "other accepted answers" if kind is Kind.OTHER_ANSWER else "other metadata, or other accepted answers"
    mark = f' <span class="tag" data-kind="warning" title="{what} than in the baseline’s evaluation">changed</span>'
    return f"{word}{mark}" if is_changed else word

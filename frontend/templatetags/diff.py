"""Template filters for compared text."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from frontend.shown_diff import DiffPart, diff_parts
from results.diff.lines import Change, DiffLine, Stretch

ELEMENTS = {Change.EXPECTED: "<ins>{}</ins>", Change.ANSWER: "<del>{}</del>"}

register = template.Library()


@register.filter
def diff_text(line: DiffLine, spaces: str) -> SafeString:
    """The text of a line, what changed in `ins` or `del`, white space drawn (`all`, `changed` or `none` of it)."""
    return format_html_join("", "{}", ((_stretch(stretch, line.change, spaces),) for stretch in line.stretches))


def _stretch(stretch: Stretch, change: Change, spaces: str) -> SafeString:
    has_marks = spaces == "all" or (spaces == "changed" and stretch.is_changed)
    parts = format_html_join("", "{}", ((_part(part),) for part in diff_parts(stretch.text, has_marks=has_marks)))
    return format_html(ELEMENTS[change], parts) if stretch.is_changed and change in ELEMENTS else parts


def _part(part: DiffPart) -> SafeString:
    if part.is_hidden:
        return format_html('<span class="bidi">{}</span>', part.text)
    if part.mark:
        return format_html('<span class="ws" data-ws="{}">{}</span>', part.mark, part.text)
    return format_html("{}", part.text)

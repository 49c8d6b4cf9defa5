"""Template tags and filters for tool calls."""

from decimal import Decimal

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from frontend.formats import CALL_STATUSES
from frontend.templatetags.formats import or_missing

register = template.Library()


@register.simple_tag
def call_status(status: str) -> SafeString:
    """A call's status as a quiet badge; empty = a word that is not known."""
    if status not in CALL_STATUSES:
        return or_missing(None)
    kind, word = CALL_STATUSES[status]
    return format_html('<span class="outcome" data-outcome="{}" data-quiet>{}</span>', kind, word)


@register.filter
def median_or_missing(value: Decimal | None) -> SafeString:
    """A median of whole numbers, with a half where it lies between two; None as `unknown`."""
    if value is None:
        return or_missing(None)
    rounded = round(value, 1)
    return SafeString(f"{rounded.normalize():f}" if rounded else "0")

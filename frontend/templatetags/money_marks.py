"""Template tags for amounts of money."""

from decimal import Decimal

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from frontend import formats
from frontend.shown_text import spelt_out
from frontend.templatetags.formats import or_missing, visible_text

register = template.Library()


@register.simple_tag
def money(value: Decimal | None, currency: str | None) -> SafeString:
    """An amount, the exact one in its title; None as `n/a`."""
    if value is None:
        return or_missing(None, formats.NOT_AVAILABLE)
    exact = f"{value.normalize():f} {spelt_out(currency or '')}".strip()
    return format_html('<span title="{}">{}</span>', exact, visible_text(formats.money(value, currency)))

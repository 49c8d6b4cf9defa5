"""Template tags for amounts of money; currencies are never added to each other."""

from collections.abc import Sequence
from decimal import Decimal

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from frontend import formats
from frontend.shown_text import spelt_out
from frontend.templatetags.formats import or_missing, visible_text
from results.queries.spending_parts import Spending, Sum

register = template.Library()


@register.simple_tag
def money(value: Decimal | None, currency: str | None) -> SafeString:
    """An amount, the exact one in its title; None as `n/a`."""
    if value is None:
        return or_missing(None, formats.NOT_AVAILABLE)
    exact = f"{value.normalize():f} {spelt_out(currency or '')}".strip()
    return format_html('<span title="{}">{}</span>', exact, visible_text(formats.money(value, currency)))


@register.simple_tag
def group_money(main: Sum | None, others: Sequence[Sum]) -> SafeString:
    """The sum in the main currency, and those in others beside it; `unpriced` without any."""
    held = [*([main] if main else []), *others]
    if not held:
        return or_missing(None, "unpriced")
    return format_html_join(" + ", "{}", ((money(one.total, one.currency),) for one in held))


@register.simple_tag
def left_out(spending: Spending) -> SafeString:
    """How many results of a group have no amount, and why in a word; a faint 0 for none."""
    words = (
        (spending.unpriced, "unpriced"),
        (spending.inconsistent, "inconsistent"),
        (spending.unused, "used nothing"),
    )
    parts = [f"{formats.count(number)} {word}" for number, word in words if number]
    return SafeString(", ".join(parts)) if parts else SafeString('<span class="faint">0</span>')

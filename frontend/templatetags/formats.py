"""Template filters for numbers, times and text that came from files."""

from datetime import datetime
from decimal import Decimal
from html import escape  # Django's own also takes lazy texts, and needs five times as long

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from frontend import formats
from frontend.shown_json import JsonPart, json_parts
from frontend.shown_text import HIDDEN, TextPart, cut, spelt_out, split_hidden
from results.pricing import Origin, Reason
from results.queries.costs import GroupCosts
from results.queries.results import ResultRow
from results.statistics import Rate

JSON_CLASSES = {"key": "key", "str": "str", "numlit": "numlit", "lit": "lit", "note": "missing"}

register = template.Library()
for plain in (formats.rate, formats.count, formats.size, formats.outcome):
    register.filter(plain.__name__, plain)


@register.filter
def plural(value: int, noun: str) -> str:
    """`2 results` from a count and the noun."""
    return formats.plural(value, noun)


@register.filter
def day(value: datetime | None) -> str:
    """A day as `24 Aug 2026`, in UTC; None as `unknown`."""
    return formats.date(value)


@register.filter
def interval(value: Rate) -> str:
    """A rate's 95 % interval as `58.9–86.2 %`; `n/a` without a denominator."""
    if value.low is None or value.high is None:
        return formats.NOT_AVAILABLE
    return formats.interval(value.low, value.high)


@register.filter
def shortened(value: str, characters: int) -> str:
    """The beginning of a text; an ellipsis says that there is more."""
    return value if len(value) <= characters else f"{value[:characters]}…"


@register.filter
def json_line(source: bytes, characters: int) -> SafeString:
    """The beginning of compact JSON on one line, as visible text."""
    return visible_text(shortened(source[: 4 * characters].decode("utf-8", "replace"), characters))


@register.filter
def base_name(value: str) -> str:
    """The last part of a path, so that a narrow cell shows what tells files apart."""
    return value.rstrip("/").rpartition("/")[2]


@register.filter
def join_lines(value: list[str]) -> str:
    """Lines as one text."""
    return "\n".join(value)


@register.filter
def or_missing(value: str | None, word: str = formats.UNKNOWN) -> SafeString:
    """Text from a file, or the word for its absence, marked as missing."""
    if value is None or not value.strip():
        return format_html('<span class="missing">{}</span>', word)
    return visible_text(formats.named(value, word))


@register.filter
def number_or_missing(value: int | None) -> SafeString:
    """An exact count, or `unknown` marked as missing."""
    return SafeString(formats.count(value)) if value is not None else or_missing(None)


@register.filter
def duration_or_missing(value_ns: int | None) -> SafeString:
    """A length of time with the exact one in its title, or `unknown` marked as missing."""
    if value_ns is None:
        return or_missing(None)
    return SafeString(f'<span title="{formats.exact_duration(value_ns)}">{formats.duration(value_ns)}</span>')


_WITHOUT_COST = {Reason.NOTHING_USED: "none", Reason.USAGE_UNKNOWN: "unknown"}


def cost_parts(value: Decimal | None, currency: str | None, reason: Reason, origin: Origin) -> tuple[str, SafeString]:
    """The title and the text of a cost: the exact estimate with whose price it is, or why there is none."""
    if value is None:
        return reason.sentence, or_missing(None, _WITHOUT_COST.get(reason, reason.state))
    return f"{value:f} {currency or ''}, {origin.words}", SafeString(escape(formats.money(value, currency)))


@register.filter
def cost(row: ResultRow) -> SafeString:
    """What the model cost in a result, the exact estimate or the reason for its absence in the title."""
    return format_html(
        '<span title="{}">{}</span>', *cost_parts(row.cost, row.currency, row.cost_reason, row.cost_origin)
    )


@register.filter
def pass_cost(costs: GroupCosts) -> SafeString:
    """What a passed result cost by currency, over the priced results alone; how many passed in the title."""
    if not costs.amounts:
        return or_missing(None, "unpriced" if costs.unpriced else "none")
    known = [(amount.per_pass, amount) for amount in costs.amounts if amount.per_pass is not None]
    if not known:
        return or_missing(None, formats.NOT_AVAILABLE)
    text = " + ".join(formats.money(value, amount.currency) for value, amount in known)
    passed = formats.plural(sum(amount.passed for _, amount in known), "passed result")
    return format_html('<span title="priced results / the {} of them">{}</span>', passed, text)


@register.filter
def total_cost(costs: GroupCosts) -> SafeString:
    """What results cost by currency, with how many are in no sum, and how many at table prices; exact in the title."""
    exact = ", ".join(f"{amount.total:f} {amount.currency or ''}".strip() for amount in costs.amounts)
    left_out = [(costs.unpriced, "unpriced"), (costs.inconsistent, "inconsistent")]
    notes = ", ".join(f"{formats.count(number)} {word}" for number, word in left_out if number)
    tabled = sum(amount.tabled for amount in costs.amounts)
    if not costs.amounts:
        return or_missing(None, "unpriced" if notes else "none")
    text = " + ".join(formats.money(amount.total, amount.currency) for amount in costs.amounts)
    title = f"{exact}; {notes}" if notes else exact
    notes = ", ".join(filter(None, [notes, f"{formats.count(tabled)} at table prices" if tabled else ""]))
    mark = format_html(' <span class="sub">· {}</span>', notes) if notes else ""
    return format_html('<span title="{}">{}{}</span>', title, text, mark)


@register.filter
def visible_text(value: str) -> SafeString:
    """Text as text: markup escaped, control characters and directional overrides named instead of obeyed."""
    text = str(value)
    if HIDDEN.search(text) is None:  # most texts, by far
        return SafeString(escape(text))
    return SafeString("".join([_marked(part) for part in split_hidden(text)]))


@register.filter
def visible_label(value: str) -> str:
    """Text for titles and attributes: one line, hidden characters as `[U+202E]`; the template escapes it."""
    return spelt_out(str(value))


@register.filter
def text_block(value: str) -> SafeString:
    """A text of any size as visible text, with giants cut short and the cuts named."""
    return format_html_join("", "{}", ((_block_part(part),) for part in cut(value)))


def _marked(part: TextPart) -> str:
    return f'<span class="bidi">{part.text}</span>' if part.is_note else escape(part.text)  # the note is our own


def _block_part(part: TextPart) -> SafeString:
    return format_html('<span class="missing">{}</span>', part.text) if part.is_note else visible_text(part.text)


@register.filter
def json_block(source: bytes) -> SafeString:
    """A JSON document, indented and coloured, as visible text."""
    return SafeString("".join([_json_part(part) for part in json_parts(source)]))


def _json_part(part: JsonPart) -> str:
    if not part.kind:
        return part.text  # marks and white space, nothing to escape
    return f'<span class="{JSON_CLASSES[part.kind]}">{visible_text(part.text)}</span>'

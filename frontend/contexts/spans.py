"""Ranges of the filter as a page writes them: in a sentence, and in the two fields of a form."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from frontend import formats
from frontend.contexts.filter_words import span_names, span_word
from results.filters import SPANS, ResultFilter
from results.spans import DAY_US, Span

PER_SECOND = {"ms": 1000, "s": 1}
A_DAY = "2026-08-24"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class SpanField:
    """The two fields of one range.

    Attributes:
        unit: of a plain number; empty for counts and days.
        low, high: what stands in the fields, empty = open; written so that the same range is read back.
        kind: type of the fields, `date` or `text`.
        is_open: the fields are not folded away.
    """

    name: str
    title: str
    unit: str
    low: str
    high: str
    from_example: str
    to_example: str
    kind: str
    is_open: bool


def span_fields(asked: ResultFilter) -> tuple[SpanField, ...]:
    """The fields of every range, filled with what the filter asks for."""
    return tuple(_field(name, asked.span(name)) for name in span_names())


def span_sentence(name: str, span: Span) -> str:
    """A range in words: `from 1 s`, `1 s to 2 s`, `up to 500`, `since 11 Aug 2026`."""
    is_date = span_word(name).is_date
    low = "" if span.low is None else _words(name, span.low, is_end=False)
    high = "" if span.high is None else _words(name, span.high, is_end=True)
    if low and high:
        return low if low == high else f"{low} to {high}"
    if low:
        return f"since {low}" if is_date else f"from {low}"
    return f"until {high}" if is_date else f"up to {high}"


def _field(name: str, span: Span) -> SpanField:
    word = span_word(name)
    is_day = word.is_date and _are_days(span)
    low = "" if span.low is None else _in_unit(SPANS[name].write(span.low))
    high = "" if span.high is None else _in_unit(SPANS[name].write(span.high))
    if is_day:
        low, high = low[: len(A_DAY)], high[: len(A_DAY)]
    return SpanField(
        name=name,
        title=word.title,
        unit=word.unit,
        low=low,
        high=high,
        from_example=word.from_example,
        to_example=word.to_example,
        kind="date" if is_day else "text",
        is_open=word.is_open or bool(span),
    )


def _in_unit(text: str) -> str:
    """`10` for `10s` and `0.5` for `500ms`, because the field says that it takes seconds; finer units stay."""
    for unit, per_second in PER_SECOND.items():
        if (number := text.removesuffix(unit)).isdigit() and text.endswith(unit):
            return f"{Decimal(number) / per_second:f}"
    return text


def _are_days(span: Span) -> bool:
    """Whether both ends fall on the edge of a day, so that a field for days can show them."""
    return (span.low is None or span.low % DAY_US == 0) and (span.high is None or (span.high + 1) % DAY_US == 0)


def _words(name: str, value: int, *, is_end: bool) -> str:
    if span_word(name).is_date:
        moment = EPOCH + timedelta(microseconds=value)
        return formats.date(moment) if (value + is_end) % DAY_US == 0 else formats.moment(moment)
    text = SPANS[name].write(value)
    if text.lstrip("-").isdigit():
        return formats.count(int(text))
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    return f"{number}{formats.NBSP}{text[len(number) :]}" if len(number) < len(text) else text

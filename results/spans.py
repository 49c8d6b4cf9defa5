"""Ranges of a filter as text: `a..b`, `a..`, `..b`, or one value."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

LARGEST = 2**63 - 1
NS_BY_UNIT = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY_US = 86_400_000_000
NANO = 10**9  # amounts are counted in 10^-9 of the currency unit
MAX_EXPONENT = 40  # of a number that is worth calculating with


@dataclass(frozen=True)
class Span:
    """A range with both ends inside it; None = open. Unknown values lie in no range."""

    low: int | None = None
    high: int | None = None

    def __bool__(self) -> bool:
        return self.low is not None or self.high is not None


@dataclass(frozen=True)
class SpanFormat:
    """How the ends of one kind of range are read and written."""

    read_low: Callable[[str], int]
    read_high: Callable[[str], int]
    write: Callable[[int], str]

    def parse(self, text: str) -> Span:
        """Read a range; empty text is no range.

        Raises:
            ValueError: an end is not a value of this kind, or nothing lies between them; the message says so.
        """
        if not text:
            return Span()
        low, dots, high = text.partition("..")
        if not dots:
            high = low
        span = Span(
            _bounded(self.read_low(low.strip())) if low.strip() else None,
            _bounded(self.read_high(high.strip())) if high.strip() else None,
        )
        if span.low is not None and span.high is not None and span.low > span.high:
            raise ValueError(f"{low.strip()} to {high.strip()} is empty: the first is larger.")
        return span

    def text(self, span: Span) -> str:
        """Write a range so that `parse` reads it back."""
        low = "" if span.low is None else self.write(span.low)
        high = "" if span.high is None else self.write(span.high)
        return f"{low}..{high}"


def _bounded(value: int) -> int:
    return max(-LARGEST, min(LARGEST, value))


def _count(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a whole number.") from None


def _scaled(text: str, unit: int) -> int:
    """A decimal number in smaller units, cut off towards 0; numbers too large to exist are the largest.

    Raises:
        ArithmeticError, ValueError: it is no finite number.
    """
    number = Decimal(text)
    if abs(number.adjusted()) > MAX_EXPONENT and number:  # spares making an integer of a million digits
        return (0 if number.adjusted() < 0 else LARGEST) * (-1 if number < 0 else 1)
    return int(number * unit)


def _duration(text: str) -> int:
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = text[len(digits) :] or "s"
    try:
        return _scaled(digits, NS_BY_UNIT[unit])
    except (ArithmeticError, KeyError, ValueError):
        raise ValueError(f"{text!r} is not a duration such as 250ms, 1.5s or 2m.") from None


def _amount(text: str) -> int:
    try:
        return _scaled(text, NANO)
    except (ArithmeticError, ValueError):
        raise ValueError(f"{text!r} is not an amount such as 0.25 or 3.") from None


def _amount_text(value: int) -> str:
    units, rest = divmod(abs(value), NANO)
    digits = f"{units}.{rest:09d}".rstrip("0").rstrip(".")
    return f"-{digits}" if value < 0 else digits


def _duration_text(value: int) -> str:
    for unit in ("s", "ms", "us"):
        if value % NS_BY_UNIT[unit] == 0:
            return f"{value // NS_BY_UNIT[unit]}{unit}"
    return f"{value}ns"


def _microseconds(moment: datetime) -> int:
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (zoned - EPOCH) // timedelta(microseconds=1)


def _moment(text: str, *, is_end: bool) -> int:
    try:
        if len(text) == len("2025-01-31"):
            day = _microseconds(datetime.combine(date.fromisoformat(text), time()))
            return day + DAY_US - 1 if is_end else day
        moment = _microseconds(datetime.fromisoformat(text))
        _moment_text(moment)  # a zone can push it out of the calendar: then it could not be written back
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a day such as 2025-01-31 or a time such as 2025-01-31T12:00Z.") from None
    return moment


def _moment_text(value: int) -> str:
    return (EPOCH + timedelta(microseconds=value)).isoformat().replace("+00:00", "Z")


counts = SpanFormat(_count, _count, str)
amounts = SpanFormat(_amount, _amount, _amount_text)
durations = SpanFormat(_duration, _duration, _duration_text)
moments = SpanFormat(lambda text: _moment(text, is_end=False), lambda text: _moment(text, is_end=True), _moment_text)

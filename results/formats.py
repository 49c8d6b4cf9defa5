"""How numbers, times and missing values read, on pages and in reports: every rule in one place."""

from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

NBSP = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
EN_DASH = "\N{EN DASH}"
NOT_AVAILABLE = "n/a"  # no denominator
UNKNOWN = "unknown"  # the file does not say
BLANK_NAMES = ("unspecified", "no name")  # what a missing name is called, with or without brackets
NOT_RECORDED = "not recorded"  # the section is absent
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
BYTE_UNITS = ("kB", "MB", "GB", "TB")
CALL_STATUSES = {  # recorded word: the outcome whose look it takes, label
    "success": ("passed", "Success"),
    "nonzero_exit": ("failed", "Non-zero exit"),
    "empty_output": ("failed", "Empty output"),
    "timeout": ("error", "Timeout"),
    "invalid_arguments": ("failed", "Invalid arguments"),
    "infrastructure_error": ("error", "Infrastructure error"),
}
DIME, THOUSANDTH = Decimal("0.1"), Decimal("0.001")
SMALLEST_MONEY = Decimal("1E-9")
SMALLEST_P = 0.00005
THOUSAND = 1000
SECONDS_PER_MINUTE, SECONDS_PER_HOUR = 60, 3600
NS_PER_US, NS_PER_MS, NS_PER_S = 10**3, 10**6, 10**9


@lru_cache(maxsize=8192)  # a page says a rate several times, and the next page says it again
def percent(value: float) -> str:
    """A rate's number in percent with one decimal, rounded half up.

    Args:
        value: a rate in [0, 1].

    Returns:
        The number alone, such as `75.0`.
    """
    tenths = (Decimal(str(value)) * 100).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return f"{tenths}"


def rate(value: float | None) -> str:
    """A rate as `75.0 %`; None, a rate without a denominator, as `n/a`."""
    return NOT_AVAILABLE if value is None else f"{percent(value)}{NBSP}%"


def interval(low: float, high: float) -> str:
    """An interval of rates as `58.9–86.2 %`; both ends in [0, 1]."""
    return f"{percent(low)}{EN_DASH}{percent(high)}{NBSP}%"


def signed_points(value: float) -> str:
    """A difference of rates as a number of percentage points with its sign: `+3.6`, `−53.6`, `0.0`.

    Args:
        value: in [-1, 1].
    """
    tenths = (Decimal(str(abs(value))) * 100).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return f"{(MINUS if value < 0 else '+') if tenths else ''}{tenths}"


def points(value: float) -> str:
    """A difference of rates as `+3.6 pp`."""
    return f"{signed_points(value)}{NBSP}pp"


def p_value(value: float) -> str:
    """A p-value with four decimals; what is smaller reads `<0.0001`."""
    return "<0.0001" if value < SMALLEST_P else f"{value:.4f}"


def count(value: int | None) -> str:
    """An exact integer of any size with commas; None as `unknown`."""
    if value is None:
        return UNKNOWN
    return f"{MINUS}{-value:,}" if value < 0 else f"{value:,}"


def plural(value: int, noun: str) -> str:
    """`1 result`, `2 results`: a count and its noun, whose plural ends in `s`."""
    return f"{count(value)}{NBSP}{noun}" if value == 1 else f"{count(value)}{NBSP}{noun}s"


def duration(value_ns: int | None) -> str:
    """A length of time as `520 ms`, `22.7 s`, `10 m 51 s` or `1 h 18 m`.

    Args:
        value_ns: nanoseconds; None as `unknown`, below zero with a true minus.
    """
    if value_ns is None:
        return UNKNOWN
    sign = MINUS if value_ns < 0 else ""
    return sign + _positive_duration(abs(value_ns))


def _positive_duration(value_ns: int) -> str:
    if 0 < value_ns < NS_PER_US:
        return f"{value_ns}{NBSP}ns"
    microseconds = _rounded(value_ns, NS_PER_US)
    if 0 < microseconds < THOUSAND:
        return f"{microseconds}{NBSP}µs"
    milliseconds = _rounded(value_ns, NS_PER_MS)
    if milliseconds < THOUSAND:
        return f"{milliseconds}{NBSP}ms"
    tenths = _rounded(value_ns, NS_PER_S // 10)
    if tenths < 10 * SECONDS_PER_MINUTE:
        return f"{tenths // 10}.{tenths % 10}{NBSP}s"
    seconds = _rounded(value_ns, NS_PER_S)
    if seconds < SECONDS_PER_HOUR:
        return f"{seconds // 60}{NBSP}m{NBSP}{seconds % 60:02d}{NBSP}s"
    minutes = _rounded(value_ns, 60 * NS_PER_S)
    return f"{minutes // 60:,}{NBSP}h{NBSP}{minutes % 60:02d}{NBSP}m"


def exact_duration(value_ns: int | None) -> str:
    """Nanoseconds to the last digit, for a title: `233,961,842,000 ns`; None as `unknown`."""
    return UNKNOWN if value_ns is None else f"{count(value_ns)}{NBSP}ns"


def _rounded(value: int, unit: int) -> int:
    """`value / unit` to the nearest integer, half up, without floats; `value` is not negative."""
    return (2 * value + unit) // (2 * unit)


def size(value_bytes: int | None) -> str:
    """A number of bytes as `214 bytes`, `6.8 kB` (thousands), `5.0 MB`; None as `unknown`."""
    if value_bytes is None:
        return UNKNOWN
    if abs(value_bytes) < THOUSAND:
        return plural(value_bytes, "byte")
    scaled, power = Decimal(value_bytes) / THOUSAND, 0
    while abs(scaled) >= Decimal("999.95") and power < len(BYTE_UNITS) - 1:
        scaled, power = scaled / THOUSAND, power + 1
    return f"{scaled.quantize(Decimal('0.1'), ROUND_HALF_UP):,}{NBSP}{BYTE_UNITS[power]}"


def money(value: Decimal, currency: str | None) -> str:
    """An amount as `$1.51`, below a dime with four decimals `$0.0686`, of other currencies `1.51 EUR`.

    Below a thousandth it has two significant digits, `$0.000012`; what is smaller than the smallest reads `<$…`.

    Args:
        value: in units of the currency; never rounded away.
        currency: as the file writes it; None = the file does not say, and the number stands alone.
    """
    step = _money_step(abs(value))
    shown = abs(value).quantize(step, ROUND_HALF_UP)
    sign = MINUS if value < 0 else ""
    if value and not shown:
        sign, shown = f"<{sign}", step
    if currency == "USD":
        return f"{sign}${shown:,f}"
    return f"{sign}{shown:,f}{NBSP}{currency}" if currency else f"{sign}{shown:,f}"


def _money_step(value: Decimal) -> Decimal:
    """The last decimal that is shown of an amount, which is not negative."""
    if not value or value >= DIME:
        return Decimal("0.01")
    if value >= THOUSANDTH:
        return Decimal("0.0001")
    return max(SMALLEST_MONEY, Decimal(1).scaleb(value.adjusted() - 1))


def date(value: datetime | None) -> str:
    """A day as `24 Aug 2026`, in UTC; None as `unknown`."""
    if value is None:
        return UNKNOWN
    day = in_utc(value)
    return f"{day.day}{NBSP}{MONTHS[day.month - 1]}{NBSP}{day.year}"


def moment(value: datetime | None) -> str:
    """A time to the second as `24 Aug 2026, 23:46:59 UTC`; None as `unknown`."""
    return UNKNOWN if value is None else f"{date(value)}, {in_utc(value):%H:%M:%S}{NBSP}UTC"


def minute(value: datetime | None) -> str:
    """A time to the minute as `24 Aug 2026, 23:46 UTC`; None as `unknown`."""
    return UNKNOWN if value is None else f"{date(value)}, {in_utc(value):%H:%M}{NBSP}UTC"


def machine_time(value: datetime) -> str:
    """A time for `<time datetime>`, in UTC: `2026-08-24T23:46:59Z`."""
    return f"{in_utc(value).replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def in_utc(value: datetime) -> datetime:
    """The same moment in UTC; the first and last days of the calendar, which have no UTC form, keep their clock."""
    try:
        return value.astimezone(UTC)
    except OverflowError:
        return value.replace(tzinfo=UTC)


def call_status(word: str) -> str:
    """A tool call's status in words; a word that is not known stands for itself."""
    return CALL_STATUSES.get(word, ("", word))[1]


def named(value: str | None, blank: str) -> str:
    """A name from a file; a missing one as the word for that, and one that only reads like such a word in quotes."""
    if value is None:
        return blank
    return f"“{value}”" if value.strip("()") in (blank.strip("()"), *BLANK_NAMES) else value


def outcome(value: str) -> str:
    """An outcome's word on a badge: `Passed`, `Failed`, `Error`, `Skipped`."""
    return value.capitalize()

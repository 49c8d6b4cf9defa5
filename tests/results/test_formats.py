"""Numbers and times read as the pages promise; every expected text is written by hand."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from results import formats


def spaced(text: str) -> str:
    """The text with plain spaces in place of non-breaking ones."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.75, "75.0 %"),
        (0.0, "0.0 %"),
        (1.0, "100.0 %"),
        (168 / 244, "68.9 %"),
        (0.0625, "6.3 %"),  # 6.25, half up
        (1 / 3, "33.3 %"),
        (None, "n/a"),
    ],
)
def test_a_rate_has_one_decimal_and_no_denominator_is_not_zero(value: float | None, shown: str) -> None:
    assert spaced(formats.rate(value)) == shown


def test_a_rate_never_breaks_before_its_sign() -> None:
    assert formats.rate(0.75) == "75.0\u00a0%"


def test_an_interval_names_its_unit_once() -> None:
    assert spaced(formats.interval(0.5893, 0.8621)) == "58.9–86.2 %"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (999, "999"),
        (9757319876537473, "9,757,319,876,537,473"),
        (9223372036854775807, "9,223,372,036,854,775,807"),
        (18446744073709551614, "18,446,744,073,709,551,614"),
        (-5, "−5"),
        (None, "unknown"),
    ],
)
def test_counts_are_exact_at_any_size(value: int | None, shown: str) -> None:
    assert formats.count(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0 results"), (1, "1 result"), (2, "2 results"), (1000, "1,000 results")]
)
def test_a_noun_agrees_with_its_count(value: int, shown: str) -> None:
    assert spaced(formats.plural(value, "result")) == shown


@pytest.mark.parametrize(
    ("value_ns", "shown"),
    [
        (0, "0 ms"),
        (480, "480 ns"),
        (12_500, "13 µs"),
        (999_600, "1 ms"),
        (520_000_000, "520 ms"),
        (999_499_999, "999 ms"),
        (999_500_000, "1.0 s"),
        (22_700_000_000, "22.7 s"),
        (59_949_999_999, "59.9 s"),
        (59_950_000_000, "1 m 00 s"),
        (233_961_842_000, "3 m 54 s"),
        (651_000_000_000, "10 m 51 s"),
        (3_599_500_000_000, "1 h 00 m"),
        (4_680_000_000_000, "1 h 18 m"),
        (9223372036854775807, "2,562,047 h 47 m"),
        (-520_000_000, "−520 ms"),
        (None, "unknown"),
    ],
)
def test_a_length_of_time_keeps_three_figures(value_ns: int | None, shown: str) -> None:
    assert spaced(formats.duration(value_ns)) == shown


def test_the_exact_length_of_time_has_every_digit() -> None:
    assert spaced(formats.exact_duration(233_961_842_001)) == "233,961,842,001 ns"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (6849, "6.8 kB"),
        (999_950, "1.0 MB"),
        (5_242_880, "5.2 MB"),
        (None, "unknown"),
    ],
)
def test_sizes_are_in_thousands(value: int | None, shown: str) -> None:
    assert spaced(formats.size(value)) == shown


def test_a_time_is_shown_in_utc_whatever_its_zone() -> None:
    value = datetime(2026, 8, 24, 20, 8, 32, tzinfo=timezone(-timedelta(hours=4)))
    assert spaced(formats.moment(value)) == "25 Aug 2026, 00:08:32 UTC"


def test_a_day_has_no_leading_zero() -> None:
    assert spaced(formats.date(datetime(2026, 6, 7, tzinfo=UTC))) == "7 Jun 2026"


def test_the_machine_form_of_a_time_names_its_zone() -> None:
    assert formats.machine_time(datetime(1, 1, 1, tzinfo=UTC)) == "0001-01-01T00:00:00Z"


def test_the_first_day_of_the_calendar_can_be_shown() -> None:
    early = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9)))
    assert spaced(formats.minute(early)) == "1 Jan 1, 00:00 UTC"


def test_a_time_that_nobody_recorded_is_unknown() -> None:
    assert formats.moment(None) == "unknown"


@pytest.mark.parametrize(
    ("value", "currency", "text"),
    [
        ("1.505", "USD", "$1.51"),
        ("0.0686", "USD", "$0.0686"),
        ("0.0009999", "USD", "$0.00100"),
        ("0.000254", "USD", "$0.00025"),
        ("0.00001", "USD", "$0.000010"),
        ("0.00000000123", "EUR", "0.000000001\u00a0EUR"),
        ("0.0000000001", "USD", "<$0.000000001"),
        ("0", "USD", "$0.00"),
        ("1234.5", "EUR", "1,234.50\N{NO-BREAK SPACE}EUR"),
        ("2", None, "2.00"),
        ("-3", "USD", "\N{MINUS SIGN}$3.00"),
    ],
)
def test_money_keeps_what_is_small(value: str, currency: str | None, text: str) -> None:
    assert formats.money(Decimal(value), currency) == text

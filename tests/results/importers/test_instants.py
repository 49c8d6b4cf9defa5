"""Times as documents write them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.importers.instants import parse_instant


@pytest.mark.parametrize(
    ("text", "expected", "source"),
    [
        ("2025-06-01T12:00:00", datetime(2025, 6, 1, 12, tzinfo=UTC), "document_utc_assumed"),
        ("2025-06-01T12:00:00+09:00", datetime(2025, 6, 1, 3, tzinfo=UTC), "document"),
        ("2025-06-01T12:00:00Z", datetime(2025, 6, 1, 12, tzinfo=UTC), "document"),
        ("2025-06-01t12:00:00.5z", datetime(2025, 6, 1, 12, 0, 0, 500_000, tzinfo=UTC), "document"),
        ("2025-06-01T12:00:00.123456789Z", datetime(2025, 6, 1, 12, 0, 0, 123_456, tzinfo=UTC), "document"),
        ("Mon, 02 Jun 2025 12:00:00 +0200", datetime(2025, 6, 2, 10, tzinfo=UTC), "document"),
        ("Mon, 24 Aug 2026 20:08:32 -0400", datetime(2026, 8, 25, 0, 8, 32, tzinfo=UTC), "document"),
        ("Mon, 02 Jun 2025 12:00:00 GMT", datetime(2025, 6, 2, 12, tzinfo=UTC), "document"),
        ("Mon, 02 Jun 2025 12:00:00", datetime(2025, 6, 2, 12, tzinfo=UTC), "document_utc_assumed"),
        ("  ", None, "absent"),
        ("yesterday", None, "unreadable"),
        ("2025-13-01T12:00:00Z", None, "unreadable"),
        ("2025-06-01", None, "unreadable"),
        ("0001-01-01T00:00:00Z", None, "unreadable"),
    ],
)
def test_a_time_and_where_it_comes_from_are_read(text: str, expected: datetime | None, source: str) -> None:
    assert parse_instant(text) == (expected, source)


@given(st.one_of(st.text(), st.from_regex(r"[0-9A-Za-z ,:+TZ-]{1,40}", fullmatch=True)))
def test_any_text_is_read_or_called_unreadable(text: str) -> None:
    instant, source = parse_instant(text)
    assert (instant is None) == (source in {"absent", "unreadable"})

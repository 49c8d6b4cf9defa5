"""Reads the time that a document says it was written at."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_ISO = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d")
_FIRST_YEAR = 1970  # before it stand Go's and others' zero times


def parse_instant(text: str) -> tuple[datetime | None, str]:
    """Read RFC 1123 with a numeric zone, RFC 3339, or ISO 8601 without a zone.

    Args:
        text: as it was written; blank = absent.

    Returns:
        The instant in UTC, to the microsecond, and where it comes from: `document`, `document_utc_assumed` (no zone was
        given), or None with `absent` or `unreadable` (years before 1970 are nobody's time).

    Source: RFC 1123 §5.2.14 as Go's `time.RFC1123Z` writes it; RFC 3339.
    """
    text = text.strip()
    if not text:
        return None, "absent"
    try:
        is_iso = _ISO.match(text) is not None
        written = datetime.fromisoformat(text.upper()) if is_iso else parsedate_to_datetime(text)
        zone = written.tzinfo
        instant = (written if zone else written.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None, "unreadable"
    if instant.year < _FIRST_YEAR:
        return None, "unreadable"
    return instant, "document" if zone else "document_utc_assumed"

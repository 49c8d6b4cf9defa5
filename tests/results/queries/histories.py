"""Days and trace ids for tests of histories."""

from tests.documents import START_MS, trace_id

DAY_MS = 86_400_000


def on_day(day: int, number: int = 0) -> str:
    """A trace id that began on a day; `number` tells those of one day apart."""
    return trace_id(day * 1000 + number, START_MS + day * DAY_MS)

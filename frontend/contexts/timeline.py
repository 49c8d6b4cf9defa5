"""Geometry of tool calls in time: bars and ticks in percent of a line, as SVG attributes take them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from frontend.formats import NS_PER_MS, NS_PER_S, NS_PER_US, duration
from results.records import ToolCallSummary

MOST_TICKS = 5  # between both ends
LEAST_WIDTH = 0.8  # percent: a shorter call could not be seen
LONGEST_LEAD = timedelta(hours=1)  # from the result's start to its first call; more is a clock that goes wrong
LAST_TICK = 92.0  # percent: from here on a tick would run into the end's
STEPS_NS = (
    *(factor * unit for unit in (NS_PER_MS, 10 * NS_PER_MS, 100 * NS_PER_MS, NS_PER_S) for factor in (1, 2, 5)),
    *(seconds * NS_PER_S for seconds in (10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400)),
)


@dataclass(frozen=True)
class Bar:
    """One call: where it begins, how wide its wall time and its own time are; `own` is empty when not recorded."""

    start: str
    wall: str
    own: str


@dataclass(frozen=True)
class Tick:
    """A moment on the axis: `place` in percent; `anchor` as SVG's `text-anchor`."""

    place: str
    label: str
    anchor: str


@dataclass(frozen=True)
class Timeline:
    """Calls on one line; `bars` has an entry per call, None where its start is unknown. `ticks` begin at 0."""

    bars: tuple[Bar | None, ...]
    ticks: tuple[Tick, ...]
    span_ns: int | None

    @classmethod
    def build(cls, calls: Sequence[ToolCallSummary], started_at: datetime | None) -> "Timeline":
        """Lay out calls.

        Args:
            calls: in the order in which they are shown.
            started_at: when the result began, where its trace id says so; the line begins there, or at the first call.
        """
        starts = [call.started_at for call in calls if call.started_at is not None]
        if not starts:
            return cls(tuple(None for _ in calls), (), None)
        origin = _origin(min(starts), started_at)
        ends = [_ns(call.started_at - origin) + (wall_ns(call) or 0) for call in calls if call.started_at is not None]
        span_ns = max(*ends, 1) if len(ends) > 1 else max(ends[0], 1)
        return cls(tuple(_bar(call, origin, span_ns) for call in calls), _ticks(span_ns), span_ns)


def wall_ns(call: ToolCallSummary) -> int | None:
    """How long a call took on the clock: as recorded, else from its start to its end; None = unknown."""
    if call.wall_time_ns is not None:
        return call.wall_time_ns
    if call.started_at is None or call.completed_at is None:
        return None
    return _ns(call.completed_at - call.started_at)


def _origin(first: datetime, started_at: datetime | None) -> datetime:
    is_near = started_at is not None and timedelta(0) <= first - started_at <= LONGEST_LEAD
    return started_at if is_near and started_at is not None else first


def _ns(length: timedelta) -> int:
    return length // timedelta(microseconds=1) * NS_PER_US


def _bar(call: ToolCallSummary, origin: datetime, span_ns: int) -> Bar | None:
    if call.started_at is None:
        return None
    start = 100 * _ns(call.started_at - origin) / span_ns
    wall = max(LEAST_WIDTH, 100 * max(0, wall_ns(call) or 0) / span_ns)
    start = min(start, 100 - wall)
    own = None if call.duration_ns is None else min(wall, max(LEAST_WIDTH / 2, 100 * call.duration_ns / span_ns))
    return Bar(f"{max(start, 0.0):.2f}", f"{min(wall, 100.0):.2f}", "" if own is None else f"{own:.2f}")


def _ticks(span_ns: int) -> tuple[Tick, ...]:
    step = next((step for step in STEPS_NS if span_ns / step <= MOST_TICKS), span_ns)
    inner = [Tick(f"{place:.2f}", duration(at), "middle") for at, place in _places(step, span_ns) if place < LAST_TICK]
    return (Tick("0.00", f"0{duration(NS_PER_S)[-2:]}", "start"), *inner, Tick("100.00", duration(span_ns), "end"))


def _places(step: int, span_ns: int) -> list[tuple[int, float]]:
    return [(at, 100 * at / span_ns) for at in range(step, span_ns, step)]

"""Template tags for the small marks that many pages share: outcome, rate with its interval, bar of outcomes, time."""

from dataclasses import dataclass
from datetime import datetime

from django import template

from frontend import formats
from results.models.evaluations import TimeSource
from results.statistics import OutcomeCounts, Rate

GAP = 0.6  # percent of the bar between two outcomes
TIME_NOTES: dict[int | None, str] = {
    TimeSource.DOCUMENT_UTC_ASSUMED: "zone assumed",
    TimeSource.IMPORT: "import time",
}

register = template.Library()


@dataclass(frozen=True)
class Segment:
    """One stretch of a bar, in percent of its width."""

    outcome: str
    start: str
    width: str


@register.inclusion_tag("_outcome.html")
def outcome(value: str, size: str = "") -> dict[str, str]:
    """An outcome's badge: word, shape and colour."""
    return {"outcome": value, "label": formats.outcome(value), "size": size}


@register.inclusion_tag("_rate.html")
def rate(value: Rate) -> dict[str, str | int | None]:
    """A rate with its n and 95 % interval; `n/a` without a denominator."""
    if value.value is None or value.low is None or value.high is None:
        return {"value": None, "n": 0}
    return {
        "value": formats.rate(value.value),
        "n": value.n,
        "interval": formats.interval(value.low, value.high),
        "low": formats.percent(value.low),
        "width": f"{max(0.0, value.high - value.low) * 100:.1f}",
        "dot": formats.percent(value.value),
    }


@register.inclusion_tag("_outcome_bar.html")
def outcome_bar(passed: int, failed: int, errors: int, skipped: int) -> dict[str, str | list[Segment]]:
    """The shares of the four outcomes as one bar, with the counts as its name."""
    counts = {"passed": passed, "failed": failed, "error": errors, "skipped": skipped}
    total = OutcomeCounts(passed, failed, errors, skipped).total
    segments: list[Segment] = []
    start = 0.0
    for name, number in counts.items():
        if number:
            share = 100 * number / total
            segments.append(Segment(name, f"{start:.2f}", f"{max(share - GAP, share / 2):.2f}"))
            start += share
    label = ", ".join(f"{formats.count(number)} {name}" for name, number in counts.items())
    return {"label": label, "segments": segments}


@register.inclusion_tag("_time.html")
def time(value: datetime | None, source: int | None = None) -> dict[str, str]:
    """A time to the minute, the exact one in its title; where it is not the file's own, it says whose it is."""
    return _time(value, source, formats.minute(value))


@register.inclusion_tag("_time.html")
def exact_time(value: datetime | None, source: int | None = None) -> dict[str, str]:
    """A time to the second; where it is not the file's own, it says whose it is."""
    return _time(value, source, formats.moment(value))


def _time(value: datetime | None, source: int | None, text: str) -> dict[str, str]:
    if value is None:
        return {"text": ""}
    origin = "" if source is None else f", from the {TimeSource(source).label}"
    return {
        "text": text,
        "machine": formats.machine_time(value),
        "title": formats.moment(value) + origin,
        "source": TIME_NOTES.get(source, ""),
    }

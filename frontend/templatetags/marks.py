"""Template tags for the small marks that many pages share: outcome, rate with its interval, bar of outcomes, time."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from frontend import formats
from frontend.series import series_of
from frontend.templatetags.formats import or_missing, visible_label, visible_text
from results.models.evaluations import TimeSource
from results.statistics import Rate

GAP = 0.6  # percent of the bar between two outcomes
TIME_NOTES: dict[int | None, str] = {
    TimeSource.DOCUMENT_UTC_ASSUMED: "zone assumed",
    TimeSource.IMPORT: "import time",
}

# A mark is a function of its value, and a template of its own costs a hundred times what looking it up does: a list of
# fifty rows has hundreds. About 1 kB each.
kept = lru_cache(maxsize=4096)

NO_NAME = "no name"

register = template.Library()


@dataclass(frozen=True)
class Segment:
    """One stretch of a bar, in percent of its width."""

    outcome: str
    start: str
    width: str


def _mark(name: str, context: dict[str, Any]) -> SafeString:
    """A mark as it stands in a sentence: the line break at the end of its file would be a space before a comma."""
    return SafeString(render_to_string(name, context).strip())


@register.simple_tag
@kept
def outcome(value: str, size: str = "") -> SafeString:
    """An outcome's badge: word, shape and colour."""
    return _mark("_outcome.html", {"outcome": value, "label": formats.outcome(value), "size": size})


@register.simple_tag
def provider(name: str, text: str = "") -> SafeString:
    """A provider's name, or another text that belongs to it, behind the mark in its colour."""
    shown = visible_text(formats.named(text or name, NO_NAME))
    return format_html('<span class="provider" data-series="{}">{}</span>', series_of(name), shown) if name else shown


@register.simple_tag
def run_name(provider_name: str, run: str, shared: Collection[str] = ()) -> SafeString:
    """A run's name behind the mark of its provider; the provider's beside it where `shared` holds the run's name."""
    shown = provider(provider_name, run) if run else or_missing(None, NO_NAME)
    return format_html('{} <span class="sub">{}</span>', shown, visible_text(provider_name)) if run in shared else shown


@register.simple_tag
def run_link(run_id: int, provider_name: str, run: str, shared: Collection[str] = ()) -> SafeString:
    """A run as `run_name` has it, leading to the run's page."""
    shown = run_name(provider_name, run, shared)
    title = f"{visible_label(run)}, {visible_label(provider_name)}"
    return format_html('<a href="{}" title="{}">{}</a>', reverse("run-show", args=(run_id,)), title, shown)


@register.simple_tag
@kept
def rate(value: Rate, base: float | None = None) -> SafeString:
    """A rate with its n and 95 % interval, a line at the baseline's rate; `n/a` without a denominator."""
    marked = {} if base is None else {"base": formats.percent(base)}
    return _mark("_rate.html", rate_parts(value) | marked)


def rate_parts(value: Rate) -> dict[str, str | int | None]:
    """What `_rate.html` reads."""
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


@register.simple_tag
@kept
def outcome_bar(passed: int, failed: int, errors: int, skipped: int, not_run: int | None = None) -> SafeString:
    """The shares of the four outcomes as one bar, with the counts as its name; of a trial also what is not run."""
    return _mark("_outcome_bar.html", bar_parts(passed, failed, errors, skipped, not_run))


def bar_parts(
    passed: int, failed: int, errors: int, skipped: int, not_run: int | None = None
) -> dict[str, str | list[Segment]]:
    """What `_outcome_bar.html` reads."""
    counts = {"passed": passed, "failed": failed, "error": errors, "skipped": skipped}
    if not_run is not None:
        counts["not-run"] = not_run
    total = sum(counts.values())
    segments: list[Segment] = []
    start = 0.0
    for name, number in counts.items():
        if number:
            share = 100 * number / total
            segments.append(Segment(name, f"{start:.2f}", f"{max(share - GAP, share / 2):.2f}"))
            start += share
    label = ", ".join(f"{formats.count(number)} {name.replace('-', ' ')}" for name, number in counts.items())
    return {"label": label, "segments": segments}


@register.simple_tag
@kept
def time(value: datetime | None, source: int | None = None) -> SafeString:
    """A time to the minute, the exact one in its title; where it is not the file's own, it says whose it is."""
    return _mark("_time.html", _time(value, source, formats.minute(value)))


@register.simple_tag
@kept
def day_of(value: datetime | None, source: int | None = None) -> SafeString:
    """The day of a time, the exact one in its title; where it is not the file's own, it says whose it is."""
    return _mark("_time.html", _time(value, source, formats.date(value)))


@register.simple_tag
@kept
def exact_time(value: datetime | None, source: int | None = None) -> SafeString:
    """A time to the second; where it is not the file's own, it says whose it is."""
    return _mark("_time.html", _time(value, source, formats.moment(value)))


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

"""Template tags for sprints and iterations: verdicts, results of parts, strips of iterations, recorded days."""

from collections.abc import Sequence
from datetime import datetime, time

from django import template
from django.utils.safestring import SafeString

from frontend import formats
from frontend.templatetags.formats import or_missing
from results.queries.sprints import IterationMark

OUTCOMES = {"pass": "passed", "fail": "failed", "skipped": "skipped", "error": "error"}
MOST_MARKS = 30  # of a strip; the latest are shown
ORDINALS = {1: "st", 2: "nd", 3: "rd"}
TEENS = range(11, 14)

register = template.Library()


@register.inclusion_tag("_outcome.html")
def verdict(value: str | None, size: str = "") -> dict[str, str]:
    """A verdict's badge; None, where there is none, as `Not evaluated`."""
    if value is None:
        return {"outcome": "not-run", "label": "Not evaluated", "size": size}
    outcome = OUTCOMES[value]
    label = "Could not be evaluated" if value == "error" else formats.outcome(outcome)
    return {"outcome": outcome, "label": label, "size": size}


@register.inclusion_tag("_part_result.html")
def part_result(
    value: str | None, text: str | None = None, is_amended: bool = False, is_quiet: bool = False
) -> dict[str, str | bool | None]:
    """The result of a strategy or a criterion, with the word as written where that is another one."""
    outcome = OUTCOMES.get(value or "")
    return {
        "outcome": outcome,
        "label": formats.outcome(outcome) if outcome else None,
        "text": text,
        "is_amended": is_amended,
        "is_quiet": is_quiet,
    }


@register.inclusion_tag("_iteration_strip.html")
def iteration_strip(marks: Sequence[IterationMark]) -> dict[str, str | int | list[str]]:
    """The verdicts of a sprint's iterations as a strip, oldest first."""
    shown = [OUTCOMES[mark.verdict] for mark in marks[-MOST_MARKS:]]
    numbered = (f"{mark.iteration} {outcome}" for mark, outcome in zip(marks[-MOST_MARKS:], shown, strict=True))
    return {
        "outcomes": shown,
        "label": f"{formats.plural(len(marks), 'iteration')}: {', '.join(numbered)}",
        "hidden": len(marks) - len(shown),
    }


@register.inclusion_tag("_time.html")
def recorded_day(value: datetime | None) -> dict[str, str]:
    """The day that a document records, the exact time in its title; midnight is taken as the day only."""
    if value is None:
        return {"text": ""}
    is_day_only = formats.in_utc(value).time() == time(0)
    return {
        "text": formats.date(value),
        "machine": formats.machine_time(value),
        "title": formats.moment(value),
        "source": "date only" if is_day_only else "",
    }


@register.filter
def ordinal(value: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    ending = "th" if value % 100 in TEENS else ORDINALS.get(value % 10, "th")
    return f"{formats.count(value)}{ending}"


@register.filter
def yes_or_no(value: bool | None) -> str | SafeString:
    """`yes`, `no`, or `not recorded` marked as missing."""
    if value is None:
        return or_missing(None, formats.NOT_RECORDED)
    return "yes" if value else "no"


@register.filter
def count_or_not_recorded(value: int | None) -> str | SafeString:
    """An exact count, or `not recorded` marked as missing."""
    return or_missing(None, formats.NOT_RECORDED) if value is None else formats.count(value)

"""What the list of evaluations is narrowed to: read from the address, and shown as menus."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.http import QueryDict
from django.utils import timezone

from frontend.contexts.columns import Column, changed
from frontend.contexts.job_entries import format_label
from frontend.contexts.unknown_values import unknown_values
from results.queries.evaluations import EvaluationChoices, EvaluationFilter

DAYS = {"7": "Last 7 days", "30": "Last 30 days"}
KEYS = ("q", "project", "format", "label", "days", "from", "to")
DAY = timedelta(days=1)


@dataclass(frozen=True)
class MenuOption:
    """One value of a filter, with its number of evaluations."""

    value: str
    label: str
    count: int
    is_checked: bool


@dataclass(frozen=True)
class FilterMenu:
    """A filter with the values to choose from; `chosen` counts those in force."""

    name: str
    label: str
    options: tuple[MenuOption, ...]
    chosen: int


@dataclass(frozen=True)
class DayLink:
    """A stretch of days up to now."""

    label: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class EvaluationFilters:
    """What `_evaluation_filters.html` reads.

    Attributes:
        first_day, last_day: of the stretch asked for, as the fields write it; empty = open.
        days: of the stretch up to now; empty for none.
        dates: what the date menu is called.
        is_active: something narrows the list.
        problems: parts of the address that make no sense.
    """

    search: str
    menus: tuple[FilterMenu, ...]
    day_links: tuple[DayLink, ...]
    days: str
    first_day: str
    last_day: str
    dates: str
    sort: str
    is_active: bool
    problems: tuple[str, ...]

    @classmethod
    def build(cls, choices: EvaluationChoices, params: QueryDict, columns: tuple[Column, ...]) -> "EvaluationFilters":
        """The filters in the state that the address asks for; `columns` are those of the list, which sort it."""
        days = params.get("days", "") if params.get("days", "") in DAYS else ""
        first, last = params.get("from", ""), params.get("to", "")
        return cls(
            search=params.get("q", "").strip(),
            menus=(
                _menu("project", "Project", {name: (name, count) for name, count in choices.projects.items()}, params),
                _menu("label", "Label", {text: (text, count) for text, count in choices.labels.items()}, params),
                _menu(
                    "format",
                    "Format",
                    {name: (format_label(name), count) for name, count in choices.formats.items()},
                    params,
                ),
            ),
            day_links=(
                DayLink("Any time", changed(params, days=None, page=None, **{"from": None, "to": None}), not days),
                *(
                    DayLink(label, changed(params, days=key, page=None, **{"from": None, "to": None}), key == days)
                    for key, label in DAYS.items()
                ),
            ),
            days=days,
            first_day=first if _day(first) else "",
            last_day=last if _day(last) else "",
            dates=DAYS.get(days, "") or _between(first, last),
            sort=params.get("sort", ""),
            is_active=any(params.get(key) for key in KEYS),
            problems=(
                *(f"{text} is no date; write it as 2026-08-24" for text in (first, last) if text and not _day(text)),
                *unknown_values(params, {"days": DAYS}, {"sort": columns}),
            ),
        )


def asked_of(params: QueryDict) -> EvaluationFilter:
    """The filter that an address asks for; what makes no sense in it is left out."""
    since = until = None
    if (first := _day(params.get("from", ""))) is not None:
        since = datetime.combine(first, time(), UTC)
    if (last := _day(params.get("to", ""))) is not None and last < date.max:
        until = datetime.combine(last + DAY, time(), UTC)
    if since is None and until is None and params.get("days") in DAYS:
        since = timezone.now() - timedelta(days=int(params.get("days", "")))
    return EvaluationFilter(
        search=params.get("q", "").strip(),
        projects=_values(params, "project"),
        formats=_values(params, "format"),
        labels=_values(params, "label"),
        since=since,
        until=until,
    )


def _values(params: QueryDict, key: str) -> tuple[str, ...]:
    return tuple(value.replace("\x00", "") for value in params.getlist(key) if value)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _between(first: str, last: str) -> str:
    if _day(first) and _day(last):
        return f"{first} to {last}"
    if _day(first):
        return f"from {first}"
    return f"to {last}" if _day(last) else ""


def _menu(name: str, label: str, values: dict[str, tuple[str, int]], params: QueryDict) -> FilterMenu:
    chosen = set(_values(params, name))
    shown = {**{value: (value, 0) for value in sorted(chosen)}, **values}
    options = tuple(MenuOption(value, text, count, value in chosen) for value, (text, count) in shown.items())
    return FilterMenu(name, label, options, len(chosen))

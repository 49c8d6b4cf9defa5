"""The cells of one row of a leaderboard; in Python because a page has hundreds of them."""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from html import escape
from urllib.parse import quote

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from frontend import formats
from frontend.templatetags.formats import or_missing, pass_cost, total_cost, visible_label
from frontend.templatetags.marks import rate
from results.filters import UNSPECIFIED
from results.queries.figure_values import COUNTS, DEVIATION, PARTS, RATES, TOTAL, figure
from results.queries.group_figures import GroupFigures
from results.queries.summary import Measure
from results.statistics import Rate

NAMED, NO_NAME = ("run", "provider"), "no name"
OUTCOMES = ("passed", "failed", "error", "skipped")
EXTRA = {"transient": "&amp;transient=yes", "parsing": "&amp;parsing=yes"}
SORTS = {  # measures by which the explorer sorts
    "duration": "&amp;sort=-duration",
    "input_tokens": "&amp;sort=-input_tokens",
    "output_tokens": "&amp;sort=-output_tokens",
    "tool_calls": "&amp;sort=-tool_calls",
    "judge_input_tokens": "&amp;judge=yes",
    "judge_output_tokens": "&amp;judge=yes",
}
TENTH = Decimal("0.1")

register = template.Library()


@register.simple_tag
def board_name(level: str, label: str | None, query: str, run_id: int | None) -> SafeString:
    """The name of a group, leading to its results or, of a run, to its page; a blank one can be filtered by as well."""
    shown = or_missing(label, NO_NAME if level in NAMED else UNSPECIFIED)
    title = escape(visible_label(label or ""))
    if run_id is not None:
        return SafeString(f'<a href="{reverse("run-show", args=(run_id,))}" title="{title}">{shown}</a>')
    return SafeString(f'<a href="{_results_address()}?{escape(query)}" title="{title}">{shown}</a>' if query else shown)


@register.simple_tag
def board_cells(group: GroupFigures, columns: Iterable[str], query: str, counted: str) -> SafeString:
    """The cells of a group.

    Args:
        group: its figures.
        columns: names of `results.queries.figure_values`, from left to right.
        query: of the explorer with the group's results, without an outcome; empty = no number is a link.
        counted: part of a query that leaves skipped results out.
    """
    address = f"{_results_address()}?{escape(query)}" if query else ""
    links = _Links(address, f"&amp;{escape(counted)}" if counted else "")
    return SafeString("".join([f'<td class="num">{_cell(group, name, links)}</td>' for name in columns]))


@cache
def _results_address() -> str:
    return reverse("results-list")


class _Links:
    """Ways from a number to the results behind it."""

    def __init__(self, address: str, counted: str) -> None:
        self._address = address
        self._counted = counted

    def to(self, inner: str, more: str = "", *, counts: bool = True) -> str:
        """The number as a link; `counts`: without skipped results."""
        if not self._address:
            return inner
        return f'<a href="{self._address}{self._counted if counts else ""}{more}">{inner}</a>'


def _cell(group: GroupFigures, name: str, links: _Links) -> str:
    if name in RATES:
        return _rate(group, name, links)
    if name in COUNTS:
        return _count(group, name, links)
    if name == "cost":
        return _cost(group, links)
    if name == "cost_per_pass":
        return _per_pass(group, links)
    return _measure(group, name, links)


def _rate(group: GroupFigures, name: str, links: _Links) -> str:
    outcomes = group.outcomes
    if name == "pass_rate":
        return links.to(rate(outcomes.pass_rate)) if outcomes.counted else rate(outcomes.pass_rate)
    found: Rate = outcomes.accuracy if name == "accuracy" else outcomes.error_rate
    if found.value is None:
        return or_missing(None, formats.NOT_AVAILABLE)
    asked = ["passed", "failed"] if name == "accuracy" else ["error"]
    more = "".join(f"&amp;outcome={quote(word)}" for word in asked)
    title = f"{formats.count(found.hits)} of {formats.count(found.n)}"
    inner = f'<span title="{title}">{formats.rate(found.value)}</span>'
    shown = links.to(inner, more, counts=False) if found.hits or name == "accuracy" else inner
    return f'{shown} <span class="sub">n {formats.count(found.n)}</span>'


def _count(group: GroupFigures, name: str, links: _Links) -> str:
    value = figure(group, name)
    number = int(value or 0)
    text = formats.count(number)
    if not number:
        return text
    if name in OUTCOMES:
        return links.to(text, f"&amp;outcome={name}", counts=False)
    return links.to(text, EXTRA.get(name, ""), counts=name != "results")


def _measure(group: GroupFigures, name: str, links: _Links) -> str:
    part = PARTS[name]
    measure, value = group.measure(part.measure), figure(group, name)
    if measure is None or value is None:
        return or_missing(None, _absence(group, measure))
    text = _time(value) if part.measure == "duration" else _amount(value, part.statistic)
    shown = links.to(text, SORTS.get(part.measure, ""))
    if part.statistic != TOTAL or not measure.unknown:
        return shown
    return f'{shown} <span class="sub">· {formats.count(measure.unknown)} unknown</span>'


def _absence(group: GroupFigures, measure: Measure | None) -> str:
    """No result counts, or only one does where it takes two, is not the same as not knowing."""
    if not group.outcomes.counted or (measure is not None and measure.known):
        return formats.NOT_AVAILABLE
    return formats.UNKNOWN


def _time(value_ns: float | Decimal) -> str:
    exact = value_ns if isinstance(value_ns, int) else int(Decimal(value_ns).to_integral_value(ROUND_HALF_UP))
    return f'<span title="{formats.exact_duration(exact)}">{formats.duration(exact)}</span>'


def _amount(value: float | Decimal, statistic: str) -> str:
    """Exact, except for a deviation, which has no end."""
    if isinstance(value, int):
        return formats.count(value)
    number = Decimal(str(value))
    if statistic == DEVIATION:
        number = number.quantize(TENTH, ROUND_HALF_UP) if number < 10**20 else number.to_integral_value()
    if number == number.to_integral_value() and statistic != DEVIATION:
        return formats.count(int(number))
    return f"{number.normalize():,f}".replace("-", formats.MINUS) if statistic != DEVIATION else f"{number:,f}"


def _cost(group: GroupFigures, links: _Links) -> str:
    if group.costs is None:
        return or_missing(None)
    shown = total_cost(group.costs)
    return links.to(shown, "&amp;sort=-cost", counts=False) if group.costs.amounts else _unpriced(group, links, shown)


def _unpriced(group: GroupFigures, links: _Links, shown: str) -> str:
    costs = group.costs
    state = "unpriced" if costs is not None and costs.unpriced else "inconsistent"
    is_any = costs is not None and (costs.unpriced or costs.inconsistent)
    return links.to(shown, f"&amp;priced={state}", counts=False) if is_any else shown


def _per_pass(group: GroupFigures, links: _Links) -> str:
    if group.costs is None:
        return or_missing(None)
    shown = pass_cost(group.costs)
    is_known = any(amount.passed for amount in group.costs.amounts)
    return links.to(shown, "&amp;outcome=passed&amp;priced=priced&amp;sort=-cost", counts=False) if is_known else shown

"""Rows of the page about money: currencies stand beside each other, and each number leads to the results it counts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse

from frontend import formats
from frontend.contexts.explorer_links import explorer_href, narrowed
from results.filters import UNSPECIFIED, Choice, ResultFilter
from results.pricing import Reason
from results.queries.spending_parts import Money, Spending, Sum, Tops, Unpriced
from results.queries.spending_tops import Dear

MOST_CURRENCIES = 4  # of a cell; the others are counted
REMEDIES = {
    Reason.NO_MODEL: "say its model, or its prices, in the file of prices",
    Reason.NOT_IN_TABLE: "add the model's prices to the file of prices",
    Reason.LENGTH_UNKNOWN: "add a price of your own to the file of prices",
    Reason.NO_RATE: "the prices miss a kind of token: complete them where they are written",
}


@dataclass(frozen=True)
class AmountLine:
    """What some results cost in one currency.

    Attributes:
        share: of the sum of everything in this currency, in percent, for a bar.
        href, passed_href: the explorer with the priced results, and the passed ones of them (empty = none).
    """

    sum: Sum
    share: str
    href: str
    passed_href: str


@dataclass(frozen=True)
class StateLine:
    """Results without an amount: how many, in a word why, and the explorer with them."""

    count: int
    word: str
    href: str


@dataclass(frozen=True)
class GroupLine:
    """One group of the table.

    Attributes:
        name: in words; `provider` gives a run its colour.
        amounts: by currency, those of the page in its order; at most 4, `more` others.
        without: its results without an amount.
        href: the explorer with its results.
    """

    name: str
    provider: str
    spending: Spending
    amounts: tuple[AmountLine, ...]
    more: int
    without: tuple[StateLine, ...]
    href: str


@dataclass(frozen=True)
class DearestRun:
    """The run with the largest sum in one currency; `href` leads to its priced results, as that of `AmountLine`."""

    run: Spending
    sum: Sum
    href: str


@dataclass(frozen=True)
class DearLine:
    """One of the dearest tasks or results: `href` is its page, `results_href` the explorer with what is counted."""

    dear: Dear
    href: str
    results_href: str


@dataclass(frozen=True)
class TopPanel:
    """The dearest tasks and results of one currency that cost anything; `has_projects`: they name their project."""

    currency: str | None
    has_projects: bool
    tasks: tuple[DearLine, ...]
    results: tuple[DearLine, ...]


@dataclass(frozen=True)
class UnpricedLine:
    """Results of a run without an amount, what can be done about it (empty = nothing), and the explorer with them."""

    entry: Unpriced
    remedy: str
    href: str


def amount_lines(spending: Spending, total: Spending, own: ResultFilter) -> tuple[AmountLine, ...]:
    """What a group cost, in the order of the page's currencies.

    Args:
        spending: of the group.
        total: of the page.
        own: the filter of the group's results.
    """
    wholes = {held.currency: held.total for held in total.sums}
    order = [*wholes]
    held = sorted(spending.sums, key=lambda one: order.index(one.currency))[:MOST_CURRENCIES]
    passed = narrowed(own, outcome="passed")
    return tuple(
        AmountLine(
            one,
            _share(one, wholes),
            _priced_href(one, own),
            _priced_href(one, passed) if one.passed else "",
        )
        for one in held
    )


def _share(one: Sum, wholes: Mapping[str | None, Decimal]) -> str:
    whole = wholes[one.currency]
    return f"{100 * one.total / whole:.1f}" if whole else "0"


def _priced_href(one: Sum, own: ResultFilter) -> str:
    return explorer_href(narrowed(own, priced="priced", currency=one.currency), "-cost")


def state_lines(spending: Spending, own: ResultFilter) -> tuple[StateLine, ...]:
    """The results of a group without an amount; none of a kind is left out."""
    counts = {
        "unpriced": (spending.unpriced, "unpriced"),
        "inconsistent": (spending.inconsistent, "inconsistent"),
        "unused": (spending.unused, "used nothing"),
    }
    return tuple(
        StateLine(count, word, explorer_href(narrowed(own, priced=state)))
        for state, (count, word) in counts.items()
        if count
    )


def group_line(entry: Spending, found: Money, group: str, name: str, own: ResultFilter) -> GroupLine:
    """The line of a group.

    Args:
        entry: the group.
        found: everything.
        group: what is grouped by.
        name: of the group, in words.
        own: the filter of its results.
    """
    return GroupLine(
        name=name,
        provider=entry.provider or (entry.name or "" if group == "provider" else ""),
        spending=entry,
        amounts=amount_lines(entry, found.total, own),
        more=max(0, len(entry.sums) - MOST_CURRENCIES),
        without=state_lines(entry, own),
        href=explorer_href(own),
    )


def own_filter(entry: Spending, group: str, chosen: ResultFilter) -> ResultFilter:
    """The filter of the results of a group."""
    own = chosen.with_choice(group, Choice((entry.name,)))
    return own if entry.provider is None else narrowed(own, provider=entry.provider)


def dearest_runs(found: Money, chosen: ResultFilter) -> tuple[DearestRun, ...]:
    """The dearest run of each currency."""
    dearest = []
    for whole in found.total.sums[:MOST_CURRENCIES]:
        pairs = [(one, run) for run in found.runs for one in run.sums if one.currency == whole.currency]
        one, run = max(pairs, key=lambda pair: pair[0].total)
        dearest.append(DearestRun(run, one, _priced_href(one, own_filter(run, "run", chosen))))
    return tuple(dearest)


def top_panel(top: Tops, chosen: ResultFilter) -> TopPanel:
    """The dearest of one currency."""
    priced = narrowed(chosen, priced="priced", currency=top.currency)
    return TopPanel(
        currency=top.currency,
        has_projects=len({dear.project for dear in (*top.tasks, *top.results)}) > 1,
        tasks=tuple(
            DearLine(
                dear,
                reverse("task-show", args=[dear.id]),
                explorer_href(narrowed(priced, task=dear.task, project=dear.project), "-cost"),
            )
            for dear in top.tasks
        ),
        results=tuple(DearLine(dear, reverse("result-show", args=[dear.id]), "") for dear in top.results),
    )


def unpriced_lines(entries: Iterable[Unpriced], chosen: ResultFilter) -> tuple[UnpricedLine, ...]:
    """Why results have no amount, by run."""
    return tuple(
        UnpricedLine(
            entry,
            REMEDIES.get(entry.reason, ""),
            explorer_href(
                narrowed(chosen, provider=entry.provider, run=entry.run, model=entry.model, priced=entry.reason.state)
            )
            if entry.is_alone
            else "",
        )
        for entry in entries
    )


def shown_name(name: str | None, labels: Mapping[int, str], group: str) -> str:
    """What a group is called; an evaluation by its label."""
    shown = formats.named(name, UNSPECIFIED)
    return labels.get(int(shown), shown) if group == "evaluation" else shown

"""The page about money: what models cost, by what, what a passed result cost, and what could not be priced and why."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend import formats
from frontend.contexts.chart import Chart
from frontend.contexts.columns import changed
from frontend.contexts.cost_chart import pareto_chart
from frontend.contexts.explorer_links import explorer_href, narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.shell import Shell
from frontend.contexts.tasks import OrderLink, without_text
from results.filters import UNSPECIFIED, Choice, ResultFilter
from results.pricing import Reason
from results.queries.evaluations import evaluation_names
from results.queries.spending import GROUPS, money
from results.queries.spending_parts import Money, Spending, Sum, Unpriced
from results.queries.spending_tops import Dear
from results.queries.visibility import VisibleSet
from results.text.search import TooManyToScanError

MENUS = ("project", "provider", "run", "suite", "evaluation")
USUAL = "run"
SHOWN = 200  # groups in the table
SHOWN_UNPRICED = 50
MOST_PARTS = 5  # entries of the template of a file of prices
REMEDIES = {
    Reason.NO_MODEL: "say its model, or its prices, in the file of prices",
    Reason.NOT_IN_TABLE: "add the model's prices to the file of prices",
    Reason.LENGTH_UNKNOWN: "add a price of your own to the file of prices",
    Reason.NO_RATE: "the prices miss a kind of token: complete them where they are written",
}


@dataclass(frozen=True)
class GroupLine:
    """One group of the table.

    Attributes:
        name: in words; `provider` gives a run its colour.
        main: the sum in the page's main currency; None = the group has none. others: those in other currencies.
        share: of the sum of all groups, in percent, for a bar.
        href: the explorer with its results.
    """

    name: str
    provider: str
    spending: Spending
    main: Sum | None
    others: tuple[Sum, ...]
    share: str
    href: str


@dataclass(frozen=True)
class DearLine:
    """One of the dearest tasks or results; `href` is its page."""

    dear: Dear
    href: str


@dataclass(frozen=True)
class UnpricedLine:
    """Results of a run without an amount, why, and what can be done about it (empty = nothing)."""

    entry: Unpriced
    remedy: str


@dataclass(frozen=True)
class CostsPage:
    """What `costs.html` reads.

    Attributes:
        groups: what the table may be grouped by, as links; `group` is the one in force.
        main: the sum in the main currency; None = nothing could be priced. others: in other currencies, never added.
        results: that the filter lets through.
        lines: the groups, dearest first, at most 200 of `all_lines`.
        chart: cost against pass rate; None with fewer than two priced runs.
        dearest: the run with the largest sum in the main currency; None = nothing could be priced.
        from_files: results priced from their own files.
        template: of a file of prices for the first runs that miss something; empty = nothing to say.
        is_empty: nothing is stored at all.
    """

    shell: Shell
    filters: HistoryFilters
    groups: tuple[OrderLink, ...]
    group: str
    found: Money
    main: Sum | None
    others: tuple[Sum, ...]
    results: int
    lines: tuple[GroupLine, ...]
    all_lines: int
    chart: Chart | None
    dearest: Spending | None
    from_files: int
    tasks: tuple[DearLine, ...]
    dear_results: tuple[DearLine, ...]
    unpriced: tuple[UnpricedLine, ...]
    template: str
    is_empty: bool

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "CostsPage":
        """The page for a query with filters and `by`."""
        asked = ResultFilter.parse(params)
        group = params.get("by", "") if params.get("by", "") in GROUPS else USUAL
        try:
            return cls._of(shell, visible, params, asked, group)
        except TooManyToScanError as error:
            return cls._of(shell, visible, params, without_text(asked, error), group)

    @classmethod
    def _of(cls, shell: Shell, visible: VisibleSet, params: QueryDict, asked: ResultFilter, group: str) -> "CostsPage":
        found = money(visible, asked, group)
        main, others = _sums(found.total, found.currency)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("costs"), visible, asked, params, MENUS),
            groups=tuple(
                OrderLink(name.capitalize(), changed(params, by=name, page=None), name == group) for name in GROUPS
            ),
            group=group,
            found=found,
            main=main,
            others=others,
            results=found.total.outcomes.total,
            lines=tuple(_lines(found, visible, group, asked)),
            all_lines=len(found.groups),
            chart=pareto_chart(found, asked),
            dearest=_dearest(found),
            from_files=sum(held.priced for held in found.total.sums) - found.total.own - found.total.table,
            tasks=tuple(DearLine(dear, reverse("task-show", args=[dear.id])) for dear in found.tasks),
            dear_results=tuple(DearLine(dear, reverse("result-show", args=[dear.id])) for dear in found.results),
            unpriced=tuple(
                UnpricedLine(entry, REMEDIES.get(entry.reason, "")) for entry in found.unpriced[:SHOWN_UNPRICED]
            ),
            template=price_file_template(found.unpriced),
            is_empty=not found.total.outcomes.total and not asked and not asked.problems,
        )


def _dearest(found: Money) -> Spending | None:
    sums = [(held.total, run) for run in found.runs if (held := _sums(run, found.currency)[0]) is not None]
    return max(sums, key=lambda pair: pair[0])[1] if sums else None


def _sums(spending: Spending, currency: str | None) -> tuple[Sum | None, tuple[Sum, ...]]:
    main = next((held for held in spending.sums if held.currency == currency), None)
    return main, tuple(held for held in spending.sums if held is not main)


def _lines(found: Money, visible: VisibleSet, group: str, asked: ResultFilter) -> Iterable[GroupLine]:
    names: dict[int, str] = {}
    if group == "evaluation":
        names = evaluation_names(visible, [int(entry.name or 0) for entry in found.groups])
    whole = _sums(found.total, found.currency)[0]
    for entry in found.groups[:SHOWN]:
        main, others = _sums(entry, found.currency)
        chosen = asked.with_choice(group, Choice((entry.name,)))
        if entry.provider is not None:
            chosen = narrowed(chosen, provider=entry.provider)
        name = formats.named(entry.name, UNSPECIFIED)
        if group == "evaluation":
            name = names.get(int(name), name)
        yield GroupLine(
            name=name,
            provider=entry.provider or (entry.name or "" if group == "provider" else ""),
            spending=entry,
            main=main,
            others=others,
            share=_share(main, whole),
            href=explorer_href(chosen),
        )


def _share(main: Sum | None, whole: Sum | None) -> str:
    if main is None or whole is None or not whole.total:
        return "0"
    return f"{100 * main.total / whole.total:.1f}"


def price_file_template(unpriced: Iterable[Unpriced]) -> str:
    """The start of a file of prices for what misses a model or a price; names are quoted as TOML needs them."""
    parts = []
    seen: set[tuple[str, str | None, str]] = set()
    for entry in unpriced:
        key = (entry.provider, entry.model, "" if entry.model else entry.run)
        if entry.reason not in (Reason.NO_MODEL, Reason.NOT_IN_TABLE) or key in seen:
            continue
        seen.add(key)
        if entry.reason is Reason.NO_MODEL:
            lines = ["[[models]]", f"provider = {_quoted(entry.provider)}", f"run = {_quoted(entry.run)}", 'model = ""']
        else:
            model = _quoted(entry.model or "")
            lines = ["[[prices]]", f"provider = {_quoted(entry.provider)}", f"model = {model}", 'currency = "USD"']
            lines += ["input = 0.00   # per million tokens", "output = 0.00"]
        parts.append("\n".join(lines))
        if len(parts) == MOST_PARTS:
            break
    return "\n\n".join(parts)


def _quoted(text: str) -> str:
    """A basic string of TOML."""
    escaped = "".join(
        f"\\u{ord(character):04X}" if ord(character) < ord(" ") or character in '\\"\x7f' else character
        for character in text
    )
    return f'"{escaped}"'

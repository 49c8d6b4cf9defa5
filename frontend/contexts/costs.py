"""The page about money: what models cost, by what, what a passed result cost, and what could not be priced and why."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.asked import OrderLink, order_links, with_or_without_text
from frontend.contexts.chart import Chart
from frontend.contexts.cost_chart import pareto_charts
from frontend.contexts.cost_rows import (
    MOST_CURRENCIES,
    AmountLine,
    DearestRun,
    GroupLine,
    StateLine,
    TopPanel,
    UnpricedLine,
    amount_lines,
    dearest_runs,
    group_line,
    own_filter,
    shown_name,
    state_lines,
    top_panel,
    unpriced_lines,
)
from frontend.contexts.explorer_links import counted_once, explorer_href, narrowed
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import asked_with
from results.filters import Choice, ResultFilter, written
from results.pricing import Reason
from results.queries.evaluations import evaluation_names
from results.queries.facets import facets
from results.queries.spending import GROUPS, money
from results.queries.spending_parts import Money, Unpriced
from results.queries.visibility import VisibleSet

MENUS = ("project", "provider", "run", "suite", "evaluation")
USUAL = "run"
SHOWN = 200  # groups in the table
SHOWN_UNPRICED = 50
MOST_PARTS = 5  # entries of the template of a file of prices


@dataclass(frozen=True)
class CostsPage:
    """What `costs.html` reads.

    Attributes:
        groups: what the table may be grouped by, as links; `group` is the one in force.
        currencies: each alone, and all beside each other, as links; empty where there is one.
        amounts: of everything, by currency, at most 4; `more` others. They are never added.
        results: that the filter lets through; `results_href` leads to them.
        lines: the groups, dearest first, at most 200 of `all_lines`.
        charts: cost against pass rate by currency; none with fewer than two priced runs in it.
        dearest: the run with the largest sum in each currency.
        from_files: results priced from their own files.
        without: results without an amount.
        judge_href: the explorer with results that a judge looked at.
        tops: the dearest by currency.
        template: of a file of prices for the first runs that miss something; empty = nothing to say.
        copies: results that an older evaluation holds too; they are left out.
        is_empty: nothing is stored at all.
    """

    shell: Shell
    filters: HistoryFilters
    groups: tuple[OrderLink, ...]
    group: str
    currencies: tuple[OrderLink, ...]
    found: Money
    amounts: tuple[AmountLine, ...]
    more: int
    results: int
    results_href: str
    lines: tuple[GroupLine, ...]
    all_lines: int
    charts: tuple[Chart, ...]
    dearest: tuple[DearestRun, ...]
    from_files: int
    from_files_href: str
    without: tuple[StateLine, ...]
    judge_href: str
    tops: tuple[TopPanel, ...]
    unpriced: tuple[UnpricedLine, ...]
    template: str
    copies: int
    is_empty: bool

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "CostsPage":
        """The page for a query with filters and `by`."""
        asked = asked_with(params, {"by": GROUPS})
        group = params.get("by", "") if params.get("by", "") in GROUPS else USUAL
        return with_or_without_text(asked, lambda chosen: cls._of(shell, visible, params, chosen, group))

    @classmethod
    def _of(cls, shell: Shell, visible: VisibleSet, params: QueryDict, asked: ResultFilter, group: str) -> "CostsPage":
        found = money(visible, asked, group)
        is_all_of_files = not (found.total.own or found.total.table)
        total, meant = found.total, counted_once(asked, found.copies)
        return cls(
            shell=shell,
            filters=HistoryFilters.build(reverse("costs"), visible, asked, params, MENUS),
            groups=order_links(params, "by", {name: name.capitalize() for name in GROUPS}, group, page=None),
            group=group,
            currencies=_currency_links(found, visible, asked, params),
            found=found,
            amounts=amount_lines(total, total, meant),
            more=max(0, len(total.sums) - MOST_CURRENCIES),
            results=total.outcomes.total,
            results_href=explorer_href(meant),
            lines=_lines(found, visible, group, meant),
            all_lines=len(found.groups),
            charts=pareto_charts(found, meant),
            dearest=dearest_runs(found, meant),
            from_files=sum(held.priced for held in total.sums) - total.own - total.table,
            from_files_href=explorer_href(narrowed(meant, priced="priced"), "-cost") if is_all_of_files else "",
            without=state_lines(total, meant),
            judge_href=explorer_href(narrowed(meant, judge="yes")),
            tops=tuple(top_panel(top, meant) for top in found.tops),
            unpriced=unpriced_lines(found.unpriced[:SHOWN_UNPRICED], meant),
            template=price_file_template(found.unpriced),
            copies=found.copies,
            is_empty=not total.outcomes.total and not asked and not asked.problems,
        )


def _currency_links(found: Money, visible: VisibleSet, asked: ResultFilter, params: QueryDict) -> tuple[OrderLink, ...]:
    """All currencies, and each of the first alone; those that the filter leaves out too."""
    held = {one.currency for one in found.total.sums}
    if asked.currency:
        (facet,) = facets(visible, asked.without("currency"), ("currency",))
        held |= {option.value for option in facet.options if option.value is not None}
    if len(held) < 2 and not asked.currency:  # noqa: PLR2004  (one alone is no choice)
        return ()
    shown = sorted(held, key=lambda currency: currency or "")[:MOST_CURRENCIES]
    words = {written(Choice((currency,)))[0]: currency or "not said" for currency in shown}
    chosen = written(asked.currency)
    return order_links(params, "currency", {"": "All"} | words, chosen[0] if len(chosen) == 1 else "", page=None)


def _lines(found: Money, visible: VisibleSet, group: str, meant: ResultFilter) -> tuple[GroupLine, ...]:
    shown = found.groups[:SHOWN]
    labels = evaluation_names(visible, [int(entry.name or 0) for entry in shown]) if group == "evaluation" else {}
    return tuple(
        group_line(entry, found, group, shown_name(entry.name, labels, group), own_filter(entry, group, meant))
        for entry in shown
    )


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

"""The charts of an evaluation: outcomes, cost against pass rate, model time and tokens, each by run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.http import QueryDict

from frontend import formats
from frontend.contexts.chart import Chart
from frontend.contexts.evaluation_scope import EvaluationScope, with_scope
from frontend.contexts.evaluation_tabs import CHARTS, Tab, tabs_of
from frontend.contexts.evaluation_tasks import TaskScope
from frontend.contexts.explorer_links import ExplorerLinks
from frontend.contexts.shell import Shell
from frontend.series import series_among
from results.figures.costs import Point, cost_against_rate, frontier
from results.figures.distributions import Box, boxes
from results.figures.outcomes import OutcomeBar, outcome_bars
from results.figures.plot import OUTCOMES
from results.filters import ResultFilter
from results.queries.costs import Amount
from results.queries.evaluations import EvaluationRow
from results.queries.group_figures import COST, GroupFigures, group_figures
from results.queries.run_spreads import RunSpread, Spread, run_spreads

DRAWN = 40  # runs of a chart, those with the best pass rate
FEWEST = 2  # runs whose costs can be compared
SECOND_NS = 10**9


@dataclass(frozen=True)
class RunBar:
    """One run: its figures and the way to its results; empty where there is none."""

    name: str
    figures: GroupFigures
    href: str


@dataclass(frozen=True)
class EvaluationChartsPage:
    """What `evaluation_charts.html` reads; charts that have nothing to show are left out."""

    shell: Shell
    row: EvaluationRow
    tabs: tuple[Tab, ...]
    scope: TaskScope
    charts: tuple[Chart, ...]

    @classmethod
    def build(cls, shell: Shell, row: EvaluationRow, params: QueryDict) -> "EvaluationChartsPage":
        """The page of an evaluation that may be seen, for a query with filters, `select` and `syntax`."""
        return with_scope(row.id, row.tasks, params, lambda scope: cls._of(shell, row, params, scope))

    @classmethod
    def _of(cls, shell: Shell, row: EvaluationRow, params: QueryDict, scope: EvaluationScope) -> "EvaluationChartsPage":
        (level,) = group_figures(scope.visible, scope.chosen, (("provider", "run"),), (COST,), (), scope.task_ids)
        spreads = run_spreads(scope.visible, scope.chosen, scope.task_ids)
        bars = _bars(level.selected, scope.linked)
        order = {bar.figures.key: place for place, bar in enumerate(bars)}
        ranked = sorted(spreads, key=lambda spread: order.get((spread.provider, spread.run), len(order)))
        hrefs = {bar.figures.key: bar for bar in bars}
        found = (
            _outcomes(bars, scope.linked),
            _costs(bars),
            _times(ranked, hrefs),
            _tokens(ranked, hrefs),
        )
        return cls(
            shell=shell,
            row=row,
            tabs=tabs_of(row, params, CHARTS),
            scope=scope.shown,
            charts=tuple(chart for chart in found if chart is not None),
        )


def _bars(groups: Sequence[GroupFigures], linked: ResultFilter | None) -> tuple[RunBar, ...]:
    """The runs, the best pass rate first, those without a rate last; names that two providers have carry theirs."""
    links = None if linked is None else ExplorerLinks(linked, ("provider", "run"))
    ordered = sorted(groups, key=lambda group: -(group.outcomes.pass_rate.value or -1.0))
    names = [group.key[1] for group in groups]
    return tuple(
        RunBar(
            name=_name(group, is_told=names.count(group.key[1]) > 1),
            figures=group,
            href="" if links is None else links.href(provider=group.key[0], run=group.key[1]),
        )
        for group in ordered
    )


def _name(group: GroupFigures, *, is_told: bool) -> str:
    name = formats.named(group.key[1] or None, "(no name)")
    return f"{group.key[0]} {name}" if is_told else name


def _left_out(number: int) -> str:
    return f" {formats.plural(number, 'run')} beyond these left out." if number else ""


def _outcomes(bars: Sequence[RunBar], linked: ResultFilter | None) -> Chart | None:
    shown = bars[:DRAWN]
    if not shown:
        return None
    counts = [bar.figures.outcomes for bar in shown]
    drawn = []
    for bar, own in zip(shown, counts, strict=True):
        four = (own.passed, own.failed, own.errors, own.skipped)
        first, second, third, fourth = (f"{bar.href}&outcome={word}" if bar.href else "" for word in OUTCOMES)
        drawn.append(OutcomeBar(bar.name, four, (first, second, third, fourth), f"{formats.count(own.passed)} passed"))
    total = sum(own.total for own in counts)
    return Chart(
        id="outcomes",
        title="Outcomes by run",
        caption=f"n {formats.plural(total, 'result')} of {formats.plural(len(shown), 'run')}, the best pass rate first."
        f"{_left_out(len(bars) - len(shown))}",
        figure=outcome_bars(drawn),
        columns=("Run", "Passed", "Failed", "Error", "Skipped", "Pass rate"),
        rows=tuple(
            (bar.name, *map(formats.count, bar_counts.counts), formats.rate(own.pass_rate.value))
            for bar, bar_counts, own in zip(shown, drawn, counts, strict=True)
        ),
        links=tuple(bar.href for bar in shown) if linked else (),
    )


@dataclass(frozen=True)
class _Priced:
    """A run with the mean cost of its priced results."""

    bar: RunBar
    amount: Amount

    @property
    def mean(self) -> Decimal:
        """Of a priced result."""
        return self.amount.total / self.amount.priced


def _costs(bars: Sequence[RunBar]) -> Chart | None:
    """Cost against pass rate in the currency that most runs have; None for fewer than two priced runs."""
    amounts = [amount for bar in bars if bar.figures.costs is not None for amount in bar.figures.costs.amounts]
    currencies = [amount.currency for amount in amounts]
    if not currencies:
        return None
    currency = max(dict.fromkeys(currencies), key=currencies.count)
    priced = [
        _Priced(bar, amount)
        for bar in bars
        if bar.figures.costs is not None and bar.figures.outcomes.counted
        for amount in bar.figures.costs.amounts
        if amount.currency == currency and amount.priced
    ]
    if len(priced) < FEWEST:
        return None
    colours = series_among(one.bar.figures.key[0] or "" for one in priced)
    points = [_point(one, colours) for one in priced]
    best = {id(point) for point in frontier(points)}
    left_out = len(bars) - len(priced)
    note = f" {formats.plural(left_out, 'run')} without such a price left out." if left_out else ""
    return Chart(
        id="cost-against-rate",
        title="Cost against pass rate",
        caption=f"n {formats.count(sum(one.amount.priced for one in priced))} priced results of "
        f"{formats.plural(len(priced), 'run')}: mean cost of a priced result; bars are 95 % intervals of pass rates. "
        f"Named runs are on the dotted line: no other is as cheap and passes more often.{note}",
        figure=cost_against_rate(points, currency or ""),
        columns=("Run", "Cost of a result", "Pass rate", "95 % interval", "n", "Priced", "On the line"),
        rows=tuple(_cost_row(one, is_best=id(point) in best) for one, point in zip(priced, points, strict=True)),
        links=tuple(one.bar.href for one in priced),
    )


def _point(one: _Priced, colours: Mapping[str, int]) -> Point:
    rate = one.bar.figures.outcomes.pass_rate
    cost = formats.money(one.mean, one.amount.currency)
    return Point(
        name=one.bar.name,
        cost=float(one.mean),
        rate=rate,
        series=colours[one.bar.figures.key[0] or ""],
        text=f"{one.bar.name}: {cost} a result, {formats.rate(rate.value)} passed, n {formats.count(rate.n)}",
        href=one.bar.href,
    )


def _cost_row(one: _Priced, *, is_best: bool) -> tuple[str, ...]:
    rate = one.bar.figures.outcomes.pass_rate
    return (
        one.bar.name,
        formats.money(one.mean, one.amount.currency),
        formats.rate(rate.value),
        formats.interval(rate.low or 0.0, rate.high or 0.0),
        formats.count(rate.n),
        formats.count(one.amount.priced),
        "yes" if is_best else "no",
    )


def _times(spreads: Sequence[RunSpread], bars: dict[tuple[str | None, ...], RunBar]) -> Chart | None:
    found = [(spread, spread.duration) for spread in spreads if spread.duration is not None]
    return _distribution("model-time", "Model time by run", "Model time, seconds", found, bars)


def _tokens(spreads: Sequence[RunSpread], bars: dict[tuple[str | None, ...], RunBar]) -> Chart | None:
    found = [(spread, spread.output_tokens) for spread in spreads if spread.output_tokens is not None]
    return _distribution("output-tokens", "Output tokens by run", "Effective output tokens", found, bars)


def _distribution(
    chart_id: str,
    title: str,
    axis: str,
    found: Sequence[tuple[RunSpread, Spread]],
    bars: dict[tuple[str | None, ...], RunBar],
) -> Chart | None:
    is_time, shown = chart_id == "model-time", found[:DRAWN]
    if not shown:
        return None

    def said(value: Decimal) -> str:
        return formats.duration(round(value)) if is_time else formats.count(round(value))

    drawn, rows, links = [], [], []
    for spread, own in shown:
        bar = bars[spread.provider, spread.run]
        first, second, third, fourth, fifth = (
            float(value / SECOND_NS) if is_time else float(value) for value in own.quantiles
        )
        text = f"median {said(own.quantiles[2])}, 5 to 95 % {said(own.quantiles[0])} to {said(own.quantiles[4])}"
        href = f"{bar.href}&sort=-{'duration' if is_time else 'output_tokens'}" if bar.href else ""
        drawn.append(Box(bar.name, (first, second, third, fourth, fifth), text, href))
        rows.append((bar.name, *map(said, own.quantiles), formats.count(own.known), formats.count(own.unknown)))
        links.append(href)
    known, unknown = sum(own.known for _, own in shown), sum(own.unknown for _, own in shown)
    note = f" {formats.plural(unknown, 'result')} without a known value left out." if unknown else ""
    return Chart(
        id=chart_id,
        title=title,
        caption=f"n {formats.plural(known, 'counted result')}. Box: quartiles, bar: median, whiskers: 5 to 95 %."
        f"{note}{_left_out(len(found) - len(shown))}",
        figure=boxes(drawn, axis, is_log=True),
        columns=("Run", "5 %", "25 %", "Median", "75 %", "95 %", "n", "Unknown"),
        rows=tuple(rows),
        links=tuple(links),
    )

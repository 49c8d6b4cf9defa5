"""The chart of cost against pass rate, by run."""

from collections.abc import Mapping

from frontend import formats
from frontend.contexts.chart import Chart
from frontend.contexts.explorer_links import explorer_href, narrowed, without_skipped
from frontend.series import series_among
from results.figures.costs import Point, cost_against_rate, frontier
from results.filters import ResultFilter
from results.queries.spending_parts import Money, Spending, Sum

DRAWN = 60  # runs
FEWEST = 2  # runs that can be compared
MOST_CHARTS = 2  # currencies
TITLE = "Cost against pass rate"


def pareto_charts(found: Money, asked: ResultFilter) -> tuple[Chart, ...]:
    """A chart for each of the first currencies that two runs have a price in."""
    currencies = [held.currency for held in found.total.sums[:MOST_CHARTS]]
    charts = (_chart(found, currency, number, asked) for number, currency in enumerate(currencies))
    return tuple(chart for chart in charts if chart is not None)


def _chart(found: Money, currency: str | None, number: int, asked: ResultFilter) -> Chart | None:
    """Runs by the mean cost of a priced result in one currency, and by pass rate; None for fewer than two."""
    priced = [(run, held) for run in found.runs if (held := _in(run, currency)) and run.outcomes.counted]
    chosen = sorted(priced, key=lambda pair: -pair[1].priced)[:DRAWN]
    if len(chosen) < FEWEST:
        return None
    colours = series_among(run.provider or "" for run, _ in chosen)
    points = [_point(run, held, asked, colours) for run, held in chosen]
    best = {id(point) for point in frontier(points)}
    unit = currency or ""
    left_out = len(found.runs) - len(chosen)
    return Chart(
        id=f"cost-against-rate-{number}" if number else "cost-against-rate",
        title=f"{TITLE}, {unit or 'no currency'}" if len(found.total.sums) > 1 else TITLE,
        caption=(
            f"n {formats.count(sum(held.priced for _, held in chosen))} priced results of "
            f"{formats.plural(len(chosen), 'run')}: mean cost of a priced result, pass rate of all results with its "
            "95 % interval. Runs on the dotted line are named: no other is as cheap and passes more often."
            + (
                f" {formats.plural(left_out, 'run')} without a price in {unit or 'this currency'} left out."
                if left_out
                else ""
            )
        ),
        figure=cost_against_rate(points, unit),
        columns=("Run", "Provider", "Cost of a result", "Pass rate", "95 % interval", "Priced", "On the line"),
        rows=tuple(
            _row(run, held, unit, is_best=id(point) in best) for (run, held), point in zip(chosen, points, strict=True)
        ),
        links=tuple(point.href for point in points),
    )


def _in(run: Spending, currency: str | None) -> Sum | None:
    return next((held for held in run.sums if held.currency == currency), None)


def _point(run: Spending, held: Sum, asked: ResultFilter, colours: Mapping[str, int]) -> Point:
    rate, name, provider = run.outcomes.pass_rate, _name(run), run.provider or ""
    cost = formats.money(held.per_result, held.currency)
    return Point(
        name=name,
        cost=float(held.per_result),
        rate=rate,
        series=colours[provider],
        text=f"{name} ({provider}): {cost} a result, {formats.rate(rate.value)} passed, n {formats.count(rate.n)}",
        href=explorer_href(without_skipped(narrowed(asked, provider=provider, run=run.name))),
    )


def _name(run: Spending) -> str:
    return formats.named(run.name or None, "(no name)")


def _row(run: Spending, held: Sum, currency: str, *, is_best: bool) -> tuple[str, ...]:
    rate = run.outcomes.pass_rate
    interval = "" if rate.low is None or rate.high is None else formats.interval(rate.low, rate.high)
    return (
        _name(run),
        run.provider or "",
        formats.money(held.per_result, currency),
        f"{formats.rate(rate.value)}, n {formats.count(rate.n)}",
        interval,
        formats.count(held.priced),
        "yes" if is_best else "no",
    )

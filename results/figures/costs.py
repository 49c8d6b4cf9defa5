"""Plots of money: cost against pass rate, with the line of runs that no other run beats in both."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures import plot
from results.figures.labels import label
from results.figures.plot import Figure, Trace
from results.statistics import Rate

LOG_FROM = 20  # times between the cheapest and the dearest, from which the axis is logarithmic


@dataclass(frozen=True)
class Point:
    """One run: what a result cost on average, in the currency of the plot, and how often it passed.

    `series` is the number of its provider's colour.
    """

    name: str
    cost: float
    rate: Rate
    series: int
    text: str
    href: str


def frontier(points: Sequence[Point]) -> list[Point]:
    """The runs for which no other is at least as cheap and passes more often, or passes as often and is cheaper."""
    found: list[Point] = []
    for point in sorted(points, key=lambda point: (point.cost, -(point.rate.value or 0))):
        if not found or (point.rate.value or 0) > (found[-1].rate.value or 0):
            found.append(point)
    return found


def cost_against_rate(points: Sequence[Point], currency: str) -> Figure:
    """Every run as a point with the interval of its pass rate; the named ones are on the line."""
    best = frontier(points)
    is_log = bool(points) and min(point.cost for point in points) * LOG_FROM < max(point.cost for point in points)
    is_log = is_log and all(point.cost > 0 for point in points)
    title = f"Cost of a result, {currency}" if currency else "Cost of a result"
    line: Trace = {
        "type": "scatter",
        "mode": "lines",
        "x": [point.cost for point in best],
        "y": [point.rate.value for point in best],
        "line": {"color": "--ink-faint", "dash": "dot", "width": 1.25, "shape": "hv"},
        "hoverinfo": "skip",
    }
    axis = plot.logarithms(title) if is_log else plot.amounts(title)
    return plot.figure(
        [line, _points(points, {id(point) for point in best})], x=axis, y=plot.rates("Pass rate"), height=340
    )


def _text_places(points: Sequence[Point]) -> list[str]:
    """Names of the dearer half stand to the left, so that none is cut at the edge."""
    dearest = max(point.cost for point in points)
    return ["top left" if point.cost * 2 > dearest else "top right" for point in points]


def _points(points: Sequence[Point], named: set[int]) -> Trace:
    colours = [plot.series(point.series) for point in points]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [point.cost for point in points],
        "y": [point.rate.value for point in points],
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [(point.rate.high or 0) - (point.rate.value or 0) for point in points],
            "arrayminus": [(point.rate.value or 0) - (point.rate.low or 0) for point in points],
            "color": "--control-line",
            "thickness": 1.25,
            "width": 3,
        },
        "marker": {
            "color": colours,
            "symbol": [plot.marker(point.series) for point in points],
            "size": 10,
            "line": {"color": "--page", "width": 1},
        },
        "text": [label(point.name, 22) if id(point) in named else "" for point in points],
        "textposition": _text_places(points),
        "hovertext": [label(point.text, 160) for point in points],
        "hoverinfo": "text",
        "customdata": [point.href for point in points],
        "cliponaxis": False,
    }

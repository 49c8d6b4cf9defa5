"""Differences in pass rate against a baseline, each with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures import plot
from results.figures.labels import label
from results.figures.plot import Figure
from results.paired import Interval


@dataclass(frozen=True)
class Drawn:
    """One candidate: its difference and interval in [-1, 1], the number of its colour, and where a click leads."""

    name: str
    series: int
    difference: float
    interval: Interval
    href: str


def differences_figure(drawn: Sequence[Drawn]) -> Figure:
    """A dot with its interval for each candidate, from top to bottom; the line at 0 is the baseline."""
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [100 * one.difference],
            "y": [place],
            "error_x": {
                "type": "data",
                "symmetric": False,
                "array": [100 * (one.interval.high - one.difference)],
                "arrayminus": [100 * (one.difference - one.interval.low)],
                "color": plot.series(one.series),
                "thickness": 2,
                "width": 0,
            },
            "marker": {"color": plot.series(one.series), "symbol": plot.marker(one.series), "size": 10},
            "customdata": [one.href],
            "hovertemplate": f"{label(one.name)}: %{{x:+.1f}} pp<extra></extra>",
        }
        for place, one in enumerate(drawn)
    ]
    points = plot.amounts("Percentage points", has_grid=True, tickformat="~g") | {
        "nticks": 4,
        "tickangle": 0,
        "zeroline": True,
        "zerolinecolor": "--line-strong",
    }
    names = plot.names([one.name for one in drawn])
    return plot.figure(traces, x=points, y=names, height=plot.bars_height(len(drawn)))

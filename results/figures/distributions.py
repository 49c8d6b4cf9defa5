"""Plots of distributions, such as of model time or tokens: one box a name, drawn from quantiles."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures import plot
from results.figures.labels import label
from results.figures.plot import Figure

LOG_FROM = 50  # times between the ends, from which an axis may be logarithmic


@dataclass(frozen=True)
class Box:
    """One name's values: the quantiles 5, 25, 50, 75 and 95 %, in the unit of the axis; `text` says them in words."""

    name: str
    quantiles: tuple[float, float, float, float, float]
    text: str
    href: str = ""


def boxes(listed: Sequence[Box], title: str, *, is_log: bool = False) -> Figure:
    """Boxes from the first to the third quartile with the median; whiskers from 5 to 95 %.

    Args:
        listed: from top to bottom, at least one.
        title: of the axis, with its unit.
        is_log: a logarithmic axis, where every quantile is above 0 and they are far apart; else it is linear.
    """
    lowest, highest = min(box.quantiles[0] for box in listed), max(box.quantiles[-1] for box in listed)
    is_log = is_log and 0 < lowest * LOG_FROM < highest
    places = [*range(len(listed))]
    box = {
        "type": "box",
        "orientation": "h",
        "y": places,
        **{
            name: [entry.quantiles[place] for entry in listed]
            for place, name in enumerate(("lowerfence", "q1", "median", "q3", "upperfence"))
        },
        "fillcolor": "--sunken",
        "line": {"color": "--control-line", "width": 1.5},
        "hoverinfo": "skip",
        "width": 0.5,
    }
    medians = {
        "type": "scatter",
        "mode": "markers",
        "y": places,
        "x": [entry.quantiles[2] for entry in listed],
        "marker": {"symbol": "line-ns-open", "size": 14, "line": {"width": 2.5}, "color": "--ink"},
        "hovertext": [f"{label(entry.name)}: {label(entry.text, 120)}" for entry in listed],
        "hoverinfo": "text",
        "customdata": [entry.href for entry in listed],
    }
    axis = plot.logarithms(title, has_grid=True) if is_log else plot.amounts(title, has_grid=True)
    return plot.figure(
        [box, medians],
        x=axis,
        y=plot.names([entry.name for entry in listed]),
        height=plot.bars_height(len(listed)) + 20,
    )

"""The pass rate of one run from evaluation to evaluation, with its intervals."""

from dataclasses import dataclass

from results.figures.labels import label
from results.figures.plot import Figure, figure, marker, moments, rates, series
from results.statistics import Rate


@dataclass(frozen=True)
class TrendMoment:
    """One evaluation: its name and start (ISO 8601, UTC), the rate there, and the address of its results."""

    name: str
    moment: str
    rate: Rate
    href: str


def run_trend(points: list[TrendMoment], number: int) -> Figure:
    """A line through the pass rates, each with its 95 % Wilson interval; evaluations without a rate are left out.

    Args:
        points: the earliest first.
        number: of the provider's colour and marker, from 1.
    """
    known = [point for point in points if point.rate.value is not None]
    values = [point.rate.value or 0.0 for point in known]
    trace = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [point.moment for point in known],
        "y": values,
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [(point.rate.high or 0.0) - value for point, value in zip(known, values, strict=True)],
            "arrayminus": [value - (point.rate.low or 0.0) for point, value in zip(known, values, strict=True)],
            "color": f"{series(number)}/40",
            "thickness": 1.5,
            "width": 4,
        },
        "line": {"color": series(number), "width": 2},
        "marker": {"color": series(number), "symbol": marker(number), "size": 8},
        "text": [f"{label(point.name)}<br>n {point.rate.n:,}" for point in known],
        "hovertemplate": "%{text}<br>%{y:.1%}<extra></extra>",
        "customdata": [point.href for point in known],
    }
    return figure([trace], x=moments("Start of the evaluation"), y=rates("Pass rate"), height=280)

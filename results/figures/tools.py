"""Plots of tools: failed calls by status, and pass rates with and without a failed call."""

from collections.abc import Sequence

from results.figures import plot
from results.figures.labels import label
from results.figures.plot import Figure, Trace
from results.statistics import Rate

LEGEND = 90  # pixels: on a narrow plot, a line for each entry
# Statuses other than success, each with a colour and a hatch of its own.
FAILURES = {
    "Non-zero exit": ("--series-2", ""),
    "Empty output": ("--series-8", "/"),
    "Timeout": ("--series-4", "."),
    "Invalid arguments": ("--series-5", "x"),
    "Infrastructure": ("--series-6", "-"),
}


def failed_by_status(
    names: Sequence[str], counts: Sequence[Sequence[int]], notes: Sequence[str], links: Sequence[str]
) -> Figure:
    """Bars of failed calls, one a name, in stretches by status.

    Args:
        names: from top to bottom.
        counts: of each name, in the order of `FAILURES`.
        notes: at the end of each bar.
        links: where a click on a bar goes.
    """
    places = [*range(len(names))]
    traces: list[Trace] = []
    for number, (status, (colour, shape)) in enumerate(FAILURES.items()):
        values = [row[number] for row in counts]
        pattern = {"shape": shape, "fgcolor": "--page", "bgcolor": colour, "size": 6, "solidity": 0.2}
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": status,
                "y": places,
                "x": values,
                "marker": {"color": colour, **({"pattern": pattern} if shape else {})},
                "hovertext": [
                    f"{label(name)}: {value:,} {status.lower()}" for name, value in zip(names, values, strict=True)
                ],
                "hoverinfo": "text",
                "textposition": "none",
                "customdata": [*links],
            }
        )
    traces.append(
        {
            "type": "scatter",
            "mode": "text",
            "y": places,
            "x": [sum(row) for row in counts],
            "text": [f" {label(note, 40)}" for note in notes],
            "textposition": "middle right",
            "hoverinfo": "skip",
            "showlegend": False,
            "cliponaxis": False,
        }
    )
    longest = max((sum(row) for row in counts), default=0)
    return plot.figure(
        traces,
        x=plot.amounts("Failed calls", range=[0, max(longest * 1.45, 1)]),
        y=plot.names([*names]),
        height=plot.bars_height(len(names)) + LEGEND,
        barmode="stack",
        bargap=0.35,
        showlegend=True,
    )


def rates_apart(names: Sequence[str], good: Sequence[Rate], failed: Sequence[Rate], links: Sequence[str]) -> Figure:
    """Two pass rates a name with their intervals: of results whose calls succeeded, and of those with a failed one."""
    groups = (
        (good, "Every call succeeded", {"color": plot.series(1), "symbol": "circle"}, -0.13),
        (failed, "A call failed", {"color": plot.series(2), "symbol": "diamond-open"}, 0.13),
    )
    traces = [
        _rates(names, rates, title, mark, shift) | {"customdata": [*links]} for rates, title, mark, shift in groups
    ]
    return plot.figure(
        traces,
        x=plot.rates("Pass rate"),
        y=plot.names([*names]),
        height=plot.bars_height(len(names)) + LEGEND,
        showlegend=True,
    )


def _rates(names: Sequence[str], rates: Sequence[Rate], title: str, mark: dict[str, str], shift: float) -> Trace:
    values = [rate.value for rate in rates]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": title,
        "x": values,
        "y": [place + shift for place in range(len(names))],
        "marker": {**mark, "size": 9, "line": {"width": 1.75, "color": mark["color"]}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [_gap(rate.high, rate.value) for rate in rates],
            "arrayminus": [_gap(rate.value, rate.low) for rate in rates],
            "color": f"{mark['color']}/60",
            "thickness": 1.5,
            "width": 3,
        },
        "hovertext": [
            f"{label(name)}, {title.lower()}: {rate.hits:,} of {rate.n:,} passed"
            for name, rate in zip(names, rates, strict=True)
        ],
        "hoverinfo": "text",
    }


def _gap(high: float | None, low: float | None) -> float:
    return 0.0 if high is None or low is None else max(high - low, 0.0)

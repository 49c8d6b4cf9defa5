"""Pass rates by run: over time as lines, a few of them named; of one evaluation as dots with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures.labels import label
from results.figures.plot import Figure, Trace, bars_height, figure, marker, moments, names, rates, series

ROOM = 124  # pixels to the right of the plot for the names of lines
NAME_CHARACTERS = 20
DASHES = ("solid", "dash", "dot", "dashdot")
GAP = 0.065  # between the names of two lines, as a share of the axis


@dataclass(frozen=True)
class RatePoint:
    """One evaluation of a line: rates in [0, 1], `at` in ISO 8601, what a pointer reads (our words), the address."""

    at: str
    rate: float
    low: float
    high: float
    text: str
    href: str


@dataclass(frozen=True)
class RateLine:
    """One run: `series` is the number of its provider's colour; points in the order of time."""

    name: str
    series: int
    points: tuple[RatePoint, ...]
    is_named: bool
    has_band: bool
    dash: str = DASHES[0]  # another one for each named line of the provider


def rate_trend(lines: Sequence[RateLine]) -> Figure:
    """Lines of pass rates; quiet ones first, so that named ones lie on top. Names stand at the ends of lines."""
    quiet = [line for line in lines if not line.is_named]
    named = [line for line in lines if line.is_named]
    traces = [_line(line) for line in quiet]
    traces += [trace for line in named if line.has_band for trace in _band(line)]
    traces += [_line(line) for line in named]
    found = figure(traces, x=moments(), y=rates("Pass rate"), height=320)
    found["layout"]["annotations"] = _names(named)
    if named:
        found["layout"]["margin"] = found["layout"]["margin"] | {"r": ROOM}
    return found


def rate_dots(lines: Sequence[RateLine]) -> Figure:
    """A dot with its 95 % interval for each run, from top to bottom: what one evaluation can show.

    Args:
        lines: of one point each.
    """
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [point.rate],
            "y": [place],
            "error_x": {
                "type": "data",
                "symmetric": False,
                "array": [point.high - point.rate],
                "arrayminus": [point.rate - point.low],
                "color": series(line.series),
                "thickness": 2,
                "width": 0,
            },
            "marker": {"color": series(line.series), "symbol": marker(line.series), "size": 9},
            "customdata": [point.href],
            "text": [f"{label(line.name)}<br>{point.text}"],
            "hovertemplate": "%{text}<extra></extra>",
        }
        for place, line in enumerate(lines)
        for point in line.points
    ]
    return figure(traces, x=rates("Pass rate"), y=names([line.name for line in lines]), height=bars_height(len(lines)))


def _line(line: RateLine) -> Trace:
    colour = series(line.series) if line.is_named else "--line-strong"
    name = label(line.name)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [point.at for point in line.points],
        "y": [point.rate for point in line.points],
        "customdata": [point.href for point in line.points],
        "text": [f"{name}<br>{point.text}" for point in line.points],
        "hovertemplate": "%{text}<extra></extra>",
        "line": {"color": colour, "width": 2 if line.is_named else 1, "dash": line.dash},
        "marker": {
            "color": colour,
            "symbol": marker(line.series),
            "size": 7 if line.is_named else 3,
        },
    }


def _band(line: RateLine) -> list[Trace]:
    """The 95 % intervals as an area between two lines that are not drawn."""
    at = [point.at for point in line.points]
    edge = {"type": "scatter", "mode": "lines", "x": at, "hoverinfo": "skip", "line": {"width": 0, "color": "--page/0"}}
    low = edge | {"y": [point.low for point in line.points]}
    high = edge | {"y": [point.high for point in line.points]}
    return [low, high | {"fill": "tonexty", "fillcolor": f"{series(line.series)}/15"}]


def _names(lines: Sequence[RateLine]) -> list[dict[str, object]]:
    """A name beside the last point of each line, moved so that none lies on another."""
    ends = sorted((line for line in lines if line.points), key=lambda line: line.points[-1].rate)
    places: list[float] = []
    for line in ends:
        wanted = line.points[-1].rate
        places.append(wanted if not places else max(wanted, places[-1] + GAP))
    over = max(0.0, (places[-1] if places else 0.0) - 1.0)
    return [
        {
            "x": 1,
            "xref": "paper",
            "y": place - over,
            "yref": "y",
            "text": label(line.name, NAME_CHARACTERS),
            "showarrow": False,
            "xanchor": "left",
            "xshift": 8,
            "font": {"color": series(line.series), "size": 11},
        }
        for line, place in zip(ends, places, strict=True)
    ]

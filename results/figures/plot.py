"""The frame of every Plotly figure: plain data, in which a colour is the name of one of our tokens.

`charts.js` puts the theme's colours in their place: `--series-1`, or `--series-1/20` for 20 % of it.
"""

from typing import Any, TypeAlias

from results.figures.labels import label

Figure: TypeAlias = dict[str, Any]
Trace: TypeAlias = dict[str, Any]
Axis: TypeAlias = dict[str, Any]

SERIES = 9
# One shape a colour, so that no line is told apart by its colour alone.
MARKERS = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "triangle-down",
    "cross",
    "star",
    "octagon",
    "hourglass",
)
OUTCOMES = ("passed", "failed", "error", "skipped")
PATTERNS = {"passed": "", "failed": "/", "error": ".", "skipped": ""}
TRANSPARENT = "rgba(0,0,0,0)"
ROW = 30  # pixels of a bar with its gap
FRAME = 56  # pixels of an axis with its title, and the margins


def figure(traces: list[Trace], *, x: Axis, y: Axis, height: int = 300, **layout: Any) -> Figure:  # noqa: ANN401
    """A figure of the house: no template, no background, a quiet grid, nothing that zooms under a finger.

    Args:
        traces: Plotly traces. `customdata` of a point is the address that a click on it goes to.
        x: the horizontal axis, of `amounts`, `rates`, `moments` or `names`.
        y: the vertical one.
        height: pixels; fixed, so that nothing moves when the plot appears.
        layout: further keys of Plotly's layout, such as `barmode`.
    """
    frame: dict[str, Any] = {
        "template": "none",
        "height": height,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8, "pad": 4},
        "paper_bgcolor": TRANSPARENT,
        "plot_bgcolor": TRANSPARENT,
        "font": {"size": 11, "color": "--ink-muted"},
        "showlegend": False,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "traceorder": "normal",
            "maxheight": 1,
            "itemclick": False,
            "itemdoubleclick": False,
            "font": {"color": "--ink-muted"},
        },
        "hoverlabel": {"bgcolor": "--raised", "bordercolor": "--line-strong", "font": {"color": "--ink"}},
        "hovermode": "closest",
        "dragmode": False,
        "xaxis": x,
        "yaxis": y,
    }
    return {"data": traces, "layout": frame | layout}


def _axis(title: str, **more: Any) -> Axis:  # noqa: ANN401
    return {
        "title": {"text": label(title, 60), "font": {"color": "--ink-muted", "size": 11}, "standoff": 8},
        "automargin": True,
        "fixedrange": True,
        "gridcolor": "--line",
        "linecolor": "--line-strong",
        "tickcolor": "--line-strong",
        "zeroline": False,
        "showgrid": False,
    } | more


def amounts(title: str, *, has_grid: bool = False, **more: Any) -> Axis:  # noqa: ANN401
    """An axis of numbers from 0 on."""
    return _axis(title, showgrid=has_grid, rangemode="tozero", **more)


def logarithms(title: str, *, has_grid: bool = False, **more: Any) -> Axis:  # noqa: ANN401
    """A logarithmic axis, which says so; values must be above 0."""
    return _axis(f"{title}, log scale", type="log", showgrid=has_grid, dtick=1, **more)


def rates(title: str, *, has_grid: bool = True, **more: Any) -> Axis:  # noqa: ANN401
    """An axis of rates in [0, 1], shown in percent."""
    return _axis(title, showgrid=has_grid, range=[-0.02, 1.02], tickformat=".0%", dtick=0.25, **more)


def moments(title: str = "", **more: Any) -> Axis:  # noqa: ANN401
    """An axis of times; values are ISO 8601 texts in UTC."""
    return _axis(title, type="date", nticks=6, **more)


def names(listed: list[str], title: str = "", *, is_downwards: bool = True, **more: Any) -> Axis:  # noqa: ANN401
    """An axis of names; values are places from 0 on, so that names that are cut alike stay apart.

    Args:
        listed: in the order of their places.
        title: of the axis.
        is_downwards: the first is on top (for a vertical axis).
        more: further keys of the axis.
    """
    ends = [len(listed) - 0.5, -0.5] if is_downwards else [-0.5, len(listed) - 0.5]
    places = {"tickvals": list(range(len(listed))), "ticktext": [label(name) for name in listed]}
    return _axis(title, tickmode="array", range=ends, ticks="", **places, **more)


def series(number: int) -> str:
    """The colour of a series: 1 to 9, as providers have them, and again beyond; 0 is the quiet one of the rest."""
    return f"--series-{(number - 1) % SERIES + 1}" if number else "--line-strong"


def marker(number: int) -> str:
    """The shape that belongs to a series' colour; open beyond the first nine, of which the colours come again."""
    return MARKERS[(number - 1) % SERIES] + ("-open" if number > SERIES else "")


def outcome_fill(outcome: str) -> dict[str, Any]:
    """The `marker` of an outcome's bars: plain, hatched, dotted or grey."""
    fill: dict[str, Any] = {"color": f"--{outcome}-solid", "line": {"width": 0}}
    if PATTERNS[outcome]:
        colours = {"fgcolor": "--page", "bgcolor": f"--{outcome}-solid"}
        fill["pattern"] = colours | {"shape": PATTERNS[outcome], "size": 6, "solidity": 0.2}
    return fill


def bars_height(rows: int) -> int:
    """Pixels of a plot with so many horizontal bars; with room for one alone the axis would lie over its own title."""
    return FRAME + ROW * max(rows, 2)

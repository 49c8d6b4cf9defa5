"""Bars over sprints and iterations: stacked lengths by name, and first-try rates by month."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures import plot
from results.figures.labels import label
from results.figures.plot import Figure, Trace

LEGEND = 24  # pixels above the bars
# Of a priority, the most urgent first: a colour and a pattern, as colour is never the only sign.
PRIORITY_FILLS = {
    "critical": ("--failed-solid", "/"),
    "high": ("--error-solid", "."),
    "medium": ("--warning-solid", "x"),
    "low": ("--skipped-solid", ""),
    "other": ("--line-strong", "|"),
}


@dataclass(frozen=True)
class Stretch:
    """A part of every bar: its word, a marker of `plot`, and its length in each bar."""

    word: str
    marker: dict[str, object]
    lengths: tuple[int, ...]


def priority_fill(priority: str) -> dict[str, object]:
    """The `marker` of a priority's bars."""
    colour, shape = PRIORITY_FILLS[priority]
    fill: dict[str, object] = {"color": colour, "line": {"width": 0}}
    if shape:
        fill["pattern"] = {"shape": shape, "fgcolor": "--page", "bgcolor": colour, "size": 6, "solidity": 0.2}
    return fill


def stacked_bars(names: Sequence[str], stretches: Sequence[Stretch], axis: str, notes: Sequence[str]) -> Figure:
    """Bars from top to bottom with their number at the end; stretches without any length are left out.

    Args:
        names: of the bars.
        stretches: in the order in which they follow each other.
        axis: what the lengths count.
        notes: at the ends of the bars.
    """
    places = [*range(len(names))]
    traces: list[Trace] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": stretch.word,
            "y": places,
            "x": list(stretch.lengths),
            "marker": stretch.marker,
            "hovertext": [
                f"{label(name)}: {length:,} {stretch.word.lower()}"
                for name, length in zip(names, stretch.lengths, strict=True)
            ],
            "hoverinfo": "text",
            "textposition": "none",
        }
        for stretch in stretches
        if any(stretch.lengths)
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "text",
            "y": places,
            "x": [sum(stretch.lengths[place] for stretch in stretches) for place in places],
            "text": [f" {label(note, 40)}" for note in notes],
            "textposition": "middle right",
            "hoverinfo": "skip",
            "showlegend": False,
            "cliponaxis": False,
        }
    )
    found = plot.figure(
        traces,
        x=plot.amounts(axis, has_grid=True),
        y=plot.names(list(names)),
        height=plot.bars_height(len(names)) + LEGEND,
        barmode="stack",
        bargap=0.35,
        showlegend=True,
    )
    found["layout"]["margin"] = found["layout"]["margin"] | {"r": 48, "t": LEGEND}
    return found

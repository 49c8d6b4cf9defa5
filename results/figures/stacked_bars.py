"""Stacked bars: parts of lengths by name, one below the other, with a note at the end of each."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures import plot
from results.figures.labels import label
from results.figures.plot import Figure, Trace

LEGEND = 24  # pixels above the bars
FEW = 5  # up to this length every whole number has its place on the axis: there are no halves of a count


@dataclass(frozen=True)
class Stretch:
    """A part of every bar: its word, a marker of `plot`, its length in each bar, where each leads; empty = nowhere."""

    word: str
    marker: dict[str, object]
    lengths: tuple[int, ...]
    hrefs: tuple[str, ...] = ()


def stacked_bars(names: Sequence[str], stretches: Sequence[Stretch], axis: str, notes: Sequence[str]) -> Figure:
    """Bars from top to bottom with their number at the end; stretches without any length are left out.

    Args:
        names: of the bars.
        stretches: in the order in which they follow each other.
        axis: what the lengths count.
        notes: at the ends of the bars.
    """
    traces = [_bars(names, stretch) for stretch in stretches if any(stretch.lengths)]
    ends = [sum(stretch.lengths[place] for stretch in stretches) for place in range(len(names))]
    traces.append(_notes(ends, notes))
    longest = max(ends, default=0)
    found = plot.figure(
        traces,
        x=plot.amounts(axis, has_grid=True, **({"dtick": 1} if longest <= FEW else {})),
        y=plot.names(list(names)),
        height=plot.bars_height(len(names)) + LEGEND,
        barmode="stack",
        bargap=0.35,
        showlegend=True,
    )
    found["layout"]["margin"] = found["layout"]["margin"] | {"r": 48, "t": LEGEND}
    return found


def _bars(names: Sequence[str], stretch: Stretch) -> Trace:
    word = stretch.word.lower()
    trace: Trace = {
        "type": "bar",
        "orientation": "h",
        "name": stretch.word,
        "y": [*range(len(names))],
        "x": list(stretch.lengths),
        "marker": stretch.marker,
        "hovertext": [f"{label(name)}: {length:,} {word}" for name, length in zip(names, stretch.lengths, strict=True)],
        "hoverinfo": "text",
        "textposition": "none",
    }
    return trace | ({"customdata": list(stretch.hrefs)} if stretch.hrefs else {})


def _notes(ends: Sequence[int], notes: Sequence[str]) -> Trace:
    return {
        "type": "scatter",
        "mode": "text",
        "y": [*range(len(ends))],
        "x": list(ends),
        "text": [f" {label(note, 40)}" for note in notes],
        "textposition": "middle right",
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
    }

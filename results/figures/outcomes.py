"""Bars of outcomes by run, in the order in which every page names them."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures import plot
from results.figures.labels import label
from results.figures.plot import OUTCOMES, Figure, Trace

LEGEND = 24  # pixels above the bars
WORDS = {"passed": "Passed", "failed": "Failed", "error": "Error", "skipped": "Skipped"}


@dataclass(frozen=True)
class OutcomeBar:
    """One name: its results by outcome in the order of `OUTCOMES`, where each stretch leads, the note at the end."""

    name: str
    counts: tuple[int, int, int, int]
    hrefs: tuple[str, str, str, str]
    note: str


def outcome_bars(bars: Sequence[OutcomeBar]) -> Figure:
    """Bars from top to bottom; plain, hatched, dotted and grey, as colour is never the only sign."""
    places = [*range(len(bars))]
    traces: list[Trace] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": WORDS[outcome],
            "y": places,
            "x": [bar.counts[number] for bar in bars],
            "marker": plot.outcome_fill(outcome),
            "hovertext": [f"{label(bar.name)}: {bar.counts[number]:,} {outcome}" for bar in bars],
            "hoverinfo": "text",
            "textposition": "none",
            "customdata": [bar.hrefs[number] for bar in bars],
        }
        for number, outcome in enumerate(OUTCOMES)
        if any(bar.counts[number] for bar in bars)
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "text",
            "y": places,
            "x": [sum(bar.counts) for bar in bars],
            "text": [f" {label(bar.note, 40)}" for bar in bars],
            "textposition": "middle right",
            "hoverinfo": "skip",
            "showlegend": False,
            "cliponaxis": False,
        }
    )
    found = plot.figure(
        traces,
        x=plot.amounts("Results", has_grid=True),
        y=plot.names([bar.name for bar in bars]),
        height=plot.bars_height(len(bars)) + LEGEND,
        barmode="stack",
        bargap=0.35,
        showlegend=True,
    )
    found["layout"]["margin"] = found["layout"]["margin"] | {"r": 48, "t": LEGEND}
    return found

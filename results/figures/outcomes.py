"""Bars of outcomes by run, in the order in which every page names them."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures import plot
from results.figures.plot import OUTCOMES, Figure
from results.figures.stacked_bars import Stretch, stacked_bars

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
    stretches = [
        Stretch(
            WORDS[outcome],
            plot.outcome_fill(outcome),
            tuple(bar.counts[number] for bar in bars),
            tuple(bar.hrefs[number] for bar in bars),
        )
        for number, outcome in enumerate(OUTCOMES)
    ]
    return stacked_bars([bar.name for bar in bars], stretches, "Results", [bar.note for bar in bars])

"""The table that every benchmark prints."""

from collections.abc import Sequence
from dataclasses import dataclass

HEADINGS = ("figure", "ours", "reference", "ratio", "target", "met")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure, as text; empty = does not apply."""

    name: str
    ours: str
    target: str
    is_met: bool
    reference: str = ""
    ratio: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The figure in the order of the headings."""
        return (self.name, self.ours, self.reference, self.ratio, self.target, "yes" if self.is_met else "NO")


def print_table(figures: Sequence[Figure]) -> None:
    """Print figures below each other, columns aligned."""
    lines = [HEADINGS, *(figure.cells for figure in figures)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())

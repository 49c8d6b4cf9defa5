"""The iterations of a sprint beside each other."""

from dataclasses import dataclass

from results.queries.iterations import IterationRow, IterationSummary
from results.queries.sprint_sides import FeedbackLine, PartLine, sprint_sides

MOST_SIDES = 10  # iterations that stand beside each other, the latest


@dataclass(frozen=True)
class PartGroup:
    """Strategies or criteria under one head."""

    title: str
    lines: tuple[PartLine, ...]


@dataclass(frozen=True)
class SidesPanel:
    """What `_sprint_sides.html` reads.

    Attributes:
        marks: the latest ten iterations, in their order.
        width: columns of the table.
        flips: how many cells differ from the one before.
        has_feedback: some iteration records it, perhaps as none.
    """

    marks: tuple[IterationRow, ...]
    width: int
    strategies: tuple[PartLine, ...]
    criteria: tuple[PartLine, ...]
    flips: int
    feedback: tuple[FeedbackLine, ...]
    has_feedback: bool

    @classmethod
    def build(cls, iterations: tuple[IterationSummary, ...]) -> "SidesPanel | None":
        """The panel; None where nothing was evaluated."""
        shown = iterations[-MOST_SIDES:]
        if not shown:
            return None
        sides = sprint_sides([item.record for item in shown])
        lines = (*sides.strategies, *sides.criteria)
        return cls(
            marks=tuple(item.row for item in shown),
            width=len(shown) + 1,
            strategies=sides.strategies,
            criteria=sides.criteria,
            flips=sum(cell.is_flipped for line in lines for cell in line.cells),
            feedback=sides.feedback,
            has_feedback=any(item.record.generator_feedback is not None for item in shown),
        )

    @property
    def groups(self) -> tuple[PartGroup, ...]:
        """The parts under their heads; a head without any is left out."""
        found = (PartGroup("Strategies", self.strategies), PartGroup("Criteria", self.criteria))
        return tuple(group for group in found if group.lines)

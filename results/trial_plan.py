"""What was picked for a live trial: runs and tasks by their places in the two files, as the trial's row keeps it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct


class Place(NamedTuple):
    """What a trial does once. Each counts from 0 as the files list entries, runs and tasks, the disabled ones too."""

    entry: int
    run: int
    task: int


class PlannedRun(Struct, frozen=True):
    """A run that was picked: run number `place` of entry number `entry` of `providers`."""

    entry: int
    place: int
    provider: str
    run: str
    model: str


class PlannedTask(Struct, frozen=True):
    """A task that was picked."""

    place: int
    task: str


class TrialPlan(Struct, frozen=True):
    """Every picked run does every picked task, or `only` some pairs of them, as a rerun of what failed does."""

    runs: list[PlannedRun]
    tasks: list[PlannedTask]
    only: list[Place] | None = None

    @property
    def total(self) -> int:
        """Results that it comes to."""
        return len(self.runs) * len(self.tasks) if self.only is None else len(self.only)

    @property
    def entries(self) -> list[int]:
        """The entries of `providers` that have something to do, in order."""
        return sorted({run.entry for run in self.runs})

    def places(self) -> Iterator[Place]:
        """Everything that it does, in the order of the files."""
        wanted = None if self.only is None else set(self.only)
        for run in self.runs:
            for task in self.tasks:
                place = Place(run.entry, run.place, task.place)
                if wanted is None or place in wanted:
                    yield place

    def earlier_runs_of_the_same_name(self) -> dict[tuple[int, int], int]:
        """How many runs of the same provider and name stand in earlier entries, by entry and place of the run.

        They are repeats: a provider may be listed twice.
        """
        counted: dict[tuple[str, str], int] = {}
        before: dict[tuple[int, int], int] = {}
        for run in sorted(self.runs, key=lambda run: (run.entry, run.place)):
            name = (run.provider, run.run)
            before[run.entry, run.place] = counted.get(name, 0)
            counted[name] = counted.get(name, 0) + 1
        return before


def plan_from(stored: dict[str, Any]) -> TrialPlan:
    """Read a plan as a trial's row keeps it."""
    return msgspec.convert(stored, TrialPlan)

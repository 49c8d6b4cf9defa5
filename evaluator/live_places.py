"""Translates between what the engine calls a result's place and what the store does."""

from collections.abc import Collection

from evaluator.engine.trials.definitions import TrialDefinition
from evaluator.engine.trials.finished_results import ResultKey
from results.trial_plan import Place, TrialPlan


class Places:
    """The engine counts what was picked, and names it; the store counts what stands in the files."""

    def __init__(self, plan: TrialPlan, definition: TrialDefinition, entries: Collection[int]) -> None:
        """Pair the two.

        Args:
            plan: what was picked.
            definition: the same, read from the files.
            entries: of `providers` that are to be run, by their place in the file.
        """
        runs = sorted(plan.runs, key=lambda run: (run.entry, run.place))
        tasks = sorted(plan.tasks, key=lambda task: task.place)
        self.positions = [position for position, entry in enumerate(plan.entries) if entry in entries]
        self._places: dict[ResultKey, Place] = {}
        for position in self.positions:
            entry, provider = plan.entries[position], definition.providers[position]
            picked = [run for run in runs if run.entry == entry]
            for run, named in zip(picked, provider.runs, strict=True):
                for task, asked in zip(tasks, definition.tasks, strict=True):
                    self._places[ResultKey(position, named.name, asked.name)] = Place(entry, run.place, task.place)
        self._wanted = None if plan.only is None else set(plan.only)

    def place_of(self, key: ResultKey) -> Place:
        """Where the store puts a result."""
        return self._places[key]

    def left(self, entries: Collection[int], skipped: Collection[ResultKey]) -> int:
        """How many results of some entries are still to be made."""
        return sum(place.entry in entries and key not in skipped for key, place in self._places.items())

    def keys_to_skip(self, done: Collection[Place]) -> set[ResultKey]:
        """What the engine leaves out: what is done, and what was not picked."""
        wanted = self._wanted
        return {
            key for key, place in self._places.items() if place in done or (wanted is not None and place not in wanted)
        }

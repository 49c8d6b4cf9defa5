"""What of the two files a new trial is to run, as an address says it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from evaluator.engine.trials.configuration import Configuration, RunChoice
from evaluator.engine.trials.definitions import RunDefinition, TaskDefinition
from evaluator.engine.trials.providers.file_types import read_types
from evaluator.engine.trials.task_files import ListedTask
from frontend.contexts.trial_tasks import matching
from results.queries.trial_estimate import Pair

TICKED = "ticked"  # mode: only what is ticked is run; else everything that matches, but for what is ticked


@dataclass(frozen=True)
class Picks:
    """The picked runs and tasks.

    Attributes:
        runs: as `entry:place`, both counted from 0 in the configuration.
        shown: the tasks that the filters let through, by their place in the file.
        ticks: places of tasks that are ticked; `is_ticked_only`: only these are run.
        tasks: those that are run, by their place.
    """

    runs: frozenset[str]
    shown: Mapping[int, ListedTask]
    ticks: frozenset[int]
    is_ticked_only: bool
    tasks: Mapping[int, ListedTask]

    @classmethod
    def read(cls, whole: Configuration, params: QueryDict) -> "Picks":
        """Read a query with `chosen`, `pick`, `mode`, `tick` and the filters of tasks.

        Without `chosen` the runs are those that the file does not disable.
        """
        enabled = set(whole.enabled_runs())
        runs = {value for value, choice in run_values(whole).items() if choice in enabled}
        if "chosen" in params:
            runs = set(params.getlist("pick")).intersection(run_values(whole))
        shown = dict(matching(whole.tasks, params))
        ticks = {int(text) for text in params.getlist("tick") if text.isascii() and text.isdigit() and len(text) < 10}  # noqa: PLR2004 - digits
        is_ticked_only = params.get("mode") == TICKED
        if is_ticked_only:
            tasks = {place: task for place, task in enumerate(whole.tasks) if place in ticks}
        else:
            tasks = {place: task for place, task in shown.items() if not task.is_disabled and place not in ticks}
        return cls(frozenset(runs), shown, frozenset(ticks), is_ticked_only, tasks)

    def run_choices(self, whole: Configuration) -> list[RunChoice]:
        """The runs as the engine names them, in the order of the file."""
        return [choice for value, choice in run_values(whole).items() if value in self.runs]

    def task_names(self) -> list[str]:
        """The names of the tasks, in the order of the file."""
        return [task.definition.name for task in self.tasks.values()]


@dataclass(frozen=True)
class Work:
    """What picks come to.

    Attributes:
        pairs: runs at tasks that are asked; skipped: those that the run cannot do and nobody is asked for.
        judged: of the pairs, how many answers a judge looks at.
    """

    runs: int
    tasks: int
    pairs: tuple[Pair, ...]
    skipped: int
    judged: int

    @property
    def total(self) -> int:
        """Results that it comes to, the skipped ones included."""
        return self.runs * self.tasks


def work_of(whole: Configuration, picks: Picks) -> Work:
    """Count what picks come to."""
    runs = picked_runs(whole, picks)
    tasks = [task.definition for task in picks.tasks.values()]
    asked = [(run, task) for run in runs for task in tasks if not is_skipped(run, task)]
    return Work(
        runs=len(runs),
        tasks=len(tasks),
        pairs=tuple(Pair(run.provider, run.name, task.name) for run, task in asked),
        skipped=len(runs) * len(tasks) - len(asked),
        judged=sum(task.rules.judge is not None for _, task in asked),
    )


def picked_runs(whole: Configuration, picks: Picks) -> list[RunDefinition]:
    """The runs that are picked, in the order of the file."""
    return [
        run
        for entry, provider in enumerate(whole.providers)
        for place, run in enumerate(provider.definition.runs)
        if f"{entry}:{place}" in picks.runs
    ]


def is_skipped(run: RunDefinition, task: TaskDefinition) -> bool:
    """Whether a run cannot do a task, so that nobody is asked."""
    is_schema = task.answer_format.schema is not None
    reads_files = not run.is_text_only and bool(read_types(run.provider, run.model))
    return (bool(task.files) and not reads_files) or (not run.is_structured and is_schema)


def run_values(whole: Configuration) -> dict[str, RunChoice]:
    """Every run by its value in an address."""
    return {
        f"{entry}:{place}": RunChoice(entry, run.name)
        for entry, provider in enumerate(whole.providers)
        for place, run in enumerate(provider.definition.runs)
    }

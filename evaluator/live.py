"""The bridge between the engine and the store: live trials are ordered, cancelled, resumed and run again."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from evaluator.engine.trials import preflight
from evaluator.engine.trials.configuration import Configuration, FileText, RunChoice, understand
from evaluator.engine.trials.configuration_keys import GUARDED_KEYS, KEY_PREFIX, take_out_keys
from evaluator.engine.trials.definitions import TaskDefinition, ToolDefinition, TrialDefinition
from evaluator.engine.trials.interfaces import Toolbox
from evaluator.engine.trials.task_files import Folders
from evaluator.key_files import forget_idle_keys, keep_keys, kept_keys
from results.importers.source import ImportRefused
from results.intake import check_project, find_project
from results.jobs import request_cancel
from results.models.jobs import Job
from results.models.trials import Trial, TrialState
from results.names import storable
from results.store.trials import begin_trial, plan_of, reopen, settle, share_out
from results.trial_plan import Place, PlannedRun, PlannedTask, TrialPlan

MOST_PARALLEL = 64  # tasks of one run that are asked at once
# What a file that somebody else wrote may name by `${…}`: never the server's own secrets.
_OPEN_VARIABLES = re.compile(rf"\w+_API_KEY|{KEY_PREFIX}\w+|EVALBOARD_(?:TRIAL|ENDPOINT)_\w+")
_KEY_REFERENCE = re.compile(rf"\$\{{({KEY_PREFIX}\w+)\}}")


class TrialRefused(Exception):  # noqa: N818 - it is an answer to the user, not a fault of ours
    """What was asked for cannot be done; the text says why, and what can be done."""


@dataclass(frozen=True)
class TrialOrder:
    """A trial as a user wants it.

    Attributes:
        config, tasks: the two files as they were given; keys may stand in the first.
        folder: where the tasks' relative files start.
        runs, task_names: what is picked; None = what the files do not disable.
        only: of these, some pairs; None = every run does every task.
        name: of the evaluation; empty = the configuration's file name.
        keeps_keys: keys that stand in the file are kept after the end, for a resume.
        environment: variables for `${…}`; None = those of this process that any file may name.
    """

    config: FileText
    tasks: FileText
    folder: Path
    project: str = "default"
    name: str = ""
    runs: Sequence[RunChoice] | None = None
    task_names: Sequence[str] | None = None
    only: Sequence[Place] | None = None
    parallel_per_run: int = 1
    keeps_keys: bool = False
    rerun_of: int | None = None
    environment: Mapping[str, str] | None = field(default=None, repr=False)
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)  # known before, by the names that stand for them


@dataclass(frozen=True)
class QueuedTrial:
    """A trial that was written down; the caller sends its jobs to workers, or does them itself."""

    trial_id: int
    job_ids: tuple[int, ...]


def queue_trial(order: TrialOrder, *, is_resumable: bool = True) -> QueuedTrial:
    """Check an order and write the trial and its jobs down; keys in the file go nowhere but to `var/secrets`.

    Args:
        order: what is wanted.
        is_resumable: workers may take it up again after a crash; otherwise it is cancelled then.

    Raises:
        ConfigurationError: the files cannot be used; every problem of them.
        PreflightError: something that the picked runs and tasks need is missing.
        TrialRefused: nothing is picked, a number makes no sense, or no project can be called so.
    """
    try:
        check_project(order.project)
    except ImportRefused as error:
        raise TrialRefused(str(error)) from error
    taken = take_out_keys(order.config.name, order.config.text)
    keys = {**order.keys, **taken.secrets}
    config = FileText(order.config.name, taken.text)
    environment = open_environment() if order.environment is None else order.environment
    whole = understand(config, order.tasks, {**environment, **keys}, Folders(order.folder))
    definition = whole.picked(order.runs, order.task_names)
    if not 1 <= order.parallel_per_run <= MOST_PARALLEL:
        raise TrialRefused(f"{order.parallel_per_run} tasks at once are not possible: choose 1 to {MOST_PARALLEL}.")
    preflight.check(definition, definition.providers, definition.tasks, NoChecks())
    plan = plan_for(whole, order)
    if not plan.total:
        raise TrialRefused("Nothing is picked. Pick at least one run and one task.")
    name = order.name or Path(order.config.name).stem
    with transaction.atomic():  # a trial that runs and has no job would be ended by the sweep
        trial = begin_trial(find_project(order.project), name, settings.VERSION, plan, _columns(order, taken.text))
        keep_keys(trial.pk, keys)
        return _shared_out(trial, is_resumable=is_resumable)


def cancel_trial(trial_id: int) -> bool:
    """Ask a trial to stop: what is finished stays, what is under way or not begun counts as not run.

    Returns:
        False when it had ended already.
    """
    is_asked = False
    for job_id in list(Job.objects.filter(trial_share__trial_id=trial_id).values_list("pk", flat=True)):
        is_asked = request_cancel(job_id) or is_asked
    settle(trial_id)  # jobs that nobody had begun are over now
    forget_idle_keys()
    return is_asked


def asked_keys(trial_id: int, environment: Mapping[str, str] | None = None) -> list[str]:
    """The names that stand for keys of a trial's file which nobody knows any more; a resume has to ask for them."""
    text = Trial.objects.values_list("config_text", flat=True).get(pk=trial_id)
    known = {**(open_environment() if environment is None else environment), **kept_keys(trial_id)}
    return sorted({name for name in _KEY_REFERENCE.findall(text) if not known.get(name)})


def resume_trial(
    trial_id: int,
    keys: Mapping[str, str] | None = None,
    *,
    is_resumable: bool = True,
    environment: Mapping[str, str] | None = None,
) -> QueuedTrial:
    """Let a trial that was cancelled do what it is not done with; the caller sends its jobs to workers.

    Args:
        trial_id: of the trial.
        keys: by the names that `asked_keys` gives.
        is_resumable: see `queue_trial`.
        environment: see `TrialOrder`.

    Raises:
        TrialRefused: it runs, or it is whole.
        ConfigurationError, PreflightError: see `queue_trial`.
    """
    trial = Trial.objects.select_related("evaluation__project").filter(pk=trial_id).first()
    if trial is None or trial.state != TrialState.CANCELLED:
        raise TrialRefused(_why_not_resumed(trial_id, trial))
    known = {**kept_keys(trial_id), **(keys or {})}
    definition = definition_of(trial, {**(open_environment() if environment is None else environment), **known})
    preflight.check(definition, definition.providers, definition.tasks, NoChecks())
    with transaction.atomic():
        if not reopen(trial_id):
            raise TrialRefused(f"Trial {trial_id} was resumed or deleted by somebody else just now.")
        keep_keys(trial_id, known)
        return _shared_out(trial, is_resumable=is_resumable)


def rerun_order(
    trial_id: int,
    places: Sequence[Place],
    keys: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> TrialOrder:
    """A new trial that does some places of an older one again; give it to `queue_trial`.

    Args:
        trial_id: of the older one, which stays as it is; merging the two puts the new results in place of the old.
        places: what is done again; see `results.queries.trials.places_to_rerun`.
        keys: by the names that `asked_keys` gives.
        environment: see `TrialOrder`.

    Raises:
        TrialRefused: there is nothing to do again.
    """
    trial = Trial.objects.select_related("evaluation__project").get(pk=trial_id)
    if not places:
        raise TrialRefused(f"Trial {trial_id} has no such results; there is nothing to run again.")
    plan = plan_of(trial)
    runs, tasks = {(place.entry, place.run) for place in places}, {place.task for place in places}
    return TrialOrder(
        config=FileText(trial.config_name, trial.config_text),
        tasks=FileText(trial.tasks_name, trial.tasks_text),
        folder=Path(trial.folder),
        project=trial.evaluation.project.slug,
        name=f"{trial.evaluation.name}, again",
        runs=[RunChoice(run.entry, run.run) for run in plan.runs if (run.entry, run.place) in runs],
        task_names=[task.task for task in plan.tasks if task.place in tasks],
        only=places,
        parallel_per_run=trial.parallel_per_run,
        keeps_keys=trial.keeps_keys,
        rerun_of=trial_id,
        environment=environment,
        keys={**kept_keys(trial_id), **(keys or {})},
    )


def open_environment() -> dict[str, str]:
    """The variables of this process that a file written by somebody else may name."""
    found = {name: value for name, value in os.environ.items() if _OPEN_VARIABLES.fullmatch(name)}
    return {**found, GUARDED_KEYS: "1"} if settings.ACCOUNTS else found


def configuration_of(trial: Trial, environment: Mapping[str, str]) -> Configuration:
    """A trial's two files, understood again.

    Raises:
        ConfigurationError: they cannot be used any more, such as after a file of a task was moved.
    """
    config, tasks = FileText(trial.config_name, trial.config_text), FileText(trial.tasks_name, trial.tasks_text)
    return understand(config, tasks, environment, Folders(Path(trial.folder)))


def definition_of(trial: Trial, environment: Mapping[str, str]) -> TrialDefinition:
    """What a trial runs.

    Raises:
        ConfigurationError: see `configuration_of`; or something that it needs is missing.
    """
    plan, whole = plan_of(trial), configuration_of(trial, environment)
    runs = {(run.entry, run.place) for run in plan.runs}
    tasks = {task.place for task in plan.tasks}
    return whole.picked(
        [
            RunChoice(entry, run.name)
            for entry, provider in enumerate(whole.providers)
            for place, run in enumerate(provider.definition.runs)
            if (entry, place) in runs
        ],
        [task.definition.name for place, task in enumerate(whole.tasks) if place in tasks],
    )


def plan_for(whole: Configuration, order: TrialOrder) -> TrialPlan:
    """What an order picks, by places in the files."""
    runs = set(whole.enabled_runs() if order.runs is None else order.runs)
    tasks = set(whole.enabled_tasks() if order.task_names is None else order.task_names)
    return TrialPlan(
        runs=[
            PlannedRun(entry, place, storable(run.provider), storable(run.name), storable(run.model))
            for entry, provider in enumerate(whole.providers)
            for place, run in enumerate(provider.definition.runs)
            if RunChoice(entry, run.name) in runs
        ],
        tasks=[
            PlannedTask(place, storable(task.definition.name))
            for place, task in enumerate(whole.tasks)
            if task.definition.name in tasks
        ],
        only=None if order.only is None else list(order.only),
    )


def _columns(order: TrialOrder, config_text: str) -> dict[str, Any]:
    return {
        "config_name": storable(order.config.name),
        "config_text": config_text,
        "tasks_name": storable(order.tasks.name),
        "tasks_text": order.tasks.text,
        "folder": str(order.folder),
        "parallel_per_run": order.parallel_per_run,
        "keeps_keys": order.keeps_keys,
        "rerun_of_id": order.rerun_of,
    }


def _shared_out(trial: Trial, *, is_resumable: bool) -> QueuedTrial:
    entries = plan_of(trial).entries
    is_alone = not is_resumable or settings.CELERY_BROKER_URL.startswith(("filesystem:", "memory:"))
    jobs = share_out(trial, [entries] if is_alone else [[entry] for entry in entries], is_resumable=is_resumable)
    return QueuedTrial(trial.pk, tuple(job.pk for job in jobs))


def _why_not_resumed(trial_id: int, trial: Trial | None) -> str:
    if trial is None:
        return f"There is no trial {trial_id}."
    if trial.state == TrialState.RUNNING:
        return f"Trial {trial_id} runs already."
    return f"Trial {trial_id} is whole; there is nothing left to do. Run it anew, or again what failed."


class NoChecks:
    """Stands for the tools where they are not to be run: the worker that runs them looks for engine and images."""

    def problems(self, tools: Sequence[ToolDefinition]) -> list[str]:  # noqa: ARG002 - see `Toolboxes`
        """None that can be known here."""
        return []

    def open(self, task: TaskDefinition) -> Toolbox:
        """Nobody asks for it."""
        raise NotImplementedError(task.name)

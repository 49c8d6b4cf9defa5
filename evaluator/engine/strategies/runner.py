"""Runs the strategies of a project one after the other, and gives each outcome as it comes."""

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from evaluator.engine.strategies.bounds import bounded
from evaluator.engine.strategies.checks.check import Context, StoppedError
from evaluator.engine.strategies.checks.registry import CHECKS
from evaluator.engine.strategies.child_environment import without_secrets
from evaluator.engine.strategies.configuration import (
    Configuration,
    StrategyChoice,
    default_choice,
    find_configuration,
    in_order,
    read_configuration,
)
from evaluator.engine.strategies.contracts import SprintContract
from evaluator.engine.strategies.detection import Detected, detect, detect_kind, sought
from evaluator.engine.strategies.presets import ORDER, PRESETS
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.states import Outcome, Reason

CONFIGURED = {"build": "build", "typecheck": "typecheck", "lint": "lint", "unit-test": "test"}  # keys of `commands`
MOST_SAID = 100_000  # characters of one strategy's output that a watcher is given; the excerpt has the end of the rest


def unwatched(_: StrategyChoice) -> None:
    """Watch nothing."""


def unheard(_: StrategyChoice, __: str) -> None:
    """Hear nothing."""


@dataclass(frozen=True)
class Watcher:
    """Who wants to know how far a run is; called from the thread that runs it, or from one that reads a server.

    Attributes:
        begin: a strategy begins.
        say: it printed something.
    """

    begin: Callable[[StrategyChoice], None] = unwatched
    say: Callable[[StrategyChoice, str], None] = unheard


@dataclass(frozen=True)
class Plan:
    """What is to run in which project."""

    project: ProjectFiles
    configuration: Configuration
    contract: SprintContract
    watcher: Watcher = Watcher()
    cancel: Event = field(default_factory=Event)


def configure(project: ProjectFiles, file: Path | None = None) -> Configuration:
    """The configuration of a project: the file given, its own, or what its folder tells.

    Raises:
        ConfigurationError: a file is wrong.
    """
    found = file or find_configuration(project.folder)
    return read_configuration(found) if found else detected_configuration(project)


def detected_configuration(project: ProjectFiles) -> Configuration:
    """What a folder without a configuration tells: everything that was found is required, except for Playwright.

    What the preset has and nothing was found for is listed as optional, so that it shows as skipped.
    """
    kind = detect_kind(project)
    found = {strategy: detect(strategy, project) for strategy in ORDER}
    wanted = [strategy for strategy in ORDER if found[strategy] or strategy in PRESETS[kind.preset]]
    choices = [
        default_choice(strategy, required=found[strategy] is not None and strategy != "playwright")
        for strategy in wanted
    ]
    notes = [f"no configuration; the project looks like {kind.preset}: {kind.reason}"]
    notes += [f"{strategy}: {tool.command} ({tool.reason})" for strategy, tool in found.items() if tool]
    return Configuration(in_order(choices), preset=kind.preset, notes=tuple(notes))


def expected_command(choice: StrategyChoice, configuration: Configuration, project: ProjectFiles) -> Detected:
    """What a strategy would run, and why; the command is empty where there is nothing to run."""
    if choice.own_command:
        return Detected(choice.own_command, "the command stands in the strategy")
    configured = getattr(configuration.commands, CONFIGURED.get(choice.type, ""), None)
    if configured:
        return Detected(configured, "the command stands under commands in the configuration")
    found = detect(choice.type, project)
    return found or Detected("", f"looked for: {sought(choice.kind)}" if choice.kind != "custom" else "no command")


def run_strategies(plan: Plan) -> Iterator[Outcome]:
    """Run all strategies, also after one failed.

    Yields:
        Each outcome as soon as it is known; after a cancel no more come, and the last one says `cancelled`.
    """
    for choice in plan.configuration.strategies:
        if plan.cancel.is_set():
            return
        plan.watcher.begin(choice)
        outcome = run_strategy(choice, plan)
        yield outcome
        if outcome.reason is Reason.CANCELLED:
            return


def run_strategy(choice: StrategyChoice, plan: Plan) -> Outcome:
    """Run one strategy; whatever it may not be able to do is an outcome, too."""
    said = 0

    def say(text: str) -> None:
        nonlocal said
        if said < MOST_SAID:
            plan.watcher.say(choice, without_secrets(text))
        said += len(text)

    started = time.monotonic_ns()
    with tempfile.TemporaryDirectory(prefix="evalboard-reports-", ignore_cleanup_errors=True) as folder:
        context = Context(
            plan.project,
            Path(folder),
            plan.contract,
            plan.configuration.commands,
            plan.cancel,
            say,
            plan.configuration.passed_variables,
        )
        try:
            outcome = CHECKS[choice.kind](choice, context)
        except StoppedError as error:
            outcome = error.outcome
    return replace(bounded(outcome), duration_ns=time.monotonic_ns() - started)

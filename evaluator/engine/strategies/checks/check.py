"""What every check gets, and how it says that it cannot judge."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from evaluator.engine.strategies.child_environment import let_through
from evaluator.engine.strategies.configuration import Commands, StrategyChoice
from evaluator.engine.strategies.contracts import SprintContract
from evaluator.engine.strategies.processes import Say, Surroundings
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.states import Outcome, Reason, State


def unheard(_text: str) -> None:
    """Let output pass."""


@dataclass(frozen=True)
class Context:
    """Where a check runs.

    Attributes:
        reports: an empty folder of its own for report files, outside of the project.
        cancel: once set, the check ends what it runs.
        say: gets output as it comes.
        passed_variables: names of variables that programs see although they look secret.
    """

    project: ProjectFiles
    reports: Path
    contract: SprintContract
    commands: Commands = field(default_factory=Commands)
    cancel: Event = field(default_factory=Event)
    say: Say = unheard
    passed_variables: tuple[str, ...] = ()

    def surroundings(self, environment: Mapping[str, str] | None = None) -> Surroundings:
        """Where programs run."""
        return Surroundings(
            self.project.folder, self.cancel, self.say, {**let_through(self.passed_variables), **(environment or {})}
        )


Check = Callable[[StrategyChoice, Context], Outcome]


class StoppedError(Exception):
    """A check cannot say pass or fail; `outcome` says why."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.details)
        self.outcome = outcome


def begin(choice: StrategyChoice) -> Outcome:
    """An outcome of which nothing is known yet."""
    return Outcome(choice.type, choice.required, State.ERROR, "", label=choice.label)


def stopped(begun: Outcome, reason: Reason, details: str, *, state: State = State.ERROR) -> StoppedError:
    """The error for a check that cannot judge.

    Args:
        begun: what is known so far.
        reason: why, in a word.
        details: why, in sentences, with the remedy.
        state: `skipped` where there was nothing to judge.
    """
    return StoppedError(replace(begun, state=state, reason=reason, details=details))

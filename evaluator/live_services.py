"""Who is asked in a live trial: the services themselves, or stand-ins in tests."""

from collections.abc import Callable
from dataclasses import dataclass

from evaluator.engine.trials.definitions import TaskDefinition, TrialDefinition
from evaluator.engine.trials.interfaces import AskerFactory, Validator, Validators
from evaluator.engine.trials.matching import ValueValidator
from evaluator.engine.trials.providers.registry import make_asker


@dataclass(frozen=True)
class Services:
    """Makes askers and validators; both are called in the trial's own loop."""

    make_asker: AskerFactory
    make_validators: Callable[[TrialDefinition], Validators]


class ValidatorsWithoutJudges:
    """TODO: the judges' registry takes this place."""

    def of(self, task: TaskDefinition) -> Validator:
        del task
        return ValueValidator()

    async def close(self) -> None:
        pass


SERVICES = Services(make_asker, lambda _definition: ValidatorsWithoutJudges())

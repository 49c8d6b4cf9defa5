"""Who is asked in a live trial: the services themselves, or stand-ins in tests."""

from collections.abc import Callable
from dataclasses import dataclass

from evaluator.engine.trials.definitions import TrialDefinition
from evaluator.engine.trials.interfaces import AskerFactory, Validators
from evaluator.engine.trials.judging import TrialValidators
from evaluator.engine.trials.providers.registry import make_asker


@dataclass(frozen=True)
class Services:
    """Makes askers and validators; both are called in the trial's own loop."""

    make_asker: AskerFactory
    make_validators: Callable[[TrialDefinition], Validators]


SERVICES = Services(make_asker, lambda definition: TrialValidators(definition, make_asker))

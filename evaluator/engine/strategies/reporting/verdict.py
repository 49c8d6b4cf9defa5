"""The verdict of an iteration: pass, fail, or could not be evaluated."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from evaluator.engine.strategies.reporting.criteria import JudgedCriterion
from evaluator.engine.strategies.states import Outcome, State
from results.iteration_records import OverallResult, PartResult


class Exit(IntEnum):
    """The exit code of the command."""

    PASSED = 0
    FAILED = 1
    NOT_EVALUATED = 2


@dataclass(frozen=True)
class Verdict:
    """What an iteration comes to.

    Attributes:
        failed: names of required strategies and criteria that failed.
        not_evaluated: names of required ones that could not be judged.
    """

    exit: Exit
    failed: tuple[str, ...]
    not_evaluated: tuple[str, ...]

    @property
    def overall(self) -> OverallResult:
        """In the document's two words: what could not be evaluated did not pass."""
        return OverallResult.PASS if self.exit is Exit.PASSED else OverallResult.FAIL


def decide(outcomes: Sequence[Outcome], criteria: Sequence[JudgedCriterion]) -> Verdict:
    """Decide: one required failure fails; else one required part without a verdict means that it was not evaluated.

    Optional parts never fail an iteration, but where nothing at all was judged there is no pass either. Criteria that
    need a person do not count until somebody gives evidence.
    """
    required = [outcome for outcome in outcomes if outcome.required]
    failed = [outcome.name for outcome in required if outcome.state is State.FAIL]
    unjudged = [outcome.name for outcome in required if not outcome.is_judged]
    for judged in criteria:
        if not judged.criterion.required:
            continue
        if judged.result is PartResult.FAIL:
            failed.append(judged.criterion.criterion_id)
        elif judged.is_not_evaluated:
            unjudged.append(judged.criterion.criterion_id)
    if not unjudged and not any(outcome.is_judged for outcome in outcomes):
        unjudged = ["every strategy"] if outcomes else ["anything: there is no strategy"]
    code = Exit.FAILED if failed else Exit.NOT_EVALUATED if unjudged else Exit.PASSED
    return Verdict(code, tuple(failed), tuple(unjudged))

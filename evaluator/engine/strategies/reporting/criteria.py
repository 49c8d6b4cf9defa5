"""Judges the criteria of a contract: each by the strategy that its verification method names, or by evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluator.engine.strategies.contracts import Criterion, Evidence, SprintContract
from evaluator.engine.strategies.presets import ORDER
from evaluator.engine.strategies.states import Outcome, State
from results.iteration_records import PartResult

PROBLEMS_SHOWN = 3
# Words for a strategy that contracts use beside its own.
METHODS = {
    "unit-tests": "unit-test",
    "unit test": "unit-test",
    "unit tests": "unit-test",
    "test": "unit-test",
    "tests": "unit-test",
    "type-check": "typecheck",
    "types": "typecheck",
    "linting": "lint",
    "e2e": "playwright",
    "end-to-end": "playwright",
    "api": "api-check",
    "compile": "build",
}
VERDICTS = {State.PASS: PartResult.PASS, State.FAIL: PartResult.FAIL}


class Judge(StrEnum):
    """Who can say whether a criterion is met."""

    STRATEGY = "strategy"
    PERSON = "person"


@dataclass(frozen=True)
class JudgedCriterion:
    """One criterion and what was found.

    Attributes:
        judge: who had to say; a criterion that a strategy had to judge and did not is not evaluated.
        strategy: that it was mapped to.
    """

    criterion: Criterion
    result: PartResult
    evidence: str
    feedback: str
    judge: Judge
    strategy: str | None = None

    @property
    def is_not_evaluated(self) -> bool:
        """Whether a strategy should have said something and could not."""
        return self.judge is Judge.STRATEGY and self.result is PartResult.SKIPPED


def judge_criteria(
    contract: SprintContract, outcomes: Sequence[Outcome], evidence: Mapping[str, Evidence]
) -> tuple[JudgedCriterion, ...]:
    """Judge each criterion of a contract.

    Args:
        contract: what was agreed.
        outcomes: of all strategies.
        evidence: by criterion, what a person found; it counts only where no strategy judges.
    """
    return tuple(_judge(criterion, outcomes, evidence.get(criterion.criterion_id)) for criterion in contract.criteria)


def strategy_of(method: str | None) -> str | None:
    """The strategy that a verification method names; None for one that needs a person."""
    word = (method or "").strip().lower().replace("_", "-")
    return word if word in ORDER else METHODS.get(word)


def _judge(criterion: Criterion, outcomes: Sequence[Outcome], evidence: Evidence | None) -> JudgedCriterion:
    method = criterion.method
    named = [outcome for outcome in outcomes if method and method in {outcome.strategy, outcome.label}]
    strategy = named[0].strategy if named else strategy_of(method)
    of_strategy = named or [outcome for outcome in outcomes if outcome.strategy == strategy]
    is_judged = any(outcome.is_judged for outcome in of_strategy)
    if strategy is None or (evidence is not None and not is_judged):
        return _by_person(criterion, evidence)
    if not of_strategy:
        said = f"Not evaluated: no {strategy} strategy is configured."
        return JudgedCriterion(criterion, PartResult.SKIPPED, said, "", Judge.STRATEGY, strategy)
    failed = [outcome for outcome in of_strategy if outcome.state is State.FAIL]
    unjudged = [outcome for outcome in of_strategy if not outcome.is_judged]
    deciding = (failed or unjudged or of_strategy)[0]
    result = VERDICTS.get(deciding.state, PartResult.SKIPPED)
    return JudgedCriterion(
        criterion,
        result,
        evidence_of(deciding),
        _feedback(criterion, deciding) if result is PartResult.FAIL else "",
        Judge.STRATEGY,
        strategy,
    )


def _by_person(criterion: Criterion, evidence: Evidence | None) -> JudgedCriterion:
    if evidence is None:
        method = (
            f"verification by {criterion.method!r}" if criterion.method else "no verification method is named, so it"
        )
        said = f"Not evaluated: {method} needs a person."
        return JudgedCriterion(criterion, PartResult.SKIPPED, said, "", Judge.PERSON)
    result = PartResult(evidence.result.value)
    feedback = f"{criterion.description} — {evidence.text}" if result is PartResult.FAIL else ""
    return JudgedCriterion(criterion, result, evidence.text, feedback, Judge.PERSON)


def evidence_of(outcome: Outcome) -> str:
    """What a strategy found, concretely: its command, its words and the first problems with their places."""
    command = f"{outcome.command}: " if outcome.command else ""
    shown = [problem.line_of_text for problem in outcome.problems[:PROBLEMS_SHOWN]]
    more = len(outcome.problems) - len(shown)
    shown += [f"and {more:,} more"] if more else []
    return f"{command}{outcome.details}" + (f" {'; '.join(shown)}" if shown else "")


def _feedback(criterion: Criterion, outcome: Outcome) -> str:
    first = outcome.problems[0].line_of_text if outcome.problems else outcome.details
    return f"{outcome.name} failed: {first.rstrip('.')}. Expected: {criterion.description}"

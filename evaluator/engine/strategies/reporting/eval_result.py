"""Puts an iteration together as a record in the documented schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from evaluator.engine.strategies.contracts import Evidence, SprintContract
from evaluator.engine.strategies.reporting.criteria import JudgedCriterion, judge_criteria
from evaluator.engine.strategies.reporting.extras import ours_of
from evaluator.engine.strategies.reporting.feedback import write_feedback
from evaluator.engine.strategies.reporting.regressions import find_regressions, regressed
from evaluator.engine.strategies.reporting.summary import write_summary
from evaluator.engine.strategies.reporting.verdict import Verdict, decide
from evaluator.engine.strategies.states import Outcome, State
from results.iteration_records import OUR_KEY, CriterionResult, EvalResult, PartResult, Score, StrategyResult

# The document knows three words: what could not be judged for want of something to judge is skipped, the rest fails.
RESULTS = {
    State.PASS: PartResult.PASS,
    State.FAIL: PartResult.FAIL,
    State.SKIPPED: PartResult.SKIPPED,
    State.ERROR: PartResult.FAIL,
}


@dataclass(frozen=True)
class Conclusion:
    """An iteration: its record, and the verdict that the exit code tells."""

    record: EvalResult
    verdict: Verdict


@dataclass(frozen=True)
class Occasion:
    """Which iteration of which sprint this is.

    Attributes:
        evidence: by criterion, what a person found.
        previous: the iteration before, as it was recorded.
    """

    contract: SprintContract
    iteration: int
    evidence: Mapping[str, Evidence]
    previous: EvalResult | None = None


def conclude(outcomes: Sequence[Outcome], occasion: Occasion, now: datetime) -> Conclusion:
    """Put the record of an iteration together.

    Args:
        outcomes: of all strategies, in the order in which they ran.
        occasion: of which sprint.
        now: with a time zone.
    """
    contract = occasion.contract
    criteria = judge_criteria(contract, outcomes, occasion.evidence)
    verdict = decide(outcomes, criteria)
    feedback = write_feedback(outcomes, criteria, regressed(outcomes, occasion.previous))
    stamp = now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record = EvalResult(
        eval_id=f"eval-{contract.contract_id}-{occasion.iteration}",
        contract_id=contract.contract_id,
        spec_id=contract.spec_id,
        timestamp=stamp,
        iteration=occasion.iteration,
        overall_result=verdict.overall,
        score=_score(criteria),
        strategy_results=[_strategy(outcome) for outcome in outcomes],
        criteria_results=[_criterion(judged) for judged in criteria],
        regressions=find_regressions(outcomes, criteria, occasion.previous),
        generator_feedback=feedback,
        summary=write_summary(contract, verdict, outcomes, criteria, feedback),
        evaluator=OUR_KEY,
    )
    return Conclusion(record, verdict)


def _strategy(outcome: Outcome) -> StrategyResult:
    return StrategyResult(
        strategy=outcome.strategy,
        label=outcome.label,
        required=outcome.required,
        result=RESULTS[outcome.state],
        exit_code=outcome.exit_code,
        error_count=outcome.error_count,
        output=outcome.output,
        details=outcome.details,
        extras={OUR_KEY: msgspec.Raw(msgspec.json.encode(ours_of(outcome)))},
    )


def _criterion(judged: JudgedCriterion) -> CriterionResult:
    criterion = judged.criterion
    return CriterionResult(
        criterion_id=criterion.criterion_id,
        description=criterion.description,
        required=criterion.required,
        result=judged.result,
        evidence=judged.evidence,
        feedback=judged.feedback,
        verification_method=criterion.method,
    )


def _score(criteria: Sequence[JudgedCriterion]) -> Score:
    results = [judged.result for judged in criteria]
    required = [judged.result for judged in criteria if judged.criterion.required]
    return Score(
        criteria_total=len(results),
        criteria_passed=results.count(PartResult.PASS),
        criteria_failed=results.count(PartResult.FAIL),
        criteria_skipped=results.count(PartResult.SKIPPED),
        required_passed=required.count(PartResult.PASS),
        required_failed=required.count(PartResult.FAIL),
        required_total=len(required),
    )

"""Finds what worked in the previous iteration and no longer does."""

from collections.abc import Iterator, Sequence

import msgspec

from evaluator.engine.strategies.reporting.criteria import JudgedCriterion, evidence_of
from evaluator.engine.strategies.reporting.extras import Ours
from evaluator.engine.strategies.states import Outcome, State
from results.iteration_records import OUR_KEY, EvalResult, PartResult, Regression, StrategyResult

MOST_FILES = 20
BREAKS_EVERYTHING = frozenset({"build", "typecheck"})


def find_regressions(
    outcomes: Sequence[Outcome], criteria: Sequence[JudgedCriterion], previous: EvalResult | None
) -> list[Regression]:
    """Compare with the previous iteration.

    Args:
        outcomes: of this one.
        criteria: of this one.
        previous: as it was recorded; None = there is none.

    Returns:
        The worst first: strategies and criteria that passed before, and tests that are gone.
    """
    if previous is None:
        return []
    found = [*_strategies(outcomes, previous), *_criteria(criteria, previous), *_lost_tests(outcomes, previous)]
    order = ["critical", "major", "minor"]
    return sorted(found, key=lambda regression: order.index(regression.severity or "minor"))


def regressed(outcomes: Sequence[Outcome], previous: EvalResult | None) -> frozenset[str]:
    """The names of strategies that passed before and fail now."""
    before = {name_of(part): part for part in (previous.strategy_results or [])} if previous else {}
    return frozenset(
        outcome.name
        for outcome in outcomes
        if outcome.state is State.FAIL and outcome.name in before and before[outcome.name].result is PartResult.PASS
    )


def name_of(part: StrategyResult) -> str:
    """What a recorded strategy is called."""
    return part.label or part.strategy


def _strategies(outcomes: Sequence[Outcome], previous: EvalResult) -> Iterator[Regression]:
    before = {name_of(part): part for part in previous.strategy_results or []}
    for outcome in outcomes:
        earlier = before.get(outcome.name)
        if earlier is None or earlier.result is not PartResult.PASS or outcome.state is State.PASS:
            continue
        fails = outcome.state is State.FAIL
        files = dict.fromkeys(problem.file for problem in outcome.problems if problem.file)
        yield Regression(
            description=f"{outcome.name} passed in iteration {previous.iteration} and "
            + ("fails now." if fails else f"cannot be evaluated now ({outcome.reason})."),
            evidence=evidence_of(outcome),
            severity=_severity(outcome, fails=fails),
            affected_files=list(files)[:MOST_FILES],
        )


def _severity(outcome: Outcome, *, fails: bool) -> str:
    if not outcome.required:
        return "minor"
    return "critical" if fails and outcome.strategy in BREAKS_EVERYTHING else "major"


def _criteria(criteria: Sequence[JudgedCriterion], previous: EvalResult) -> Iterator[Regression]:
    before = {part.criterion_id: part.result for part in previous.criteria_results or []}
    for judged in criteria:
        criterion = judged.criterion
        if judged.result is PartResult.FAIL and before.get(criterion.criterion_id) is PartResult.PASS:
            yield Regression(
                description=f"Criterion {criterion.criterion_id} was met in iteration {previous.iteration} and is not "
                f"now: {criterion.description}",
                evidence=judged.evidence,
                severity="major" if criterion.required else "minor",
            )


def _lost_tests(outcomes: Sequence[Outcome], previous: EvalResult) -> Iterator[Regression]:
    """Tests that were there before: a failing test that is deleted must not look like a repair."""
    before = {name_of(part): _tests_before(part) for part in previous.strategy_results or []}
    for outcome in outcomes:
        earlier = before.get(outcome.name)
        if earlier is not None and outcome.tests is not None and outcome.tests.total < earlier:
            yield Regression(
                description=f"{outcome.name} has {earlier - outcome.tests.total:,} tests fewer than in iteration "
                f"{previous.iteration}.",
                evidence=f"{earlier:,} tests then, {outcome.tests.total:,} now.",
                severity="minor",
            )


def _tests_before(part: StrategyResult) -> int | None:
    raw = part.extras.get(OUR_KEY)
    if raw is None:
        return None
    try:
        ours = msgspec.json.decode(raw, type=Ours)
    except msgspec.DecodeError:
        return None
    return ours.tests.total if ours.tests else None

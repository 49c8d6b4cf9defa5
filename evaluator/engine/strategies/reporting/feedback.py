"""What the generator should do next: one item for each problem that a tool found, the critical ones first."""

from collections.abc import Iterator, Sequence

from evaluator.engine.strategies.reporting.criteria import Judge, JudgedCriterion
from evaluator.engine.strategies.states import Outcome, Problem, Reason, Severity, State
from results.iteration_records import Feedback, PartResult

PRIORITIES = ("critical", "high", "medium", "low")
MOST_PROBLEMS = 100  # of one strategy; the rest is counted in an item of its own
MOST_ITEMS = 300  # of all strategies together: the file must stay one that can be read again
# Of a required strategy: what makes everything else unreliable is critical, style is medium.
FAILURE_PRIORITIES = {"build": "critical", "typecheck": "critical", "lint": "medium"}
CATEGORIES = {"lint": "quality"}
EXPECTED = {
    "build": "The build succeeds.",
    "typecheck": "The types check without errors.",
    "unit-test": "The test passes.",
    "playwright": "The test passes.",
}


def write_feedback(
    outcomes: Sequence[Outcome], criteria: Sequence[JudgedCriterion], regressed: frozenset[str]
) -> list[Feedback]:
    """Write the items, the critical first, otherwise in the order of the strategies.

    Args:
        outcomes: of all strategies.
        criteria: as judged.
        regressed: names of strategies that passed in the previous iteration.
    """
    failing = _criteria_by_strategy(criteria)
    items: list[Feedback] = []
    for outcome in outcomes:
        if outcome.state is State.PASS:
            items += _warnings(outcome)
        elif outcome.state is State.FAIL:
            items += _failures(outcome, failing.get(outcome.strategy), is_regression=outcome.name in regressed)
        elif outcome.required or outcome.reason is not Reason.NOTHING_TO_RUN:
            items.append(_not_run(outcome))
    items += [_by_person(judged) for judged in criteria if judged.judge is Judge.PERSON and _failed(judged)]
    items += [_not_covered(judged) for judged in criteria if judged.is_not_evaluated and not _has(outcomes, judged)]
    found = _without_repeats(sorted(items, key=lambda item: PRIORITIES.index(item.priority or "low")))
    if len(found) <= MOST_ITEMS:
        return found
    more = f"{len(found) - MOST_ITEMS:,} more items are not listed; those listed weigh as much or more."
    return [
        *found[:MOST_ITEMS],
        Feedback(priority="low", category="quality", description=more, expected="No problems."),
    ]


def _without_repeats(items: Sequence[Feedback]) -> list[Feedback]:
    """Each problem once, where it weighs most: build, type check and tests may all report the same wrong line."""
    found: dict[tuple[str | None, int | None, str | None], Feedback] = {}
    for item in items:
        found.setdefault((item.file, item.line, item.description), item)
    return list(found.values())


def _failures(outcome: Outcome, criterion: str | None, *, is_regression: bool) -> Iterator[Feedback]:
    problems = [problem for problem in outcome.problems if problem.severity is Severity.ERROR] or list(outcome.problems)
    problems = problems or [Problem(f"{outcome.name} failed: {outcome.details}")]
    for problem in problems[:MOST_PROBLEMS]:
        yield _item(outcome, problem, criterion, is_regression=is_regression)
    if len(problems) > MOST_PROBLEMS:
        more = Problem(f"{len(problems) - MOST_PROBLEMS:,} more problems of {outcome.name} are not listed.")
        yield _item(outcome, more, criterion, is_regression=is_regression)
    if problems and problems[0].severity is Severity.ERROR:
        yield from _warnings(outcome)


def _warnings(outcome: Outcome) -> Iterator[Feedback]:
    warnings = [problem for problem in outcome.problems if problem.severity is Severity.WARNING]
    for problem in warnings[:MOST_PROBLEMS]:
        yield _described(outcome, problem, priority="low", category="quality", criterion=None)


def _item(outcome: Outcome, problem: Problem, criterion: str | None, *, is_regression: bool) -> Feedback:
    priority = FAILURE_PRIORITIES.get(outcome.strategy, "high") if outcome.required else "medium"
    if is_regression and outcome.required:
        priority = "critical"
    category = "regression" if is_regression else CATEGORIES.get(outcome.strategy, "bug")
    if problem.code == "coverage":
        category = "quality"
    return _described(outcome, problem, priority=priority, category=category, criterion=criterion)


def _described(outcome: Outcome, problem: Problem, *, priority: str, category: str, criterion: str | None) -> Feedback:
    what = " ".join(part for part in (problem.code, problem.test and f"Test {problem.test!r} failed") if part)
    return Feedback(
        priority=priority,
        category=category,
        file=problem.file,
        line=problem.line,
        description=f"{what}: {problem.message}" if what else problem.message,
        expected=_expected(outcome, problem),
        reproduction=_reproduction(outcome, problem),
        criterion=criterion,
    )


def _expected(outcome: Outcome, problem: Problem) -> str:
    if problem.expected:
        return problem.expected if problem.test is None or " " in problem.expected else f"Expected: {problem.expected}"
    if outcome.strategy == "lint":
        return f"No violation of {problem.code}." if problem.code else "The linter finds nothing here."
    return EXPECTED.get(outcome.strategy, f"{outcome.name} passes.")


def _reproduction(outcome: Outcome, problem: Problem) -> str | None:
    command = problem.reproduction or outcome.command
    return f"Run: {command}" if command else None


def _not_run(outcome: Outcome) -> Feedback:
    """What kept a strategy from saying anything: the first thing to put right where it is required."""
    return Feedback(
        priority="critical" if outcome.required else "low",
        category="quality",
        description=f"{outcome.name} could not be evaluated ({outcome.reason}): {outcome.details}",
        expected=f"{outcome.name} can run and says pass or fail.",
        reproduction=f"Run: {outcome.command}" if outcome.command else None,
    )


def _by_person(judged: JudgedCriterion) -> Feedback:
    criterion = judged.criterion
    return Feedback(
        priority="high" if criterion.required else "medium",
        category="missing-feature",
        description=judged.evidence,
        expected=criterion.description,
        criterion=criterion.criterion_id,
    )


def _not_covered(judged: JudgedCriterion) -> Feedback:
    criterion = judged.criterion
    return Feedback(
        priority="critical" if criterion.required else "low",
        category="quality",
        description=f"Criterion {criterion.criterion_id} was not evaluated: {judged.evidence}",
        expected=f"A {judged.strategy} strategy is configured that can judge it.",
        criterion=criterion.criterion_id,
    )


def _criteria_by_strategy(criteria: Sequence[JudgedCriterion]) -> dict[str, str]:
    """The failing criterion of each strategy that has exactly one: then its problems are about that one."""
    found: dict[str, list[str]] = {}
    for judged in criteria:
        if judged.strategy and _failed(judged):
            found.setdefault(judged.strategy, []).append(judged.criterion.criterion_id)
    return {strategy: ids[0] for strategy, ids in found.items() if len(ids) == 1}


def _failed(judged: JudgedCriterion) -> bool:
    return judged.result is PartResult.FAIL


def _has(outcomes: Sequence[Outcome], judged: JudgedCriterion) -> bool:
    return any(outcome.strategy == judged.strategy for outcome in outcomes)

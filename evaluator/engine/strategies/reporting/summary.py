"""Two or three sentences: the result and the score, the most critical issue, and what to look at next."""

from collections.abc import Sequence

from evaluator.engine.strategies.contracts import SprintContract
from evaluator.engine.strategies.reporting.criteria import Judge, JudgedCriterion
from evaluator.engine.strategies.reporting.verdict import Exit, Verdict
from evaluator.engine.strategies.states import Outcome, State
from results.iteration_records import Feedback, PartResult

ISSUE_CHARACTERS = 240
NAMES_SHOWN = 4
WORDS = {Exit.PASSED: "PASSED", Exit.FAILED: "FAILED", Exit.NOT_EVALUATED: "COULD NOT BE EVALUATED"}


def write_summary(
    contract: SprintContract,
    verdict: Verdict,
    outcomes: Sequence[Outcome],
    criteria: Sequence[JudgedCriterion],
    feedback: Sequence[Feedback],
) -> str:
    """Write the summary of an iteration."""
    name = f"Sprint {contract.number}" if contract.number is not None else contract.contract_id
    sentences = [f"{name} {WORDS[verdict.exit]}: {_score(outcomes, criteria)}."]
    if verdict.exit is Exit.PASSED:
        sentences += [_passed(outcomes), *_remarks(outcomes, criteria)]
    else:
        sentences += _issue(feedback)
        sentences.append(_focus(verdict))
    return " ".join(sentences)


def _score(outcomes: Sequence[Outcome], criteria: Sequence[JudgedCriterion]) -> str:
    required = [outcome for outcome in outcomes if outcome.required]
    passed = sum(outcome.state is State.PASS for outcome in required)
    said = f"{passed} of {len(required)} required strategies passed"
    if not required:
        passed = sum(outcome.state is State.PASS for outcome in outcomes)
        said = f"no strategy is required, {passed} of {len(outcomes)} optional ones passed"
    needed = [judged for judged in criteria if judged.criterion.required]
    if not needed:
        return said
    met = sum(judged.result is PartResult.PASS for judged in needed)
    return f"{met} of {len(needed)} required criteria and {said}"


def _issue(feedback: Sequence[Feedback]) -> list[str]:
    if not feedback:
        return []
    first = feedback[0]
    place = f"{first.file}:{first.line}: " if first.file and first.line else f"{first.file}: " if first.file else ""
    words = " ".join(f"{place}{first.description or ''}".split())
    shown = words if len(words) <= ISSUE_CHARACTERS else f"{words[:ISSUE_CHARACTERS]}…"
    return [f"The most critical issue is {shown.rstrip('.')}."]


def _focus(verdict: Verdict) -> str:
    if verdict.exit is Exit.NOT_EVALUATED:
        return f"First make it possible to evaluate {_names(verdict.not_evaluated)}."
    also = f", and make it possible to evaluate {_names(verdict.not_evaluated)}" if verdict.not_evaluated else ""
    return f"The generator should focus on {_names(verdict.failed)}{also}."


def _names(names: Sequence[str]) -> str:
    shown = list(dict.fromkeys(names))
    more = len(shown) - NAMES_SHOWN
    return ", ".join(shown[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _passed(outcomes: Sequence[Outcome]) -> str:
    """What passed, with the numbers of tests."""
    passed = [outcome for outcome in outcomes if outcome.state is State.PASS]
    shown = [
        f"{outcome.name} ({outcome.tests.passed:,} tests)" if outcome.tests else outcome.name for outcome in passed
    ]
    return f"Passed: {', '.join(shown)}." if shown else "Nothing failed that is required."


def _remarks(outcomes: Sequence[Outcome], criteria: Sequence[JudgedCriterion]) -> list[str]:
    """What a pass does not say, in one sentence: optional failures, and criteria that nobody has looked at."""
    failed = [outcome.name for outcome in outcomes if outcome.state is State.FAIL]
    unjudged = [outcome.name for outcome in outcomes if not outcome.is_judged]
    open_criteria = sum(judged.judge is Judge.PERSON and judged.result is PartResult.SKIPPED for judged in criteria)
    parts = [f"optional {_names(failed)} failed"] if failed else []
    parts += [f"optional {_names(unjudged)} could not be evaluated"] if unjudged else []
    noun = "criterion needs" if open_criteria == 1 else "criteria need"
    parts += [f"{open_criteria} {noun} a person to look"] if open_criteria else []
    return [f"Not blocking: {'; '.join(parts)}."] if parts else []

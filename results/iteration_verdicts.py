"""What the recorded parts of an iteration add up to, beside the verdict that it records."""

from collections.abc import Iterator

from results.iteration_records import OUR_KEY, EvalResult, OverallResult, PartResult


def computed_verdict(record: EvalResult) -> OverallResult | None:
    """What the recorded required parts add up to, beside the recorded verdict.

    Returns:
        Fail if any required part failed; else None if a part that is or may be required was skipped, is unreadable, or
        failed with its flag unknown, or if nothing required was recorded; else pass. A strategy without a flag may be
        required; a criterion without one is. A strategy that could not be judged is like one that was skipped. Optional
        parts and regressions never count.
    """
    parts = [*_required_strategies(record), *_required_criteria(record)]
    if OverallResult.FAIL in parts:
        return OverallResult.FAIL
    return OverallResult.PASS if parts and None not in parts else None


def is_unjudged(record: EvalResult) -> bool:
    """Whether it could not be evaluated: a run of ours, written as a fail, in which nothing required failed."""
    is_fail = record.overall_result is OverallResult.FAIL
    return is_fail and record.evaluator == OUR_KEY and computed_verdict(record) is None


def _required_strategies(record: EvalResult) -> Iterator[OverallResult | None]:
    for part in record.strategy_results or []:
        if part.required is False or part.is_not_run:
            continue
        if part.result is PartResult.FAIL:
            yield OverallResult.FAIL if part.required and not part.is_unjudged else None
        else:
            yield OverallResult.PASS if part.result is PartResult.PASS else None


def _required_criteria(record: EvalResult) -> Iterator[OverallResult | None]:
    verdicts = {PartResult.PASS: OverallResult.PASS, PartResult.FAIL: OverallResult.FAIL}
    for part in record.criteria_results or []:
        if part.counts_as_required:
            yield verdicts.get(part.result) if part.result else None
    score = record.score
    if score is None:
        return
    if score.required_failed:
        yield OverallResult.FAIL
    elif record.criteria_results is None and score.required_total:
        yield OverallResult.PASS if score.required_passed == score.required_total else None

"""What does not agree within one iteration: ids, times, counts and verdict."""

from datetime import datetime

from results.importers.source import WarningLog
from results.iteration_records import (
    CriterionResult,
    EvalResult,
    OverallResult,
    PartResult,
    Score,
    Shape,
)
from results.iteration_verdicts import computed_verdict

NAMES_SHOWN = 5


def check_iteration(record: EvalResult, warnings: WarningLog) -> None:
    """Note everything in which the parts of an iteration disagree. The record itself stays as it is.

    Args:
        record: an iteration as read.
        warnings: where to note it.
    """
    _check_ids(record, warnings)
    _check_time(record, warnings)
    if record.score is not None:
        _check_sums(record.score, warnings)
        if record.criteria_results is not None:
            _check_counts(record.score, record.criteria_results, warnings)
    _check_verdict(record, warnings)
    _check_optional_failures(record, warnings)
    _check_skipped(record, warnings)


def _check_ids(record: EvalResult, warnings: WarningLog) -> None:
    expected = f"{record.contract_id}-{record.iteration}"
    if record.eval_id is not None and record.eval_id not in {expected, f"eval-{expected}"}:
        warnings.add("evalId", f"{record.eval_id!r} is not contract and iteration (eval-{expected})")
    if record.spec_id is None and record.shape is not Shape.ENGINE:
        warnings.add("specId", "the spec is not recorded")


def _check_time(record: EvalResult, warnings: WarningLog) -> None:
    moment = record.recorded_at
    if record.timestamp is None:
        warnings.add("timestamp", "the time is not recorded")
    elif moment is None:
        warnings.add("timestamp", f"{record.timestamp[:60]!r} is not a time in ISO 8601")
    else:
        if datetime.fromisoformat(record.timestamp.strip()).tzinfo is None:
            warnings.add("timestamp", f"{record.timestamp!r} names no zone and is taken as UTC")
        if record.is_date_only:
            warnings.add("timestamp", f"{record.timestamp!r} is midnight exactly: taken as the day only")


def _check_sums(score: Score, warnings: WarningLog) -> None:
    total, passed, failed, skipped = score.criteria_total, score.criteria_passed, score.criteria_failed, score.skipped
    if total is None or passed is None or failed is None:
        return
    if passed + failed + (skipped or 0) != total:
        warnings.add("score", f"{passed} passed, {failed} failed and {skipped or 0} skipped are not {total} criteria")
    required = score.required_total
    if required is None or score.required_passed is None or score.required_failed is None:
        return
    if score.required_passed + score.required_failed > required:
        warnings.add(
            "score",
            f"{score.required_passed} required criteria passed and {score.required_failed} failed of only {required}",
        )


def _check_counts(score: Score, criteria: list[CriterionResult], warnings: WarningLog) -> None:
    total = score.criteria_total
    if total is not None and total != len(criteria):
        warnings.add("criteriaResults", f"{len(criteria)} criteria are listed, but the score counts {total}")
        return
    recorded = {
        PartResult.PASS: score.criteria_passed,
        PartResult.FAIL: score.criteria_failed,
        PartResult.SKIPPED: score.skipped,
    }
    for result, count in recorded.items():
        listed = sum(criterion.result is result for criterion in criteria)
        if count is not None and count != listed:
            warnings.add("criteriaResults", f"{listed} criteria are listed as {result}, but the score counts {count}")


def _check_verdict(record: EvalResult, warnings: WarningLog) -> None:
    computed = computed_verdict(record)
    if computed is not None and computed is not record.overall_result:
        warnings.add(
            "overallResult",
            f"the recorded verdict is {record.overall_result}, but the recorded required parts say {computed}",
        )
    if record.overall_result is OverallResult.FAIL and _failed_required(record) == 0:
        warnings.add("overallResult", "fails outside the criteria: no required criterion failed")


def _failed_required(record: EvalResult) -> int | None:
    """Required criteria that failed, by the list and by the score; None when neither says."""
    known: list[int] = []
    if record.criteria_results is not None:
        known.append(len([part for part in _required(record) if part.result is PartResult.FAIL]))
    if record.score is not None and record.score.required_failed is not None:
        known.append(record.score.required_failed)
    return max(known, default=None)


def _check_optional_failures(record: EvalResult, warnings: WarningLog) -> None:
    if record.overall_result is OverallResult.PASS or computed_verdict(record) is OverallResult.FAIL:
        return
    for position, part in enumerate(record.strategy_results or []):
        if part.required is False and part.result is PartResult.FAIL:
            warnings.add(
                f"strategyResults[{position}]",
                f"{part.strategy} failed and is optional, yet the verdict is fail and nothing required failed",
            )


def _check_skipped(record: EvalResult, warnings: WarningLog) -> None:
    if record.overall_result is OverallResult.FAIL:
        return
    skipped = [part.criterion_id for part in _required(record) if part.result is PartResult.SKIPPED]
    score = record.score
    if skipped:
        names = ", ".join(skipped[:NAMES_SHOWN]) + (", …" if len(skipped) > NAMES_SHOWN else "")
        warnings.add("criteriaResults", f"required and skipped, yet the verdict is pass: {names}")
    elif (
        score is not None
        and score.required_total is not None
        and score.required_passed is not None
        and score.required_failed == 0
        and score.required_passed < score.required_total
    ):
        missing = score.required_total - score.required_passed
        warnings.add(
            "score", f"the verdict is pass, but {missing} required criteria neither passed nor failed: skipped"
        )


def _required(record: EvalResult) -> list[CriterionResult]:
    return [part for part in record.criteria_results or [] if part.counts_as_required]

"""What is computed from the parts of an iteration, and how a record of ours is written."""

from datetime import UTC, datetime

import msgspec
import pytest

from results.iteration_records import (
    CriterionResult,
    EvalResult,
    Feedback,
    OverallResult,
    PartResult,
    Regression,
    Score,
    StrategyResult,
    encode_eval_result,
)
from results.iteration_verdicts import computed_verdict

PASS, FAIL, SKIPPED = PartResult.PASS, PartResult.FAIL, PartResult.SKIPPED


def verdict(
    *strategies: tuple[bool | None, PartResult | None],
    criteria: list[CriterionResult] | None = None,
    score: Score | None = None,
) -> OverallResult | None:
    record = EvalResult(
        contract_id="c",
        iteration=1,
        overall_result=OverallResult.PASS,
        strategy_results=[
            StrategyResult(strategy="build", required=required, result=result) for required, result in strategies
        ],
        criteria_results=criteria,
        score=score,
    )
    return computed_verdict(record)


def criterion(result: PartResult | None, required: bool | None = True) -> CriterionResult:
    return CriterionResult(criterion_id="c", required=required, result=result)


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ((True, PASS), OverallResult.PASS),
        ((True, FAIL), OverallResult.FAIL),
        ((True, SKIPPED), None),
        ((True, None), None),
        ((None, PASS), OverallResult.PASS),
        ((None, FAIL), None),
        ((False, PASS), None),
        ((False, FAIL), None),
    ],
)
def test_one_strategy_decides_only_where_it_is_required_and_ran(
    strategy: tuple[bool | None, PartResult | None], expected: OverallResult | None
) -> None:
    assert verdict(strategy) == expected


def test_without_any_part_there_is_no_computed_verdict() -> None:
    assert verdict() is None


def test_a_required_failure_outweighs_a_skipped_part() -> None:
    assert verdict((True, SKIPPED), (True, FAIL)) is OverallResult.FAIL


def test_an_optional_failure_does_not_count() -> None:
    assert verdict((True, PASS), (False, FAIL)) is OverallResult.PASS


@pytest.mark.parametrize(
    ("required", "expected"), [(True, OverallResult.FAIL), (None, OverallResult.FAIL), (False, OverallResult.PASS)]
)
def test_a_failed_criterion_counts_unless_it_is_optional(required: bool | None, expected: OverallResult) -> None:
    assert verdict((True, PASS), criteria=[criterion(FAIL, required)]) is expected


@pytest.mark.parametrize(
    ("passed", "failed", "expected"), [(3, 0, OverallResult.PASS), (2, 1, OverallResult.FAIL), (2, 0, None)]
)
def test_a_score_decides_where_no_criteria_are_listed(passed: int, failed: int, expected: OverallResult | None) -> None:
    assert verdict(score=Score(required_passed=passed, required_failed=failed, required_total=3)) == expected


def test_points_alone_decide_nothing() -> None:
    assert verdict(score=Score(points=100)) is None


def test_a_check_that_never_ran_decides_nothing() -> None:
    part = StrategyResult(strategy="playwright", result=PASS, is_not_run=True)
    record = EvalResult(contract_id="c", iteration=1, overall_result=OverallResult.PASS, strategy_results=[part])
    assert computed_verdict(record) is None


@pytest.mark.parametrize(
    ("score", "skipped"),
    [
        (Score(criteria_total=5, criteria_passed=3, criteria_failed=1), 1),
        (Score(criteria_total=5, criteria_passed=3, criteria_failed=1, criteria_skipped=0), 0),
        (Score(criteria_total=3, criteria_passed=3, criteria_failed=1), None),
        (Score(criteria_total=5), None),
    ],
)
def test_skipped_criteria_are_recorded_or_the_rest_or_unknown(score: Score, skipped: int | None) -> None:
    assert score.skipped == skipped


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-04T10:20:30Z", datetime(2026, 3, 4, 10, 20, 30, tzinfo=UTC)),
        ("2026-03-04T10:20:30.250+09:00", datetime(2026, 3, 4, 1, 20, 30, 250_000, tzinfo=UTC)),
        ("2026-03-04T10:20:30", datetime(2026, 3, 4, 10, 20, 30, tzinfo=UTC)),
        ("0001-01-01T00:00:00+09:00", None),
        ("soon", None),
        (None, None),
    ],
)
def test_a_recorded_time_is_an_instant_or_unknown(text: str | None, moment: datetime | None) -> None:
    record = EvalResult(contract_id="c", iteration=1, overall_result=OverallResult.PASS, timestamp=text)
    assert record.recorded_at == moment


def test_a_record_of_ours_is_written_in_the_documented_schema() -> None:
    record = EvalResult(
        eval_id="eval-c-1",
        contract_id="c",
        iteration=1,
        overall_result=OverallResult.FAIL,
        score=Score(criteria_total=1, criteria_failed=1),
        strategy_results=[
            StrategyResult(strategy="lint", required=False, result=PASS, result_text="PASS", exit_code=0)
        ],
        criteria_results=[],
        regressions=[Regression(description="r", affected_files=["a"])],
        generator_feedback=[Feedback(description="d", line=1, line_text="1-2")],
        extras={"note": msgspec.Raw(b"-0")},
    )
    assert encode_eval_result(record) == (
        b'{"evalId":"eval-c-1","contractId":"c","iteration":1,"overallResult":"fail",'
        b'"score":{"criteriaTotal":1,"criteriaFailed":1},'
        b'"strategyResults":[{"strategy":"lint","required":false,"result":"PASS","exitCode":0}],"criteriaResults":[],'
        b'"regressions":[{"description":"r","affectedFiles":["a"]}],'
        b'"generatorFeedback":[{"description":"d","line":"1-2"}],"note":-0}'
    )

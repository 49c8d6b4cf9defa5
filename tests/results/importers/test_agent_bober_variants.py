"""Every variant of an agent-bober evaluation that was found in real files, or that its own code can write."""

from typing import Any

import pytest

from results.importers.agent_bober import read_bytes
from results.importers.source import IterationSource, Limits
from results.iteration_records import (
    CriterionResult,
    Failure,
    Feedback,
    OverallResult,
    PartResult,
    Regression,
    Score,
    Shape,
    StrategyResult,
)
from results.iteration_verdicts import computed_verdict
from tests.fixtures.agent_bober.documents import document, fixture_bytes, read_changed, said


def read_fixture(name: str, file_name: str) -> IterationSource:
    return read_bytes(fixture_bytes(name), file_name, Limits())


def criterion(**changes: object) -> dict[str, Any]:
    fields: dict[str, Any] = {"criterionId": "c", "required": True, "result": "pass", "evidence": "seen"} | changes
    return {key: value for key, value in fields.items() if value is not None}


def one_criterion(**changes: object) -> IterationSource:
    return read_changed(criteriaResults=[criterion(**changes)], score=None)


def one_feedback(**changes: object) -> Feedback:
    items = read_changed(generatorFeedback=[{"description": "d", **changes}]).record.generator_feedback
    assert items is not None
    return items[0]


def test_v1_the_documented_schema_is_read_whole_and_without_a_warning() -> None:
    read = read_changed()
    assert (read.warnings, read.record.extras, read.record.shape) == ([], {}, Shape.SKILL)


def test_v1_the_parts_of_the_documented_schema_have_their_values() -> None:
    record = read_changed().record
    assert record.score == Score(
        criteria_total=3,
        criteria_passed=2,
        criteria_failed=1,
        criteria_skipped=0,
        required_passed=2,
        required_failed=0,
        required_total=2,
    )
    assert record.strategy_results is not None
    assert record.strategy_results[1] == StrategyResult(
        strategy="lint",
        required=False,
        result=PartResult.FAIL,
        exit_code=1,
        error_count=1,
        output="1 problem",
        details="unused name",
    )
    assert record.regressions == [
        Regression(
            description="The bell is silent.",
            evidence="heard nothing",
            severity="minor",
            affected_files=["src/bell.ts"],
        )
    ]


def test_v2_an_unknown_inner_key_is_kept_as_raw_json() -> None:
    record = one_criterion(weight=1e3, amendedDisposition="later").record
    assert record.criteria_results is not None
    extras = {key: bytes(raw) for key, raw in record.criteria_results[0].extras.items()}
    assert extras == {"weight": b"1000.0", "amendedDisposition": b'"later"'}


def test_v3_v4_v10_what_a_criterion_leaves_out_is_unknown() -> None:
    read = one_criterion(required=None)
    assert read.record.criteria_results == [
        CriterionResult(criterion_id="c", result=PartResult.PASS, evidence="seen", required=None)
    ]
    assert read.warnings == []


def test_v5_a_strategy_without_output_and_details_has_neither() -> None:
    read = read_changed(strategyResults=[{"strategy": "build", "required": True, "result": "pass"}])
    assert read.record.strategy_results == [StrategyResult(strategy="build", required=True, result=PartResult.PASS)]


def test_v6_unknown_outer_keys_are_kept_as_raw_json() -> None:
    record = read_changed(evaluator="full", verdictOnSafety={"a": [1, 2.50]}, note="n").record
    assert {key: bytes(raw) for key, raw in record.extras.items()} == {
        "verdictOnSafety": b'{"a":[1,2.5]}',
        "note": b'"n"',
    }
    assert record.evaluator == "full"


@pytest.mark.parametrize(
    ("section", "field"),
    [
        ("criteriaResults", "criteria_results"),  # V7
        ("generatorFeedback", "generator_feedback"),  # V8
        ("regressions", "regressions"),  # V8
        ("strategyResults", "strategy_results"),  # V9
        ("summary", "summary"),  # V29
    ],
)
def test_v7_v8_v9_v29_an_absent_section_is_not_recorded_and_no_warning(section: str, field: str) -> None:
    read = read_changed(**{section: None})
    assert (getattr(read.record, field), read.warnings) == (None, [])


def test_v8_an_empty_section_is_recorded_as_empty() -> None:
    record = read_changed(generatorFeedback=[], regressions=[]).record
    assert (record.generator_feedback, record.regressions) == ([], [])


@pytest.mark.parametrize(
    ("written", "line", "text"),
    [
        (981, 981, None),
        ("981", 981, None),
        ("149-150", 149, "149-150"),
        ("2,346,347", 2, "2,346,347"),
        ("178/297", 178, "178/297"),
        ("112-116, 203-207", 112, "112-116, 203-207"),
        ("N/A", None, "N/A"),
        (None, None, None),
    ],
)
def test_v11_a_line_is_its_first_number_and_keeps_its_text(written: object, line: int | None, text: str | None) -> None:
    item = one_feedback(line=written)
    assert (item.line, item.line_text) == (line, text)


@pytest.mark.parametrize("evidence", [None, "", "  "])
def test_v12_a_criterion_that_passes_without_evidence_is_a_warning(evidence: str | None) -> None:
    assert said(one_criterion(evidence=evidence)) == [
        "criteriaResults[0].evidence: criterion 'c' passes without evidence"
    ]


def test_v13_an_unknown_strategy_is_kept_and_a_warning() -> None:
    read = read_changed(strategyResults=[{"strategy": "golden-gate", "required": True, "result": "pass"}])
    assert read.record.strategy_results is not None
    assert [part.strategy for part in read.record.strategy_results] == ["golden-gate"]
    assert "'golden-gate' is not one of the documented ones" in said(read)[0]


def test_v14_skipped_criteria_that_are_not_counted_are_the_rest() -> None:
    counts = {"criteriaTotal": 5, "criteriaPassed": 3, "criteriaFailed": 1}
    score = read_changed(score=counts, criteriaResults=None).record.score
    assert score is not None
    assert (score.criteria_skipped, score.skipped) == (None, 1)


def test_v15_a_missing_time_is_a_warning() -> None:
    assert said(read_changed(timestamp=None)) == ["timestamp: the time is not recorded"]


def test_v16_midnight_exactly_is_a_date_only_and_a_warning() -> None:
    read = read_changed(timestamp="2026-07-26T00:00:00Z")
    assert (read.record.is_date_only, [warning.path for warning in read.warnings]) == (True, ["timestamp"])


def test_v17_an_upper_case_result_is_read_and_a_warning() -> None:
    read = read_changed(overallResult="fail", score=None, criteriaResults=[criterion(result="FAIL", feedback="broken")])
    assert read.record.criteria_results is not None
    assert read.record.criteria_results[0].result is PartResult.FAIL
    assert said(read) == ["criteriaResults[0].result: result 'FAIL' is read as fail"]


def test_v17_an_amended_pass_is_a_pass_with_a_flag_and_a_warning() -> None:
    read = one_criterion(result="pass-AMENDED")
    assert read.record.criteria_results is not None
    part = read.record.criteria_results[0]
    assert (part.result, part.is_amended, part.result_text) == (PartResult.PASS, True, "pass-AMENDED")
    assert said(read) == ["criteriaResults[0].result: result 'pass-AMENDED' is read as pass, amended"]


def test_v18_a_fail_without_a_failed_required_criterion_keeps_its_verdict_with_a_warning() -> None:
    read = read_changed(overallResult="fail", strategyResults=None)
    assert (read.record.overall_result, computed_verdict(read.record)) == (OverallResult.FAIL, OverallResult.PASS)
    assert said(read) == [
        "overallResult: the recorded verdict is fail, but the recorded required parts say pass",
        "overallResult: fails outside the criteria: no required criterion failed",
    ]


def test_v19_a_text_among_feedback_or_regressions_is_a_description() -> None:
    record = read_changed(generatorFeedback=["Fix it."], regressions=["The bell is silent."]).record
    assert record.generator_feedback == [Feedback(description="Fix it.")]
    assert record.regressions == [Regression(description="The bell is silent.")]


def test_v20_feedback_may_name_a_criterion_instead_of_a_category() -> None:
    assert one_feedback(criterion="sc-1-3").criterion == "sc-1-3"


@pytest.mark.parametrize("key", ["category", "priority"])
def test_v21_an_unknown_category_or_priority_is_kept_and_a_warning(key: str) -> None:
    read = read_changed(generatorFeedback=[{"description": "d", key: "safety-advisory"}])
    assert read.record.generator_feedback is not None
    assert getattr(read.record.generator_feedback[0], key) == "safety-advisory"
    assert said(read)[0].startswith(f"generatorFeedback[0].{key}: 'safety-advisory' is not one of")


def test_v22_failed_criteria_a_reason_and_a_feedback_text_tell_the_cause() -> None:
    record = read_changed(failedCriteria=["C2"], failureReason="lint", feedback="Add a test.").record
    assert (record.failed_criteria, record.failure_reason, record.feedback) == (["C2"], "lint", "Add a test.")
    assert record.extras == {}


def test_v23_a_list_of_another_length_than_the_score_says_is_a_warning() -> None:
    read = read_changed(criteriaResults=document()["criteriaResults"][:2])
    assert said(read) == ["criteriaResults: 2 criteria are listed, but the score counts 3"]


def test_v24_a_strategy_may_stand_twice() -> None:
    custom = {"strategy": "custom", "required": True, "result": "pass"}
    read = read_changed(strategyResults=[custom, custom | {"result": "skipped"}])
    assert read.record.strategy_results is not None
    assert [part.result for part in read.record.strategy_results] == [PartResult.PASS, PartResult.SKIPPED]
    assert read.warnings == []


def test_v25_a_strategy_without_a_required_flag_has_an_unknown_one() -> None:
    read = read_changed(strategyResults=[{"strategy": "build", "result": "pass"}])
    assert read.record.strategy_results is not None
    assert read.record.strategy_results[0].required is None


def test_v26_strategies_written_as_a_text_are_read_and_the_text_is_kept() -> None:
    text = "build=pass typecheck=pass, lint=FAIL golden=maybe"
    record = read_changed(strategyResults=None, strategies=text).record
    assert record.strategy_results == [
        StrategyResult(strategy="build", result=PartResult.PASS),
        StrategyResult(strategy="typecheck", result=PartResult.PASS),
        StrategyResult(strategy="lint", result=PartResult.FAIL),
    ]
    assert bytes(record.extras["strategies"]) == f'"{text}"'.encode()


def test_v27_a_pass_with_a_required_criterion_skipped_is_a_warning_and_undecided() -> None:
    read = one_criterion(result="skipped")
    assert said(read) == ["criteriaResults: required and skipped, yet the verdict is pass: c"]
    assert computed_verdict(read.record) is None


def test_v27_a_score_alone_can_show_a_skipped_required_criterion() -> None:
    counts = {"requiredPassed": 3, "requiredFailed": 0, "requiredTotal": 4}
    assert [warning.path for warning in read_changed(criteriaResults=None, score=counts).warnings] == ["score"]


def test_v28_a_fail_that_only_an_optional_strategy_can_explain_is_a_warning() -> None:
    messages = said(read_changed(overallResult="fail"))
    assert "strategyResults[1]: lint failed and is optional" in messages[-1]


def test_v30_the_hybrid_shape_is_read() -> None:
    read = read_fixture("hybrid.json", "eval-sprint-kiln-2-1.json")
    assert (read.record.shape, read.record.overall_result) == (Shape.HYBRID, OverallResult.PASS)
    assert read.record.concerns == ["The chimney is short."]
    assert read.record.strategy_results == [
        StrategyResult(strategy="typecheck", required=True, result=PartResult.PASS),
        StrategyResult(strategy="lint", required=False, result=PartResult.FAIL),
    ]
    assert (read.warnings, read.record.extras) == ([], {})


def test_v31_the_engine_shape_is_read() -> None:
    record = read_fixture("engine.json", "eval-sprint-kiln-3-2.json").record
    assert (record.shape, record.score, record.spec_id) == (Shape.ENGINE, Score(points=85.0), None)
    assert record.strategy_results is not None
    first = record.strategy_results[0]
    assert (first.strategy, first.label, first.result) == ("typecheck", "TypeScript Check", PartResult.FAIL)
    assert (first.score, first.details, first.feedback, first.required) == (70.0, "2 errors.", "Fix them.", None)
    assert first.failures is not None
    assert [(item.line, item.file) for item in first.failures] == [(7, "a.ts"), (None, None)]
    assert isinstance(first.failures[0], Failure)


def test_v31_an_engine_check_that_never_ran_is_marked_and_a_warning() -> None:
    read = read_fixture("engine.json", "eval-sprint-kiln-3-2.json")
    assert read.record.strategy_results is not None
    assert [part.is_not_run for part in read.record.strategy_results] == [False, True, False]
    assert any("never ran" in message for message in said(read))

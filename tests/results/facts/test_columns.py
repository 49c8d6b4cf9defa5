"""What a record says about itself, as a row of the facts."""

from typing import Any

import msgspec
import pytest

from results.facts.columns import CALL_COLUMNS, RESULT_COLUMNS, USE_COLUMNS, ResultKeys, measures, trace_hash
from results.records import decode_result
from tests.results.facts.evaluations import row

MEASURES = [column.name for column in RESULT_COLUMNS[len(ResultKeys._fields) :]]


def measured(**fields: Any) -> dict[str, Any]:
    record = decode_result(msgspec.json.encode(row(**fields)))
    return dict(zip(MEASURES, measures(record, 123), strict=True))


def test_keys_and_measures_together_are_the_columns_of_a_result() -> None:
    assert [column.name for column in RESULT_COLUMNS[: len(ResultKeys._fields)]] == list(ResultKeys._fields)


@pytest.mark.parametrize("columns", [RESULT_COLUMNS, CALL_COLUMNS, USE_COLUMNS])
def test_no_column_has_the_name_of_another(columns: tuple[Any, ...]) -> None:
    assert len({column.name for column in columns}) == len(columns)


@pytest.mark.parametrize(("kind", "outcome"), [("Passed", 0), ("Failed", 1), ("Error", 2), ("Skipped", 3)])
def test_the_recorded_outcome_is_kept(kind: str, outcome: int) -> None:
    assert measured(kind=kind)["outcome"] == outcome


def test_what_a_record_does_not_say_is_none() -> None:
    silent = measured()
    names = ("is_transient", "is_response_parsing", "answer_input_tokens", "error_output_tokens", "tool_calls", "score")
    assert {silent[name] for name in names} == {None}


def test_false_and_zero_are_not_unknown() -> None:
    found = measured(kind="Error", usage={"InputTokens": 0}, error={"Title": "x", "Transient": False})
    assert (found["answer_input_tokens"], found["is_transient"]) == (0, False)


@pytest.mark.parametrize(
    ("word", "code"),
    [("cache_tokens_separate", 1), ("cache_tokens_included", 2), ("something_new", 3), (None, None), ("", None)],
)
def test_the_word_of_the_input_accounting_is_a_number(word: str | None, code: int | None) -> None:
    assert measured(usage={"InputTokens": 1, "InputTokenAccounting": word})["answer_input_accounting"] == code


def test_usage_copied_to_a_judge_that_was_never_called_is_left_out() -> None:
    usage = {"InputTokens": 7}
    found = measured(kind="Failed", usage=usage, validation={"Title": "Invalid Response Type", "Usage": usage})
    assert (found["validation_input_tokens"], found["has_judge"]) == (None, False)


def test_a_judge_with_as_many_tokens_as_the_model_keeps_them() -> None:
    usage = {"InputTokens": 7}
    found = measured(kind="Failed", usage=usage, validation={"Title": "Semantic Assessment", "Usage": usage})
    assert (found["validation_input_tokens"], found["has_judge"]) == (7, True)


def test_the_usage_of_a_validation_error_is_marked_as_the_judges() -> None:
    found = measured(kind="Error", error={"Title": "Validation Error", "Usage": {"InputTokens": 9}})
    assert (found["is_error_usage_judge"], found["error_input_tokens"]) == (True, 9)


def test_tool_calls_are_the_recorded_totals_and_calls_the_recorded_list() -> None:
    found = measured(tools={"python": 5, "bash": 2}, tool_calls=[("python", "success"), ("python", "timeout")])
    assert (found["tool_calls"], found["calls"], found["calls_failed"]) == (7, 2, 1)


@pytest.mark.parametrize(("ours", "calls"), [({"Evalboard": {"Attempts": 1}}, 0), ({}, None)])
def test_our_own_runner_knows_that_no_tool_was_called_and_no_other_file_does(
    ours: dict[str, Any], calls: int | None
) -> None:
    found = measured(**ours)
    refused = measured(tool_calls=[("python", "invalid_arguments")], **ours)
    assert (found["tool_calls"], found["tool_duration_ns"]) == (calls, calls)
    assert (refused["tool_calls"], refused["calls"]) == (calls, 1)


def test_a_status_of_another_word_is_not_a_failure() -> None:
    assert measured(tool_calls=[("python", "surprise"), ("python", "")])["calls_failed"] == 0


def test_the_tools_of_a_failed_judge_are_not_the_models() -> None:
    error = {"Title": "Validation Error", "ToolUsage": {"python": {"CallCount": 4}}}
    assert measured(kind="Error", error=error)["tool_calls"] is None


def test_equal_trace_ids_have_equal_hashes() -> None:
    assert trace_hash("01J0") == trace_hash("01J0") != trace_hash("01J1")


def test_an_empty_trace_id_has_no_hash() -> None:
    assert trace_hash("") is None

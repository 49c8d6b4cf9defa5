"""The parts of a result's page say what the record says: no more, no less."""

from typing import Any

import msgspec
import pytest

from frontend.contexts.answers import Answers
from frontend.contexts.tools import Call, ToolPanel
from frontend.contexts.usage import UsagePanel
from results.records import (
    AnswerDetails,
    Details,
    ErrorDetails,
    ResultKind,
    RunResult,
    TokenUsage,
    ToolCallOutput,
    ToolCallSummary,
    ToolUsage,
)


def a_record(got: Any = "a", want: Any = "a", answer: AnswerDetails | None = None) -> RunResult:
    return RunResult(
        kind=ResultKind.PASSED,
        got=msgspec.Raw(msgspec.json.encode(got)),
        want=msgspec.Raw(msgspec.json.encode(want)),
        details=Details(answer=answer),
    )


def accepted_texts(record: RunResult) -> list[str]:
    return [value.text for value in Answers.build(record).accepted or ()]


def test_a_text_is_shown_as_itself() -> None:
    got = Answers.build(a_record(got="line 1\nline 2")).got
    assert (got and got.type_name, got and got.text) == ("text", "line 1\nline 2")


@pytest.mark.parametrize(
    ("got", "type_name", "text"),
    [
        (42, "number", "42"),
        (True, "true", "true"),
        (None, "null", "null"),
        ([True, False], "list", "[\n  true,\n  false\n]"),
        ({"verdict": "pass"}, "object", '{\n  "verdict": "pass"\n}'),
    ],
)
def test_an_answer_that_is_no_text_names_its_type(got: object, type_name: str, text: str) -> None:
    shown = Answers.build(a_record(got=got)).got
    assert (shown and shown.type_name, shown and shown.text) == (type_name, text)


def test_an_absent_answer_is_not_null() -> None:
    record = RunResult(kind=ResultKind.PASSED)
    assert (Answers.build(record).got, Answers.build(record).accepted) == (None, None)


def test_several_accepted_answers_are_all_shown() -> None:
    answer = AnswerDetails(expected_answer=[["A"], ["B"]])
    assert accepted_texts(a_record(want=["a", "b"], answer=answer)) == ["a", "b"]


def test_one_accepted_answer_that_is_a_list_stays_whole() -> None:
    answers = Answers.build(a_record(want=["a", "b"], answer=AnswerDetails(expected_answer=[["[a, b]"]])))
    assert (len(answers.accepted or ()), answers.is_ambiguous) == (1, False)


def test_a_list_without_a_witness_is_ambiguous() -> None:
    assert Answers.build(a_record(want=["a", "b"])).is_ambiguous


def test_a_number_is_not_the_text_of_it() -> None:
    assert Answers.build(a_record(got=2, want="2")).is_type_mismatch


def test_no_accepted_answer_is_not_unknown() -> None:
    assert Answers.build(a_record(want=[])).accepted == ()


def test_a_raw_answer_is_shown_where_it_differs() -> None:
    assert Answers.build(a_record(got="abc", answer=AnswerDetails(actual_answer=["ABC", ""]))).raw == "ABC\n"


def test_a_raw_answer_that_is_the_same_is_only_mentioned() -> None:
    answers = Answers.build(a_record(got="abc", answer=AnswerDetails(actual_answer=["abc"])))
    assert (answers.raw, answers.is_raw_same) == (None, True)


@pytest.mark.parametrize(
    ("accounting", "effective"),
    [("cache_tokens_included", 17903), ("cache_tokens_separate", 35720), (None, 35720), ("other", None)],
)
def test_cache_tokens_count_as_the_provider_says(accounting: str | None, effective: int | None) -> None:
    usage = TokenUsage(input_tokens=17903, input_cache_read_tokens=17817, input_token_accounting=accounting)
    assert UsagePanel.build("Model usage", usage).effective_input == effective


def test_a_section_without_usage_is_not_one_with_zeros() -> None:
    assert UsagePanel.build("Judge usage", None).usage is None


def test_a_section_without_tools_has_no_panel() -> None:
    assert ToolPanel.build("Tools", AnswerDetails()) is None


def test_an_error_with_only_tool_calls_has_a_panel() -> None:
    panel = ToolPanel.build("Tools", ErrorDetails(tool_calls=[ToolCallSummary(status="timeout")]))
    assert panel is not None
    assert (len(panel.calls), panel.calls_failed) == (1, 1)


def test_totals_without_calls_have_a_panel() -> None:
    panel = ToolPanel.build("Tools", AnswerDetails(tool_usage={"x": ToolUsage(call_count=0)}))
    assert panel is not None
    assert panel.uses[0].usage.call_count == 0


def test_a_status_that_we_do_not_know_is_neither_good_nor_bad() -> None:
    call = Call.build(ToolCallSummary(status="exploded"))
    assert (call.badge, call.status) == ("", "exploded")


def test_turn_zero_is_unknown() -> None:
    assert Call.build(ToolCallSummary(conversation_turn=0)).turn is None


def test_a_stream_without_text_has_nothing_to_open() -> None:
    assert Call.build(ToolCallSummary(stdout=ToolCallOutput(bytes=0))).outputs == ()

"""The parts of a result's page say what the record says: no more, no less."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from msgspec import structs

from frontend.contexts.answers import Answers
from frontend.contexts.timeline import Bar, Timeline
from frontend.contexts.tools import Call, ToolPanel
from frontend.contexts.usage import UsagePanel
from frontend.formats import NS_PER_S
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


def at(second: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=second)


def a_record(got: Any = "a", want: Any = "a", answer: AnswerDetails | None = None) -> RunResult:
    return RunResult(
        kind=ResultKind.PASSED,
        got=msgspec.Raw(msgspec.json.encode(got)),
        want=msgspec.Raw(msgspec.json.encode(want)),
        details=Details(answer=answer),
    )


def accepted_texts(record: RunResult) -> list[str | None]:
    return [value.text for value in Answers.build(record).accepted or ()]


def test_a_text_is_shown_as_itself() -> None:
    got = Answers.build(a_record(got="line 1\nline 2")).got
    assert (got and got.type_name, got and got.text) == ("text", "line 1\nline 2")


@pytest.mark.parametrize(
    ("got", "type_name", "source"),
    [
        (42, "number", b"42"),
        (True, "true", b"true"),
        (None, "null", b"null"),
        ([True, False], "list", b"[true,false]"),
        ({"verdict": "pass"}, "object", b'{"verdict":"pass"}'),
    ],
)
def test_an_answer_that_is_no_text_names_its_type(got: object, type_name: str, source: bytes) -> None:
    shown = Answers.build(a_record(got=got)).got
    assert (shown and shown.type_name, shown and shown.source, shown and shown.text) == (type_name, source, None)


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


def test_a_raw_answer_keeps_its_lines() -> None:
    assert Answers.build(a_record(got="abc", answer=AnswerDetails(actual_answer=["ABC", ""]))).raw == "ABC\n"


def test_a_raw_answer_that_is_the_same_is_known_to_be() -> None:
    assert Answers.build(a_record(got="abc", answer=AnswerDetails(actual_answer=["abc"]))).is_raw_same


def an_error(got: Any, answer: AnswerDetails | None, message: str = "the judge timed out") -> Answers:
    record = a_record(got=got, answer=answer)
    error = ErrorDetails(title="Validation Error", message=message)
    return Answers.build(structs.replace(record, kind=ResultKind.ERROR, details=Details(answer=answer, error=error)))


@pytest.mark.parametrize(
    ("got", "raw"), [("blue", "blue"), ("blue sky", " Blue\nsky"), ({"colour": "blue"}, '{"colour":"blue"}')]
)
def test_an_answer_that_could_not_be_validated_is_an_answer_still(got: object, raw: str) -> None:
    answers = an_error(got, AnswerDetails(actual_answer=raw.split("\n")))
    assert (answers.is_message, answers.message) == (False, None)
    assert answers.got is not None
    assert answers.got.source == msgspec.json.encode(got)


@pytest.mark.parametrize("got", ["the judge timed out", "", None])
def test_an_answer_beside_an_error_is_read_from_what_the_model_wrote(got: object) -> None:
    answers = an_error(got, AnswerDetails(actual_answer=["blue"]))
    assert (answers.is_message, answers.message, answers.got and answers.got.text) == (False, None, "blue")


def test_a_message_in_the_place_of_an_answer_that_no_error_tells_is_kept() -> None:
    answers = an_error("judge: 503", AnswerDetails(actual_answer=["blue"]))
    assert (answers.got and answers.got.text, answers.message and answers.message.text) == ("blue", "judge: 503")


def test_an_error_without_an_answer_has_a_message() -> None:
    answers = an_error("rate limit", None)
    assert (answers.is_message, answers.got and answers.got.text) == (True, "rate limit")


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


def test_calls_come_in_the_order_in_which_they_began() -> None:
    calls = [
        ToolCallSummary(tool="unknown start"),
        ToolCallSummary(tool="second", started_at=at(2)),
        ToolCallSummary(tool="first", started_at=at(1)),
        ToolCallSummary(tool="also second", started_at=at(2)),
    ]
    panel = ToolPanel.build("Tools", AnswerDetails(tool_calls=calls))
    assert panel is not None
    assert [call.record.tool for call in panel.calls] == ["first", "second", "also second", "unknown start"]


def test_sums_over_calls_leave_out_what_is_not_recorded() -> None:
    calls = [ToolCallSummary(duration_ns=5, conversation_turn=1), ToolCallSummary(wall_time_ns=7), ToolCallSummary()]
    panel = ToolPanel.build("Tools", AnswerDetails(tool_calls=calls))
    assert panel is not None
    assert (panel.own_ns, panel.wall_ns, panel.turns) == (5, 7, 1)


def test_many_calls_are_counted_and_not_all_shown() -> None:
    panel = ToolPanel.build("Tools", AnswerDetails(tool_calls=[ToolCallSummary(status="timeout")] * 1_000))
    assert panel is not None
    assert (len(panel.calls), panel.call_count, panel.calls_failed) == (50, 1_000, 1_000)


def test_a_long_message_says_what_is_left_out() -> None:
    call = Call.build(ToolCallSummary(error_message="x" * 407))
    assert (len(call.message), call.message_left_out) == (400, 7)


def test_previews_share_one_room() -> None:
    stream = ToolCallOutput(preview="x" * 4_000)
    panel = ToolPanel.build("Tools", AnswerDetails(tool_calls=[ToolCallSummary(stdout=stream)] * 20))
    assert panel is not None
    assert sum(len(output.text) for call in panel.calls for output in call.outputs) == 40_000


def test_the_axis_begins_with_the_result_and_ends_with_the_last_call() -> None:
    calls = [ToolCallSummary(started_at=at(1), wall_time_ns=NS_PER_S, duration_ns=NS_PER_S // 2)]
    timeline = Timeline.build([*calls, ToolCallSummary(started_at=at(3), completed_at=at(4))], at(0))
    assert timeline.span_ns == 4 * NS_PER_S
    assert timeline.bars == (Bar("25.00", "25.00", "12.50"), Bar("75.00", "25.00", ""))


def test_the_axis_names_round_moments() -> None:
    timeline = Timeline.build([ToolCallSummary(started_at=at(0), wall_time_ns=234 * NS_PER_S)], None)
    assert [tick.label.replace("\N{NO-BREAK SPACE}", " ") for tick in timeline.ticks] == [
        "0 s",
        "1 m 00 s",
        "2 m 00 s",
        "3 m 00 s",
        "3 m 54 s",
    ]


def test_a_result_that_began_long_before_its_calls_does_not_squeeze_them() -> None:
    timeline = Timeline.build([ToolCallSummary(started_at=at(9_000), wall_time_ns=NS_PER_S)], at(0))
    assert timeline.bars == (Bar("0.00", "100.00", ""),)


def test_a_call_without_a_start_has_no_bar() -> None:
    timeline = Timeline.build([ToolCallSummary(wall_time_ns=5)], at(0))
    assert (timeline.bars, timeline.ticks) == ((None,), ())


@pytest.mark.parametrize(
    ("word", "begins"),
    [
        (None, "Output = output alone: the file does not say"),
        ("reasoning_tokens_separate", "Output = output + reasoning"),
        ("reasoning_tokens_included", "Output = output alone, because"),
        ("odd", "Output is unknown"),
    ],
)
def test_the_accounting_of_reasoning_is_explained(word: str | None, begins: str) -> None:
    assert UsagePanel.build("Model usage", TokenUsage(output_token_accounting=word)).rules[1].startswith(begins)


def test_of_many_tools_the_first_totals_are_shown() -> None:
    panel = ToolPanel.build("Tools", AnswerDetails(tool_usage={f"t{number}": ToolUsage() for number in range(20_000)}))
    assert panel is not None
    assert (len(panel.uses), panel.uses[49].tool, panel.use_count) == (50, "t49", 20_000)

"""Records: their JSON names, their decoding, their encoding."""

import msgspec
import pytest

from results.json_folding import fold_name
from results.records import (
    MergeStats,
    ResultKind,
    RunMergeStats,
    RunResult,
    ToolCallSummary,
    decode_result,
    decode_result_strictly,
    json_name,
)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("trace_id", "TraceID"),
        ("duration_ns", "DurationNS"),
        ("total_duration_ns", "TotalDurationNS"),
        ("call_id", "CallID"),
        ("input_cache_write_tokens", "InputCacheWriteTokens"),
        ("wall_time_ns", "WallTimeNS"),
    ],
)
def test_json_names_come_from_field_names(name: str, written: str) -> None:
    assert json_name(name) == written


def test_a_result_without_anything_but_its_kind_is_a_result() -> None:
    assert decode_result(b'{"Kind":"Skipped"}') == RunResult(kind=ResultKind.SKIPPED)


def test_an_unknown_key_is_no_fault() -> None:
    assert decode_result(b'{"Kind":"Skipped","New":1,"Details":{"New":2}}').kind is ResultKind.SKIPPED


def test_the_strict_way_refuses_an_unknown_key() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_result_strictly(b'{"Kind":"Skipped","New":1}')


def test_odd_case_decodes_to_an_equal_record() -> None:
    exact = b'{"Kind":"Passed","Details":{"Answer":{"Usage":{"InputTokens":5},"ToolUsage":{"t":{"CallCount":1}}}}}'
    odd = b'{"kind":"Passed","details":{"ANSWER":{"usage":{"inputtokens":5},"toolUsage":{"t":{"callCount":1}}}}}'
    assert decode_result(odd) == decode_result(exact)


def test_an_escaped_name_is_a_name() -> None:
    assert decode_result(b'{"\\u006bind":"Passed"}').kind is ResultKind.PASSED


def test_keys_of_a_map_are_no_names() -> None:
    record = decode_result(b'{"kind":"Error","Details":{"Error":{"Details":{"title":["a"],"Title":["b"]}}}}')
    assert record.details.error is not None
    assert record.details.error.details == {"title": ["a"], "Title": ["b"]}


def test_raw_parts_keep_their_bytes_on_the_lenient_way() -> None:
    record = decode_result(b'{"kind":"Passed","Got":{"a":-0,"a":1e400},"Want":"\\u003c"}')
    assert (bytes(record.got), bytes(record.want)) == (b'{"a":-0,"a":1e400}', b'"\\u003c"')


@pytest.mark.parametrize(
    "bad", [b"", b"[]", b"{}", b'{"Kind":"Passed"', b'{"Kind":"Passed","DurationNS":1.5}', b"null"]
)
def test_what_is_no_result_is_an_error(bad: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_result(bad)


def test_prices_are_exact_numbers_or_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_result(b'{"Kind":"Passed","RunConfig":{"Pricing":{"InputPerMillion":"0.4"}}}')


def test_a_record_of_ours_is_written_without_what_is_absent() -> None:
    record = RunResult(kind=ResultKind.PASSED, trace_id="t", got=msgspec.Raw(b"1.0"), duration_ns=0)
    assert (
        msgspec.json.encode(record)
        == b'{"TraceID":"t","Kind":"Passed","Got":1.0,"TaskMetadata":{},"Details":{},"DurationNS":0}'
    )


def test_a_record_of_ours_is_read_back() -> None:
    record = RunResult(kind=ResultKind.ERROR, run="r", got=msgspec.Raw(b'"x"'))
    assert decode_result(msgspec.json.encode(record)) == record


def test_a_tool_call_may_be_empty() -> None:
    assert msgspec.json.decode(b"{}", type=ToolCallSummary) == ToolCallSummary()


def test_merge_statistics_have_the_documented_names() -> None:
    stats = MergeStats(runs={"p": {"r": RunMergeStats(total=2, updated=1)}})
    assert msgspec.json.encode(stats) == b'{"Runs":{"p":{"r":{"Total":2,"Updated":1}}}}'


@pytest.mark.parametrize("name", ["results", "RESULTS", "re\u017fults"])
def test_names_are_equal_as_go_compares_them(name: str) -> None:
    assert fold_name(name) == "results"

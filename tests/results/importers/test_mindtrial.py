"""What is accepted, as MindTrial's own reader accepts it."""

from pathlib import Path

import pytest

from results.importers import mindtrial
from results.records import ResultKind, TaskMetadata, TokenUsage
from tests.results.importers.reading import document, open_document, records_of, results_of, row, warnings_of


def test_names_match_without_regard_to_case(tmp_path: Path) -> None:
    text = b'{"formatversion":1,"RESULTS":{"p":[{"traceid":"t","KIND":"Failed","provider":"p","durationNS":5}]}}'
    (record,) = records_of(tmp_path, text)
    assert (record.trace_id, record.kind, record.duration_ns) == ("t", ResultKind.FAILED, 5)


def test_names_fold_as_go_folds_them(tmp_path: Path) -> None:
    text = '{"FormatVer\u017fion":1,"Re\u017fult\u017f":{"p":[{"\u212aind":"Error","Provider":"p"}]}}'.encode()
    assert [record.kind for record in records_of(tmp_path, text)] == [ResultKind.ERROR]


def test_the_last_of_equal_names_counts_whatever_its_case(tmp_path: Path) -> None:
    (record,) = records_of(tmp_path, document(row(b'"task":"a"', b'"Task":"b"', b'"task":"c"')))
    assert record.task == "c"


def test_a_name_in_free_json_is_no_field(tmp_path: Path) -> None:
    (record,) = records_of(tmp_path, document(row(b'"Got":{"kind":"x","KIND":1}', b'"run":"r"')))
    assert (bytes(record.got), record.run) == (b'{"kind":"x","KIND":1}', "r")


def test_what_is_missing_is_absent(tmp_path: Path) -> None:
    (record,) = records_of(tmp_path, document(row()))
    assert (record.trace_id, bytes(record.got), record.duration_ns, record.details.answer) == ("", b"", None, None)


def test_nulls_are_taken_as_absent(tmp_path: Path) -> None:
    members = [b'"TraceID":null', b'"TaskMetadata":{"Suite":null,"Tags":[null,"x"]}', b'"DurationNS":null']
    (record,) = records_of(tmp_path, document(row(*members, b'"Details":{"Answer":{"Usage":null,"ToolCalls":null}}')))
    assert (record.trace_id, record.task_metadata, record.duration_ns) == ("", TaskMetadata(tags=["", "x"]), None)


def test_a_null_leaves_a_text_as_it_was(tmp_path: Path) -> None:
    (record,) = records_of(tmp_path, document(row(b'"Task":"a"', b'"Task":null')))
    assert record.task == "a"


def test_a_null_answer_is_a_null(tmp_path: Path) -> None:
    (record,) = records_of(tmp_path, document(row(b'"Got":null', b'"task":"t"')))
    assert bytes(record.got) == b"null"


def test_unknown_fields_stay_in_the_source(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, document(row(b'"Later": {"Deep":[1.50]}', b'"Task":"t"')))
    assert (result.record.task, b'"Later":{"Deep":[1.50]}' in result.source) == ("t", True)


def test_equal_rows_are_all_kept(tmp_path: Path) -> None:
    rows = [row(b'"Task":"t"', b'"TraceID":"%s"' % trace) for trace in (b"1", b"2", b"1")]
    assert [record.trace_id for record in records_of(tmp_path, document(*rows))] == ["1", "2", "1"]


@pytest.mark.parametrize(
    "results", [b'"Results":{}', b'"Results":{"p":[]}', b'"Results":{"p":null}', b'"Results":null', b'"x":0']
)
def test_an_empty_document_has_no_results(tmp_path: Path, results: bytes) -> None:
    assert records_of(tmp_path, b'{"FormatVersion":1,%s}' % results) == []


def test_similar_names_stay_different(tmp_path: Path) -> None:
    tasks = ["a b", "a-b", "задача 1", "задача 2"]
    rows = [row(f'"Task":"{task}"'.encode()) for task in tasks]
    assert [record.task for record in records_of(tmp_path, document(*rows))] == tasks


def test_similar_providers_and_runs_stay_different(tmp_path: Path) -> None:
    rows = b'"x-y":[{"Kind":"Passed","Provider":"x-y","Run":"z"}],"x":[{"Kind":"Passed","Provider":"x","Run":"y-z"}]'
    records = records_of(tmp_path, b'{"FormatVersion":1,"Results":{%s}}' % rows)
    assert [(record.provider, record.run) for record in records] == [("x-y", "z"), ("x", "y-z")]


@pytest.mark.parametrize("number", [9757309999902428, 9007199254740993, 9223372036854775807, -9223372036854775808])
def test_integers_are_exact_to_64_bits(tmp_path: Path, number: int) -> None:
    member = b'"Details":{"Error":{"Usage":{"InputCacheWriteTokens":%d}}}' % number
    (record,) = records_of(tmp_path, document(row(member)))
    assert record.details.error is not None
    assert record.details.error.usage is not None
    assert record.details.error.usage.input_cache_write_tokens == number


@pytest.mark.parametrize("accounting", ["cache_tokens_included", "cache_tokens_separate", None])
def test_cache_counters_and_the_way_they_count_are_kept_as_recorded(tmp_path: Path, accounting: str | None) -> None:
    word = f',"InputTokenAccounting":"{accounting}"' if accounting else ""
    usage = f'"Details":{{"Answer":{{"Usage":{{"InputTokens":17903,"InputCacheReadTokens":17817{word}}}}}}}'
    (record,) = records_of(tmp_path, document(row(usage.encode())))
    assert record.details.answer is not None
    assert record.details.answer.usage == TokenUsage(
        input_tokens=17903, input_cache_read_tokens=17817, input_token_accounting=accounting
    )


def test_five_megabytes_on_one_line_are_one_answer(tmp_path: Path) -> None:
    image = b'"data:image/png;base64,' + b"iVBORw0KGgo" * 500_000 + b'"'
    (record,) = records_of(tmp_path, document(row(b'"Got":' + image)))
    assert bytes(record.got) == image


@pytest.mark.parametrize("got", [b"[true,false]", b'{"verdict":"pass"}', b"2", b"null", b"-0.0"])
def test_an_answer_of_any_type_keeps_its_tokens(tmp_path: Path, got: bytes) -> None:
    (record,) = records_of(tmp_path, document(row(b'"Got":' + got)))
    assert bytes(record.got) == got


def test_a_judge_with_usage_alone_is_recorded(tmp_path: Path) -> None:
    member = b'"Details":{"Validation":{"Usage":{"InputTokens":3}}}'
    (record,) = records_of(tmp_path, document(row(member)))
    assert record.details.validation is not None
    assert record.details.validation.usage == TokenUsage(input_tokens=3)


def test_an_error_with_tool_calls_alone_is_recorded(tmp_path: Path) -> None:
    member = b'"Details":{"Error":{"Message":"","ToolCalls":[{"Tool":"t","WallTimeNS":1}]}}'
    (record,) = records_of(tmp_path, document(b'{"Kind":"Error","Provider":"p",%s}' % member))
    assert record.details.error is not None
    assert [call.tool for call in record.details.error.tool_calls] == ["t"]


def test_exactly_500_levels_are_accepted(tmp_path: Path) -> None:
    deepest = b"[" * 496 + b"]" * 496  # document, Results, list and row are four
    assert len(records_of(tmp_path, document(row(b'"Got":' + deepest), row(b'"X":' + deepest)))) == 2


def test_many_brackets_in_a_text_are_not_depth(tmp_path: Path) -> None:
    assert (
        len(records_of(tmp_path, document(row(b'"Got":"' + b"[" * 5_000 + b'"', b'"X":"' + b"{" * 5_000 + b'"'))))
        == 2 - 1
    )


def test_offsets_lead_through_the_file(tmp_path: Path) -> None:
    text = document(row(), row(b'"Task":"b"'))
    assert [result.offset for result in results_of(tmp_path, text)] == [text.index(b",{"), text.index(b"]}}")]


def test_records_outlive_the_file(tmp_path: Path) -> None:
    source = open_document(tmp_path, document(row(b'"Got":[1]'), row(b'"Got":[2]')))
    records = [result.record for result in source.results]
    (tmp_path / "document.json").write_bytes(b"")
    assert [bytes(record.got) for record in records] == [b"[1]", b"[2]"]


def test_a_byte_order_mark_is_left_out_and_mentioned(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf" + document(row())
    assert (len(records_of(tmp_path, text)), list(warnings_of(tmp_path, text))) == (1, [""])


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b'{"FormatVersion":1', True),
        (b'\xef\xbb\xbf\n{ "$schema":"x","formatversion": 2', True),
        ('{"FormatVersion":1'.encode("utf-16"), True),
        (b'{"Results":{"p":[{"TraceID":"', True),
        (b'{"results":[{"vars":{}}]}', False),
        (b'[{"FormatVersion":1}]', False),
        (b'{"$schema":"s","properties":{"FormatVersion":{"const":1},"Results":{"TraceID":{}}}}', False),
        (b'{"required":["FormatVersion","Results"],"definitions":{"TraceID":{"type":"string"}}}', False),
        (b'{"FormatVersion" : "2"', True),
        (b"\x89PNG\r\n\x1a\n\x00", False),
        (b"", False),
        (b"[" * 4096, False),
    ],
)
def test_the_first_bytes_tell_the_format(head: bytes, expected: bool) -> None:
    assert mindtrial.sniff(head, "results.json") is expected


def test_every_sample_is_recognised_and_read(shared_folder: Path, tmp_path: Path) -> None:
    samples = sorted((shared_folder / "samples/mindtrial").glob("*results.json"))
    counts = [
        len(results_of(tmp_path, path.read_bytes())) for path in samples if mindtrial.sniff(path.read_bytes(), "")
    ]
    assert counts == [10] * len(samples)

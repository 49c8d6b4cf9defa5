"""What is recognised, refused, derived and only warned of in agent-bober evaluations."""

import codecs
import json
from pathlib import Path

import msgspec
import pytest

from results.importers.agent_bober import IMPORTER, read_bytes, sniff
from results.importers.agent_bober_fields import MAX_BYTES
from results.importers.source import ImportRefused, IterationSource, Limits, SourceFile
from results.iteration_records import OverallResult, PartResult
from tests.fixtures.agent_bober.documents import (
    FILE_NAME,
    document,
    fixture_bytes,
    read_changed,
    read_document,
    said,
)


def read(data: bytes, file_name: str = FILE_NAME) -> IterationSource:
    return read_bytes(data, file_name, Limits())


def reason(data: bytes, file_name: str = FILE_NAME) -> str:
    with pytest.raises(ImportRefused) as refused:
        read(data, file_name)
    return str(refused.value)


def reason_of(file_name: str = FILE_NAME, **changes: object) -> str:
    return reason(json.dumps(document(**changes)).encode(), file_name)


@pytest.mark.parametrize("name", ["documented.json", "hybrid.json", "engine.json"])
def test_each_shape_is_recognised_under_any_name(name: str) -> None:
    assert sniff(fixture_bytes(name), "download (1).json")


@pytest.mark.parametrize("name", ["contract.json", "contract_older.json", "spec.json"])
def test_contracts_and_specs_are_no_evaluations_under_any_name(name: str) -> None:
    assert not sniff(fixture_bytes(name), FILE_NAME)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[1]",
        b"{}",
        b'{"FormatVersion":1,"Results":{},"passed":true}',
        b'{"evalId":"eval-abc","results":{"stats":{}},"config":{}}',
        b'{"a":{"contractId":"x","overallResult":"pass"}}',
        b'"contractId","overallResult"',
    ],
)
def test_other_documents_are_not_recognised_by_their_name(content: bytes) -> None:
    assert not sniff(content, FILE_NAME)


def test_a_file_that_was_cut_off_is_recognised_so_that_its_fault_can_be_told() -> None:
    assert sniff(codecs.BOM_UTF8 + fixture_bytes("documented.json")[:400], "x.json")


def test_a_verdict_under_the_right_name_is_recognised_without_a_contract() -> None:
    assert sniff(b'{"passed":true}', "folder/" + FILE_NAME)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b'{"a":"\xff"}', "byte 6: the file is not UTF-8"),
        ('{"a":1}'.encode("utf-16"), "UTF-16"),
        (b'{"contractId":"a', "not one JSON document"),
        (b'{"a":1}{"a":1}', "byte 8: the file is not one JSON document: JSON is malformed: trailing characters."),
        (b'{"a":NaN}', "byte 5"),
        (b'["a"]', "not a JSON object"),
        (b"[" * 501, "nest deeper than 500 levels"),
        (b'{"a":' * 100_000, "nest deeper than 500 levels"),
        (b" " * (MAX_BYTES + 1), "more than 2000000 bytes"),
    ],
)
def test_bytes_that_are_not_one_reasonable_json_object_are_refused(data: bytes, expected: str) -> None:
    assert expected in reason(data)


def test_brackets_in_a_text_are_no_depth() -> None:
    assert read_changed(summary="[" * 600 + '"\\').record.summary == "[" * 600 + '"\\'


@pytest.mark.parametrize("iteration", [0, -1, 1.5, "one", True, [1], 2**31, "99999999999999999999"])
def test_an_iteration_that_is_no_whole_number_from_1_is_refused(iteration: object) -> None:
    assert reason_of(iteration=iteration).startswith("iteration: an iteration is a whole number from 1, not ")


@pytest.mark.parametrize("iteration", [2, "2", 2.0])
def test_an_iteration_may_be_written_as_a_text_or_with_a_zero_fraction(iteration: object) -> None:
    assert read_changed(iteration=iteration).record.iteration == 2


@pytest.mark.parametrize("name", ["criteriaFailed", "requiredTotal"])
def test_a_negative_count_is_refused_with_its_path(name: str) -> None:
    assert reason_of(score={name: -1}) == f"score.{name}: a count cannot be negative, but it is -1."


def test_a_document_without_any_verdict_is_refused() -> None:
    assert reason_of(overallResult=None, score=None, criteriaResults=None, strategyResults=None).startswith(
        "overallResult: no verdict is recorded"
    )


def test_an_unknown_verdict_is_not_guessed() -> None:
    assert "no verdict" in reason_of(overallResult="mostly", score=None, criteriaResults=None, strategyResults=None)


def test_a_missing_verdict_that_follows_from_the_parts_is_taken_with_a_warning() -> None:
    read = read_changed(overallResult=None)
    assert (read.record.overall_result, read.record.is_verdict_derived) == (OverallResult.PASS, True)
    assert said(read) == ["overallResult: no verdict is recorded; pass follows from the recorded parts"]


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("PASS", OverallResult.PASS),
        ("Passed", OverallResult.PASS),
        ("ok", OverallResult.PASS),
        (True, OverallResult.PASS),
        ("failed", OverallResult.FAIL),
        ("error", OverallResult.FAIL),
        (False, OverallResult.FAIL),
    ],
)
@pytest.mark.parametrize("key", ["overallResult", "passed", "overall"])
def test_a_verdict_may_stand_under_three_keys_in_many_words(key: str, word: object, verdict: OverallResult) -> None:
    assert read_document(document(overallResult=None) | {key: word}).record.overall_result is verdict


def test_a_second_verdict_that_says_otherwise_is_a_warning() -> None:
    read = read_changed(passed=False)
    assert read.record.overall_result is OverallResult.PASS
    assert said(read) == ["passed: says fail, but the verdict is recorded as pass"]


@pytest.mark.parametrize(
    ("word", "result"),
    [("n-a", PartResult.SKIPPED), ("Skip", PartResult.SKIPPED), (True, PartResult.PASS), ("flaky", None)],
)
def test_a_result_is_read_in_its_synonyms_and_never_guessed(word: object, result: PartResult | None) -> None:
    parts = read_changed(strategyResults=[{"strategy": "build", "result": word}]).record.strategy_results
    assert parts is not None
    assert parts[0].result is result


def test_a_missing_contract_and_iteration_come_from_the_file_name_with_warnings() -> None:
    fields = document(contractId=None, iteration=None, evalId=None)
    read = read_document(fields, ".bober/eval-results/eval-sprint-a-2-3.json")
    assert (read.record.contract_id, read.record.iteration) == ("sprint-a-2", 3)
    assert said(read) == [
        "contractId: not recorded; 'sprint-a-2' is taken from the file name",
        "iteration: not recorded; 3 is taken from the file name",
    ]


def test_a_missing_contract_and_iteration_come_from_the_evaluation_id_when_the_file_was_renamed() -> None:
    record = read_document(document(contractId=None, iteration=None), "x.json").record
    assert (record.contract_id, record.iteration) == ("sprint-kiln-1", 1)


@pytest.mark.parametrize("contract", [None, "", " ", {"id": 1}, False])
def test_without_a_contract_and_a_usable_name_the_file_is_refused(contract: object) -> None:
    fields = document(evalId=None, contractId=None) | {"contractId": contract}
    assert reason(json.dumps(fields).encode(), "notes-1.json").startswith("contractId: no contract is recorded")


def test_an_iteration_is_not_taken_from_a_name_of_another_contract() -> None:
    assert "no iteration" in reason_of("eval-other-7.json", iteration=None, evalId=None)


def test_a_file_name_that_speaks_of_another_iteration_is_a_warning() -> None:
    read = read_document(document(), "eval-sprint-kiln-1-2.json")
    assert (read.record.iteration, len(read.warnings)) == (1, 1)


@pytest.mark.parametrize("eval_id", ["eval-sprint-kiln-1-1", "sprint-kiln-1-1"])
def test_an_evaluation_id_fits_with_and_without_its_prefix(eval_id: str) -> None:
    assert read_changed(evalId=eval_id).warnings == []


def test_an_evaluation_id_that_does_not_fit_is_a_warning() -> None:
    assert [warning.path for warning in read_changed(evalId="eval-sprint-kiln-1-2").warnings] == ["evalId"]


@pytest.mark.parametrize(
    ("timestamp", "warns"),
    [
        ("2026-03-04T10:20:30.123Z", False),
        ("2026-03-04T10:20:30+09:00", False),
        ("2026-03-04T10:20:30", True),
        ("2026-03-04", True),
        ("yesterday", True),
    ],
)
def test_a_time_that_is_not_exact_is_a_warning(timestamp: str, warns: bool) -> None:
    assert bool(read_changed(timestamp=timestamp).warnings) is warns


def test_a_score_whose_counts_do_not_add_up_is_a_warning() -> None:
    score = {"criteriaTotal": 5, "criteriaPassed": 3, "criteriaFailed": 1, "criteriaSkipped": 0}
    assert said(read_changed(criteriaResults=None, score=score)) == [
        "score: 3 passed, 1 failed and 0 skipped are not 5 criteria"
    ]


def test_counts_that_disagree_with_the_list_are_warnings() -> None:
    score = {"criteriaTotal": 3, "criteriaPassed": 3, "criteriaFailed": 0, "criteriaSkipped": 0}
    assert said(read_changed(score=score)) == [
        "criteriaResults: 2 criteria are listed as pass, but the score counts 3",
        "criteriaResults: 1 criteria are listed as fail, but the score counts 0",
    ]


def test_a_section_of_the_wrong_kind_is_not_recorded_but_kept_with_a_warning() -> None:
    read = read_changed(regressions="none")
    assert (read.record.regressions, bytes(read.record.extras["regressions"])) == (None, b'"none"')
    assert said(read) == ['regressions: is not a list ("none"); kept as a note']


def test_an_unusable_count_is_unknown_and_kept_with_a_warning() -> None:
    read = read_changed(score={"criteriaTotal": "3/3"}, criteriaResults=None)
    assert read.record.score is not None
    assert (read.record.score.criteria_total, bytes(read.record.score.extras["criteriaTotal"])) == (None, b'"3/3"')


def test_a_byte_order_mark_and_one_long_line_read_the_same() -> None:
    plain = fixture_bytes("documented.json")
    marked = codecs.BOM_UTF8 + msgspec.json.format(plain, indent=-1)
    assert read(marked) == read(plain)


def test_the_document_keeps_every_token() -> None:
    data = b'{ "contractId":"a", "iteration":1, "passed":true, "x":[ -0, 1e21, 1.50, "\\u00e9" ], "x":1 }'
    assert read(data).source == b'{"contractId":"a","iteration":1,"passed":true,"x":[-0,1e21,1.50,"\\u00e9"],"x":1}'


def test_a_lone_surrogate_is_shown_as_a_replacement_and_kept_in_the_document() -> None:
    read_one = read(b'{"contractId":"a", "iteration":1, "passed":true, "summary":"\\ud83d\\ude00 \\ud83d"}')
    assert read_one.record.summary == "\N{GRINNING FACE} \N{REPLACEMENT CHARACTER}"
    assert read_one.source.endswith(b'"summary":"\\ud83d\\ude00 \\ud83d"}')


def test_the_importer_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "stored"
    path.write_bytes(fixture_bytes("documented.json"))
    read_one = IMPORTER.read(SourceFile(path, FILE_NAME, path.stat().st_size), Limits())
    assert read_one == read(fixture_bytes("documented.json"))


def test_every_real_file_is_read_without_refusal(shared_folder: Path) -> None:
    files = sorted((shared_folder / "samples" / "agent-bober" / ".bober" / "eval-results").glob("*.json"))
    records = [read(path.read_bytes(), path.name).record for path in files]
    recorded = [json.loads(path.read_bytes()) for path in files]
    assert [len(record.criteria_results or []) for record in records] == [
        len(fields.get("criteriaResults", [])) for fields in recorded
    ]
    assert [record.overall_result for record in records] == [fields["overallResult"] for fields in recorded]


def test_a_real_file_warns_of_its_time_exactly_where_it_is_missing_or_midnight(shared_folder: Path) -> None:
    for path in (shared_folder / "samples" / "agent-bober" / ".bober" / "eval-results").glob("*.json"):
        recorded = json.loads(path.read_bytes()).get("timestamp", "T00:00:00Z")
        warns = any(warning.path == "timestamp" for warning in read(path.read_bytes(), path.name).warnings)
        assert warns is ("T00:00:00" in recorded), path.name

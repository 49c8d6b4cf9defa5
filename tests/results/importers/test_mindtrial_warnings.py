"""What is taken in with a warning."""

from pathlib import Path

import pytest

from results.importers.source import WARNINGS_KEPT, WarningLog
from tests.results.importers.reading import document, open_document, records_of, results_of, row, warnings_of


@pytest.mark.parametrize(
    ("member", "path"),
    [
        (b'"DurationNS":-1', "DurationNS"),
        (b'"Details":{"Answer":{"Usage":{"InputTokens":-5}}}', "Details.Answer.Usage"),
        (b'"Details":{"Answer":{"Usage":{"InputTokenAccounting":"all"}}}', "Details.Answer.Usage.InputTokenAccounting"),
        (b'"Details":{"Error":{"Usage":{"OutputTokenAccounting":"all"}}}', "Details.Error.Usage.OutputTokenAccounting"),
        (b'"Details":{"Answer":{"ToolCalls":[{"Status":"lost"}]}}', "Details.Answer.ToolCalls[0].Status"),
        (b'"Details":{"Answer":{"ToolCalls":[{"WallTimeNS":-1}]}}', "Details.Answer.ToolCalls[0]"),
        (b'"Details":{"Validation":{"ToolUsage":{"t":{"CallCount":-1}}}}', "Details.Validation.ToolUsage.t"),
        (b'"Details":{"Error":{"Message":"x"}}', "Details.Error"),
    ],
)  # fmt: skip
def test_an_odd_value_is_taken_in_and_named(tmp_path: Path, member: bytes, path: str) -> None:
    kind = b"Passed" if path == "Details.Error" else b"Error"
    text = document(b'{"Kind":"%s","Provider":"p",%s}' % (kind, member))
    assert list(warnings_of(tmp_path, text)) == [f"Results.p[0].{path}"]


def test_an_ordinary_document_has_no_warnings(tmp_path: Path) -> None:
    assert warnings_of(tmp_path, document(row(b'"Got":"a:-1"', b'"DurationNS":0'))) == {}


def test_half_a_surrogate_pair_reads_as_a_replacement_and_stays_in_the_source(tmp_path: Path) -> None:
    text = document(row(), row(b'"Task":"a\\ud800b"', b'"Got":["\\\\ud800 \\udc00"]'))
    result = results_of(tmp_path, text)[1]
    assert (result.record.task, bytes(result.record.got), b'"a\\ud800b"' in result.source) == (
        "a\ufffdb",
        b'["\\\\ud800 \\ufffd"]',
        True,
    )


def test_half_a_surrogate_pair_is_mentioned(tmp_path: Path) -> None:
    assert list(warnings_of(tmp_path, document(row(), row(b'"Task":"\\udc00"')))) == ["Results.p[1]"]


def test_half_a_surrogate_pair_at_the_very_end_is_no_cut_file(tmp_path: Path) -> None:
    text = b'{"FormatVersion":1,"Results":{"p\\ud800":null},"x":"\\ud800"}'
    assert records_of(tmp_path, text) == []


def test_bytes_that_are_not_utf8_are_replaced_and_mentioned(tmp_path: Path) -> None:
    text = document(row(b'"Task":"a\xffb"', b'"Got":"\xed\xa0\x80"'))
    (result,) = results_of(tmp_path, text)
    assert (result.record.task, "a\ufffdb" in result.source.decode(), list(warnings_of(tmp_path, text))) == (
        "a\ufffdb",
        True,
        ["Results.p[0]"],
    )


def test_a_provider_that_is_not_utf8_is_the_same_in_list_and_row(tmp_path: Path) -> None:
    text = document(b'{"Kind":"Passed","Provider":"\xff"}', provider=b'"\xff"')
    assert [record.provider for record in records_of(tmp_path, text)] == ["\ufffd"]


@pytest.mark.parametrize("text", ["2026-01-01T00:00:00", "long ago"])
def test_a_time_that_is_not_certain_is_mentioned(tmp_path: Path, text: str) -> None:
    assert list(warnings_of(tmp_path, document(around=f'"CreatedAt":"{text}",'.encode()))) == ["CreatedAt"]


def test_results_that_stand_twice_are_mentioned(tmp_path: Path) -> None:
    text = b'{"FormatVersion":1,"results":{},"Results":{"p":[],"p":[]}}'
    assert list(warnings_of(tmp_path, text)) == ["Results", "Results.p"]


def test_warnings_grow_while_results_are_walked(tmp_path: Path) -> None:
    source = open_document(tmp_path, document(row(b'"DurationNS":-1')))
    before = len(source.warnings)
    list(source.results)
    assert (before, len(source.warnings)) == (0, 1)


def test_warnings_beyond_the_cap_are_counted() -> None:
    log = WarningLog()
    for number in range(WARNINGS_KEPT + 5):
        log.add(str(number), "odd")
    assert (len(log.kept), log.count) == (WARNINGS_KEPT, WARNINGS_KEPT + 5)

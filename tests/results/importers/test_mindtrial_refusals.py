"""What is refused, and how it is said: row, path, byte, reason, remedy."""

from pathlib import Path

import pytest

from results.importers import mindtrial
from results.importers.source import ImportRefused, Limits, SourceFile
from tests.results.importers.reading import document, open_document, refusal_of, row

SPARSE_BYTES = 2 * 2**30


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity"])
def test_a_number_that_is_not_json_is_named_with_its_place(tmp_path: Path, number: bytes) -> None:
    text = document(row(), row(b'"Details":{"Answer":{"Usage":{"InputTokens":%s}}}' % number))
    refusal = refusal_of(tmp_path, text)
    assert (refusal.row, refusal.path, refusal.offset, refusal.reason) == (
        2,
        "Results.p[1].Details.Answer.Usage.InputTokens",
        text.index(number),
        f"{number.decode()} is not a JSON number",
    )


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (b'"12"', '"12" stands where a whole number is expected'),
        (b'"NaN"', '"NaN" stands where a whole number is expected'),
        (b"1e3", "1e3 stands where a whole number is expected"),
        (b"12.0", "12.0 stands where a whole number is expected"),
        (b"1e400", "1e400 is out of range"),
        (b"true", "true stands where a whole number is expected"),
        (b"9223372036854775808", "9223372036854775808 does not fit into 64 bits"),
        (b"-9223372036854775809", "-9223372036854775809 does not fit into 64 bits"),
    ],
)
@pytest.mark.parametrize("key", [b"DurationNS", b"durationns"])
def test_only_exact_integers_of_64_bits_are_taken(tmp_path: Path, key: bytes, written: bytes, reason: str) -> None:
    refusal = refusal_of(tmp_path, document(row(b'"%s":%s' % (key, written))))
    assert (refusal.row, refusal.path, refusal.reason) == (1, "Results.p[0].DurationNS", reason)


def test_an_integer_of_thousands_of_digits_is_refused(tmp_path: Path) -> None:
    refusal = refusal_of(tmp_path, document(row(b'"DurationNS":' + b"1" * 5_000)))
    assert (refusal.path, refusal.reason) == ("Results.p[0].DurationNS", "Integer value out of range")


def test_a_refusal_says_it_all_in_one_sentence(tmp_path: Path) -> None:
    assert str(refusal_of(tmp_path, document(row(b'"DurationNS":"1"')))) == (
        'result 1, Results.p[0].DurationNS: "1" stands where a whole number is expected. '
        "Whole numbers are written in digits only, from -2^63 to 2^63 - 1."
    )


@pytest.mark.parametrize("kind", [b'"Unknown (7)"', b'"passed"', b'""', b'"PASSED"'])
def test_a_kind_that_is_none_is_named(tmp_path: Path, kind: bytes) -> None:
    refusal = refusal_of(tmp_path, document(b'{"Provider":"p","Kind":%s}' % kind))
    assert (refusal.path, refusal.reason) == ("Results.p[0].Kind", f"{kind.decode()} is no kind of result")


@pytest.mark.parametrize("bad", [b'{"Provider":"p"}', b'{"Provider":"p","Kind":null}'])
def test_a_result_without_a_kind_is_refused(tmp_path: Path, bad: bytes) -> None:
    assert refusal_of(tmp_path, document(bad)).reason == "the result has no Kind"


@pytest.mark.parametrize("bad", [b"null", b"5", b"[]", b'"text"'])
def test_a_result_that_is_no_object_is_refused(tmp_path: Path, bad: bytes) -> None:
    assert refusal_of(tmp_path, document(row(), bad)).row == 2


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (b'{"Kind":"Passed","Provider":"q"}', '''the result's Provider is "q", but it stands in the list of "p"'''),
        (b'{"Kind":"Passed"}', 'the result has no Provider, but it stands in the list of "p"'),
    ],
)
def test_a_provider_that_differs_from_its_list_is_refused(tmp_path: Path, bad: bytes, said: str) -> None:
    refusal = refusal_of(tmp_path, document(bad))
    assert (refusal.path, refusal.reason) == ("Results.p[0].Provider", said)


@pytest.mark.parametrize("version", [b"2", b"0", b'"1"', b"1.0", b"1e0", b"true", b"[1]"])
def test_another_version_is_refused(tmp_path: Path, version: bytes) -> None:
    refusal = refusal_of(tmp_path, b'{"FormatVersion":%s,"Results":{}}' % version)
    assert refusal.reason == f"FormatVersion {version.decode()} is not supported"


@pytest.mark.parametrize("text", [b"{}", b'{"Results":{}}', b'{"FormatVersion":null,"Results":{}}'])
def test_a_missing_version_is_refused(tmp_path: Path, text: bytes) -> None:
    assert refusal_of(tmp_path, text).reason == "the document has no FormatVersion"


@pytest.mark.parametrize("results", [b"[]", b'"x"', b"1", b"false"])
def test_results_that_are_no_object_are_refused(tmp_path: Path, results: bytes) -> None:
    refusal = refusal_of(tmp_path, b'{"FormatVersion":1,"Results":%s}' % results)
    assert (refusal.path, refusal.offset) == ("Results", 29)


@pytest.mark.parametrize("value", [b"{}", b'"x"', b"1"])
def test_a_providers_value_that_is_no_list_is_refused(tmp_path: Path, value: bytes) -> None:
    refusal = refusal_of(tmp_path, b'{"FormatVersion":1,"Results":{"a.b":%s}}' % value)
    assert refusal.path == 'Results["a.b"]'


def test_a_head_field_of_a_wrong_type_is_refused(tmp_path: Path) -> None:
    assert refusal_of(tmp_path, document(around=b'"AppName":5,')).path == "AppName"


@pytest.mark.parametrize("rest", [b"}", b"]", b"x", b"\x00", b",", b"null"])
def test_anything_behind_the_document_is_refused(tmp_path: Path, rest: bytes) -> None:
    text = document(row()) + b"\n"
    refusal = refusal_of(tmp_path, text + rest)
    assert refusal.offset == len(text)


def test_two_documents_in_one_file_are_refused_at_the_second(tmp_path: Path) -> None:
    text = document(row())
    refusal = refusal_of(tmp_path, text + b"\n" + text)
    assert (refusal.reason, refusal.offset) == ("a second JSON document begins here", len(text) + 1)


def test_json_lines_with_a_torn_last_line_are_refused_at_the_second_line(tmp_path: Path) -> None:
    text = document(row()) + b"\n"
    assert refusal_of(tmp_path, text + b'{"FormatVersion":1,"Resu').offset == len(text)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal_of(tmp_path, b"").reason == "the file is empty (0 bytes)"


def test_a_file_of_white_space_is_refused(tmp_path: Path) -> None:
    assert refusal_of(tmp_path, b" \n").reason == "the file holds only white space"


def test_a_file_cut_inside_a_text_says_where_it_ends(tmp_path: Path) -> None:
    text = document(row(), row(b'"Task":"riddle"'))
    cut = text[: text.index(b"ddle")]
    refusal = refusal_of(tmp_path, cut)
    assert (refusal.row, refusal.path, refusal.offset, refusal.reason) == (
        2,
        "Results.p[1].Task",
        len(cut),
        "the file ends here, in the middle of a value",
    )


def test_a_file_cut_anywhere_is_refused_before_any_result_is_given(tmp_path: Path) -> None:
    text = document(row(b'"Got":[1,{"a":"b"}]'), row(), around=b'"AppName":"x",')
    for length in range(1, len(text)):
        with pytest.raises(ImportRefused):
            open_document(tmp_path, text[:length])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_named(tmp_path: Path, encoding: str) -> None:
    refusal = refusal_of(tmp_path, document(row()).decode().encode(encoding))
    assert refusal.reason.startswith(f"the file is encoded in {encoding[:6].upper()}")


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    assert refusal_of(tmp_path, b"\x89PNG\r\n\x1a\n\x00\x00").reason == "the file is binary, not JSON text"


def test_a_list_is_no_document(tmp_path: Path) -> None:
    assert refusal_of(tmp_path, b"[1]").offset == 0


@pytest.mark.parametrize(
    "text",
    [
        document(row(b'"Got":' + b"[" * 497 + b"]" * 497)),
        document(row(b'"Got":' + b"[" * 490 + b"]" * 490, b'"X":' + b'{"a":' * 497 + b"1" + b"}" * 497)),
        document(row(b'"x":' + b"[" * 100_000)),
        document(around=b'"x":' + b"[" * 500 + b"]" * 500 + b","),
        document(around=b'"x":' + b"[" * 100_000),
    ],
)
def test_more_than_500_levels_are_refused(tmp_path: Path, text: bytes) -> None:
    assert refusal_of(tmp_path, text).reason == "objects and arrays nest deeper than 500 levels"


def test_the_bracket_that_goes_too_deep_is_named(tmp_path: Path) -> None:
    text = document(row(), row(b'"Got":' + b"[" * 600 + b"]" * 600))
    refusal = refusal_of(tmp_path, text)
    assert (refusal.row, refusal.offset) == (2, text.index(b"[[") + 500 - 4)


def test_two_gigabytes_of_brackets_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    with path.open("wb") as file:
        file.write(b'{"FormatVersion":1,"x":' + b"[" * 10_000_000)
        file.truncate(SPARSE_BYTES)
    with pytest.raises(ImportRefused, match="deeper than 500"):
        mindtrial.read(SourceFile(path, path.name, SPARSE_BYTES), Limits())


@pytest.mark.parametrize(
    ("limits", "path"),
    [
        (Limits(result_bytes=40), "Results.p[1]"),
        (Limits(results=1), "Results.p"),
        (Limits(envelope_bytes=20), "Results"),
        (Limits(file_bytes=50), ""),
    ],
)
def test_sizes_over_the_limits_are_refused(tmp_path: Path, limits: Limits, path: str) -> None:
    refusal = refusal_of(tmp_path, document(row(), row(b'"Task":"long"')), limits)
    assert refusal.path == path


@pytest.mark.parametrize(
    ("member", "path"),
    [
        (b'"Details":[]', "Details"),
        (b'"Details":{"Error":{"ToolUsage":{"t":{"CallCount":1},"u":{"CallCount":"x"}}}}',
         "Details.Error.ToolUsage.u.CallCount"),
        (b'"Details":{"Answer":{"ToolCalls":[{},{"StartedAt":"yesterday"}]}}', "Details.Answer.ToolCalls[1].StartedAt"),
        (b'"Details":{"Error":{"ToolCalls":[{"CompletedAt":"now"}]}}', "Details.Error.ToolCalls[0].CompletedAt"),
        (b'"Details":{"Error":{"ToolCalls":[{"StartedAt":"2026-01-01T00:00:00"}]}}',
         "Details.Error.ToolCalls[0].StartedAt"),
        (b'"TaskMetadata":{"Tags":"x"}', "TaskMetadata.Tags"),
        (b'"RunConfig":{"Pricing":{"InputPerMillion":"NaN"}}', "RunConfig.Pricing.InputPerMillion"),
        (b'"task":5', "Task"),
    ],
)  # fmt: skip
def test_a_value_of_a_wrong_type_is_named_by_its_path(tmp_path: Path, member: bytes, path: str) -> None:
    assert refusal_of(tmp_path, document(row(member))).path == f"Results.p[0].{path}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"FormatVersion":1,}', "a key in double quotes is expected here"),
        (b'{"FormatVersion" 1}', "a colon is expected here"),
        (b'{"FormatVersion":1 "Results":{}}', "a comma or '}' is expected here"),
        (b'{"FormatVersion":1,"Results":{"p":[1 2]}}', "a comma or ']' is expected here"),
        (b"{FormatVersion:1}", "a key in double quotes is expected here"),
    ],
)
def test_bad_punctuation_is_named(tmp_path: Path, text: bytes, reason: str) -> None:
    assert refusal_of(tmp_path, text).reason == reason


def test_a_list_over_the_limit_is_refused_before_its_rows_are_looked_at(tmp_path: Path) -> None:
    refusal = refusal_of(tmp_path, document(*[b"1"] * 50), Limits(results=20))
    assert refusal.reason == "the document holds more than 20 results"


def test_a_document_of_countless_fields_is_refused(tmp_path: Path) -> None:
    text = b'{"FormatVersion":1%s}' % (b',"":0' * 10_000)
    assert refusal_of(tmp_path, text).reason == "the document has more than 10,000 fields and providers"

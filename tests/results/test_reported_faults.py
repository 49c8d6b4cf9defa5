"""Faults that users of other result viewers reported, as tiny files: imported whole, or refused with the reason."""

import codecs
import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from results.archives import Incoming
from results.filters import ResultFilter
from results.intake import ImportOptions, import_file, import_files
from results.models.evaluations import Evaluation, TimeSource
from results.models.results import Result
from results.queries.evaluations import EvaluationFilter, evaluation_page
from results.queries.results import result_page
from results.queries.visibility import visible_evaluations
from results.reports import FileReport
from tests.documents import document, result, trace_id, write

pytestmark = pytest.mark.django_db

LARGEST = 2**63 - 1


def take(body: bytes, name: str = "a.json", project: str = "default") -> FileReport:
    """Import one file given as bytes."""
    (report,) = import_files([Incoming(name, lambda: BytesIO(body))], ImportOptions(project=project))
    return report


def replaced(body: bytes, old: str, new: str) -> bytes:
    """A document with one token written another way."""
    text = body.decode()
    assert text.count(old) == 1
    return text.replace(old, new).encode()


def exported(evaluation: int | None, folder: Path) -> bytes:
    path = folder / "out.json"
    call_command("export_results", evaluation=evaluation, output=str(path))
    return path.read_bytes()


ONE = document(result(1, DurationNS=7))
TWO = document(result(1), result(2))
USAGE = '"InputTokens": 10'
BAD: dict[str, tuple[bytes, str]] = {
    "NaN": (replaced(ONE, USAGE, '"InputTokens": NaN'), "NaN is not a JSON number"),
    "Infinity": (replaced(ONE, '"DurationNS": 7', '"DurationNS": Infinity'), "Infinity is not a JSON number"),
    "-Infinity": (replaced(ONE, USAGE, '"InputTokens": -Infinity'), "-Infinity is not a JSON number"),
    "text for a number": (replaced(ONE, USAGE, '"InputTokens": "12"'), '"12" stands where a whole number is expected'),
    "NaN as text": (replaced(ONE, '"DurationNS": 7', '"DurationNS": "NaN"'), '"NaN" stands where a whole number'),
    "exponent": (replaced(ONE, '"DurationNS": 7', '"DurationNS": 1e3'), "1e3 stands where a whole number is expected"),
    "fraction": (replaced(ONE, '"DurationNS": 7', '"DurationNS": 12.0'), "12.0 stands where a whole number is"),
    "unknown kind": (document(result(1, Kind="Unknown (7)")), '"Unknown (7)" is no kind of result'),
    "small letters": (document(result(1, Kind="passed")), '"passed" is no kind of result'),
    "empty kind": (document(result(1, Kind="")), '"" is no kind of result'),
    "cut inside a text": (ONE[: ONE.index(b"gpt") + 2], "the file ends here, in the middle of a value"),
    "empty": (b"", "The file is empty"),
    "two documents": (ONE + ONE, "a second JSON document begins here"),
    "torn last line": (ONE + b'\n{"FormatVersion":1,"Res', "a second JSON document begins here"),
    "UTF-16": (codecs.BOM_UTF16_LE + ONE.decode().encode("utf-16-le"), "encoded in UTF-16 (little-endian), not UTF-8"),
    "version 2": (document(result(1), FormatVersion=2), "FormatVersion 2 is not supported"),
    "version as text": (document(result(1), FormatVersion="1"), 'FormatVersion "1" is not supported'),
    "no version": (document(result(1)).replace(b'"FormatVersion": 1,', b""), "the document has no FormatVersion"),
    "results as a list": (document(Results=[]), "Results"),
    "provider of another list": (
        document(Results={"openai": [result(1, Provider="google")]}),
        """the result's Provider is "google", but it stands in the list of "openai".""",
    ),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_file_is_refused_with_the_reason_and_leaves_nothing(fault: str) -> None:
    body, reason = BAD[fault]
    report = take(body)
    assert (report.state, reason in (report.error or "")) == ("rejected", True), report.error
    assert (Evaluation.objects.count(), Result.objects.count()) == (0, 0)


def test_a_byte_order_mark_is_no_part_of_the_first_name() -> None:
    report = take(codecs.BOM_UTF8 + TWO)
    assert (report.state, report.results) == ("stored", 2)
    assert Evaluation.objects.get().app_name == "MindTrial"


def test_an_unknown_field_is_kept_and_comes_out_again(tmp_path: Path) -> None:
    body = document(result(1, Novel={"deep": [1, 2.50]}), Later="x")
    out = exported(take(body).evaluation, tmp_path)
    assert json.loads(out) == json.loads(body)
    assert b'"deep":[1,2.5]' in out


@pytest.mark.parametrize(("got", "want"), [([True, False], [[True, False]]), ({"verdict": "pass"}, "pass"), (2, "2")])
def test_answers_of_any_type_are_stored_as_they_are(got: Any, want: Any, tmp_path: Path) -> None:
    out = exported(take(document(result(1, Got=got, Want=want))).evaluation, tmp_path)
    row = json.loads(out)["Results"]["openai"][0]
    assert (row["Got"], row["Want"]) == (got, want)


def test_three_equal_rows_are_three_repeats_of_which_two_of_three_passed() -> None:
    kinds = ["Passed", "Failed", "Passed"]
    take(document(*(result(n, Task="same", Kind=kind) for n, kind in enumerate(kinds))))
    (row,) = evaluation_page(visible_evaluations(), EvaluationFilter()).rows
    rows = result_page(visible_evaluations(), ResultFilter()).rows
    assert sorted(found.repeat for found in rows) == [1, 2, 3]
    assert (row.pass_rate.hits, row.pass_rate.n, row.tasks) == (2, 3, 1)


def test_a_trace_id_that_stands_twice_is_kept_twice_and_reported() -> None:
    report = take(document(result(1), result(2, TraceID=trace_id(1))))
    assert (report.results, [warning.path for warning in report.warnings]) == (2, ["TraceID"])


@pytest.mark.parametrize(
    ("kind", "passed", "of", "errors"), [("Skipped", None, 0, 0), ("Error", 0.0, 2, 2), ("Passed", 1.0, 2, 0)]
)
def test_skipped_never_counts_and_an_empty_denominator_is_no_zero(
    kind: str, passed: float | None, of: int, errors: int
) -> None:
    take(document(result(1, Kind=kind), result(2, Kind=kind)))
    (row,) = evaluation_page(visible_evaluations(), EvaluationFilter()).rows
    assert (row.pass_rate.value, row.pass_rate.n, row.errors) == (passed, of, errors)


@pytest.mark.parametrize(
    ("written", "hour", "source"),
    [
        ("2025-06-02T12:00:00", 12, TimeSource.DOCUMENT_UTC_ASSUMED),
        ("2025-06-02T12:00:00+09:00", 3, TimeSource.DOCUMENT),
        ("2025-06-02T12:00:00Z", 12, TimeSource.DOCUMENT),
        ("Mon, 02 Jun 2025 12:00:00 +0200", 10, TimeSource.DOCUMENT),
    ],
)
def test_a_time_is_one_instant_in_the_store_and_its_own_text_in_the_export(
    written: str, hour: int, source: TimeSource, tmp_path: Path
) -> None:
    report = take(document(result(1, TraceID="no time"), CreatedAt=written))
    stored = Evaluation.objects.get()
    instant = datetime(2025, 6, 2, hour, tzinfo=UTC)
    assert (stored.created_at, stored.created_at_source, stored.started_at) == (instant, source, instant)
    assert json.loads(exported(report.evaluation, tmp_path))["CreatedAt"] == written


def test_integers_beyond_two_to_the_53_come_out_exact(tmp_path: Path) -> None:
    numbers = [9_757_309_999_902_428, 9_007_199_254_740_993, LARGEST, LARGEST]
    rows = [
        result(n, Details={"Answer": {"Usage": {"InputTokens": 1, "InputCacheWriteTokens": tokens}}})
        for n, tokens in enumerate(numbers)
    ]
    out = json.loads(exported(take(document(*rows)).evaluation, tmp_path))["Results"]["openai"]
    assert [row["Details"]["Answer"]["Usage"]["InputCacheWriteTokens"] for row in out] == numbers


def test_one_array_and_several_answers_are_told_apart_only_where_the_file_does(tmp_path: Path) -> None:
    pair = [{"a": 1}, {"b": 2}]
    one = {"ExpectedAnswer": [pair]}
    bodies = [result(1, Got=pair, Want=pair, TaskMetadata=one), result(2, Got=pair, Want=pair, Kind="Failed")]
    out = json.loads(exported(take(document(*bodies)).evaluation, tmp_path))["Results"]["openai"]
    assert [row["Want"] for row in out] == [pair, pair]


def test_a_task_that_fails_fails_and_passes_is_one_of_three() -> None:
    kinds = ["Failed", "Failed", "Passed"]
    take(document(*(result(n, Task="same", Kind=kind) for n, kind in enumerate(kinds))))
    (row,) = evaluation_page(visible_evaluations(), EvaluationFilter()).rows
    assert (row.passed, row.failed, row.errors, row.skipped, row.pass_rate.n) == (1, 2, 0, 0, 3)


def test_a_second_import_adds_nothing() -> None:
    first, second = take(TWO), take(TWO, "copy.json")
    assert (second.state, second.evaluation, Result.objects.count()) == ("unchanged", first.evaluation, 2)


def test_what_was_exported_and_imported_elsewhere_is_exported_the_same(tmp_path: Path) -> None:
    once = exported(take(document(result(1, Got="a  b\u202e"), result(2, Got=[1e21, -0.0]))).evaluation, tmp_path)
    twice = exported(take(once, project="elsewhere").evaluation, tmp_path)
    assert once == twice


@pytest.mark.parametrize("results", [{}, {"openai": []}, {"openai": [], "google": []}])
def test_a_document_without_results_is_an_evaluation_with_no_rate(results: dict[str, Any]) -> None:
    report = take(document(Results=results))
    (row,) = evaluation_page(visible_evaluations(), EvaluationFilter()).rows
    assert (report.state, row.results, row.runs, row.tasks, row.pass_rate.value) == ("stored", 0, 0, 0, None)


def test_five_megabytes_on_one_line_are_stored_whole(tmp_path: Path) -> None:
    image = "data:image/png;base64," + "A" * 5_000_000
    report = import_file(write(tmp_path, "a.json", document(result(1, Got=image))), ImportOptions()).files[0]
    assert json.loads(exported(report.evaluation, tmp_path))["Results"]["openai"][0]["Got"] == image

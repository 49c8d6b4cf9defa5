"""MindTrial's CSV and summary of a whole evaluation: its columns, order and number formats."""

import csv
import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from results.exports.go_text import duration, percent, text_of
from results.exports.mindtrial_csv import COLUMNS, export_csv
from results.exports.mindtrial_summary import export_summary
from results.models.evaluations import Evaluation
from tests.documents import document, result, write

pytestmark = pytest.mark.django_db


def stored(folder: Path, *results: dict[str, object]) -> Evaluation:
    call_command("import_results", str(write(folder, "a.json", document(*results))), stdout=io.StringIO())
    return Evaluation.objects.get()


def lines(evaluation: Evaluation) -> list[list[str]]:
    return list(csv.reader(io.StringIO(b"".join(export_csv(evaluation)).decode(), newline="")))


def test_a_line_has_the_columns_of_mindtrial(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, result(1, DurationNS=1_499_500_000, Details={"Answer": {"Title": "a<b"}}))
    head, line = lines(evaluation)
    assert tuple(head) == COLUMNS
    about = ["core", "colours", "easy", "smoke"]
    details = '{\n  "Answer": {\n    "Title": "a\\u003cb"\n  }\n}'
    assert line == [result(1)["TraceID"], "openai", "gpt", "task 1", "Passed", "1500", "blue", details, *about]


def test_providers_are_sorted_and_their_results_keep_the_order_of_the_document(tmp_path: Path) -> None:
    rows = [
        result(1, Provider="z"),
        result(2, Provider="B"),
        result(3, Provider="B", Task="a"),
        result(4, Provider="a"),
    ]
    listed = [line[1:4:2] for line in lines(stored(tmp_path, *rows))[1:]]
    assert listed == [["B", "task 2"], ["B", "a"], ["a", "task 4"], ["z", "task 1"]]


def test_a_failed_answer_is_a_patch_per_accepted_answer(tmp_path: Path) -> None:
    one = result(1, Kind="Failed", Got="red", Want="blue")
    two = result(2, Kind="Failed", Got="red", Want=["red", "blue"])
    answers = [line[6] for line in lines(stored(tmp_path, one, two))[1:]]
    patch = "@@ -1,4 +1,3 @@\n-blue\n+red\n"
    second = "    @@ -1,4 +1,3 @@\n    -blue\n    +red\n    "
    assert answers == [patch, f"[\n    red\n  ,\n{second}\n]"]


def test_what_a_spreadsheet_would_run_is_a_text(tmp_path: Path) -> None:
    hostile = result(1, Task="=1+1", Run="+A1", Got="-2\x1b[31m", TaskMetadata={"Suite": "@x"})
    line = lines(stored(tmp_path, hostile))[1]
    assert (line[2], line[3], line[6], line[8]) == ("'+A1", "'=1+1", "'-2\\x1b[31m", "'@x")


def test_the_summary_has_mindtrials_columns(tmp_path: Path) -> None:
    rows = [
        *(result(n, Kind="Passed", DurationNS=60_000_000_000) for n in (1, 2)),
        result(3, Kind="Failed", DurationNS=800_000_000),
        result(4, Kind="Error", DurationNS=0),
        result(5, Kind="Skipped", Run="b", DurationNS=1_000_000),
    ]
    text = b"".join(export_summary(stored(tmp_path, *rows))).decode()
    assert text.splitlines() == [
        "Provider |Run |Passed |Failed |Error |Skipped |Pass Rate (%) |Accuracy (%) |Error Rate (%) |Total Duration |",
        "openai   |b   |0      |0      |0     |1       |0.00          |0.00         |0.00           |1ms            |",
        "openai   |gpt |2      |1      |1     |0       |50.00         |66.67        |25.00          |2m0.8s         |",
    ]


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (0, "0s"),
        (499_999, "0s"),
        (500_000, "1ms"),
        (999_500_000, "1s"),
        (180_800_000_000, "3m0.8s"),
        (3_600_000_000_000, "1h0m0s"),
        (314_159_265_000_000, "87h15m59.265s"),
        (-1_500_000_000, "-1.5s"),
    ],
)
def test_a_duration_is_written_as_go_writes_it(nanoseconds: int, text: str) -> None:
    assert duration(nanoseconds) == text


def test_a_share_is_rounded_to_two_places_and_nothing_is_zero() -> None:
    assert [percent(2, 3), percent(1, 16), percent(0, 0)] == ["66.67", "6.25", "0.00"]


def test_free_json_is_indented_with_sorted_keys_and_exact_numbers() -> None:
    assert (
        text_of(b'{"b":12345678901234567890,"a":[1.50]}')
        == '{\n  "a": [\n    1.50\n  ],\n  "b": 12345678901234567890\n}'
    )


def test_the_page_offers_each_format_and_each_can_be_fetched(client: Client, tmp_path: Path) -> None:
    evaluation = stored(tmp_path, result(1))
    page = client.get(f"/evaluations/{evaluation.pk}/").content.decode()
    for name, kind in (
        ("mindtrial", "application/json"),
        ("mindtrial-csv", "text/csv"),
        ("mindtrial-summary", "text/plain"),
    ):
        address = f"/evaluations/{evaluation.pk}/export.{name}"
        assert address in page
        response = client.get(address)
        assert response.status_code == 200
        assert response["Content-Type"].startswith(kind)
    assert client.get(f"/evaluations/{evaluation.pk}/export.nothing").status_code == 404


def test_the_command_refuses_a_format_that_needs_another_option(tmp_path: Path) -> None:
    stored(tmp_path, result(1))
    with pytest.raises(CommandError, match="--evaluation"):
        call_command("export_results", format="mindtrial-csv")
    with pytest.raises(CommandError, match="--iteration"):
        call_command("export_results", format="evalresult")
    with pytest.raises(CommandError, match="go with --format evalresult"):
        call_command("export_results", format="csv", iteration=1)


def test_the_tools_own_csv_comes_out_byte_for_byte(shared_folder: Path, tmp_path: Path) -> None:
    samples = shared_folder / "samples" / "mindtrial"
    original = next(samples.glob("*_results.csv"))
    call_command("import_results", str(original.with_suffix(".json")), stdout=io.StringIO())
    path = tmp_path / "out.csv"
    call_command("export_results", evaluation=Evaluation.objects.get().pk, format="mindtrial-csv", output=str(path))
    assert path.read_bytes() == original.read_bytes()

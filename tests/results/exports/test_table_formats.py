"""Filtered results as files: every row in order in every format, exact numbers, and text that no program obeys."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from results.exports.table import table_of
from results.exports.table_formats import TABLE_FORMATS
from results.filters import ResultFilter
from results.queries.every_row import ResultsGoneError
from results.queries.visibility import visible_evaluations
from results.store.deletion import hide, remove
from tests.documents import START_MS
from tests.report_files import report_rows
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
LARGEST = 2**63 - 1
HOSTILE = '=HYPERLINK("http://x","y")</script><b>|`a`\n\x1b[31m\u202egnp.exe @all _x0041_'
SHOWN = HOSTILE.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")


def csv_rows(body: bytes) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(body.decode(), newline="")))


def xlsx_rows(body: bytes) -> list[dict[str, Any]]:
    sheet = openpyxl.load_workbook(io.BytesIO(body))["Results"]
    head, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(map(str, head), cells, strict=True)) for cells in rows]


def parquet_rows(body: bytes, folder: Path) -> list[dict[str, Any]]:
    path = folder / "read.parquet"
    path.write_bytes(body)
    with duckdb.connect() as connection:
        found = connection.execute("SET TimeZone = 'UTC'").execute(f"SELECT * FROM '{path}'")
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, cells, strict=True)) for cells in found.fetchall()]


def markdown_rows(body: bytes) -> list[dict[str, Any]]:
    _, _, head, _, *lines = body.decode().splitlines()
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in (head, *lines)]
    return [dict(zip((name.replace("\\", "") for name in cells[0]), values, strict=True)) for values in cells[1:]]


def rows_of(name: str, body: bytes, folder: Path) -> list[dict[str, Any]]:
    readers: dict[str, Callable[[bytes], list[dict[str, Any]]]] = {
        "csv": csv_rows,
        "jsonl": lambda text: [json.loads(line) for line in text.splitlines()],
        "json": lambda text: json.loads(text)["results"],
        "xlsx": xlsx_rows,
        "parquet": lambda text: parquet_rows(text, folder),
        "markdown": markdown_rows,
        "html": report_rows,
    }
    return readers[name](body)


def exported(name: str, query: str = "") -> bytes:
    response = Client().get(f"/results/export.{name}?{query}")
    assert response.status_code == 200
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", TABLE_FORMATS)
def test_a_file_holds_exactly_the_rows_that_match_in_their_order(name: str, tmp_path: Path) -> None:
    words = ["needle" if number % 5 else "hay" for number in range(150)]
    stored(
        tmp_path,
        "a",
        *(row(number, got=word, usage={"InputTokens": number * 37 % 150}) for number, word in enumerate(words)),
    )
    wanted = sorted((number * 37 % 150 for number in range(150) if number % 5), reverse=True)
    rows = rows_of(name, exported(name, "q=needle&sort=-input_tokens&cols=task,input_tokens"), tmp_path)
    assert [int(found["input_tokens"]) for found in rows] == wanted
    assert list(rows[0]) == ["result_id", "task", "input_tokens"]


@pytest.mark.parametrize("name", TABLE_FORMATS)
def test_text_of_a_model_is_read_back_as_text(name: str, tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0, got=HOSTILE, task="=1+1"))
    (found,) = rows_of(name, exported(name), tmp_path)
    wanted = {
        "csv": ("'=1+1", "'" + SHOWN),
        "xlsx": ("=1+1", SHOWN.replace("_x0041_", "_x005F_x0041_")),  # as a spreadsheet escapes it
        "html": ("=1+1", SHOWN),
        "markdown": (
            "=1+1",
            re.sub(r"([|`@_\[<>])|:(?=//)", r"\\\g<0>", SHOWN.replace("\\", "\\\\")).replace("\n", " ↵ "),
        ),
    }
    assert (found["task"], found["answer"]) == wanted.get(name, ("=1+1", HOSTILE))


def test_no_cell_of_a_workbook_is_a_formula_or_a_link(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0, got="=1+1", task="http://example.org"))
    sheet = openpyxl.load_workbook(io.BytesIO(exported("xlsx")))["Results"]
    cells = [cell for line in sheet.iter_rows(min_row=2) for cell in line]
    assert not [cell.coordinate for cell in cells if cell.data_type == "f" or cell.hyperlink]


def test_whole_numbers_beyond_64_bits_are_exact(tmp_path: Path) -> None:
    usage = {"InputTokens": LARGEST, "InputCacheReadTokens": LARGEST}
    stored(tmp_path, "a", row(0, usage=usage), row(1, usage={"InputTokens": 7}))
    query = "cols=task,input_tokens&sort=task"
    for name in ("csv", "jsonl", "json", "xlsx", "parquet", "html"):
        rows = rows_of(name, exported(name, query), tmp_path)
        assert [int(found["input_tokens"]) for found in rows] == [2 * LARGEST, 7], name


def test_missing_values_stay_missing(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0, usage={}, duration=None))
    query = "cols=task,input_tokens,cost,model,error"
    names = ("input_tokens", "cost", "currency", "model", "error_title", "is_transient")
    for name in TABLE_FORMATS:
        (found,) = rows_of(name, exported(name, query), tmp_path)
        assert {found[key] for key in names} == {"" if name in ("csv", "markdown") else None}, name


def test_times_are_times_in_utc(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0))
    wanted = datetime.fromtimestamp(START_MS / 1000, UTC)
    query = "cols=task,started"
    assert rows_of("csv", exported("csv", query), tmp_path)[0]["started_at"] == "2026-05-28T20:26:40Z"
    assert rows_of("xlsx", exported("xlsx", query), tmp_path)[0]["started_at"] == wanted.replace(tzinfo=None)
    assert rows_of("parquet", exported("parquet", query), tmp_path)[0]["started_at"] == wanted


def test_a_long_answer_is_cut_in_a_workbook_only_and_says_so(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0, got="x" * 40_000))
    (found,) = rows_of("xlsx", exported("xlsx"), tmp_path)
    assert found["answer"].endswith("x … (cut; 40,000 characters in all)")
    assert len(found["answer"]) == 32_767
    assert rows_of("csv", exported("csv"), tmp_path)[0]["answer"] == "x" * 40_000


def test_an_error_is_exported_with_title_and_message(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0, kind="Error", got="", error={"Title": "Execution Error", "Message": "no route"}))
    (found,) = rows_of("csv", exported("csv"), tmp_path)
    assert found["answer"] == "Execution Error: no route"


def test_a_document_says_where_its_rows_come_from(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0))
    read = json.loads(exported("json", "outcome=passed&sort=-task"))
    assert (read["query"], read["count"], len(read["results"])) == ("outcome=passed&sort=-task", 1, 1)


def test_no_rows_make_a_whole_file(tmp_path: Path) -> None:
    for name in TABLE_FORMATS:
        assert rows_of(name, exported(name), tmp_path) == []


def test_results_deleted_meanwhile_are_told(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0), row(1))
    table = table_of(visible_evaluations(), ResultFilter(), "", ["answer"], "1.0")
    hide(evaluation)
    remove(evaluation)
    assert table.total == 2
    with pytest.raises(ResultsGoneError, match="2 of the results were deleted"):
        next(table.pieces)


def test_the_command_writes_the_same_file(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0, kind="Failed"), row(1))
    path = tmp_path / "out.csv"
    call_command("export_results", "--format=csv", "--filter=?outcome=failed&cols=task,outcome", f"-o{path}")
    assert csv_rows(path.read_bytes()) == csv_rows(exported("csv", "outcome=failed&cols=task,outcome"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format=csv", "--filter=sort=nonsense"], "sort=nonsense"),
        (["--format=csv", "--filter=cols=nonsense"], "cols=nonsense"),
        (["--format=csv", "--filter=outcome=nonsense"], "outcome=nonsense"),
        (["--format=csv", "--evaluation=99"], "no evaluation 99"),
        (["--format=mindtrial"], "--evaluation ID"),
        (["--format=mindtrial", "--evaluation=1", "--filter=outcome=failed"], "without --filter"),
    ],
)
def test_the_command_refuses_what_it_cannot_read(words: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=re.escape(message)):
        call_command("export_results", *words)


def test_a_cost_is_exported_with_all_its_places(tmp_path: Path) -> None:
    pricing = {"Currency": "USD", "InputPerMillion": 0.15, "OutputPerMillion": 0.6}
    stored(
        tmp_path,
        "a",
        row(0, usage={"InputTokens": 1001, "OutputTokens": 7}, RunConfig={"Model": "m", "Pricing": pricing}),
    )
    wanted = Decimal("0.00015435")  # 1001 · 0.15 / 10^6 + 7 · 0.6 / 10^6
    for name in ("csv", "parquet", "jsonl"):
        (found,) = rows_of(name, exported(name, "cols=task,cost"), tmp_path)
        assert Decimal(str(found["cost"])) == wanted
        assert (found["currency"], found["cost_state"]) == ("USD", "priced")

"""The API's gate, exports, filtered comparison and iterations; and errors that come from before the API."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client

from tests import documents
from tests.fixtures.agent_bober.imports import evaluation, import_one
from tests.results.facts.evaluations import row, stored
from tests.results.gating.gates import results

pytestmark = pytest.mark.django_db


def answer(path: str, status: int = 200) -> Any:
    response = Client().get(f"/api/v1/{path}")
    assert response.status_code == status, response.content
    return json.loads(response.content)


def test_a_comparison_counts_only_what_the_filter_lets_through(tmp_path: Path) -> None:
    first = [*results("a", "pp", suite="x"), row(8, run="a", task="other", suite="y")]
    second = [*results("b", "pf", suite="x"), row(9, run="b", task="other", kind="Failed", suite="y")]
    pk = stored(tmp_path, "a", *first, *second)
    runs = {run["name"]: run["id"] for run in answer("providers")["items"][0]["runs"]}
    address = f"compare?baseline={pk}:{runs['a']}&candidate={pk}:{runs['b']}"
    found = [answer(address + more)["candidates"][0] for more in ("", "&suite=x")]
    assert [(one["pairs"], one["regressed"]) for one in found] == [(3, 2), (2, 1)]


def test_a_gate_answers_what_the_command_prints(tmp_path: Path) -> None:
    baseline, candidate = stored(tmp_path, "a", *results("a", "pp")), stored(tmp_path, "b", *results("a", "pf"))
    found = answer(f"gate?candidate={candidate}&baseline={baseline}&max_regressions=0&min_pass_rate=0.5")
    assert (found["state"], found["exit_code"]) == ("failed", 1)
    assert [(check["rule"], check["state"], check["figure"]) for check in found["checks"]] == [
        ("tasks", "passed", 0),
        ("min_pass_rate", "passed", 0.5),
        ("max_regressions", "failed", 1),
    ]
    assert [task["task"] for task in found["runs"][0]["compared"]["regressions"]] == ["task 1"]


@pytest.mark.parametrize(
    ("query", "status", "place"),
    [
        ("", 422, "query.candidate"),
        ("candidate=99", 404, "query.candidate"),
        ("candidate=1&min_pass_rate=2", 422, "query.min_pass_rate"),
        ("candidate=1&outcome=passed", 422, "query.outcome"),
        ("candidate=1&nonsense=1", 422, "query"),
    ],
)
def test_a_gate_says_what_is_wrong_with_a_request(query: str, status: int, place: str) -> None:
    assert answer(f"gate?{query}", status)["error"]["path"] == place


def test_an_export_holds_the_filtered_view_in_its_order(tmp_path: Path) -> None:
    lines = [
        row(number, task=f"t{number}", usage={"InputTokens": number % 4}, run="ab"[number % 2]) for number in range(6)
    ]
    stored(tmp_path, "a", *lines)
    response = Client().get("/api/v1/exports/csv?run=b&sort=-input_tokens&cols=task")
    text = b"".join(response.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    assert [line["task"] for line in csv.DictReader(io.StringIO(text))] == ["t3", "t1", "t5"]


def test_an_export_of_a_whole_evaluation_is_its_document(tmp_path: Path) -> None:
    lines = [documents.result(0, Extra=1e21)]
    pk = stored(tmp_path, "a", *lines)
    response = Client().get(f"/api/v1/exports/mindtrial?evaluation={pk}")
    body = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert body == msgspec.json.format(documents.document(*lines), indent=-1)


def test_iterations_are_listed_by_sprint() -> None:
    (pk,) = import_one(evaluation()).iterations
    (found,) = answer("iterations")["items"]
    assert found["id"] == pk
    assert [answer(f"iterations?sprint={found['sprint_id'] + more}")["count"] for more in (0, 1)] == [1, 0]


def test_the_formats_are_listed_and_others_are_refused() -> None:
    names = {form["name"]: form["of"] for form in answer("exports")["items"]}
    assert (names["parquet"], names["mindtrial"]) == ("results", "evaluation")
    assert (names["mindtrial-csv"], names["evalresult"]) == ("evaluation", "iterations")
    assert answer("exports/nonsense", 404)["error"]["code"] == "not_found"
    assert answer("exports/mindtrial", 422)["error"]["path"] == "query.evaluation"
    assert answer("exports/mindtrial?evaluation=99", 404)["error"]["code"] == "not_found"
    assert answer("exports/csv?cols=nonsense", 422)["error"]["path"] == "query.cols"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [("get", "nonsense", 404, "not_found"), ("delete", "results", 405, "method_not_allowed")],
)
def test_errors_from_before_the_api_have_its_shape(method: str, path: str, status: int, code: str) -> None:
    response = getattr(Client(), method)(f"/api/v1/{path}")
    assert (response.status_code, json.loads(response.content)["error"]["code"]) == (status, code)

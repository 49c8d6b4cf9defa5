"""The API: the shapes that programs rely on, exact numbers, one shape for errors, entity tags, no foreign pages."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from frontend.api.api import api
from results.models.evaluations import Evaluation
from results.models.jobs import Job
from tests import documents
from tests.results.facts.evaluations import row, stored

SNAPSHOT = Path(__file__).with_name("openapi.json")
LARGEST = 2**63 - 1


def fetched(path: str, status: int = 200) -> Any:
    response = Client().get(f"/api/v1/{path}")
    assert response.status_code == status, response.content
    return json.loads(response.content)


def problem(path: str, status: int) -> dict[str, str]:
    answer = fetched(path, status)
    assert list(answer) == ["error"]
    found: dict[str, str] = answer["error"]
    assert list(found) == ["code", "message", "path"]
    return found


def test_the_description_is_the_committed_one() -> None:
    described = json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/v1/")))
    assert described == json.loads(SNAPSHOT.read_text(encoding="utf-8")), "write it anew: see docs/api.md"


@pytest.mark.django_db
def test_results_are_paged_to_the_end_by_cursors(tmp_path: Path) -> None:
    stored(tmp_path, "a", *(row(number, usage={"InputTokens": number}) for number in range(5)))
    seen, path = [], "results?sort=-input_tokens&limit=2"
    page = fetched(path)
    while True:
        seen += [found["input_tokens"] for found in page["items"]]
        if page["next"] is None:
            break
        page = fetched(f"{path}&cursor={page['next']}")
    assert (seen, page["count"]) == ([4, 3, 2, 1, 0], 5)


@pytest.mark.django_db
def test_a_result_has_its_document_token_by_token(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0, Extra=1e21))
    (found,) = fetched("results")["items"]
    body = Client().get(f"/api/v1/results/{found['id']}").content
    assert b'"Extra":1e+21' in body
    assert fetched(f"results/{found['id']}")["evaluation_id"] == evaluation


@pytest.mark.django_db
def test_a_summary_is_exact_and_says_what_is_unknown(tmp_path: Path) -> None:
    usage = {"InputTokens": LARGEST}
    stored(
        tmp_path, "a", row(0, usage=usage), row(1, usage=usage, kind="Failed"), row(2, usage={}, kind="Skipped"), row(3)
    )
    (group,) = fetched("summary?group_by=provider,run")["groups"]
    assert group["key"] == {"provider": "openai", "run": "gpt"}
    assert [group[name] for name in ("n", "passed", "failed", "error", "skipped")] == [3, 2, 1, 0, 1]
    assert group["pass_rate"] == 2 / 3
    tokens = group["input_tokens"]
    assert (tokens["sum"], tokens["known"], tokens["unknown"]) == (2 * LARGEST, 2, 1)


@pytest.mark.django_db
def test_a_rate_without_a_denominator_is_null(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0, kind="Skipped"))
    (group,) = fetched("summary")["groups"]
    assert (group["n"], group["pass_rate"], group["accuracy"], group["error_rate"]) == (0, None, None, None)


@pytest.mark.django_db
def test_providers_have_their_runs(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0, run="a", model="m"), row(1, run="b"))
    (provider,) = fetched("providers")["items"]
    assert provider["name"] == "openai"
    assert [(run["name"], run["model"]) for run in provider["runs"]] == [("a", "m"), ("b", None)]


@pytest.mark.django_db
def test_a_comparison_has_the_exact_p_value(tmp_path: Path) -> None:
    first = [row(number, run="a", task=f"t{number}", kind="Failed" if number < 8 else "Passed") for number in range(9)]
    second = [
        row(20 + number, run="b", task=f"t{number}", kind="Passed" if number < 8 else "Failed") for number in range(9)
    ]
    evaluation = stored(tmp_path, "a", *first, *second)
    runs = {run["name"]: run["id"] for run in fetched("providers")["items"][0]["runs"]}
    address = f"compare?baseline={evaluation}:{runs['a']}&candidate={evaluation}:{runs['b']}"
    (candidate,) = fetched(address)["candidates"]
    assert (candidate["improved"], candidate["regressed"], candidate["pairs"]) == (8, 1, 9)
    assert candidate["p_value"] == pytest.approx(0.0390625)  # two-sided exact McNemar of 8 against 1
    assert candidate["difference"] == pytest.approx(7 / 9)


@pytest.mark.django_db
def test_a_matrix_has_a_cell_a_result(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0, task="t"), row(1, task="t", run="other", kind="Failed"))
    found = fetched(f"matrix?evaluation={evaluation}")
    assert [(cell["task"], cell["outcome"]) for cell in found["cells"]] == [(0, "passed"), (0, "failed")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "status", "code", "place"),
    [
        ("results?nonsense=1", 422, "unknown_parameter", "query"),
        ("results?outcome=nonsense", 422, "invalid", "query.outcome"),
        ("results?cost=nonsense", 422, "invalid_filter", "query.cost"),
        ("results?limit=0", 422, "invalid", "query.limit"),
        ("results?sort=nonsense", 422, "unknown_order", "query.sort"),
        ("results?cursor=nonsense", 422, "invalid_cursor", "query.cursor"),
        ("results/99", 404, "not_found", "path"),
        (f"results/{2**63}", 422, "invalid", "path.result_id"),
        ("evaluations/99", 404, "not_found", "path"),
        ("summary?group_by=nonsense", 422, "invalid", "query.group_by"),
        ("matrix", 422, "invalid", "query.evaluation"),
        ("matrix?evaluation=99", 404, "not_found", "path"),
        ("compare?baseline=1:1&candidate=1:2", 404, "not_found", "path"),
        ("compare?baseline=nonsense&candidate=1:2", 422, "invalid", "query.baseline"),
        ("compare?baseline=1:1", 422, "invalid", "query.candidate"),
        ("tasks/99/history", 404, "not_found", "path"),
        ("sprints/99", 404, "not_found", "path"),
        ("iterations/99", 404, "not_found", "path"),
        ("jobs/99", 404, "not_found", "path"),
    ],
)
def test_errors_have_one_shape(path: str, status: int, code: str, place: str) -> None:
    found = problem(path, status)
    assert (found["code"], found["path"]) == (code, place)


@pytest.mark.django_db
def test_what_did_not_change_is_not_sent_again(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(0))
    first = Client().get("/api/v1/evaluations")
    again = Client().get("/api/v1/evaluations", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.django_db
def test_an_evaluation_is_described_and_made_the_baseline(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0))
    changes = json.dumps({"name": "new", "labels": ["x"], "baseline": True})
    response = Client().patch(f"/api/v1/evaluations/{evaluation}", changes, content_type="application/json")
    answer = json.loads(response.content)
    assert (answer["name"], answer["labels"], answer["is_baseline"], answer["note"]) == ("new", ["x"], True, "")


@pytest.mark.django_db
def test_a_deleted_evaluation_is_gone_at_once(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0))
    assert Client().delete(f"/api/v1/evaluations/{evaluation}").status_code == 202
    problem(f"evaluations/{evaluation}", 404)


@pytest.mark.django_db
def test_a_file_is_imported_from_the_body() -> None:
    body = documents.document(documents.result(0))
    response = Client().post("/api/v1/imports?name=a.json&project=web", body, content_type="application/octet-stream")
    assert response.status_code == 202
    job = Job.objects.select_related("upload", "project").get(pk=json.loads(response.content)["id"])
    assert job.upload is not None
    assert job.project is not None
    assert (job.upload.file_name, job.upload.size_bytes, job.project.slug) == ("a.json", len(body), "web")


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://elsewhere.example"}])
def test_a_page_of_another_site_changes_nothing(tmp_path: Path, headers: dict[str, str]) -> None:
    evaluation = stored(tmp_path, "a", row(0))
    response = Client().delete(f"/api/v1/evaluations/{evaluation}", headers=headers)
    assert (response.status_code, json.loads(response.content)["error"]["code"]) == (403, "foreign_origin")
    assert Evaluation.objects.get(pk=evaluation).state == "ready"


@pytest.mark.django_db
def test_the_documentation_comes_from_our_own_files() -> None:
    text = Client().get("/api/v1/docs").content.decode()
    assert "vendor/swagger-ui-bundle.js" in text
    assert "//cdn" not in text


@pytest.mark.django_db
def test_a_report_is_saved_read_and_deleted(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0), row(1, kind="Failed"))
    wanted = {"title": "Review", "query": f"evaluation={evaluation}&outcome=failed", "baseline": str(evaluation)}
    answer = Client().post("/api/v1/reports", wanted, content_type="application/json")
    assert answer.status_code == 201
    made = answer.json()
    assert {key: made[key] for key in wanted} == wanted
    assert made["evaluations"] == [{"id": evaluation, "name": "a"}]
    assert fetched(f"reports/{made['id']}") == made
    assert [found["id"] for found in fetched("reports")["items"]] == [made["id"]]
    assert Client().delete(f"/api/v1/reports/{made['id']}").status_code == 204
    problem(f"reports/{made['id']}", 404)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [{"title": " "}, {"query": "outcome=x"}, {"sort": "x"}, {"columns": ["x"]}, {"charts": ["x"]}, {"baseline": "9"}],
)
def test_a_report_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    answer = Client().post("/api/v1/reports", {"title": "Review", **wrong}, content_type="application/json")
    assert answer.status_code == 422
    assert list(answer.json()) == ["error"]

"""The API's nouns of reviews and saved views."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db


def asked(method: str, path: str, body: dict[str, Any] | None = None, status: int = 200) -> Any:
    response = Client().generic(method, f"/api/v1/{path}", json.dumps(body or {}), content_type="application/json")
    assert response.status_code == status, response.content
    return json.loads(response.content) if response.content else None


def test_what_is_said_by_a_program_is_on_the_result_and_in_the_list(tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(1), result(2, Kind="Failed"))
    first, second = evaluation.result_id(0), evaluation.result_id(1)
    said = {"filter": "outcome=failed", "verdict": "passed", "labels": ["odd"], "comment": "hm", "author": "bot"}
    assert asked("POST", "annotations", said) == {"results": 1, "job": None}
    review = {"corrected": "passed", "is_confirmed": False, "reason": None, "labels": ["odd"], "comments": ["bot: hm"]}
    assert asked("GET", "results?corrected=yes")["items"][0]["review"] == review
    assert asked("GET", f"annotations?result={first}")["count"] == 0
    found = asked("GET", f"annotations?result={second}&kind=verdict")
    assert [(row["value"], row["author"], row["valid_to"]) for row in found["items"]] == [("passed", "bot", None)]


def test_an_edit_is_an_annotation_of_its_own_and_a_removed_one_is_history(tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    asked("POST", "annotations", {"results": [evaluation.result_id(0)], "comment": "hm"})
    (first,) = asked("GET", "annotations")["items"]
    second = asked("PATCH", f"annotations/{first['id']}", {"comment": "ah", "author": "bot"})
    assert (second["value"], second["created_at"], second["author"]) == ("ah", first["created_at"], "bot")
    assert asked("PATCH", f"annotations/{first['id']}", {"comment": "oh"}, 409)["error"]["code"] == "not_changed"
    assert asked("DELETE", f"annotations/{second['id']}?author=eve")["ended_by"] == "eve"
    assert asked("DELETE", f"annotations/{second['id']}", status=409)["error"]["code"] == "ended"
    assert (asked("GET", "annotations")["count"], asked("GET", "annotations?history=true")["count"]) == (0, 2)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"results": [1]},
        {"comment": "x"},
        {"comment": "x", "results": [1], "filter": ""},
        {"comment": "x", "filter": "judge=maybe"},
    ],
)
def test_a_review_of_nothing_or_with_nothing_to_say_is_refused(body: dict[str, Any]) -> None:
    asked("POST", "annotations", body, 422)


def test_views_are_saved_changed_and_deleted() -> None:
    made = asked("POST", "views", {"name": "mine", "path": "/results/", "query": "outcome=failed"}, 201)
    assert made["address"] == "/results/?outcome=failed"
    assert asked("PATCH", f"views/{made['id']}", {"is_pinned": True})["is_pinned"]
    assert asked("GET", "views")["items"] == [asked("GET", f"views/{made['id']}")]
    asked("DELETE", f"views/{made['id']}", status=204)
    asked("GET", f"views/{made['id']}", status=404)
    asked("POST", "views", {"name": "x", "path": "https://example.org/"}, 422)

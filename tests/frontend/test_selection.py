"""Rows of the explorer that are picked out: opened alone or listed by their ids, all in the address."""

import re
from pathlib import Path

import pytest
from django.test import Client

from results.models.evaluations import Evaluation
from tests.documents import result
from tests.frontend.explorer_pages import chips_of, tasks_of
from tests.frontend.factories import an_evaluation
from tests.frontend.test_evaluations_pages import page_text

pytestmark = pytest.mark.django_db


def some(folder: Path, number: int = 4, **envelope: str) -> Evaluation:
    rows = [result(place, Kind="Failed" if place % 2 else "Passed") for place in range(number)]
    return an_evaluation(folder, *rows, **envelope)


def test_each_row_can_be_picked(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path)
    values = re.findall(
        r'<input type="checkbox" name="pick" value="(\d+)" form="selection"', page_text(client, "/results/")
    )
    assert values == [str(evaluation.result_id(place)) for place in range(4)]


def test_picked_rows_become_a_filter_beside_the_others(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path)
    first, third = evaluation.result_id(1), evaluation.result_id(3)
    answer = client.get(f"/results/?outcome=failed&sort=-task&pick={first}&pick={third}")
    assert answer["Location"] == f"/results/?outcome=failed&sort=-task&result={first}&result={third}"


def test_only_picked_rows_are_shown_and_a_chip_says_so(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path)
    text = page_text(client, f"/results/?result={evaluation.result_id(0)}&result={evaluation.result_id(3)}")
    assert tasks_of(text) == ["task 0", "task 3"]
    assert chips_of(text) == ["result one of 2 chosen"]


def test_picked_rows_can_be_left_out(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path)
    text = page_text(client, f"/results/?result=-{evaluation.result_id(0)}")
    assert tasks_of(text) == ["task 1", "task 2", "task 3"]
    assert chips_of(text) == ["result not the chosen one"]


def test_a_number_that_is_none_is_said(client: Client, tmp_path: Path) -> None:
    some(tmp_path)
    assert "result=x is not the number of a result; it was left out." in page_text(client, "/results/?result=x")


def test_all_that_match_are_the_filter_itself(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path)
    answer = client.get(f"/results/?outcome=failed&all=yes&pick={evaluation.result_id(1)}")
    assert answer["Location"] == "/results/?outcome=failed"


def test_ids_of_all_that_match(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path)
    answer = client.get("/results/ids.txt?outcome=failed&all=yes", follow=True)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == f"{evaluation.result_id(1)}\n{evaluation.result_id(3)}\n"


def test_ids_of_the_picked_ones(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path)
    answer = client.get(f"/results/ids.txt?outcome=failed&pick={evaluation.result_id(3)}", follow=True)
    assert answer.content.decode() == f"{evaluation.result_id(3)}\n"


def test_ids_of_one_evaluation_are_its_own(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path, 1)
    other = an_evaluation(tmp_path, result(9), name="other.json")
    answer = client.get(f"/evaluations/{other.pk}/ids.txt?evaluation={evaluation.pk}")
    assert answer.content.decode() == f"{other.result_id(0)}\n"
    assert client.get("/evaluations/999/ids.txt").status_code == 404


def test_more_rows_than_a_page_shows_can_be_selected(client: Client, tmp_path: Path) -> None:
    some(tmp_path, 30)
    assert "All 30 that match" in page_text(client, "/results/?size=25")
    assert "that match</label>" not in page_text(client, "/results/?size=50")


def test_the_way_through_picked_rows_stays_among_them(client: Client, tmp_path: Path) -> None:
    evaluation = some(tmp_path)
    ids = [evaluation.result_id(place) for place in (0, 3)]
    text = page_text(client, f"/results/{ids[0]}/?result={ids[0]}&result={ids[1]}&sort=id")
    assert "1 of 2 that match" in text
    assert f'href="/results/{ids[1]}/?result={ids[0]}&amp;result={ids[1]}&amp;sort=id"' in text


def test_answers_are_shown_beside_the_rows(client: Client, tmp_path: Path) -> None:
    error = {"Error": {"Title": "429 too many requests", "Message": "slow <down>"}}
    an_evaluation(tmp_path, result(0, Got="two\nlines \u202e<b>"), result(1, Kind="Error", Got="x", Details=error))
    text = page_text(client, "/results/")
    assert 'mono" dir="auto">two ↵ lines <span class="bidi">U+202E</span>&lt;b&gt;</span>' in text
    assert 'muted" dir="auto">429 too many requests: slow &lt;down&gt;</span>' in text
    assert "two ↵" not in page_text(client, "/results/?cols=task,outcome")

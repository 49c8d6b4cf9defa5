"""The list of tasks and the page of one."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from results.models.dimensions import Run, Task
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert("x")</script>\u202e'


def keep(folder: Path, name: str, day: int, *values: dict[str, Any], project: str = "default") -> int:
    rows = (row(number, TraceID=on_day(day, number), **fields) for number, fields in enumerate(values))
    return stored(folder, name, *rows, project=project)


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def names(text: str) -> list[str]:
    return [unescape(re.sub(r"<.*?>", "", cell)) for cell in re.findall(r'<th scope="row"><a [^>]*>(.*?)</a>', text)]


def marks(text: str) -> list[str]:
    table = text.partition('class="table matrix"')[2].partition("<tbody>")[2]
    return re.findall(r'class="mark" data-outcome="([\w-]+)"', table)


def test_no_data_says_how_to_begin(client: Client) -> None:
    assert "Import files" in body(client, "/tasks/")


def test_the_hardest_task_comes_first_unless_asked_otherwise(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "easy", "duration": 9}, {"task": "hard", "kind": "Failed", "duration": 1})
    assert names(body(client, "/tasks/")) == ["hard", "easy"]
    assert names(body(client, "/tasks/?sort=-duration")) == ["easy", "hard"]
    assert 'aria-sort="ascending"' in body(client, "/tasks/")


def test_the_list_is_filtered_by_the_address(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "a", "suite": "x"}, {"task": "b", "suite": "y"})
    text = body(client, "/tasks/?suite=y")
    assert names(text) == ["b"]
    assert "chip-key" in text


def test_nothing_that_matches_names_the_filter(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "a"})
    text = body(client, "/tasks/?suite=nowhere")
    assert "Nothing matches" in text
    assert "nowhere" in text


def test_what_cannot_be_read_is_said(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "a"})
    assert "left out" in body(client, "/tasks/?started=yesterday")


def test_two_fields_become_one_range(client: Client) -> None:
    response = client.get("/tasks/?started.from=2026-01-01&started.to=")
    assert response.status_code == 302
    assert response["Location"].startswith("/tasks/?started=2026-01-01")


def test_a_list_of_any_length_asks_as_many_questions(
    client: Client, tmp_path: Path, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    keep(tmp_path, "one", 1, *({"task": f"t{number}"} for number in range(30)))
    body(client, "/tasks/")
    with django_assert_max_num_queries(12):
        body(client, "/tasks/?sort=-flips")


def test_names_are_text(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": HOSTILE, "run": HOSTILE, "provider": HOSTILE, "category": HOSTILE})
    for address in ("/tasks/", f"/tasks/{Task.objects.get().pk}/"):
        text = body(client, address)
        assert "<script>alert" not in text
        assert "\u202e" not in text


def test_an_unknown_task_is_not_found(client: Client) -> None:
    response = client.get("/tasks/5/")
    assert response.status_code == 404
    assert "Nothing is kept" in response.content.decode()


def test_a_task_shows_a_mark_for_each_run_and_evaluation(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "late", 9, {"task": "t", "run": "a", "kind": "Failed"})
    early = keep(tmp_path, "early", 1, {"task": "t", "run": "a"}, {"task": "t", "run": "b", "kind": "Skipped"})
    text = body(client, f"/tasks/{Task.objects.get().pk}/")
    assert marks(text) == ["passed", "failed", "skipped", "not-run"]
    assert f'href="/results/{early * 2**24}/?' in text
    assert f'href="/runs/{Run.objects.get(name="a").pk}/"' in text


def test_repeats_stand_beside_each_other_and_give_pass_at_k(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "t"}, {"task": "t", "kind": "Failed"}, {"task": "t", "kind": "Failed"})
    text = body(client, f"/tasks/{Task.objects.get().pk}/")
    assert marks(text) == ["passed", "failed", "failed"]
    table = text.partition("<caption>Repeated attempts</caption>")[2].partition("</table>")[0]
    rates = [re.sub(r"<.*?>", " ", line).split() for line in re.findall(r"<tr>(.*?)</tr>", table)[1:]]
    assert rates == [
        ["1", "33.3", "%", "33.3", "%", "1"],
        ["2", "66.7", "%", "0.0", "%", "1"],
        ["3", "100.0", "%", "0.0", "%", "1"],
    ]


def test_many_repeats_are_a_count(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, *({"task": "t", "kind": "Failed" if number else "Passed"} for number in range(9)))
    assert ">1/9</a>" in body(client, f"/tasks/{Task.objects.get().pk}/")


def test_a_task_that_everybody_skipped_has_no_rate(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "t", "kind": "Skipped"})
    text = body(client, f"/tasks/{Task.objects.get().pk}/")
    assert "n/a" in text
    assert "0.0\xa0%" not in text


def test_changed_accepted_answers_are_compared(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "t", "Want": "red fox"})
    keep(tmp_path, "two", 2, {"task": "t", "Want": "grey fox"})
    text = body(client, f"/tasks/{Task.objects.get().pk}/")
    assert "accepted answers changed" in text
    assert "<ins>grey</ins>" in text
    assert "<del>red</del>" in text


def test_one_more_accepted_answer_leaves_the_others_as_they_are(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "t", "Want": "red fox"})
    keep(tmp_path, "two", 2, {"task": "t", "Want": ["red fox", "grey fox"]})
    table = body(client, f"/tasks/{Task.objects.get().pk}/").partition('class="diff"')[2].partition("</table>")[0]
    assert [line.partition("data-change=")[2][:10] for line in table.split("<tr")[2:]] == ["", '"expected"']


def test_links_show_the_results_that_a_task_counts(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "original", 1, {"task": "t", "kind": "Failed"})
    copy = row(0, task="t", TraceID=on_day(1, 0))
    stored(tmp_path, "merged", copy, row(1, task="t", TraceID=on_day(2, 1)))
    task, run = Task.objects.get().pk, Run.objects.get().pk
    for address in (f"/tasks/{task}/", "/tasks/", f"/runs/{run}/", "/runs/"):
        hrefs = [
            unescape(href)
            for href in re.findall(r'<a [^>]*href="(/results/\?[^"]*)"[^>]*>(?:2|Results)</a>', body(client, address))
        ]
        assert hrefs, address
        assert all("2\xa0results" in body(client, href) for href in hrefs), hrefs
        assert "copy of an older result" in body(client, hrefs[0])


def test_the_latest_evaluations_have_a_column(client: Client, tmp_path: Path) -> None:
    for day in range(1, 33):
        keep(tmp_path, f"day {day}", day, {"task": "t"})
    address = f"/tasks/{Task.objects.get().pk}/"
    assert len(marks(body(client, address))) == 30
    assert "2 earlier ones" in body(client, address)
    assert len(marks(body(client, f"{address}?columns=100"))) == 32


def test_a_filter_without_results_of_the_task_says_so(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"task": "t"})
    assert "Nothing matches" in body(client, f"/tasks/{Task.objects.get().pk}/?run=nobody")


def test_the_runs_that_ever_passed_a_task_are_led_to(client: Client, tmp_path: Path) -> None:
    for number in (1, 2):
        keep(tmp_path, f"{number}", number, {"task": "t", "run": "a"}, {"task": "t", "run": "b", "kind": "Failed"})
    page = client.get(f"/tasks/{Task.objects.get().pk}/").context["page"]
    assert page.passed_by == 1
    assert [row.line.run for row in client.get(page.passed_by_href).context["page"].rows] == ["a"]

"""The grid of tasks and runs, and the agreement of runs."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from frontend.contexts.evaluation_tasks import MOST_RUNS
from tests.frontend.factories import an_evaluation, unfinished
from tests.results.facts.evaluations import row

pytestmark = pytest.mark.django_db
TASK = re.compile(r'<th scope="row"><a [^>]*>(.*?)</a></th><td class="num">(.*?)</td>(.*?)</tr>', re.DOTALL)
MARKUP = re.compile(r"<[^>]*>")
KINDS = {"P": "Passed", "F": "Failed", "E": "Error", "S": "Skipped"}
SKILLS = {"a": {"t1": "P", "t2": "P", "t3": "F", "t4": "S"}, "b": {"t1": "P", "t2": "F", "t3": "E", "t4": "S"}}


def kept(folder: Path, runs: dict[str, dict[str, str]]) -> int:
    """An evaluation of runs, each with the outcomes of its tasks, one letter a repeat."""
    fields = [
        {"run": run, "task": task, "kind": KINDS[letter]}
        for run, tasks in runs.items()
        for task, letters in tasks.items()
        for letter in letters
    ]
    return an_evaluation(folder, *(row(number, **values) for number, values in enumerate(fields))).pk


def page(client: Client, address: str, **query: Any) -> str:
    response = client.get(address, query)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def grid(client: Client, pk: int, **query: Any) -> list[tuple[str, str, list[str]]]:
    """Each task with what is said of its passes, and the outcomes in its row."""
    found = TASK.findall(page(client, f"/evaluations/{pk}/grid/", **query))
    return [
        (unescape(name), MARKUP.sub("", passed), re.findall('class="mark" data-outcome="([^"]+)"', cells))
        for name, passed, cells in found
    ]


def test_each_task_says_who_passed(client: Client, tmp_path: Path) -> None:
    assert grid(client, kept(tmp_path, SKILLS)) == [
        ("t1", "2 of 2", ["passed", "passed"]),
        ("t2", "1 of 2", ["passed", "failed"]),
        ("t3", "0 of 2", ["failed", "error"]),
        ("t4", "n/a", ["skipped", "skipped"]),
    ]


@pytest.mark.parametrize(
    ("only", "tasks"),
    [
        ("disagree", ["t2"]),
        ("failed", ["t3"]),
        ("passed", ["t1"]),
        ("skipped", ["t4"]),
        ("x", ["t1", "t2", "t3", "t4"]),
    ],
)
def test_kinds_of_tasks_can_be_chosen(client: Client, tmp_path: Path, only: str, tasks: list[str]) -> None:
    assert [name for name, _, _ in grid(client, kept(tmp_path, SKILLS), only=only)] == tasks


@pytest.mark.parametrize(
    ("rank", "tasks"),
    [("-task", "t4 t3 t2 t1"), ("passed", "t3 t2 t1 t4"), ("-passed", "t1 t2 t3 t4"), ("x", "t1 t2 t3 t4")],
)
def test_tasks_are_sorted(client: Client, tmp_path: Path, rank: str, tasks: str) -> None:
    assert [name for name, _, _ in grid(client, kept(tmp_path, SKILLS), rank=rank)] == tasks.split()


def test_each_cell_opens_its_result(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"a": {"t": "P"}})
    (address,) = re.findall(
        r'class="mark" data-outcome="passed" href="([^"]+)"', page(client, f"/evaluations/{pk}/grid/")
    )
    assert client.get(address).status_code == 200


def test_repeats_are_shown_and_many_are_counted(client: Client, tmp_path: Path) -> None:
    text = page(client, f"/evaluations/{kept(tmp_path, {'a': {'t': 'PFPPPPPP'}})}/grid/")
    assert re.findall(r'title="a: (\w+), repeat (\d)"', text)[:3] == [("passed", "1"), ("failed", "2"), ("passed", "3")]
    assert 'aria-label="a: 7 of 8 passed"' in text
    assert ">+2</a>" in text


def test_a_task_that_a_run_did_not_do_is_a_gap(client: Client, tmp_path: Path) -> None:
    assert grid(client, kept(tmp_path, {"a": {"t": "P"}, "b": {"u": "P"}})) == [
        ("t", "1 of 1", ["passed", "not-run"]),
        ("u", "1 of 1", ["not-run", "passed"]),
    ]


def test_under_a_filter_a_gap_may_be_what_it_leaves_out(client: Client, tmp_path: Path) -> None:
    text = page(client, f"/evaluations/{kept(tmp_path, SKILLS)}/grid/", outcome="passed")
    assert 'title="not run, or left out by the filters"' in text


def test_tasks_can_be_selected_by_name(client: Client, tmp_path: Path) -> None:
    assert [name for name, _, _ in grid(client, kept(tmp_path, SKILLS), select="t[12]", syntax="regexp")] == [
        "t1",
        "t2",
    ]


def test_the_grid_is_paged_by_tasks(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"a": {f"t{number:02d}": "P" for number in range(60)}})
    assert [name for name, _, _ in grid(client, pk, size="25", page="3")] == [f"t{number}" for number in range(50, 60)]


def agreement(client: Client, pk: int, **query: Any) -> list[list[str]]:
    text = page(client, f"/evaluations/{pk}/agreement/", **query)
    lines = re.findall(r'<tr><th scope="row".*?</tr>', text, re.DOTALL)
    return [[MARKUP.sub("", cell) for cell in re.findall(r"<td.*?</td>", line, re.DOTALL)] for line in lines]


def test_agreement_is_the_share_of_common_tasks_with_the_same_outcome(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, SKILLS | {"c": {"t9": "P"}})
    assert agreement(client, pk) == [["—", "33 3", "n/a"], ["33 3", "—", "n/a"], ["n/a", "n/a", "—"]]
    assert 'title="1 of 3 tasks with the same outcome"' in page(client, f"/evaluations/{pk}/agreement/")


def test_who_passed_alone_has_a_direction(client: Client, tmp_path: Path) -> None:
    assert agreement(client, kept(tmp_path, SKILLS), measure="first") == [["—", "33 3"], ["0 3", "—"]]


@pytest.mark.parametrize(("measure", "tasks"), [("same", ["t1"]), ("first", ["t2"])])
def test_a_number_leads_to_the_tasks_behind_it(client: Client, tmp_path: Path, measure: str, tasks: list[str]) -> None:
    pk = kept(tmp_path, SKILLS)
    text = page(client, f"/evaluations/{pk}/agreement/", measure=measure, select="t*")
    address = unescape(re.findall(r'<td class="heat-cell" data-heat="\d"><a href="([^"]+)"', text)[0])
    behind = TASK.findall(page(client, address))
    assert [name for name, _, _ in behind] == tasks
    assert "select=t" in address


def test_pairs_of_repeats_are_said(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"a": {"t": "PF"}, "b": {"t": "PP"}})
    assert "1 of 2 pairs of repeats with the same outcome" in page(client, f"/evaluations/{pk}/agreement/")


def test_one_run_has_nobody_to_agree_with(client: Client, tmp_path: Path) -> None:
    assert "It takes two runs to agree; here is one." in page(
        client, f"/evaluations/{kept(tmp_path, {'a': {'t': 'P'}})}/agreement/"
    )


def test_too_many_runs_are_left_out_with_a_word(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {f"run {number:03d}": {"t": "P"} for number in range(MOST_RUNS + 2)})
    for part in ("grid", "agreement"):
        assert "2 runs beyond these columns are left out." in page(client, f"/evaluations/{pk}/{part}/")


@pytest.mark.parametrize("part", ["grid", "agreement"])
def test_names_are_text(client: Client, tmp_path: Path, part: str) -> None:
    pk = kept(tmp_path, {'<i>"\u202e': {"<u>": "P"}, "b": {"<u>": "FP"}})
    text = page(client, f"/evaluations/{pk}/{part}/")
    assert "<i>" not in text
    assert "<u>" not in text
    assert "U+202E" in text


@pytest.mark.parametrize("part", ["grid", "agreement"])
@pytest.mark.parametrize(
    "query", ["run=nobody", "first=1&second=x", "page=99", "q=exact%3A%22a%22", "select=(&syntax=regexp"]
)
def test_any_address_is_answered(client: Client, tmp_path: Path, part: str, query: str) -> None:
    assert client.get(f"/evaluations/{kept(tmp_path, SKILLS)}/{part}/?{query}").status_code == 200


@pytest.mark.parametrize("part", ["grid", "agreement"])
def test_an_evaluation_that_cannot_be_seen_is_not_found(client: Client, tmp_path: Path, part: str) -> None:
    evaluation = unfinished(an_evaluation(tmp_path))
    for pk in (evaluation.pk, 999_999):
        assert client.get(f"/evaluations/{pk}/{part}/").status_code == 404


@pytest.mark.parametrize("part", ["grid", "agreement"])
def test_a_page_asks_few_questions(
    client: Client, tmp_path: Path, part: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    pk = kept(tmp_path, {name: {f"t{number}": "P" for number in range(60)} for name in "abc"})
    client.get(f"/evaluations/{pk}/{part}/")  # a process reads the names once
    with django_assert_max_num_queries(6):
        client.get(f"/evaluations/{pk}/{part}/")

"""Chips, forms and addresses of the explorer: every name that a file can hold is a filter that works."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from django.test import Client

from tests.documents import result
from tests.frontend.explorer_pages import chips_of, facet_of, form_query, href_of, query_of, row_links_of, tasks_of
from tests.frontend.factories import an_evaluation
from tests.frontend.test_evaluations_pages import page_text

pytestmark = pytest.mark.django_db

NAMES = [
    "a/b",
    "a?b=c",
    "a#b",
    "100%",
    "%2F",
    "a&b;c",
    "a+b",
    "..",
    "with space",
    "任务 一",
    "مهمة",
    "a\x00b",
    "a\u202eb",
    '"quoted"',
    "-dash",
    "\\back",
    "(unspecified)",
    "a..b",
    "a,b",
    "",
]


def test_a_chip_reads_as_a_sentence(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?outcome=passed&outcome=failed&outcome=-error&tag=-x&tag=-y&duration=1s..2s")
    assert chips_of(text) == [
        "outcome passed or failed",
        "outcome not error",
        "tag neither x nor y",
        "model time 1 s to 2 s",
    ]


def test_an_order_that_does_not_exist_is_said(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?sort=-speed")
    assert "sort=-speed was left out: there is no such order. Orders: task, " in text


@pytest.mark.parametrize("sort", ["id", "-task"])
def test_an_order_that_exists_is_no_problem(client: Client, tmp_path: Path, sort: str) -> None:
    an_evaluation(tmp_path)
    assert "was left out" not in page_text(client, f"/results/?sort={sort}")


def test_a_chip_names_its_evaluation(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, name="weekly.json")
    assert chips_of(page_text(client, f"/results/?evaluation={evaluation.pk}")) == [f"evaluation {evaluation.name}"]


def test_a_chip_is_turned_round_and_taken_away(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(0), result(1, Run="other"))
    text = page_text(client, "/results/?run=gpt&sort=task")
    turned = href_of(text, "chip-flip-run")
    assert tasks_of(page_text(client, f"/results/{turned}")) == ["task 1"]
    back = href_of(page_text(client, f"/results/{turned}"), "chip-flip-run-not")
    assert query_of(back) == {"run": ["gpt"], "sort": ["task"]}
    assert query_of(href_of(text, "chip-remove-run")) == {"sort": ["task"]}


def test_clearing_keeps_order_columns_and_size(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?run=gpt&q=blue&tags=all&duration=1..&sort=task&cols=task,run&size=100&page=3")
    assert query_of(href_of(text, "filter-clear")) == {"sort": ["task"], "cols": ["task,run"], "size": ["100"]}


def test_a_form_leads_to_a_tidy_address(client: Client) -> None:
    sent = {"q": "", "duration.from": "0.5", "duration.to": "", "started.from": "2026-05-28", "cost.to": ""}
    response = client.get("/results/", sent)
    assert response.status_code == 302
    assert query_of(response["Location"]) == {"duration": ["500ms.."], "started": ["2026-05-28T00:00:00Z.."]}


def test_htmx_is_told_the_tidy_address_with_the_answer(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    response = client.get("/results/?q=&cols=task&cols=run", headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Push-Url"]) == (200, "/results/?cols=task%2Crun")
    assert "<html" not in response.content.decode()


def test_an_emptied_form_leads_to_the_bare_page(client: Client) -> None:
    assert client.get("/results/?q=&duration.from=")["Location"] == "/results/"


@pytest.mark.parametrize(
    "query",
    [
        "outcome=failed&outcome=-error&run=a%2Fb&q=%22x+y%22&duration=250ms..2s&tool_calls=3..",
        "started=2026-05-28T00:00:00Z..2026-05-28T23:59:59.999999Z",
        "started=2026-05-28T12:30:00Z..",
        "duration=1234567ns..90m&cost=0.000000001..1.50&input_tokens=..9223372036854775807",
        "tag=%28unspecified%29&tag=-%5C-x&tags=all&cols=task%2Crun&size=25&sort=-duration",
        "run=x&run=-x",
        "open=tool&open=task",
    ],
)
def test_the_form_sends_back_the_filter_that_it_shows(client: Client, tmp_path: Path, query: str) -> None:
    an_evaluation(tmp_path)
    sent = urlencode(form_query(page_text(client, f"/results/?{query}")))
    location = client.get(f"/results/?{sent}")["Location"]
    again = page_text(client, location)
    assert chips_of(again) == chips_of(page_text(client, f"/results/?{query}"))
    assert sorted(form_query(again)) == sorted(parse_qsl(sent, keep_blank_values=True))


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_filtered_by_and_left_out(client: Client, tmp_path: Path, name: str) -> None:
    an_evaluation(tmp_path, result(0, Run=name), result(1, Run="plain"))
    text = page_text(client, "/results/")
    boxes = [unescape(value) for value in re.findall(r'name="run" value="([^"]*)"', text)]
    [value] = [value for value in boxes if value != "plain"]
    chosen = page_text(client, f"/results/?{urlencode({'run': value})}")
    assert tasks_of(chosen) == ["task 0"]
    assert tasks_of(page_text(client, f"/results/{href_of(chosen, 'chip-flip-run')}")) == ["task 1"]
    sent = client.get(f"/results/?{urlencode(form_query(chosen))}", follow=True).content.decode()
    assert tasks_of(sent) == ["task 0"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_leads_to_its_result(client: Client, tmp_path: Path, name: str) -> None:
    an_evaluation(tmp_path, result(0, Task=name, Run=name))
    [link] = row_links_of(page_text(client, "/results/?sort=-task"))
    assert client.get(link).status_code == 200


def test_names_that_look_alike_are_different_values(client: Client, tmp_path: Path) -> None:
    names = ["a b", "a-b", "задача 1", "задача 2", "A B"]
    an_evaluation(tmp_path, *(result(number, Task=name) for number, name in enumerate(names)))
    assert sorted(facet_of(page_text(client, "/results/?open=task"), "task")) == sorted((name, 1) for name in names)
    assert tasks_of(page_text(client, "/results/?task=a+b")) == ["a b"]


def test_text_of_files_is_never_markup_in_facets_and_chips(client: Client, tmp_path: Path) -> None:
    text = "</pre><img src=x onerror=alert(1)>"
    an_evaluation(tmp_path, result(Task=text, Run=text, TaskMetadata={"Tags": [text], "Category": text}))
    page = page_text(client, f"/results/?{urlencode({'tag': text, 'run': '-' + text, 'q': text, 'open': text})}")
    assert "<img src=x" not in page
    assert page.count("&lt;img src=x") > 4


def test_an_override_in_a_value_is_named(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(Run="a\u202eb"))
    text = page_text(client, "/results/?run=a%E2%80%AEb")
    assert text.count('a<span class="bidi">U+202E</span>b') == 3  # facet, chip, row


@pytest.mark.parametrize(
    "query",
    [
        "outcome=purple&evaluation=x&duration=long&tool_calls=1..2..3&started=never",
        "started=9999-12-31T23:59:59-12:00..&duration=..99999999999999999999h",
        "evaluation=99999999999999999999",
        "q=%22%22%22+((+-+in:+exact:%22&sort=-&page=-1&size=&cols=,,&more=nothing&open=nothing&find=%00",
        "run=%00&task=%ED%A0%80&q=%00&tags=some&cost=1e999999..",
        "duration.from=1..2&duration.to=%00&unknown.from=1&cols=task&cols=%2C",
    ],
)
def test_an_address_that_makes_no_sense_is_no_error(client: Client, tmp_path: Path, query: str) -> None:
    an_evaluation(tmp_path)
    assert client.get(f"/results/?{query}", follow=True).status_code == 200


def test_what_could_not_be_read_is_said(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?duration=long&tool_calls=1..2..3")
    assert text.count('<div class="callout" data-kind="warning"') == 2

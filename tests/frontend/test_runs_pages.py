"""The list of runs and the page of one."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from results.models.dimensions import Run
from results.models.evaluations import Evaluation
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert("x")</script>\u202e'


def keep(folder: Path, name: str, day: int, *values: dict[str, Any]) -> int:
    rows = (row(number, TraceID=on_day(day, number), **fields) for number, fields in enumerate(values))
    return stored(folder, name, *rows)


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def names(text: str) -> list[str]:
    return [unescape(re.sub(r"<.*?>", "", cell)) for cell in re.findall(r'<th scope="row"><a [^>]*>(.*?)</a>', text)]


def test_no_data_says_how_to_begin(client: Client) -> None:
    assert "Import files" in body(client, "/runs/")


def test_the_best_run_comes_first_and_one_without_a_rate_last(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "bad", "kind": "Failed"}, {"run": "good"}, {"run": "none", "kind": "Skipped"})
    assert names(body(client, "/runs/")) == ["good", "bad", "none"]
    assert names(body(client, "/runs/?sort=pass_rate")) == ["bad", "good", "none"]
    assert names(body(client, "/runs/?sort=run")) == ["bad", "good", "none"]


def test_a_trend_is_said_in_words(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a"})
    keep(tmp_path, "two", 2, {"run": "a", "kind": "Failed"})
    text = body(client, "/runs/")
    assert "pass rate in 2\xa0evaluations, oldest first: 100.0\xa0%, 0.0\xa0%" in text
    assert "100.0\xa0pp" in text


@pytest.mark.parametrize("sort", ["provider", "model", "change", "error_rate", "duration", "cost", "results", "last"])
def test_every_order_works_with_missing_values(client: Client, tmp_path: Path, sort: str) -> None:
    keep(tmp_path, "one", 1, {"run": "a", "model": "m"}, {"run": "b", "DurationNS": None, "kind": "Skipped"})
    assert sorted(names(body(client, f"/runs/?sort=-{sort}"))) == ["a", "b"]


def test_an_unknown_run_is_not_found(client: Client) -> None:
    assert client.get("/runs/5/").status_code == 404


def test_a_pass_costs_the_same_on_every_page(client: Client, tmp_path: Path) -> None:
    def used(tokens: int, prices: dict[str, Any] | None = None, kind: str = "Passed") -> dict[str, Any]:
        usage = {"InputTokens": tokens, "OutputTokens": 0}
        return {"run": "a", "kind": kind, "usage": usage} | ({"RunConfig": {"Pricing": prices}} if prices else {})

    priced = {"Currency": "USD", "InputPerMillion": 10**6, "OutputPerMillion": 0}
    number = keep(tmp_path, "one", 1, used(3, priced), used(4, priced, "Failed"), used(2, priced), used(5))
    pages = (f"/runs/{Run.objects.get().pk}/", "/runs/", "/costs/", f"/evaluations/{number}/", "/")
    told = [re.search(r">\$4\.50<", body(client, address)) is not None for address in pages]  # (3 + 4 + 2) / 2
    assert told == [True] * 5


def test_names_are_text(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": HOSTILE, "provider": HOSTILE, "category": HOSTILE, "model": HOSTILE})
    keep(tmp_path, "two", 2, {"run": HOSTILE, "provider": HOSTILE, "category": HOSTILE, "model": f"{HOSTILE}2"})
    for address in ("/runs/", f"/runs/{Run.objects.get().pk}/"):
        text = body(client, address)
        assert "<script>alert" not in text
        assert "\u202e" not in text


def test_a_run_has_a_chart_with_its_numbers_in_a_table(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a"})
    keep(tmp_path, "two", 2, {"run": "a", "kind": "Failed"})
    text = body(client, f"/runs/{Run.objects.get().pk}/")
    figure = json.loads(re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)[0])
    assert figure["data"][0]["y"] == [1.0, 0.0]
    assert "n 2\xa0counted results in 2\xa0evaluations" in text
    assert "Show as a table" in text


def test_a_run_of_one_evaluation_has_no_chart(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a"})
    text = body(client, f"/runs/{Run.objects.get().pk}/")
    assert "data-chart" not in text
    assert "No other run took part" in text


def test_a_heat_cell_leads_to_its_results(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a", "category": "x"}, {"run": "b", "category": "x", "kind": "Failed"})
    compared = Evaluation.objects.get().pk
    text = body(client, f"/runs/{Run.objects.get(name='a').pk}/")
    heat = text.partition('class="table heat"')[2]
    assert re.findall(r'data-heat="(\d)"', heat) == ["6", "0", "0"]
    shown = f"/results/?evaluation={compared}&amp;outcome=-skipped"
    assert f"{shown}&amp;category=x&amp;provider=openai&amp;run=a" in heat
    assert "+100.0\xa0pp" in heat


def test_a_changed_model_is_told(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a", "model": "old"})
    keep(tmp_path, "two", 2, {"run": "a", "model": "new"})
    text = body(client, f"/runs/{Run.objects.get().pk}/")
    assert "<del>old</del> → <ins>new</ins>" in text


def test_a_filter_without_results_of_the_run_says_so(client: Client, tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, {"run": "a"})
    assert "Nothing matches" in body(client, f"/runs/{Run.objects.get().pk}/?suite=none")


def test_a_run_of_several_projects_names_them_wherever_it_stands(client: Client, tmp_path: Path) -> None:
    stored(tmp_path, "one", row(1, run="a", TraceID=on_day(1)), project="first")
    stored(tmp_path, "two", row(1, run="a", TraceID=on_day(2)), project="second")
    assert "first, second" in body(client, "/runs/")
    assert "first, second" not in body(client, "/runs/?project=first")
    address = f"/runs/{Run.objects.get().pk}/"
    page = client.get(address).context["page"]
    assert [link.label for link in page.projects] == ["first", "second"]
    assert client.get(f"{address}{page.projects[0].href}").context["page"].projects == ()
    assert [cells[0] for cells in page.chart.rows] == ["one, first", "two, second"]

"""The page about money."""

import re
import tomllib
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db
HOSTILE = '"<b>x</b>\\\n\u202e'
FORM_VALUE = re.compile('value="[^"]*"')  # sent back as it is, never shown
PRICING = {"Currency": "USD", "InputPerMillion": 2, "OutputPerMillion": 10}


def paid(number: int, tokens: int = 10**6, currency: str = "USD", **fields: Any) -> dict[str, Any]:
    """A result with a price in its file."""
    details = {"Answer": {"Usage": {"InputTokens": tokens}}}
    config = {"Model": "m", "Pricing": PRICING | {"Currency": currency}}
    return result(number, Details=details, RunConfig=config, **fields)


def text_of(client: Client, query: str = "") -> str:
    response = client.get(f"{reverse('costs')}{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_nothing_stored_leads_to_the_import(client: Client) -> None:
    assert f'href="{reverse("import")}"' in text_of(client).partition("<main")[2]


def test_currencies_stand_beside_each_other_and_lead_to_their_results(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, paid(1), paid(2, Kind="Failed"), paid(3, currency="EUR"), result(4))
    page = client.get(reverse("costs")).context["page"]
    (line,) = page.lines
    for amounts in (page.amounts, line.amounts):
        told = [(one.sum.currency, one.sum.total, one.sum.per_pass, one.share) for one in amounts]
        assert told == [("USD", 4, 4, "100.0"), ("EUR", 2, 2, "100.0")]
        assert [client.get(one.href).context["page"].table.total for one in amounts] == [2, 1]
    text = text_of(client)
    assert text.count("$4.00") >= 2
    assert text.count("2.00\u00a0EUR") >= 2


def test_each_currency_has_a_page_of_its_own(client: Client, tmp_path: Path) -> None:
    an_evaluation(
        tmp_path, paid(1, Run="a"), paid(2, Run="b"), paid(3, Run="b", currency="EUR"), paid(4, currency="EUR")
    )
    page = client.get(reverse("costs")).context["page"]
    assert [link.label for link in page.currencies] == ["All", "EUR", "USD"]
    assert [top.currency for top in page.tops] == ["EUR", "USD"]
    assert len(page.charts) == 2
    only = client.get(f"{reverse('costs')}{page.currencies[1].href}").context["page"]
    assert [one.sum.currency for one in only.amounts] == ["EUR"]
    assert (only.results, [link.label for link in only.currencies]) == (2, ["All", "EUR", "USD"])
    assert [link.is_current for link in only.currencies] == [False, True, False]


def test_a_currency_of_the_table_has_a_page_too(client: Client, tmp_path: Path) -> None:
    used = {"Answer": {"Usage": {"InputTokens": 10**6}}}
    an_evaluation(tmp_path, paid(1, currency="EUR"), result(2, Details=used, RunConfig={"Model": "gpt-5.2"}))
    page = client.get(reverse("costs"), {"currency": "USD"}).context["page"]
    assert [(one.sum.currency, str(one.sum.total)) for one in page.amounts] == [("USD", "1.750000000000000")]
    assert page.results == 1
    assert [client.get(one.href).context["page"].table.total for one in page.amounts] == [1]


def test_every_number_leads_to_exactly_the_results_that_it_counts(client: Client, tmp_path: Path) -> None:
    used = {"Answer": {"Usage": {"InputTokens": 5}}}
    none = {"Answer": {"Usage": {"InputTokens": 0}}}
    an_evaluation(tmp_path, paid(1), paid(2, Kind="Failed"), result(3, Details=used), result(4, Details=none, Run="b"))
    text = text_of(client).partition("<dl")[2]
    links = re.findall(r'<a href="(/results/\?[^"]*)"[^>]*>(\d+)</a>', text)
    shown = [(number, str(client.get(unescape(href)).context["page"].table.total)) for href, number in links]
    # Tiles: 1 unpriced, 1 unused, 2 from files. Runs: priced 2, unpriced 1, results 3; unused 1, results 1. Why: 1.
    assert [number for number, _ in shown] == ["1", "1", "2", "2", "1", "3", "1", "1", "1"]
    assert [pair for pair in shown if pair[0] != pair[1]] == []


def test_everything_unpriced_is_said(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(1), result(2, Kind="Skipped", Details={}))
    text = text_of(client)
    assert "no result has a price" in text
    assert "neither prices nor a model" in text


def test_the_template_of_a_file_of_prices_can_be_read(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(1, Run=HOSTILE), result(2, RunConfig={"Model": HOSTILE}))
    found = tomllib.loads(client.get(reverse("costs")).context["page"].template)
    assert found["models"][0]["run"] == HOSTILE
    assert found["prices"][0]["model"] == HOSTILE


def test_two_priced_runs_make_a_chart(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, paid(1, Run="a"), paid(2, 10**3, Run="b"), result(3, Run="c"))
    (chart,) = client.get(reverse("costs")).context["page"].charts
    assert [row[0] for row in chart.rows] == ["a", "b"]
    assert [row[-1] for row in chart.rows] == ["no", "yes"]
    assert "1\u00a0run without a price in USD left out" in chart.caption


def test_one_priced_run_makes_none(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, paid(1), result(3, Run="c"))
    assert client.get(reverse("costs")).context["page"].charts == ()


@pytest.mark.parametrize("group", ["provider", "run", "model", "suite", "category", "difficulty", "tag", "evaluation"])
def test_every_grouping_leads_to_its_results(client: Client, tmp_path: Path, group: str) -> None:
    an_evaluation(tmp_path, paid(1), paid(2))
    (line,) = client.get(reverse("costs"), {"by": group}).context["page"].lines
    assert client.get(line.href).context["page"].table.total == 2


def test_an_unknown_grouping_is_the_usual_one(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, paid(1))
    assert client.get(reverse("costs"), {"by": "colour"}).context["page"].group == "run"


def test_a_broken_file_of_prices_is_told(client: Client, tmp_path: Path, settings: Settings) -> None:
    settings.PRICES_FILE = str(tmp_path / "none.toml")
    an_evaluation(tmp_path, paid(1))
    assert "The file of prices is not used." in text_of(client)


def test_hostile_names_stay_text(client: Client, tmp_path: Path) -> None:
    rows = [paid(number, Run=f"{HOSTILE}{number}", Task=HOSTILE, currency=HOSTILE) for number in range(2)]
    an_evaluation(tmp_path, *rows, result(3, Run=HOSTILE))
    for group in ("run", "model", "tag"):
        text = text_of(client, f"?by={group}")
        assert "<b>x" not in text
        assert "\u202e" not in FORM_VALUE.sub("", text)
    assert escape("<b>x</b>") in text


def test_the_dearest_cost_something_and_name_their_project_where_there_are_several(
    client: Client, tmp_path: Path
) -> None:
    an_evaluation(tmp_path, paid(1), paid(2, tokens=0), name="one.json", project="first")
    alone = client.get(reverse("costs")).context["page"].tops[0]
    an_evaluation(tmp_path, paid(3, tokens=10), name="two.json", project="second")
    both = client.get(reverse("costs")).context["page"].tops[0]
    assert (alone.has_projects, len(alone.results)) == (False, 1)
    assert (both.has_projects, [line.dear.project for line in both.results]) == (True, ["first", "second"])
    assert "$0.000020" in text_of(client)  # 10 tokens at 2 dollars a million

"""The page about money."""

import re
import tomllib
from html import escape
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


def test_sums_stand_beside_each_other_by_currency(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, paid(1), paid(2), paid(3, currency="EUR"))
    page = client.get(reverse("costs")).context["page"]
    assert [page.main.currency, *(held.currency for held in page.others)] == ["USD", "EUR"]
    assert "$4.00" in text_of(client)
    assert "2.00\u00a0EUR" in text_of(client)


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
    chart = client.get(reverse("costs")).context["page"].chart
    assert [row[0] for row in chart.rows] == ["a", "b"]
    assert [row[-1] for row in chart.rows] == ["no", "yes"]
    assert "1\u00a0run without a price in USD left out" in chart.caption


def test_one_priced_run_makes_none(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, paid(1), result(3, Run="c"))
    assert client.get(reverse("costs")).context["page"].chart is None


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

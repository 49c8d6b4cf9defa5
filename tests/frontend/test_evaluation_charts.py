"""The charts and the heat map of an evaluation, as a browser without scripts gets them."""

import json
import re
from decimal import Decimal
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from results.filters import ResultFilter
from results.queries.run_spreads import run_spreads
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
SECOND = 1_000_000_000


def priced(rate: float, tokens: int, **fields: Any) -> dict[str, Any]:
    pricing = {"Currency": "USD", "InputPerMillion": rate}
    return {"RunConfig": {"Model": "m", "Pricing": pricing}, "usage": {"InputTokens": tokens}} | fields


@pytest.fixture
def evaluation(tmp_path: Path) -> int:
    """A cheap run that passes one of two, and a dear one that passes both; a skipped result beside them."""
    return stored(
        tmp_path,
        "one",
        row(0, run="dear", task="a", category="maths", duration=4 * SECOND, **priced(10, 1_000_000)),
        row(1, run="dear", task="b", category="logic", duration=2 * SECOND, **priced(10, 3_000_000)),
        row(2, run="cheap", task="a", category="maths", kind="Failed", duration=SECOND, **priced(1, 1_000_000)),
        row(3, run="cheap", task="b", category="logic", **priced(1, 1_000_000)),
        row(4, run="cheap", task="c", category="", kind="Skipped"),
    )


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def table(text: str, caption: str) -> list[list[str]]:
    """The rows of the table with a caption, as a reader sees them."""
    lines = re.findall(r"<tr>.*?</tr>", text.partition(f"<caption>{caption}</caption>")[2].partition("</table>")[0])
    cells = (re.findall(r"<t[hd].*?</t[hd]>", line) for line in lines)
    return [[unescape(re.sub(r"<.*?>", "", cell)).replace("\xa0", " ") for cell in line] for line in cells]


def test_every_chart_has_its_numbers_in_a_table(client: Client, evaluation: int) -> None:
    text = body(client, f"/evaluations/{evaluation}/charts/")
    assert table(text, "Outcomes by run")[1:] == [
        ["dear", "2", "0", "0", "0", "100.0 %"],
        ["cheap", "1", "1", "0", "1", "50.0 %"],
    ]
    assert table(text, "Cost against pass rate")[1:] == [
        ["dear", "$20.00", "100.0 %", "34.2–100.0 %", "2", "2", "yes"],
        ["cheap", "$1.00", "50.0 %", "9.5–90.5 %", "2", "2", "yes"],
    ]
    assert table(text, "Model time by run")[1][:4] == ["dear", "2.1 s", "2.5 s", "3.0 s"]
    assert "<details open>" in text
    figures = re.findall(r'<script type="application/json">(.*?)</script>', text)
    assert len(figures) == text.count("data-chart") >= 3
    assert all(json.loads(unescape(figure))["layout"]["height"] for figure in figures)


def test_a_stretch_of_a_bar_leads_to_its_results(client: Client, evaluation: int) -> None:
    text = body(client, f"/evaluations/{evaluation}/charts/")
    (first, *_) = re.findall(r'<script type="application/json">(.*?)</script>', text)
    failed = next(trace for trace in json.loads(unescape(first))["data"] if trace.get("name") == "Failed")
    assert "1\xa0result" in body(client, failed["customdata"][1])


def test_quantiles_are_those_of_known_values(evaluation: int) -> None:
    cheap, dear = run_spreads(visible_evaluations(), ResultFilter())
    assert (dear.run, dear.counted, cheap.counted) == ("dear", 2, 2)
    assert dear.duration is not None
    # Between 2 and 4 s: 2 + 2 · share.
    wanted = [Decimal(share) * 2 + 2 for share in ("0.05", "0.25", "0.5", "0.75", "0.95")]
    assert [value / SECOND for value in dear.duration.quantiles] == wanted


def test_the_heat_map_has_a_rate_for_each_run_and_category(client: Client, evaluation: int) -> None:
    text = body(client, f"/evaluations/{evaluation}/categories/")
    rows = table(text, "Pass rate by run and category")
    assert rows == [
        ["Run", "All", "logic", "maths", "(unspecified)"],
        ["dear", "100.0 2", "100.0 1", "100.0 1", "not run"],
        ["cheap", "50.0 2", "100.0 1", "0.0 1", "n/a"],
        ["All runs", "75.0 4", "100.0 2", "50.0 2", "n/a"],
    ]
    hrefs = [unescape(href) for href in re.findall(r'<td class="heat-cell"[^>]*><a href="([^"]*)"', text)]
    (href,) = [href for href in hrefs if "category=maths" in href and "run=cheap" in href]
    assert "1\xa0result" in body(client, href)


def test_filters_and_selection_narrow_both_down(client: Client, evaluation: int) -> None:
    heat = body(client, f"/evaluations/{evaluation}/categories/?category=maths&by=tag")
    assert table(heat, "Pass rate by run and tag")[-1][:2] == ["All runs", "50.0 2"]
    charts = body(client, f"/evaluations/{evaluation}/charts/?select=b")
    assert table(charts, "Outcomes by run")[1:][0][:2] == ["cheap", "1"]


@pytest.mark.parametrize("part", ["charts", "categories"])
def test_without_results_a_part_says_so(client: Client, evaluation: int, part: str) -> None:
    assert "Nothing matches the filters." in body(client, f"/evaluations/{evaluation}/{part}/?category=nowhere")
    assert client.get(f"/evaluations/999/{part}/").status_code == 404


@pytest.mark.parametrize("part", ["charts", "categories"])
def test_a_part_asks_few_questions(
    client: Client, evaluation: int, part: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(20):
        body(client, f"/evaluations/{evaluation}/{part}/")

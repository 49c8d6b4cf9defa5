"""The leaderboard of an evaluation's page: figures, nesting, order, columns, selection of tasks, links."""

import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from django.test import Client

from tests.documents import result
from tests.frontend.factories import an_evaluation
from tests.results.facts.evaluations import row

pytestmark = pytest.mark.django_db
ROW = re.compile(r'<tr(?: data-group)?><th scope="row" data-depth="(\d)">(.*?)</th>(.*?)</tr>', re.DOTALL)
MARKUP = re.compile(r"<[^>]*>")


def board(client: Client, evaluation_id: int, **query: Any) -> str:
    response = client.get(f"/evaluations/{evaluation_id}/?{urlencode(query, doseq=True)}")
    assert response.status_code == 200
    text = response.content.decode().replace("\N{NO-BREAK SPACE}", " ")
    return text.partition('id="leaderboard"')[2].partition('id="results-table"')[0]


def words(markup: str) -> str:
    return " ".join(unescape(MARKUP.sub(" ", markup)).split())


def rows(text: str) -> list[tuple[int, str, str]]:
    """Depth, name and figures of each row."""
    return [(int(depth), words(name), words(cells)) for depth, name, cells in ROW.findall(text)]


def kept(folder: Path, *fields: dict[str, Any]) -> int:
    return an_evaluation(folder, *(row(number, **values) for number, values in enumerate(fields))).pk


def test_runs_are_ranked_by_their_pass_rate(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"run": "low", "kind": "Failed"}, {"run": "high"}, {"run": "none", "kind": "Skipped"})
    found = rows(board(client, pk, show=["pass_rate", "passed", "skipped"]))
    assert found == [
        (0, "high", "openai 100.0 % n 1 1 0"),
        (0, "low", "openai 0.0 % n 1 0 0"),
        (0, "none", "openai n/a n 0 0 1"),
    ]


@pytest.mark.parametrize(
    ("rank", "first"), [("duration_median", "a"), ("-duration_median", "b"), ("-name", "b"), ("nonsense", "a")]
)
def test_any_column_sorts(client: Client, tmp_path: Path, rank: str, first: str) -> None:
    pk = kept(tmp_path, {"run": "a", "duration": 1}, {"run": "b", "duration": 2})
    assert rows(board(client, pk, rank=rank))[0][1] == first


def test_what_is_unknown_comes_last_both_ways(client: Client, tmp_path: Path) -> None:
    pk = kept(
        tmp_path, {"run": "a"}, {"run": "b", "usage": {"InputTokens": 1}}, {"run": "c", "usage": {"InputTokens": 2}}
    )
    found = [[name for _, name, _ in rows(board(client, pk, rank=rank))] for rank in ("input_tokens", "-input_tokens")]
    assert found == [["b", "c", "a"], ["c", "b", "a"]]


def test_groups_nest_and_blank_ones_are_named(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"category": "x", "run": "a"}, {"category": "x", "run": "b", "kind": "Failed"}, {"run": "a"})
    found = rows(board(client, pk, by=["category", "run"], show="passed"))
    assert found == [
        (0, "(unspecified)", "1"),
        (1, "a", "openai 1"),
        (0, "x", "1"),
        (1, "a", "openai 1"),
        (1, "b", "openai 0"),
    ]


def test_a_sum_says_how_many_values_are_unknown(client: Client, tmp_path: Path) -> None:
    pk = kept(
        tmp_path,
        {"run": "a", "usage": {"InputTokens": 2**63 - 1}},
        {"run": "a", "usage": {"InputTokens": 1}},
        {"run": "a"},
    )
    found = rows(board(client, pk, show=["input_tokens", "output_tokens", "cost"]))
    assert found[0][2] == "openai 9,223,372,036,854,775,808 · 1 unknown unknown unpriced"


def test_the_last_line_is_about_everything(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"run": "a", "duration": 1_000_000_000}, {"run": "b", "duration": 3_000_000_000})
    text = board(client, pk, show=["duration", "duration_median", "duration_deviation"])
    assert words(text.partition("<tfoot>")[2].partition("</tfoot>")[0]) == "All 4.0 s 2.0 s 1.0 s"


def linked(text: str, inner: str) -> list[tuple[str, str]]:
    """The query of the link around a text."""
    hrefs = re.findall(rf'<a href="([^"]*)"[^>]*>{re.escape(inner)}</a>', text)
    assert hrefs, inner
    assert urlsplit(unescape(hrefs[0])).path == "/results/"
    return parse_qsl(urlsplit(unescape(hrefs[0])).query)


def test_a_number_leads_to_its_results(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, *({"run": "-a&b", "provider": "p"} for _ in range(7)), {"run": "c", "kind": "Failed"})
    text = board(client, pk, show="passed")
    assert linked(text, "7") == [("evaluation", str(pk)), ("provider", "p"), ("run", "\\-a&b"), ("outcome", "passed")]
    response = client.get("/results/", dict(linked(text, "7")))
    assert "<strong>7 results</strong>" in response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def test_a_blank_groups_number_leads_to_its_results(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, *({} for _ in range(3)), {"suite": "s"})
    text = board(client, pk, by="suite", show="passed")
    assert linked(text, "3") == [("evaluation", str(pk)), ("suite", "(unspecified)"), ("outcome", "passed")]


def test_the_figures_are_under_the_filters_of_the_page(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"run": "a", "category": "x"}, {"run": "a", "category": "y"}, {"run": "b", "category": "y"})
    text = board(client, pk, category="x", show="passed")
    assert rows(text) == [(0, "a", "openai 1")]
    assert "Only results with category x" in words(text)
    assert ("category", "x") in linked(text, "1")


def test_a_filter_by_tags_that_a_link_cannot_say_makes_no_link(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"tags": ["x", "y"]})
    text = board(client, pk, by="tag", tag="x", show="passed")
    assert [name for _, name, _ in rows(text)] == ["x", "y"]
    assert text.count('<td class="num"><a href="/results/') == 2  # of x, and of everything


def test_a_selection_of_tasks_has_a_table_and_the_remaining_ones_another(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"task": "visual1"}, {"task": "visual2", "kind": "Failed"}, {"task": "chess"})
    text = board(client, pk, select="VISUAL*", show="passed")
    selected, _, remaining = text.partition("Remaining tasks")
    assert "2 selected, 1 remaining" in words(text)
    assert [rows(part)[0][2] for part in (selected, remaining)] == ["openai 1", "openai 1"]
    assert [value for key, value in linked(selected, "1") if key == "task"] == ["visual1", "visual2"]
    assert [value for key, value in linked(remaining, "1") if key == "task"] == ["chess"]


def test_a_selection_that_meets_nothing_says_so(client: Client, tmp_path: Path) -> None:
    text = board(client, kept(tmp_path, {"task": "a"}), select="z")
    assert "No task is among the selected tasks." in words(text)


@pytest.mark.parametrize("pattern", ["(", "<b>(", "(?=a)"])
def test_a_pattern_that_cannot_be_used_shows_everything(client: Client, tmp_path: Path, pattern: str) -> None:
    pk = kept(tmp_path, {"run": "a"})
    text = board(client, pk, select=pattern, syntax="regexp")
    assert "All tasks are shown." in text
    assert "<b>(" not in text
    assert [name for _, name, _ in rows(text)] == ["a"]


def test_forms_carry_the_rest_of_the_address(client: Client, tmp_path: Path) -> None:
    text = board(client, kept(tmp_path, {}), by="suite", rank="-passed", category="(unspecified)")
    for hidden in ('name="by" value="suite"', 'name="rank" value="-passed"', 'name="category" value="(unspecified)"'):
        assert text.count(f'<input type="hidden" {hidden}>') == 2  # of the columns and of the selector


def test_names_are_text(client: Client, tmp_path: Path) -> None:
    text = board(client, kept(tmp_path, {"run": "<i>\u202e", "provider": "<u>"}))
    assert "<i>" not in text
    assert "<u>" not in text
    assert "U+202E" in text


def test_an_evaluation_without_results_says_so(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {})
    assert "Nothing matches the filters." in board(client, pk, run="z")


def test_everything_skipped_has_no_rate_and_no_time(client: Client, tmp_path: Path) -> None:
    pk = kept(tmp_path, {"kind": "Skipped"})
    assert rows(board(client, pk, show=["pass_rate", "error_rate", "duration"]))[0][2] == "openai n/a n 0 n/a n/a"


def test_htmx_gets_the_leaderboard_with_the_results(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(1))
    part = client.get(f"/evaluations/{evaluation.pk}/?outcome=passed", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert 'id="leaderboard" aria-label="Leaderboard" hx-swap-oob="true"' in part
    assert 'id="results-table"' in part


def test_the_tabs_carry_the_filter_along(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(1))
    address = f"/evaluations/{evaluation.pk}"
    text = client.get(f"{address}/?category=colours&select=task*&rank=name").content.decode()
    assert f'href="{address}/grid/?category=colours&amp;select=task{quote("*")}"' in text
    assert f'href="{address}/agreement/?category=colours&amp;select=task{quote("*")}"' in text

"""The explorer: facets, columns, sizes and rows hold the whole state of the page in its address."""

import re
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from results.text.index import forget
from tests.documents import START_MS, result, trace_id
from tests.frontend.explorer_pages import chips_of, facet_of, href_of, query_of, row_links_of, tasks_of
from tests.frontend.factories import an_evaluation
from tests.frontend.test_evaluations_pages import page_text

WITHOUT_ORDER = {"answer", "corrected", "reason", "labels", "comments"}
pytestmark = pytest.mark.django_db

EXPLORER_QUERIES = 9  # visible set, jobs, manifest, names of evaluations for rows and facets; none per row or facet


def test_a_facet_counts_under_the_other_filters(client: Client, tmp_path: Path) -> None:
    rows = [result(0), result(1, Kind="Failed"), result(2, Kind="Failed", Run="other")]
    an_evaluation(tmp_path, *rows)
    text = page_text(client, "/results/?outcome=failed&run=other")
    assert facet_of(text, "outcome") == [("Passed", 0), ("Failed", 1), ("Error", 0), ("Skipped", 0)]
    assert facet_of(text, "run") == [("gpt", 1), ("other", 1)]


def test_a_facet_shows_the_most_frequent_first_and_leads_to_the_rest(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number, Run=f"run {max(number, 4)}") for number in range(14)))
    text = page_text(client, "/results/")
    assert facet_of(text, "run")[0] == ("run 4", 5)
    assert len(facet_of(text, "run")) == 8
    assert ">2 more</a>" in text
    assert len(facet_of(page_text(client, f"/results/{href_of(text, 'more-run')}"), "run")) == 10


def test_a_long_facet_is_searched(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number, Run=f"Run {number:02}") for number in range(12)))
    text = page_text(client, "/results/?more=run&find=run+1")
    assert facet_of(text, "run") == [("Run 10", 1), ("Run 11", 1)]


def test_a_chosen_value_is_always_listed(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number, Run=f"Run {number:02}") for number in range(12)))
    assert ("Run 11", 1) in facet_of(page_text(client, "/results/?run=Run+11"), "run")


def test_a_folded_facet_is_opened_by_a_link(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/")
    assert 'data-facet="task"' not in text
    opened = page_text(client, f"/results/{href_of(text, 'fold-task')}")
    assert facet_of(opened, "task") == [("task 0", 1)]
    assert href_of(opened, "fold-task") == "?"


def test_tags_are_wanted_all_or_any(client: Client, tmp_path: Path) -> None:
    rows = [result(number, TaskMetadata={"Tags": tags}) for number, tags in enumerate((["a"], ["a", "b"], ["b"]))]
    an_evaluation(tmp_path, *rows)
    text = page_text(client, "/results/?tag=a&tag=b")
    assert len(tasks_of(text)) == 3
    every = page_text(client, f"/results/{href_of(text, 'mode-all')}")
    assert tasks_of(every) == ["task 1"]
    assert chips_of(every) == ["tag a and b"]


def test_only_skipped_results_are_counted_as_such(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(0, Kind="Skipped"), result(1, Kind="Skipped"))
    text = page_text(client, "/results/")
    assert facet_of(text, "outcome") == [("Passed", 0), ("Failed", 0), ("Error", 0), ("Skipped", 2)]
    assert '<span class="muted">2 skipped</span>' in text


def test_the_page_shows_exactly_the_matching_rows_in_order(client: Client, tmp_path: Path) -> None:
    rows = []
    for number in range(150):
        usage = {"InputTokens": (number * 7) % 150, "OutputTokens": 1}
        answer = {"Usage": usage, "Explanation": ["needle" if number % 5 else "hay"]}
        rows.append(result(number, Details={"Answer": answer}))
    an_evaluation(tmp_path, *rows)
    address = "/results/?q=needle&sort=-input_tokens&cols=task,input_tokens,category&size=200"
    text = page_text(client, address)
    wanted = sorted((number for number in range(150) if number % 5), key=lambda number: -((number * 7) % 150))
    assert tasks_of(text) == [f"task {number}" for number in wanted]
    assert len(wanted) == 120
    assert re.findall(r'id="sort-(\w+)"', text) == ["task", "input_tokens", "category"]


def test_columns_are_chosen_and_ordered(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?cols=task,suite,run,nothing,run")
    assert re.findall(r'id="sort-(\w+)"', text) == ["task", "suite", "run"]
    moved = href_of(text, "down-suite")
    assert query_of(moved) == {"cols": ["task,run,suite"]}
    assert query_of(href_of(text, "columns-reset")) == {}


def test_every_column_can_be_shown_and_sorted(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/")
    keys = re.findall(r'name="cols" value="(\w+)"', text)
    sortable = [key for key in keys if key not in WITHOUT_ORDER]
    shown = page_text(client, f"/results/?cols={','.join(keys)}&sort=-{sortable[-1]}")
    assert re.findall(r'id="sort-(\w+)"', shown) == sortable
    cells = re.findall(r"<t[dh]\b", shown.partition("<tbody")[2].partition("</tr>")[0])
    assert len(cells) == len(keys)
    assert 'aria-sort="descending"' in shown


def test_a_page_has_the_size_that_is_asked_for(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, *(result(number) for number in range(60)))
    text = page_text(client, "/results/?page=2&run=gpt")
    larger = href_of(text, "size-100")
    assert query_of(larger) == {"run": ["gpt"], "size": ["100"]}
    assert len(tasks_of(page_text(client, f"/results/{larger}"))) == 60


@pytest.mark.parametrize("size", ["0", "-1", "7", "1e9", "99999999999999999999", "x"])
def test_a_size_that_is_not_offered_is_the_usual_one(client: Client, tmp_path: Path, size: str) -> None:
    an_evaluation(tmp_path, *(result(number) for number in range(60)))
    assert len(tasks_of(page_text(client, f"/results/?size={size}"))) == 50


def test_a_row_carries_the_list_it_is_in(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(0), result(1))
    asked = f"evaluation={evaluation.pk}&run=gpt&run=-x&cols=task,run&sort=-task&open=tool&more=run"
    text = page_text(client, f"/results/?{asked}")
    [link, _] = row_links_of(text)
    assert query_of(link) == {
        "evaluation": [str(evaluation.pk)],
        "run": ["gpt", "-x"],
        "sort": ["-task"],
        "cols": ["task,run"],
    }


def test_a_row_of_an_evaluation_without_a_filter_needs_no_query(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    assert f'href="/results/{evaluation.result_id(0)}/"' in page_text(client, f"/evaluations/{evaluation.pk}/")


def test_an_evaluations_page_keeps_to_its_evaluation(client: Client, tmp_path: Path) -> None:
    first = an_evaluation(tmp_path, result(0, Run="mine"), name="a.json")
    an_evaluation(tmp_path, result(1, Run="theirs"), name="b.json")
    text = page_text(client, f"/evaluations/{first.pk}/?run=mine")
    assert facet_of(text, "run") == [("mine", 1)]
    assert 'data-facet="evaluation"' not in text
    [link] = row_links_of(text)
    assert query_of(link)["evaluation"] == [str(first.pk)]


def test_nothing_matches_offers_to_take_each_filter_away(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/results/?outcome=failed&q=blue")
    assert "Nothing matches" in text
    for words in (">Without outcome<", ">Without text<", ">Clear all<"):
        assert words in text


def test_nothing_imported_leads_to_the_import(client: Client) -> None:
    text = page_text(client, "/results/")
    assert "No results" in text
    assert 'href="/import/"' in text.partition("<main")[2]


def test_a_search_says_what_it_cannot_find_yet(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    forget(evaluation.pk)
    assert "is still being read" in page_text(client, "/results/?q=blue")
    assert "is still being read" not in page_text(client, "/results/")


def test_a_scan_of_too_many_results_is_refused_in_words(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_evaluation(tmp_path, result(0), result(1))
    monkeypatch.setattr("results.text.search.MAX_SCANNED", 1)
    response = client.get('/results/?q=exact:"blue"')
    assert response.status_code == 200
    assert 'class="callout"' in response.content.decode()


def test_the_explorer_asks_few_questions(
    client: Client, tmp_path: Path, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        rows = (result(100 * number + place, TraceID=trace_id(place, START_MS + number)) for place in range(15))
        an_evaluation(tmp_path, *rows, name=f"{number}.json")
    everything = "&".join(f"open={name}" for name in ("model", "suite", "task", "tool"))
    for address in ("/results/", f"/results/?{everything}&run=gpt&q=blue&size=200"):
        client.get(address)  # a process reads the names once
        with django_assert_max_num_queries(EXPLORER_QUERIES):
            client.get(address)


def test_a_result_without_prices_has_no_cost_and_says_why(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    cell = '<td class="num" title="The file holds no prices for this run."><span class="missing">unpriced</span></td>'
    assert cell in page_text(client, "/results/?cols=task,cost")

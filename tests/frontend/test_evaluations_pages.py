"""The list of evaluations and the page of one."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.documents import result
from tests.frontend.factories import an_evaluation, first_result_id, unfinished

pytestmark = pytest.mark.django_db

LIST_QUERIES = 7  # jobs for the top bar; the visible set; sums; rows; their labels; two for the values to choose from


def page_text(client: Client, address: str) -> str:
    """A page that answers 200, with non-breaking spaces as plain ones."""
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def test_an_empty_list_says_how_to_import(client: Client) -> None:
    assert "manage.py import_results FILE" in page_text(client, "/evaluations/")


def test_an_evaluation_shows_its_counts_and_its_rate(client: Client, tmp_path: Path) -> None:
    kinds = ["Passed", "Passed", "Passed", "Failed", "Error", "Skipped"]
    an_evaluation(tmp_path, *(result(number, Kind=kind) for number, kind in enumerate(kinds)))
    text = page_text(client, "/evaluations/")
    assert "3 passed, 1 failed, 1 error, 1 skipped" in text
    assert "60.0 %, n 5, 95 % interval 23.1–88.2 %" in text


def test_a_rate_without_a_denominator_is_not_zero(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(Kind="Skipped"))
    text = page_text(client, "/evaluations/")
    assert '<span class="missing">n/a</span>' in text
    assert "0.0 %" not in text


def test_only_errors_have_no_accuracy(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(Kind="Error"))
    text = page_text(client, f"/evaluations/{evaluation.pk}/")
    assert text.count('<dd class="stat-value"><span class="missing">n/a</span></dd>') == 1
    assert re.search(r'<dd class="stat-value"><a [^>]*outcome=error[^>]*>100.0 %</a></dd>', text)


def test_a_start_time_says_its_zone_and_source(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/evaluations/")
    assert 'title="28 May 2026, 20:26:40 UTC, from the trace id">28 May 2026</time>' in text


def test_a_zone_that_we_assumed_is_said(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(TraceID="trace-1"), CreatedAt="2025-06-01T12:00:00")
    assert "zone assumed" in page_text(client, "/evaluations/")


def test_an_import_in_progress_is_invisible(client: Client, tmp_path: Path) -> None:
    evaluation = unfinished(an_evaluation(tmp_path))
    assert "No evaluations yet" in page_text(client, "/evaluations/")
    assert client.get(f"/evaluations/{evaluation.pk}/").status_code == 404
    assert client.get(f"/results/{first_result_id(evaluation)}/").status_code == 404
    assert "No results" in page_text(client, "/results/")


def test_a_search_that_finds_nothing_names_itself(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    text = page_text(client, "/evaluations/?q=<zebra>")
    assert "Nothing matches" in text
    assert "<b>&lt;zebra&gt;</b>" in text


def test_a_search_finds_a_file_name(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, name="monday.json")
    an_evaluation(tmp_path, result(1), name="tuesday.json")
    text = page_text(client, "/evaluations/?q=TUESDAY")
    assert "tuesday.json" in text
    assert "monday.json" not in text


def test_a_project_can_be_chosen(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, name="monday.json", project="alpha")
    an_evaluation(tmp_path, result(1), name="tuesday.json", project="beta")
    text = page_text(client, "/evaluations/?project=alpha")
    assert '<input type="checkbox" name="project" value="alpha" checked>' in text
    assert "tuesday.json" not in text


@pytest.mark.parametrize(("sort", "first"), [("source", "a.json"), ("-source", "b.json"), ("-failed", "b.json")])
def test_the_list_sorts_by_any_column(client: Client, tmp_path: Path, sort: str, first: str) -> None:
    an_evaluation(tmp_path, name="a.json")
    an_evaluation(tmp_path, result(1, Kind="Failed"), name="b.json")
    text = page_text(client, f"/evaluations/?sort={sort}").partition("<tbody")[2]
    assert text.index(first) == min(text.index("a.json"), text.index("b.json"))


def test_the_list_asks_few_questions(
    client: Client, tmp_path: Path, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        an_evaluation(tmp_path, result(number), name=f"{number}.json")
    client.get("/evaluations/")  # what evaluations cost is added up once
    with django_assert_num_queries(LIST_QUERIES):
        client.get("/evaluations/")
    with django_assert_num_queries(LIST_QUERIES):
        client.get("/evaluations/?q=json&days=30000")


def test_what_the_import_found_odd_can_be_unfolded(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    evaluation.warnings = [{"path": "Results.openai[0].DurationNS", "message": "is <negative>"}]
    evaluation.save()
    text = page_text(client, f"/evaluations/{evaluation.pk}/")
    assert "Import warnings" in text
    assert "is &lt;negative&gt;" in text


def test_an_evaluation_says_where_it_comes_from(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path)
    text = page_text(client, f"/evaluations/{evaluation.pk}/")
    for fact in (
        evaluation.digest,
        "MindTrial",
        "v0.22.0",
        "29 May 2026, 07:00 UTC",
        "Fri, 29 May 2026 09:00:00 +0200",
    ):
        assert fact in text


@pytest.mark.parametrize("address", ["/evaluations/1/", "/evaluations/999999999999999999999999/", "/evaluations/x/"])
def test_an_evaluation_that_does_not_exist_is_not_found(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert "Go to the evaluations" in response.content.decode()


def test_a_part_is_sent_to_htmx_and_a_page_to_a_browser(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    part = client.get("/evaluations/", headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert 'id="evaluations-table"' in part.content.decode()
    assert "HX-Request" in part.headers["Vary"]


def test_going_back_gets_the_whole_page(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in client.get("/evaluations/", headers=headers).content.decode()


def test_a_search_without_sense_is_harmless(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    assert "Nothing matches" in page_text(client, f"/evaluations/?q={quote(chr(0) + '%_')}&page=x&sort=y")

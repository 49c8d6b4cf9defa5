"""Saved reports in the browser: made, read, changed, taken away, shared, deleted."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from results.models.evaluations import Evaluation
from results.models.reports import Report, ReportLink
from results.store.deletion import hide, remove
from tests.documents import result
from tests.frontend.factories import an_evaluation
from tests.report_files import report_rows
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db
HOSTILE = "</title><script>alert(1)</script>\u202e"


@pytest.fixture
def evaluation(tmp_path: Path) -> Evaluation:
    rows = [result(number, Kind="Failed" if number else "Passed", TraceID=on_day(0, number)) for number in range(4)]
    return an_evaluation(tmp_path, *rows, name="week.json")


def page(address: str, status: int = 200) -> str:
    response = Client().get(address)
    assert response.status_code == status, address
    return unescape(re.sub(r"\s+", " ", response.content.decode()))


def body(address: str) -> bytes:
    response: Any = Client().get(address)
    assert response.status_code == 200, address
    return b"".join(response.streaming_content)


def saved(**fields: Any) -> Report:
    """A report saved by the form."""
    response = Client().post("/reports/new/", {"title": "Review", "charts": "chosen", **fields})
    assert response.status_code == 302
    return Report.objects.latest("pk")


def test_a_report_is_saved_and_shows_its_numbers_of_today(evaluation: Evaluation) -> None:
    report = saved(evaluation=[evaluation.pk], notes=HOSTILE, chart="outcomes")
    text = Client().get(f"/reports/{report.pk}/").content.decode()
    assert "25.0\N{NO-BREAK SPACE}%" in text
    assert f'href="/results/?evaluation={evaluation.pk}&amp;outcome=failed"' not in text  # a run's counts name the run
    assert f"/results/?evaluation={evaluation.pk}&amp;provider=openai&amp;run=gpt&amp;outcome=failed" in text
    assert "<script>alert" not in text
    assert "\\u202e" in text
    assert 'aria-current="page">Reports</a>' in text
    assert "Review" in page("/reports/")


def test_the_list_costs_the_same_number_of_queries_at_any_length(
    evaluation: Evaluation, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(3):
        saved(evaluation=[evaluation.pk])
    with django_assert_num_queries(3):  # unfinished jobs, visible evaluations, reports
        assert page("/reports/").count('<th scope="row">') == 3


def test_a_form_without_a_title_says_so_and_keeps_what_was_typed(evaluation: Evaluation) -> None:
    response = Client().post("/reports/new/", {"title": " ", "notes": "kept words", "evaluation": [evaluation.pk]})
    assert response.status_code == 422
    text = response.content.decode()
    assert "A report needs a title." in text
    assert "kept words" in text
    assert re.search(rf'name="evaluation" value="{evaluation.pk}" checked', text)


def test_a_filter_that_cannot_be_read_is_refused(evaluation: Evaluation) -> None:
    response = Client().post("/reports/new/", {"title": "a", "filter": "outcome=nonsense"})
    assert response.status_code == 422
    assert "outcome=nonsense is not one of" in response.content.decode()


def test_the_form_shows_the_runs_of_ticked_evaluations_without_saving(evaluation: Evaluation) -> None:
    response = Client().post("/reports/new/", {"title": "", "evaluation": [evaluation.pk], "update": "yes"})
    assert response.status_code == 200
    assert 'name="run" value="gpt"' in response.content.decode()
    assert not Report.objects.exists()


def test_tables_and_comparisons_begin_a_report_with_what_they_show(evaluation: Evaluation, tmp_path: Path) -> None:
    other = an_evaluation(tmp_path, result(0, TraceID=on_day(7)), name="next.json")
    explorer = page("/results/?outcome=failed&sort=-duration")
    (start,) = re.findall(r'href="(/reports/new/\?[^"]*)"', explorer)
    form = page(start)
    assert 'name="filter" value="outcome=failed"' in form
    assert 'name="sort" value="-duration"' in form
    comparison = page(f"/compare/?evaluation={evaluation.pk}&evaluation={other.pk}")
    start = re.findall(r'href="(/reports/new/\?[^"]*)"', comparison)[0]
    form = page(start)
    run = re.findall(r'<option value="(\d+:\d+)" selected>', form)[0]
    assert run.startswith(f"{evaluation.pk}:")
    assert len(re.findall(r'name="evaluation" value="\d+" checked', form)) == 2
    assert 'name="run" value="gpt" checked' in form


def test_a_comparison_is_taken_away_without_saving_it(evaluation: Evaluation, tmp_path: Path) -> None:
    other = an_evaluation(tmp_path, result(0, Kind="Failed", TraceID=on_day(7)), name="next.json")
    text = body(f"/reports/new/export.html?evaluation={other.pk}&baseline={evaluation.pk}&title=Now").decode()
    assert "Against the baseline" in text
    assert "Regressed tasks" in text
    assert "<title>Now · Evalboard</title>" in text


def test_a_report_and_its_rows_are_taken_away(evaluation: Evaluation) -> None:
    report = saved(evaluation=[evaluation.pk], filter="outcome=failed", sort="-task", cols="task,outcome")
    wanted = ["task 3", "task 2", "task 1"]
    assert [row["task"] for row in report_rows(body(f"/reports/{report.pk}/export.html"))] == wanted
    lines = body(f"/reports/{report.pk}/export.csv").decode().splitlines()
    assert [line.split(",")[1] for line in lines] == ["task", *wanted]
    assert body(f"/reports/{report.pk}/export.markdown").startswith(b"# Review\n")
    assert Client().get(f"/reports/{report.pk}/export.nonsense").status_code == 404


def test_a_report_is_edited_in_place(evaluation: Evaluation) -> None:
    report = saved(evaluation=[evaluation.pk], filter="outcome=failed", baseline=str(evaluation.pk))
    form = page(f"/reports/{report.pk}/edit/")
    assert f'<option value="{evaluation.pk}" selected>' in form
    assert 'name="filter" value="outcome=failed"' in form
    response = Client().post(f"/reports/{report.pk}/edit/", {"title": "Other", "charts": "chosen"})
    assert response.headers["Location"] == f"/reports/{report.pk}/"
    assert "Other" in page(f"/reports/{report.pk}/")


def test_a_deleted_evaluation_is_told_on_the_page_and_in_the_file(evaluation: Evaluation) -> None:
    report = saved(evaluation=[evaluation.pk])
    hide(evaluation.pk)
    remove(evaluation.pk)
    sentence = "The evaluation week was deleted, or may not be seen"
    assert sentence in page(f"/reports/{report.pk}/")
    assert sentence in body(f"/reports/{report.pk}/export.html").decode()
    assert report_rows(body(f"/reports/{report.pk}/export.html")) == []


def test_a_report_is_deleted_after_a_question(evaluation: Evaluation) -> None:
    report = saved()
    assert "Delete this report?" in page(f"/reports/{report.pk}/delete/")
    assert Client().post(f"/reports/{report.pk}/delete/").headers["Location"] == "/reports/"
    page(f"/reports/{report.pk}/", 404)


def shared(report: Report) -> str:
    """The address of a new link."""
    text = Client().post(f"/reports/{report.pk}/share/", {"days": "7"}).content.decode()
    (address,) = re.findall(r'value="http://testserver(/shared/[\w-]+/)"', text)
    return str(address)


def test_whoever_has_a_link_reads_the_report_and_nothing_else(evaluation: Evaluation, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(9, TraceID=on_day(9)), name="other.json")
    address = shared(saved(evaluation=[evaluation.pk], notes="what we found"))
    response: Any = Client().get(address)
    text = b"".join(response.streaming_content)
    assert len(report_rows(text)) == 4
    assert b"what we found" in text
    assert re.findall(rb'(?:href|src|action)="[^#"]', text) == []
    headers = response.headers
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in headers["X-Robots-Tag"]
    assert headers["Cache-Control"] == "private, no-store"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert not response.cookies


def test_a_link_is_shown_once_and_listed_with_its_use(evaluation: Evaluation) -> None:
    report = saved(evaluation=[evaluation.pk])
    address = shared(report)
    before = page(f"/reports/{report.pk}/")
    assert address not in before
    assert "never" in before
    body(address)
    assert ReportLink.objects.get().uses == 1


def test_links_that_do_not_open_answer_with_one_plain_page(evaluation: Evaluation) -> None:
    report = saved(evaluation=[evaluation.pk])
    revoked, expired = shared(report), shared(report)
    newest = ReportLink.objects.latest("pk")
    ReportLink.objects.filter(pk=newest.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    Client().post(f"/reports/{report.pk}/share/{newest.pk - 1}/revoke/")
    assert "This link was revoked" in page(revoked, 410)
    assert "This link has expired" in page(expired, 410)
    text = page("/shared/made-up/", 404)
    assert "There is no report at this address" in text
    assert "<nav" not in text
    assert Client().get(expired).headers["Referrer-Policy"] == "no-referrer"


def test_a_link_of_this_machine_says_that_it_works_here_only(evaluation: Evaluation) -> None:
    report = saved()
    text = Client().get(f"/reports/{report.pk}/", headers={"host": "localhost"}).content.decode()
    assert "works on this machine only" in text
    assert "works on this machine only" not in page(f"/reports/{report.pk}/")

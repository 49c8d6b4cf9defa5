"""The merge page: what would be replaced, in which order, and what comes of it."""

from pathlib import Path

import pytest
from django.test import Client

from results.merging import run_merge
from results.models.evaluations import Evaluation
from results.models.jobs import Job, JobKind
from tests.frontend.factories import an_evaluation
from tests.results.facts.evaluations import row

pytestmark = pytest.mark.django_db


def sources(folder: Path) -> tuple[Evaluation, Evaluation]:
    first = an_evaluation(folder, row(1, task="a"), row(2, task="b"), name="first.json")
    second = an_evaluation(folder, row(11, task="b", kind="Failed"), row(12, task="c"), name="second.json")
    return first, second


def text_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_without_a_choice_the_evaluations_are_offered(client: Client, tmp_path: Path) -> None:
    first, second = sources(tmp_path)
    page = text_of(client, "/merge/")
    for evaluation in (first, second):
        assert f'name="evaluation" value="{evaluation.pk}"' in page


def test_without_any_evaluation_it_says_what_comes_first(client: Client) -> None:
    assert "Nothing to merge yet" in text_of(client, "/merge/")


def test_the_preview_says_what_would_be_replaced(client: Client, tmp_path: Path) -> None:
    first, second = sources(tmp_path)
    page = text_of(client, f"/merge/?evaluation={first.pk}&evaluation={second.pk}").replace("\N{NO-BREAK SPACE}", " ")
    assert "Merge into 3 results" in page
    assert f'href="/results/{first.result_id(1)}/"' in page
    assert f'href="/results/{second.result_id(0)}/"' in page
    assert not Job.objects.filter(kind=JobKind.MERGE).exists()


def test_evaluations_are_put_in_the_order_of_time_unless_the_order_is_given(client: Client, tmp_path: Path) -> None:
    first, second = sources(tmp_path)
    Evaluation.objects.filter(pk=first.pk).update(started_at="2030-01-01T00:00:00Z")
    by_time = text_of(client, f"/merge/?evaluation={first.pk},{second.pk}&order=age")
    as_given = text_of(client, f"/merge/?evaluation={first.pk},{second.pk}")
    assert f'name="evaluation" value="{second.pk},{first.pk}"' in by_time
    assert f'name="evaluation" value="{first.pk},{second.pk}"' in as_given


def test_a_merge_is_queued_and_its_evaluation_is_linked_both_ways(client: Client, tmp_path: Path) -> None:
    first, second = sources(tmp_path)
    response = client.post("/merge/", {"evaluation": f"{first.pk},{second.pk}", "name": "both"})
    job = Job.objects.get(kind=JobKind.MERGE)
    assert response.headers["Location"] == f"/jobs/{job.pk}/"
    assert "Merge" in text_of(client, f"/jobs/{job.pk}/")
    run_merge(job.pk)
    merged = Evaluation.objects.get(name="both")
    assert f'href="/evaluations/{merged.pk}/"' in text_of(client, f"/jobs/{job.pk}/")
    page = text_of(client, f"/evaluations/{merged.pk}/")
    assert "Merged from 2" in page
    assert f'href="/evaluations/{first.pk}/"' in page
    assert f'Merged into <a href="/evaluations/{merged.pk}/"' in text_of(client, f"/evaluations/{first.pk}/")


def test_a_waiting_merge_can_be_cancelled(client: Client, tmp_path: Path) -> None:
    first, second = sources(tmp_path)
    client.post("/merge/", {"evaluation": f"{first.pk},{second.pk}"})
    job = Job.objects.get(kind=JobKind.MERGE)
    assert 'id="job-cancel"' in text_of(client, f"/jobs/{job.pk}/")


def test_what_cannot_be_merged_is_said_in_words(client: Client, tmp_path: Path) -> None:
    first, _ = sources(tmp_path)
    other = an_evaluation(tmp_path, row(5), name="other.json", project="other")
    assert "belong to several projects" in text_of(client, f"/merge/?evaluation={first.pk},{other.pk}")
    response = client.post("/merge/", {"evaluation": f"{first.pk},999999"})
    assert response.status_code == 422
    assert "There is no such evaluation" in response.content.decode()


def test_names_are_text(client: Client, tmp_path: Path) -> None:
    hostile = "<script>1</script>"
    first = an_evaluation(tmp_path, row(1, task=hostile, run=hostile), name="a.json")
    second = an_evaluation(tmp_path, row(2, task=hostile, run=hostile), name="b.json")
    page = text_of(client, f"/merge/?evaluation={first.pk},{second.pk}&name={hostile}")
    assert hostile not in page

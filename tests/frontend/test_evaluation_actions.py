"""What can be done with evaluations: find, select, delete, rename, label, make the baseline."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evaluator import jobs
from results.models.evaluations import Evaluation, EvaluationLabel, EvaluationState
from results.models.jobs import Job, JobKind
from results.models.results import Result
from tests.documents import result
from tests.frontend.factories import an_evaluation, unfinished

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the jobs that were sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(jobs.remove_evaluations, "delay", ids.append)
    return ids


def page_text(client: Client, address: str) -> str:
    """A page that answers 200, with non-breaking spaces as plain ones."""
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def names(client: Client, query: str) -> list[str]:
    """The evaluations that a query shows, in its order."""
    rows = page_text(client, f"/evaluations/{query}").partition("<tbody")[2].split('aria-label="Select ')[1:]
    return [row.partition('"')[0] for row in rows]


def two(folder: Path) -> tuple[Evaluation, Evaluation]:
    """Evaluations `first` with one result and `second` with two."""
    first = an_evaluation(folder, result(0), name="first.json")
    return first, an_evaluation(folder, result(1), result(2), name="second.json")


def test_a_label_narrows_the_list(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    EvaluationLabel.objects.create(evaluation=first, text="nightly")
    assert names(client, "?label=nightly") == ["first"]


def test_a_search_finds_labels_and_notes(client: Client, tmp_path: Path) -> None:
    first, second = two(tmp_path)
    EvaluationLabel.objects.create(evaluation=first, text="zebra crossing")
    Evaluation.objects.filter(pk=second.pk).update(note="a Zebra was here")
    assert sorted(names(client, "?q=zebra")) == ["first", "second"]


def test_a_wildcard_is_plain_text(client: Client, tmp_path: Path) -> None:
    two(tmp_path)
    assert names(client, "?q=%25") == []


def test_a_format_narrows_the_list(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    Evaluation.objects.filter(pk=first.pk).update(format="live")
    assert names(client, "?format=live") == ["first"]


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("?from=2026-05-02", ["second"]),
        ("?to=2026-05-01", ["first"]),
        ("?from=2026-05-01&to=2026-05-02", ["second", "first"]),
        ("?from=2026-05-03", []),
        ("?from=soon", ["second", "first"]),
    ],
)
def test_days_narrow_the_list_and_count_from_midnight_to_midnight(
    client: Client, tmp_path: Path, query: str, shown: list[str]
) -> None:
    first, second = two(tmp_path)
    Evaluation.objects.filter(pk=first.pk).update(started_at=datetime(2026, 5, 1, 23, 59, 59, tzinfo=UTC))
    Evaluation.objects.filter(pk=second.pk).update(started_at=datetime(2026, 5, 2, tzinfo=UTC))
    assert names(client, query) == shown


def test_the_last_seven_days_end_now(client: Client, tmp_path: Path) -> None:
    first, second = two(tmp_path)
    Evaluation.objects.filter(pk=first.pk).update(started_at=timezone.now() - timedelta(days=6))
    Evaluation.objects.filter(pk=second.pk).update(started_at=timezone.now() - timedelta(days=8))
    assert names(client, "?days=7") == ["first"]


def test_a_date_that_is_none_is_said(client: Client, tmp_path: Path) -> None:
    two(tmp_path)
    assert "soon is no date" in page_text(client, "/evaluations/?from=soon")


def test_a_missing_rate_is_last_both_ways(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result(0, Kind="Skipped"), name="none.json")
    an_evaluation(tmp_path, result(1), name="all.json")
    an_evaluation(tmp_path, result(2), result(3, Kind="Failed"), name="half.json")
    assert names(client, "?sort=-pass_rate") == ["all", "half", "none"]
    assert names(client, "?sort=pass_rate") == ["half", "all", "none"]


def test_a_long_list_is_paged(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    Evaluation.objects.bulk_create(
        Evaluation(
            project_id=first.project_id, name=f"e{n}", state="ready", format="mindtrial", started_at=first.started_at
        )
        for n in range(100)
    )
    assert len(names(client, "?page=3")) == 2
    assert "101–102 of 102" in page_text(client, "/evaluations/?page=99")


def test_the_list_never_reads_what_it_does_not_show(client: Client, tmp_path: Path) -> None:
    two(tmp_path)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get("/evaluations/")
    assert not [query for query in queries if '"warnings"' in query["sql"]]


def test_deleting_asks_first_and_names_the_count(client: Client, tmp_path: Path) -> None:
    first, second = two(tmp_path)
    text = page_text(client, f"/evaluations/delete/?evaluation={first.pk}&evaluation={second.pk}")
    assert "Delete 2 evaluations?" in text
    assert "Delete 3 results" in text
    assert Evaluation.objects.filter(state=EvaluationState.READY).count() == 2


def test_all_that_match_are_those_of_the_filter(client: Client, tmp_path: Path) -> None:
    two(tmp_path)
    text = page_text(client, "/evaluations/delete/?q=second&all=yes")
    assert "Delete 1 evaluation?" in text
    assert "Delete 2 results" in text


def test_a_deleted_evaluation_is_gone_at_once_and_removed_by_a_job(
    client: Client, tmp_path: Path, sent: list[int]
) -> None:
    first, second = two(tmp_path)
    response = client.post("/evaluations/delete/", {"evaluation": f"{first.pk}"})
    assert response.headers["Location"] == "/evaluations/"
    assert names(client, "") == ["second"]
    job = Job.objects.get(kind=JobKind.DELETE)
    assert sent == [job.pk]
    jobs.remove_evaluations(job.pk)
    assert list(Evaluation.objects.all()) == [second]
    assert Result.objects.count() == 2


def test_a_removal_whose_worker_died_is_sent_again(client: Client, tmp_path: Path, sent: list[int]) -> None:
    first, _ = two(tmp_path)
    client.post("/evaluations/delete/", {"evaluation": f"{first.pk}"})
    Job.objects.filter(kind=JobKind.DELETE).update(created_at=timezone.now() - timedelta(minutes=5))
    jobs.sweep()
    assert sent == [Job.objects.get(kind=JobKind.DELETE).pk] * 2


def test_an_evaluation_that_cannot_be_seen_cannot_be_deleted(client: Client, tmp_path: Path) -> None:
    evaluation = unfinished(an_evaluation(tmp_path))
    assert "Nothing is selected" in page_text(client, f"/evaluations/delete/?evaluation={evaluation.pk}")
    client.post("/evaluations/delete/", {"evaluation": evaluation.pk})
    assert Evaluation.objects.get().state == EvaluationState.IMPORTING
    assert not Job.objects.filter(kind=JobKind.DELETE).exists()


@pytest.mark.parametrize("ids", ["", "x", "1,,2", "9" * 40, "-1"])
def test_ids_without_sense_are_harmless(client: Client, ids: str) -> None:
    assert "Nothing is selected" in page_text(client, f"/evaluations/delete/?evaluation={ids}")


def test_name_note_and_labels_are_kept(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    EvaluationLabel.objects.create(evaluation=first, text="old")
    form = {"name": " A  new\nname ", "note": "why\nit ran", "new_labels": "nightly, release , nightly,", "label": []}
    response = client.post(f"/evaluations/{first.pk}/edit/", form)
    assert response.headers["Location"] == f"/evaluations/{first.pk}/"
    first.refresh_from_db()
    assert (first.name, first.note) == ("A new name", "why\nit ran")
    assert [label.text for label in first.labels.order_by("text")] == ["nightly", "release"]


def test_labels_that_stay_checked_stay(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    EvaluationLabel.objects.create(evaluation=first, text="old")
    client.post(f"/evaluations/{first.pk}/edit/", {"name": "x", "label": ["old"], "new_labels": "new"})
    assert "old" in page_text(client, f"/evaluations/{first.pk}/")
    assert names(client, "?label=new&label=old") == ["x"]


def test_a_blank_name_keeps_the_present_one(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    client.post(f"/evaluations/{first.pk}/edit/", {"name": "  "})
    assert Evaluation.objects.get(pk=first.pk).name == "first"


def test_a_hostile_label_is_text(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    client.post(f"/evaluations/{first.pk}/edit/", {"name": "x", "new_labels": "<b>\u202e\x00"})
    text = page_text(client, "/evaluations/")
    assert "&lt;b&gt;" in text
    assert "<b>\u202e" not in text


def test_a_project_has_one_baseline(client: Client, tmp_path: Path) -> None:
    first, second = two(tmp_path)
    client.post(f"/evaluations/{first.pk}/baseline/", {"baseline": "yes"})
    client.post(f"/evaluations/{second.pk}/baseline/", {"baseline": "yes", "next": "/evaluations/?page=1"})
    assert list(Evaluation.objects.filter(is_baseline=True)) == [second]


def test_a_baseline_mark_can_be_taken_away(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    client.post(f"/evaluations/{first.pk}/baseline/", {"baseline": "yes"})
    assert "No longer the baseline" in page_text(client, f"/evaluations/{first.pk}/")
    client.post(f"/evaluations/{first.pk}/baseline/", {"baseline": "no"})
    assert not Evaluation.objects.filter(is_baseline=True).exists()


def test_a_deleted_baseline_makes_room_for_the_next(client: Client, tmp_path: Path) -> None:
    first, second = two(tmp_path)
    client.post(f"/evaluations/{first.pk}/baseline/", {"baseline": "yes"})
    client.post("/evaluations/delete/", {"evaluation": first.pk})
    client.post(f"/evaluations/{second.pk}/baseline/", {"baseline": "yes"})
    assert list(Evaluation.objects.filter(is_baseline=True)) == [second]


def test_a_form_leads_back_only_to_our_own_pages(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    form = {"baseline": "yes", "next": "https://elsewhere.example/"}
    response = client.post(f"/evaluations/{first.pk}/baseline/", form)
    assert response.headers["Location"] == f"/evaluations/{first.pk}/"


@pytest.mark.parametrize("address", ["/evaluations/7/edit/", "/evaluations/7/baseline/"])
def test_an_evaluation_that_does_not_exist_is_not_found(client: Client, address: str) -> None:
    assert client.post(address, {"name": "x"}).status_code == 404


def test_a_dialog_gets_only_the_question(client: Client, tmp_path: Path) -> None:
    first, _ = two(tmp_path)
    response = client.get(f"/evaluations/delete/?evaluation={first.pk}", headers={"HX-Request": "true"})
    assert "<html" not in response.content.decode()
    assert 'id="dialog-title"' in response.content.decode()

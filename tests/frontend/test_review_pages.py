"""Reviewing in the browser: one result, many by a filter, and the words of a project."""

from pathlib import Path

import pytest
from django.test import Client

from frontend.contexts import bulk_review
from results.bulk_review import run_review
from results.models.jobs import Job, JobKind, JobState
from results.models.review import Annotation, ReviewWord
from results.queries.reviews import Review, annotations_of, reviews_of
from results.store.reviewing import ReviewChange, annotate
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db


def three(folder: Path) -> list[int]:
    evaluation = an_evaluation(
        folder, *(result(number, Kind=kind) for number, kind in enumerate(("Passed", "Failed", "Failed")))
    )
    return [evaluation.result_id(ordinal) for ordinal in range(3)]


def test_what_the_form_of_a_result_says_is_saved_under_the_name_that_was_typed_once(
    client: Client, tmp_path: Path
) -> None:
    _, second, third = three(tmp_path)
    form = {
        "verdict": "passed",
        "reason": "judge error",
        "new_labels": "odd, ask",
        "comment": "See <b>log</b>",
        "author": "Ann Ö",
    }
    answer = client.post(f"/results/{second}/review/", form)
    assert answer["Location"] == f"/results/{second}/#review"
    assert reviews_of([second])[second] == Review(
        "passed", False, "judge error", ("ask", "odd"), ("Ann Ö: See <b>log</b>",)
    )
    page = client.get(f"/results/{second}/").content.decode()
    assert "wrong, should be passed" in page
    assert "See &lt;b&gt;log&lt;/b&gt;" in page
    assert 'value="Ann Ö"' in client.get(f"/results/{third}/").content.decode()


def test_a_form_that_says_nothing_saves_nothing(client: Client, tmp_path: Path) -> None:
    first = three(tmp_path)[0]
    client.post(f"/results/{first}/review/", {"verdict": "", "comment": " ", "author": "Ann"})
    assert not Annotation.objects.exists()


def test_a_comment_is_edited_and_removed_and_the_history_shows_who_did_it(client: Client, tmp_path: Path) -> None:
    first = three(tmp_path)[0]
    annotate([first], ReviewChange(comment="wrogn"), "Ann")
    client.post(f"/annotations/{annotations_of(first)[0].id}/edit/", {"comment": "wrong", "author": "Bob"})
    assert reviews_of([first])[first].comments == ("Bob: wrong",)
    client.post(f"/annotations/{annotations_of(first)[0].id}/remove/", {"author": "Cay"})
    page = client.get(f"/results/{first}/").content.decode()
    assert "ended by Bob" in page
    assert "ended by Cay" in page


def test_a_list_shows_the_corrected_outcome_beside_the_recorded_one(client: Client, tmp_path: Path) -> None:
    ids = three(tmp_path)
    annotate(ids[1:2], ReviewChange(verdict="passed", labels=("odd",), comment="hm"), "Ann")
    page = client.get(
        "/results/?cols=task,outcome,corrected,reason,labels,comments&open=label&open=reviewed"
    ).content.decode()
    assert "should be passed" in page
    assert "Ann: hm" in page
    exported = (
        client.get("/results/export.csv?cols=outcome,corrected,labels,comments&corrected=yes").getvalue().decode()
    )
    assert exported.splitlines()[1] == f'{ids[1]},task 1,failed,passed,false,"[""odd""]","[""Ann: hm""]"'


def test_many_results_are_counted_before_something_is_said_of_them(client: Client, tmp_path: Path) -> None:
    ids = three(tmp_path)
    page = client.get("/results/review/?outcome=failed").content.decode()
    assert "Say it of 2\xa0results" in page
    refused = client.post("/results/review/", {"outcome": "failed", "author": "Ann"})
    assert refused.status_code == 422
    client.post("/results/review/", {"outcome": "failed", "author": "Ann", "new_labels": "odd"})
    assert set(reviews_of(ids)) == set(ids[1:])


def test_picked_results_are_meant_alone_unless_all_that_match_are(client: Client, tmp_path: Path) -> None:
    ids = three(tmp_path)
    picked = client.get(f"/results/review/?outcome=failed&pick={ids[1]}&sort=-duration").content.decode()
    everything = client.get(f"/results/review/?outcome=failed&pick={ids[1]}&all=yes").content.decode()
    assert "Review 1\xa0result<" in picked
    assert "Review 2\xa0results<" in everything


def test_a_review_of_very_many_results_is_a_job(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = three(tmp_path)
    monkeypatch.setattr(bulk_review, "AT_ONCE", 1)
    client.post("/results/review/", {"outcome": "failed", "author": "Ann", "verdict": "passed"})
    job = Job.objects.get(kind=JobKind.REVIEW)
    assert not Annotation.objects.exists()
    run_review(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.report) == (JobState.SUCCEEDED, 2, 2, {"results": 2})
    assert {pk: found.corrected for pk, found in reviews_of(ids).items()} == dict.fromkeys(ids[1:], "passed")
    assert client.get(f"/jobs/{job.pk}/").status_code == 200


def test_a_reason_is_renamed_wherever_it_is_and_no_longer_offered(client: Client, tmp_path: Path) -> None:
    first = three(tmp_path)[0]
    annotate([first], ReviewChange(reason="task error"), "")
    word = ReviewWord.objects.get(text="task error")
    client.post(f"/review/words/{word.pk}/", {"text": "bad task", "offered": "no"})
    assert reviews_of([first])[first].reason == "bad task"
    client.get("/review/")  # takes the word of the change away
    assert "bad task" not in client.get("/results/review/").content.decode()
    client.post("/review/reasons/", {"project": "default", "text": "flaky host"})
    assert "flaky host" in client.get("/results/review/").content.decode()
    assert "bad task" in client.get("/review/").content.decode()


def test_nothing_can_be_said_of_what_is_not_there(client: Client, tmp_path: Path) -> None:
    three(tmp_path)
    assert client.post("/results/5/review/", {"comment": "x"}).status_code == 404
    assert client.post("/annotations/5/remove/").status_code == 404
    assert client.post("/review/words/5/", {"text": "x"}).status_code == 404

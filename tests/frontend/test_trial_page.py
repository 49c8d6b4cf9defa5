"""The list of trials and the page of one: progress, results, cancel, resume, what is run again."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from evaluator import jobs, live
from evaluator.engine.trials.finished_results import about
from evaluator.engine.trials.interfaces import ConversationError, FailureKind
from results.jobs import say
from results.models.jobs import Job, JobState
from results.models.trials import Trial, TrialState
from results.queries.trials import result_messages
from results.store.trials import share_out
from results.trial_plan import Place, plan_from
from tests.documents import result
from tests.evaluator.live_trials import CONFIG, KEY, DiedError, die, run_until_first
from tests.evaluator.trials.doubles import FakeAskers, an_answer
from tests.frontend.factories import an_evaluation
from tests.frontend.trial_forms import a_draft, page_text, start, text_of, work

pytestmark = pytest.mark.django_db

LIST_QUERIES = 5  # jobs for the top bar; the visible set; number of trials; the trials; those that are taken up
PAGE_QUERIES = 14


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the jobs that were sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(jobs.run_trial, "delay", ids.append)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-from-the-environment")
    return ids


def a_trial(client: Client, **fields: Any) -> Trial:
    return start(client, a_draft(client), **fields)


def an_ended_one(client: Client, askers: FakeAskers | None = None, **fields: Any) -> Trial:
    trial = a_trial(client, **fields)
    work(askers)
    trial.refresh_from_db()
    return trial


def a_stopped_one(client: Client, **fields: Any) -> Trial:
    """A trial that was cancelled after its first result."""
    trial = a_trial(client, **fields)
    queued = live.QueuedTrial(trial.pk, tuple(trial.shares.values_list("job_id", flat=True)))
    run_until_first(queued, lambda: client.post(f"/trials/{trial.pk}/cancel/"))
    return trial


def failing(client: Client) -> Trial:
    """A trial of one run: `sum` failed for a passing reason, `wrong` for another, `last` passed."""

    def reply(task: Any) -> Any:
        if task.name == "last":
            return an_answer("4")
        return ConversationError(FailureKind.EXECUTION, "no", is_transient=task.name == "sum")

    return an_ended_one(client, FakeAskers(reply), chosen="yes", pick="0:2")


def run_rows(text: str) -> list[list[str]]:
    """The numbers of the table of runs: done, then each outcome and what is not run."""
    (table,) = re.findall(r"<caption>Progress of each run</caption>(.*?)</table>", text, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", table.partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r'<td class="num">(.*?)</td>', row, re.DOTALL) for row in rows]
    return [[re.sub(r"<[^>]*>", "", cell).strip() for cell in (row[0], *row[2:])] for row in cells]


def test_a_waiting_trial_says_so_and_asks_again(client: Client) -> None:
    trial = a_trial(client)

    text = page_text(client, f"/trials/{trial.pk}/")

    assert "0 of 12 results · waiting for a worker" in text
    assert f'hx-get="/trials/{trial.pk}/" hx-trigger="every 2s"' in text
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in text


def test_an_ended_trial_tells_each_run_and_asks_no_more(client: Client) -> None:
    trial = an_ended_one(client)

    text = page_text(client, f"/trials/{trial.pk}/")

    assert run_rows(text) == [["3 of 3", "2", "1", "0", "0", "0"]] * 4
    assert "12 of 12 results · ended" in text
    assert "hx-trigger" not in text
    assert f'href="/evaluations/{trial.pk}/"' in text
    assert f'href="/trials/{trial.pk}/"' in page_text(client, f"/evaluations/{trial.pk}/")


def test_every_number_of_a_run_leads_to_its_results(client: Client) -> None:
    trial = an_ended_one(client)

    text = page_text(client, f"/trials/{trial.pk}/")

    address = f"/results/?evaluation={trial.pk}&provider=anthropic&run=opus&outcome=failed"
    assert address.replace("&", "&amp;") in text
    assert "1 result" in page_text(client, address)


def test_the_results_that_came_last_lead_to_their_pages(client: Client) -> None:
    trial = an_ended_one(client, chosen="yes", pick="1:0")

    text = page_text(client, f"/trials/{trial.pk}/")

    links = re.findall(r'<a href="(/results/\d+/)" title="(\w+)">', text)
    assert sorted(name for _, name in links) == ["last", "sum", "wrong"]
    assert all(client.get(address).status_code == 200 for address, _ in links)


def test_a_result_whose_page_cannot_be_made_yet_is_shown_without_a_link(client: Client) -> None:
    trial = a_trial(client, chosen="yes", pick="1:0")
    with pytest.raises(DiedError):
        run_until_first(live.QueuedTrial(trial.pk, (Job.objects.get().pk,)), die)

    text = page_text(client, f"/trials/{trial.pk}/")

    assert "its page follows in a few seconds" in text
    assert "1 of 3 results" in text


def test_cancel_keeps_what_is_there_and_counts_the_others_as_not_run(client: Client) -> None:
    trial = a_trial(client)

    response = client.post(f"/trials/{trial.pk}/cancel/")

    assert response.headers["Location"] == f"/trials/{trial.pk}/"
    text = page_text(client, f"/trials/{trial.pk}/")
    assert "The trial was asked to stop" in text
    assert "Cancelled" in text
    assert run_rows(text) == [["0 of 3", "0", "0", "0", "0", "3"]] * 4


def test_a_resume_asks_for_the_keys_that_were_not_kept_and_does_the_rest(client: Client, sent: list[int]) -> None:
    trial = a_stopped_one(client, chosen="yes", pick="0:0")
    text = page_text(client, f"/trials/{trial.pk}/")
    assert '<input class="input" type="password" id="EVALBOARD_KEY_OPENAI" name="key.EVALBOARD_KEY_OPENAI"' in text
    assert "Resume: 2 results left" in text

    refused = client.post(f"/trials/{trial.pk}/resume/")
    begun = client.post(f"/trials/{trial.pk}/resume/", {"key.EVALBOARD_KEY_OPENAI": KEY})
    work()

    assert refused.status_code == 422
    assert "The key EVALBOARD_KEY_OPENAI is not known. Type it into its field." in text_of(refused)
    assert begun.headers["Location"] == f"/trials/{trial.pk}/"
    assert len(sent) == 2
    assert run_rows(page_text(client, f"/trials/{trial.pk}/")) == [["3 of 3", "2", "1", "0", "0", "0"]]


def test_kept_keys_are_not_asked_for(client: Client) -> None:
    trial = a_stopped_one(client, chosen="yes", pick="0:0", keep_keys="yes")

    assert 'type="password"' not in page_text(client, f"/trials/{trial.pk}/")
    assert client.post(f"/trials/{trial.pk}/resume/").status_code == 302


def test_a_whole_trial_is_not_resumed(client: Client) -> None:
    trial = an_ended_one(client, chosen="yes", pick="1:0")

    refused = client.post(f"/trials/{trial.pk}/resume/")

    assert "is whole; there is nothing left to do" in text_of(refused)


@pytest.mark.parametrize(
    ("kind", "label", "places"),
    [
        ("errors", "Run errors again", [Place(0, 2, 0), Place(0, 2, 2)]),
        ("transient", "Run transient errors again", [Place(0, 2, 0)]),
    ],
)
def test_errors_are_run_again_in_a_trial_of_its_own(client: Client, kind: str, label: str, places: list[Place]) -> None:
    old = failing(client)
    text = page_text(client, f"/trials/{old.pk}/")
    assert f'{label} <span class="count">{len(places)}</span>' in text
    assert "Run failed and errors again" not in text

    response = client.post(f"/trials/{old.pk}/rerun/", {"kind": kind, "key.EVALBOARD_KEY_OPENAI": KEY})

    new = Trial.objects.exclude(pk=old.pk).get()
    assert response.headers["Location"] == f"/trials/{new.pk}/"
    assert plan_from(new.plan).only == places
    assert f'made again in <a href="/trials/{new.pk}/">' in page_text(client, f"/trials/{old.pk}/")
    text = page_text(client, f"/trials/{new.pk}/")
    assert f'of <a href="/trials/{old.pk}/">' in text
    assert f"/merge/?evaluation={old.pk}&amp;evaluation={new.pk}&amp;order=given" in text


def test_failed_ones_are_run_again_with_the_errors(client: Client) -> None:
    old = an_ended_one(client, chosen="yes", pick="1:0")

    client.post(f"/trials/{old.pk}/rerun/", {"kind": "not-passed"})

    assert plan_from(Trial.objects.exclude(pk=old.pk).get().plan).only == [Place(1, 0, 2)]


def test_why_a_trial_broke_off_is_told(client: Client) -> None:
    trial = a_trial(client)
    Job.objects.update(state=JobState.FAILED, error="the network is gone")
    live.cancel_trial(trial.pk)

    text = page_text(client, f"/trials/{trial.pk}/")

    assert "the network is gone" in text
    assert '<span class="outcome" data-outcome="error">Stopped</span>' in text


def test_the_list_shows_each_trial_with_its_state(client: Client) -> None:
    ended, waiting = an_ended_one(client, name="first"), a_trial(client, name="second")

    text = page_text(client, "/trials/")

    assert re.findall(r'<a href="(/trials/\d+/)" title="(\w+)">', text) == [
        (f"/trials/{waiting.pk}/", "second"),
        (f"/trials/{ended.pk}/", "first"),
    ]
    assert re.findall(r'data-outcome="[\w-]+">(\w+)</span>', text) == ["Waiting", "Done"]
    assert '<a href="/trials/" aria-current="page">Trials</a>' in text


def test_without_trials_the_list_says_how_to_begin(client: Client) -> None:
    assert "No trials yet" in page_text(client, "/trials/")


def test_jobs_and_overview_lead_to_the_trial(client: Client, tmp_path: Path) -> None:
    an_evaluation(tmp_path, result())
    trial = a_trial(client, name="Nightly")
    job = trial.shares.get().job

    lists = [page_text(client, "/jobs/"), page_text(client, "/")]

    assert all(f'href="/trials/{trial.pk}/"' in text for text in lists)
    assert client.get(f"/jobs/{job.pk}/").headers["Location"] == f"/trials/{trial.pk}/"


def test_its_files_can_be_had_without_the_keys(client: Client) -> None:
    trial = a_trial(client)

    config, tasks = (page_text(client, f"/trials/{trial.pk}/{kind}.yaml") for kind in ("config", "tasks"))

    assert 'api-key: "${EVALBOARD_KEY_OPENAI}"' in config
    assert KEY not in config
    assert "name: sum" in tasks
    assert client.get(f"/trials/{trial.pk}/other.yaml").status_code == 404


def test_what_is_no_trial_is_not_found(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result())

    paths = ["", "config.yaml"], ["cancel/", "resume/", "rerun/"]

    assert {client.get(f"/trials/{evaluation.pk}/{path}").status_code for path in paths[0]} == {404}
    assert {client.post(f"/trials/{evaluation.pk}/{path}").status_code for path in paths[1]} == {404}


def test_the_part_that_asks_again_is_no_page(client: Client) -> None:
    trial = a_trial(client)

    text = page_text(client, f"/trials/{trial.pk}/", **{"HX-Request": "true"})

    assert text.lstrip().startswith('<div class="stack" id="trial-live"')


def test_pages_ask_few_questions(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    trial = an_ended_one(client)
    a_trial(client)
    client.get(f"/trials/{trial.pk}/")

    with django_assert_num_queries(LIST_QUERIES):
        client.get("/trials/")
    with django_assert_num_queries(PAGE_QUERIES):
        client.get(f"/trials/{trial.pk}/")


def test_a_trial_of_a_deleted_evaluation_is_gone_from_the_lists(client: Client) -> None:
    trial = an_ended_one(client)
    client.post("/evaluations/delete/", {"evaluation": trial.pk})

    assert client.get(f"/trials/{trial.pk}/").status_code == 404
    assert "No trials yet" in page_text(client, "/trials/")
    assert Trial.objects.get().state == TrialState.READY


def test_messages_of_earlier_sessions_stay_after_a_resume_and_stand_with_their_result(client: Client) -> None:
    trial = an_ended_one(client)
    job = trial.shares.first()
    assert job is not None
    say(job.job_id, "openai quick, sum: try 1 of 2 failed: busy.", "warning")
    share_out(trial, [[0]], is_resumable=True)
    assert "try 1 of 2 failed: busy." in page_text(client, f"/trials/{trial.pk}/")
    assert [line.text for line in result_messages(trial.pk, about("openai", "quick", "sum"))] == [
        "openai quick, sum: try 1 of 2 failed: busy."
    ]
    assert result_messages(trial.pk, about("openai", "quick", "last")) == []


def test_runs_with_one_name_tell_their_providers(client: Client) -> None:
    config = CONFIG.replace("name: opus", "name: quick")
    trial = start(client, a_draft(client, config))
    work()
    latest = page_text(client, f"/trials/{trial.pk}/").partition("<caption>Latest results")[2]
    assert re.findall(r'quick</span> <span class="sub">(\w+)</span>', latest)
    assert 'slow</span> <span class="sub">' not in latest

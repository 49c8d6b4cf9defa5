"""`/healthz`, `/readyz` and `/metrics`: what they say, to whom, and at what price."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries, Settings

from frontend.exposition import exposition
from frontend.measures import SUFFIX, Counter, Counts, folder, total
from results.accounts import make_token
from results.models.jobs import Job, JobKind
from results.models.projects import Project
from results.queries.operation import EvaluationCount, ImportRate, JobCount, Operation
from tests.documents import result
from tests.frontend.factories import an_evaluation

NOTHING = Operation((), None, (), 0, 0, ImportRate(0, 0, 0, 0.0))


def levels(response: Any) -> dict[str, str]:
    return {check["about"]: check["level"] for check in response.json()["checks"]}


def test_healthz_answers_without_the_database(client: Client) -> None:
    response = client.get("/healthz")  # a test without the database fails when it is asked

    assert (response.status_code, response.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_readyz_is_cheap_and_tells_each_check(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(4):
        response = client.get("/readyz")

    assert response.status_code == 200
    assert levels(response) == {"database": "ok", "tables": "ok", "facts folder": "ok", "broker": "ok"}


@pytest.mark.django_db
def test_readyz_fails_while_tables_are_missing(client: Client) -> None:
    MigrationRecorder.Migration.objects.filter(app="results", name="0006_strategy_jobs").delete()

    response = client.get("/readyz")

    assert response.status_code == 503
    assert levels(response)["tables"] == "problem"


@pytest.mark.django_db
def test_readyz_fails_while_the_facts_cannot_be_written(client: Client, var_dir: Path) -> None:
    (var_dir / "facts").rmdir()
    (var_dir / "facts").write_text("in the way")

    response = client.get("/readyz")

    assert (response.status_code, levels(response)["facts folder"]) == (503, "problem")


@pytest.mark.django_db
def test_readyz_tells_that_the_broker_is_gone_and_stays_ready(client: Client, settings: Settings) -> None:
    settings.CELERY_BROKER_URL = "redis://:secret@127.0.0.1:9/0"  # nobody listens on the port named discard

    response = client.get("/readyz")

    assert (response.status_code, levels(response)["broker"]) == (200, "warning")
    assert b"secret" not in response.content


@pytest.mark.django_db
def test_metrics_tell_requests_by_route_and_the_state_of_the_store(client: Client, tmp_path: Path) -> None:
    evaluation = an_evaluation(tmp_path, result(1), result(2))
    Job.objects.create(kind=JobKind.DELETE)
    client.get(f"/evaluations/{evaluation.pk}/")

    text = client.get("/metrics").content.decode()

    assert re.search(
        r'^evalboard_requests_total\{route="/evaluations/<int:evaluation_id>/",status="200"\} \d+$', text, re.MULTILINE
    )
    assert f"/evaluations/{evaluation.pk}/" not in text
    assert 'evalboard_jobs{kind="delete",state="queued"} 1\n' in text
    assert 'evalboard_evaluations{state="ready"} 1\n' in text
    assert 'evalboard_results{state="ready"} 2\n' in text
    assert "evalboard_facts_files 1\n" in text
    assert "evalboard_recent_import_results 2\n" in text


@pytest.mark.django_db
def test_with_accounts_metrics_are_for_administrators_of_the_installation(client: Client, settings: Settings) -> None:
    settings.ACCOUNTS = True
    site, plain = User.objects.create_user("site", is_superuser=True), User.objects.create_user("plain")
    narrow = make_token(site, "one project", project=Project.objects.create(slug="a", name="a"))

    def ask(token: str) -> int:
        return client.get("/metrics", headers={"Authorization": f"Bearer {token}"}).status_code

    assert (client.get("/metrics").status_code, ask("evb_wrong")) == (401, 401)
    assert [ask(token) for token in (make_token(site, "all"), make_token(plain, "all"), narrow)] == [200, 403, 403]


def test_a_histogram_adds_up_its_buckets_over_the_statuses_of_a_route() -> None:
    first = Counts("/r/", 200, 0.5, [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0])
    second = Counts("/r/", 404, 20.0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])

    text = exposition(NOTHING, [first, second])

    assert 'evalboard_requests_total{route="/r/",status="200"} 3\n' in text
    assert 'evalboard_requests_total{route="/r/",status="404"} 1\n' in text
    assert 'evalboard_request_seconds_bucket{route="/r/",le="0.005"} 1\n' in text
    assert 'evalboard_request_seconds_bucket{route="/r/",le="0.25"} 3\n' in text
    assert 'evalboard_request_seconds_bucket{route="/r/",le="+Inf"} 4\n' in text
    assert 'evalboard_request_seconds_sum{route="/r/"} 20.5\n' in text
    assert 'evalboard_request_seconds_count{route="/r/"} 4\n' in text


def test_gauges_say_what_the_operation_is() -> None:
    now = Operation((JobCount("import", "failed", 3),), 12.5, (EvaluationCount("ready", 2, 70),), 4, 1, NOTHING.imports)

    text = exposition(now, [])

    for line in (
        'jobs{kind="import",state="failed"} 3',
        "oldest_waiting_job_seconds 12.5",
        'results{state="ready"} 70',
        "facts_files 4",
        "text_index_lagging_evaluations 1",
        "recent_import_seconds 0",
    ):
        assert f"evalboard_{line}\n" in text


def test_quotes_and_line_breaks_cannot_leave_a_label() -> None:
    assert r'route="a\"\\\n"' in exposition(NOTHING, [Counts('a"\\\n', 200)])


def test_a_process_adds_what_the_others_left_and_passes_over_damaged_copies() -> None:
    one, other = Counter(), Counter()
    one.count("/", 200, 0.003)
    other.count("/", 200, 0.3)
    other.count("/", 500, 11.0)
    other.publish()
    one.publish()
    (folder() / f"torn{SUFFIX}").write_bytes(b'[{"route"')

    counts = total(one)

    assert [(each.route, each.status, each.answers) for each in counts] == [("/", 200, 2), ("/", 500, 1)]
    assert counts[0].seconds == pytest.approx(0.303)
    assert (counts[0].by_bound[0], counts[0].by_bound[6], counts[1].by_bound[-1]) == (1, 1, 1)

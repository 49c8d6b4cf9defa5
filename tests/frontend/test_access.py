"""Accounts: every address asks for its right, nobody sees or changes what belongs to another project."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from pytest_django.fixtures import Settings

from evaluator import jobs as worker
from frontend.rights import RULES, Right
from results.accounts import digest_of, make_token, set_role
from results.intake import ImportOptions, import_file
from results.models.accounts import ApiToken, AuditEntry, Role
from results.models.evaluations import Evaluation
from results.models.jobs import Job, JobKind
from results.models.projects import Project
from results.models.reports import Report, ReportEvaluation, ReportLink
from results.models.results import Result
from results.models.review import Annotation, AnnotationKind, ReviewWord
from results.models.saved_views import SavedView
from results.models.sprints import Iteration, Sprint
from results.models.webhooks import Webhook
from results.store.reviewing import ReviewChange, annotate
from tests.documents import result
from tests.frontend.factories import an_evaluation
from tests.report_files import report_rows

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
SECRET = "Zanzibar"  # stands in every name of project A
ITERATION = b'{"evalId":"e","contractId":"%s","specId":"s","iteration":1,"overallResult":"pass","criteriaResults":[]}'
KINDS = ("anonymous", "outsider", "viewer", "editor", "admin", "site")


@dataclass(frozen=True)
class World:
    """Two projects, of which A holds one of everything, and a client of each kind of person."""

    clients: dict[str, Client]
    project: Project
    places: dict[str, Any]


def logged_in(name: str, project: Project | None = None, role: Role | None = None, *, is_site: bool = False) -> Client:
    user = User.objects.create_user(name, password=PASSWORD, is_superuser=is_site)
    if project is not None:
        set_role(user, project, role)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def world(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> World:
    for task in (worker.run_import, worker.remove_evaluations, worker.run_merge):
        monkeypatch.setattr(task, "delay", lambda _job_id: None)
    evaluation = an_evaluation(
        tmp_path, result(Task=f"{SECRET} task", Run=f"{SECRET} run"), name=f"{SECRET}.json", project="a"
    )
    an_evaluation(tmp_path, result(1), name="other.json", project="b")
    (tmp_path / "sprint.json").write_bytes(ITERATION % SECRET.encode())
    import_file(tmp_path / "sprint.json", ImportOptions(project="a"))
    a, b = Project.objects.get(slug="a"), Project.objects.get(slug="b")
    annotate([evaluation.result_id(0)], ReviewChange(comment=SECRET, labels=(SECRET,)), "Ann")
    Webhook.objects.create(project=a, shown_url=f"https://{SECRET}/…", events=[])
    job = Job.objects.create(kind=JobKind.IMPORT, project=a, title=SECRET)
    found = (
        Result.objects.filter(pk=evaluation.result_id(0)).values("task_version__task_id", "run_version__run_id").get()
    )
    report = Report.objects.create(title=SECRET, project=a)
    ReportEvaluation.objects.create(report=report, position=1, evaluation=evaluation, name=evaluation.name)
    places: dict[str, Any] = {
        "report_id": report.pk,
        "link_id": 1,
        "evaluation_id": evaluation.pk,
        "trial_id": evaluation.pk,
        "result_id": evaluation.result_id(0),
        "task_id": found["task_version__task_id"],
        "run_id": found["run_version__run_id"],
        "job_id": job.pk,
        "sprint_id": Sprint.objects.get().pk,
        "iteration_id": Iteration.objects.get().pk,
        "annotation_id": Annotation.objects.get(kind=AnnotationKind.COMMENT).pk,
        "word_id": ReviewWord.objects.get(text=SECRET).pk,
        "webhook_id": Webhook.objects.get().pk,
        "view_id": SavedView.objects.create(name="mine", path="/results/").pk,
        "tool_id": 1,
        "name": "csv",
        "format": "csv",
        "kind": "config",
        "token": "none",
        "token_id": 1,
        "user_id": 1,
    }
    settings.ACCOUNTS = True
    clients = {
        "anonymous": Client(),
        "outsider": logged_in("outsider", b, Role.ADMIN),
        "viewer": logged_in("viewer", a, Role.VIEWER),
        "editor": logged_in("editor", a, Role.EDITOR),
        "admin": logged_in("admin", a, Role.ADMIN),
        "site": logged_in("site", is_site=True),
    }
    return World(clients, a, places)


def routes() -> list[str]:
    def walk(resolver: URLResolver, before: str = "") -> Iterator[str]:
        for pattern in resolver.url_patterns:
            route = before + str(pattern.pattern)
            if isinstance(pattern, URLPattern):
                yield route
            else:
                yield from walk(pattern, route)

    return sorted(set(walk(get_resolver())))


def address(route: str, places: dict[str, object]) -> str:
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: str(places[match[1]]), route)


def text_of(response: Any) -> str:
    parts = response.streaming_content if response.streaming else [response.content]
    return b"".join(parts).decode(errors="replace")


def test_every_address_has_a_rule_and_no_rule_is_left_over() -> None:
    assert sorted(RULES) == routes()


def test_nobody_reads_anything_before_logging_in(world: World) -> None:
    for route in routes():
        response = world.clients["anonymous"].get(address(route, world.places))
        if RULES[route].reading is Right.NOTHING:
            continue
        is_api = route.startswith("api/") or RULES[route].is_for_programs
        assert response.status_code == (401 if is_api else 302), route
        assert is_api or response["Location"].startswith("/login/?next="), route


def test_members_of_another_project_see_nothing_of_this_one(world: World) -> None:
    for route in routes():
        response = world.clients["outsider"].get(address(route, world.places))
        assert SECRET not in text_of(response), route
        if re.search(
            r"<(int:)?(evaluation|trial|result|task|job|sprint|iteration|annotation|word|webhook|report)_id>", route
        ):
            assert response.status_code in (403, 404, 405), route


def test_viewers_read_every_page_that_is_not_a_form(world: World) -> None:
    for route in routes():
        rule = RULES[route]
        path = address(route, world.places)
        response = world.clients["viewer"].get(path)
        if rule.reading <= Right.VIEW:
            assert response.status_code in (200, 302, 404, 405, 422), (route, response.status_code)
        else:
            assert response.status_code == 403, route


@pytest.mark.parametrize("kind", ["anonymous", "outsider", "viewer"])
def test_nobody_changes_a_project_without_the_role(world: World, kind: str) -> None:
    before = _state()

    for route in routes():
        if RULES[route].changing < Right.EDIT:
            continue
        for method in ("post", "patch", "delete"):
            send = getattr(world.clients[kind], method)
            form = {"project": "a", "evaluation": world.places["evaluation_id"], "job": world.places["job_id"]}
            given = {"data": form} if method == "post" else {}
            status = send(address(route, world.places), **given).status_code
            assert status in (302, 400, 401, 403, 404, 405, 415, 422), (route, method, status)
            assert status != 302 or kind != "viewer", (route, method)

    assert _state() == before


def _state() -> object:
    return (
        list(Evaluation.objects.order_by("pk").values_list("pk", "state", "name", "is_baseline")),
        list(Job.objects.filter(title=SECRET).values_list("state", "is_cancel_requested")),
        list(Report.objects.order_by("pk").values_list("pk", "title")),
        ReportLink.objects.count(),
        Project.objects.count(),
        User.objects.count(),
    )


def test_editors_delete_and_the_log_says_who(world: World) -> None:
    pk = world.places["evaluation_id"]

    response = world.clients["editor"].post("/evaluations/delete/", {"evaluation": pk})

    assert response.status_code == 302
    assert Evaluation.objects.get(pk=pk).state == "deleting"
    entry = AuditEntry.objects.latest("pk")
    assert (entry.actor, entry.action, entry.target) == ("editor", "delete evaluations", f"evaluation {pk}")
    job = Job.objects.filter(kind=JobKind.DELETE).get()
    assert job.project == world.project
    assert world.clients["editor"].get(f"/jobs/{job.pk}/").status_code == 200


def test_a_shared_report_is_read_without_an_account_and_opens_nothing_else(world: World) -> None:
    page = world.clients["editor"].post(f"/reports/{world.places['report_id']}/share/", {"days": "7"})
    (path,) = re.findall(r'value="http://testserver(/shared/[\w-]+/)"', page.content.decode())
    text = text_of(world.clients["anonymous"].get(path))
    assert [found["task"] for found in report_rows(text.encode())] == [f"{SECRET} task"]
    assert world.clients["anonymous"].get("/results/").status_code == 302


def test_a_report_about_everything_is_refused_to_whoever_may_not_see_everything(world: World) -> None:
    refused = world.clients["editor"].post("/reports/new/", {"title": "All"})
    assert refused.status_code == 422
    for query in ("", "?project=b"):
        form = {"title": "All", "filter": query}
        assert world.clients["editor"].post("/reports/new/", form).status_code in (403, 422), query
    assert world.clients["editor"].post("/reports/new/", {"title": "All", "filter": "project=a"}).status_code == 302
    assert world.clients["site"].post("/reports/new/", {"title": "All"}).status_code == 302


def test_an_editor_of_one_project_makes_no_other_and_writes_into_none(world: World) -> None:
    for slug in ("b", "new"):
        response = world.clients["editor"].post(f"/api/v1/imports?project={slug}", b"{}", "application/octet-stream")
        assert response.status_code == 403, slug
        assert response.json()["error"]["code"] == "forbidden"
    assert not Project.objects.filter(slug="new").exists()


def test_bulk_deletes_reach_only_the_projects_that_one_may_edit(world: World) -> None:
    set_role(User.objects.get(username="editor"), Project.objects.get(slug="b"), Role.VIEWER)

    world.clients["editor"].post("/evaluations/delete/", {"all": "yes"})

    assert list(Evaluation.objects.filter(state="deleting").values_list("project__slug", flat=True)) == ["a"]


def test_a_person_without_any_role_sees_an_empty_overview(world: World) -> None:
    response = logged_in("newcomer").get("/")

    assert response.status_code == 200
    assert SECRET not in text_of(response)


def test_a_closed_account_is_out_at_once(world: World) -> None:
    User.objects.filter(username="viewer").update(is_active=False)

    assert world.clients["viewer"].get("/").status_code == 302


def test_a_token_opens_the_api_with_the_rights_of_its_owner_and_no_more(world: World) -> None:
    user = User.objects.get(username="editor")
    reading, writing = make_token(user, "ci"), make_token(user, "ci", may_write=True)
    client, path = Client(), f"/api/v1/evaluations/{world.places['evaluation_id']}"

    def ask(token: str, method: str = "get", where: str = path) -> int:
        headers = {"Authorization": f"Bearer {token}"}
        body = {"data": '{"note": "x"}', "content_type": "application/json"} if method == "patch" else {}
        status: int = getattr(client, method)(where, headers=headers, **body).status_code
        return status

    assert ask(reading) == 200
    assert ask(reading, "patch") == 403
    assert ask(writing, "patch") == 200
    assert ask("evb_wrong") == 401
    assert ask(reading, where="/evaluations/") == 302  # tokens are for programs


def test_tokens_expire_are_revoked_and_are_narrowed_to_a_project(world: World) -> None:
    user = User.objects.get(username="site")
    b = Project.objects.get(slug="b")
    tokens = {
        name: make_token(user, name, project=b if name == "narrow" else None) for name in ("old", "gone", "narrow")
    }
    ApiToken.objects.filter(name="old").update(expires_at=timezone.now() - timedelta(seconds=1))
    ApiToken.objects.filter(name="gone").update(revoked_at=timezone.now())

    answers = {
        name: Client().get("/api/v1/projects", headers={"Authorization": f"Bearer {token}"})
        for name, token in tokens.items()
    }

    assert {name: answer.status_code for name, answer in answers.items()} == {"old": 401, "gone": 401, "narrow": 200}
    assert [item["slug"] for item in answers["narrow"].json()["items"]] == ["b"]
    assert ApiToken.objects.get(name="narrow").last_used_at is not None


def test_only_the_digest_of_a_token_is_stored(world: World) -> None:
    response = world.clients["viewer"].post("/account/tokens/", {"name": "ci", "days": "7"})

    (token,) = re.findall(r"<code>(evb_[\w-]+)</code>", text_of(response))
    stored = ApiToken.objects.get()
    assert stored.digest == digest_of(token)
    assert token not in str(ApiToken.objects.values().get())
    assert token not in text_of(world.clients["viewer"].get("/account/"))


def test_logging_in_leads_to_the_page_that_was_wanted_and_never_elsewhere(world: World) -> None:
    for wanted, reached in (("/costs/?x=1", "/costs/?x=1"), ("https://evil.example/", "/")):
        response = Client().post("/login/", {"name": "viewer", "password": PASSWORD, "next": wanted})
        assert (response.status_code, response["Location"]) == (302, reached)


def test_a_name_is_locked_after_five_failures_and_opens_again(world: World) -> None:
    client = Client()
    for _ in range(5):
        assert client.post("/login/", {"name": "viewer", "password": "wrong"}).status_code == 422

    locked = client.post("/login/", {"name": "viewer", "password": PASSWORD})

    assert locked.status_code == 429
    assert 0 < int(locked["Retry-After"]) <= 15 * 60
    AuditEntry.objects.update(at=timezone.now() - timedelta(minutes=16))
    assert client.post("/login/", {"name": "viewer", "password": PASSWORD}).status_code == 302


def test_a_weak_password_is_refused_and_a_good_one_keeps_the_session(world: World) -> None:
    client = world.clients["viewer"]
    form = {"old": PASSWORD, "new": "short", "again": "short"}

    assert client.post("/account/password/", form).status_code == 422
    good = "a much longer phrase 7"
    assert client.post("/account/password/", {**form, "new": good, "again": good}).status_code == 302
    assert client.get("/account/").status_code == 200
    assert User.objects.get(username="viewer").check_password(good)


def test_an_administrator_of_a_project_gives_roles_there_and_nowhere_else(world: World) -> None:
    client = world.clients["admin"]

    assert client.post("/people/roles/", {"name": "outsider", "project": "a", "role": "viewer"}).status_code == 302
    for slug in ("b", ""):
        response = client.post("/people/roles/", {"name": "outsider", "project": slug, "role": "admin"})
        assert response.status_code == 403, slug
    assert client.post("/people/", {"name": "another"}).status_code == 403


def test_the_administrator_of_the_installation_adds_people_but_cannot_close_themselves(world: World) -> None:
    client = world.clients["site"]

    shown = text_of(client.post("/people/", {"name": "newcomer"}))
    (password,) = re.findall(r"<p><code>([\w-]+)</code></p>", shown)
    own = User.objects.get(username="site")

    assert Client().login(username="newcomer", password=password)
    assert client.post(f"/people/{own.pk}/", {"change": "close"}).status_code == 422


def test_without_accounts_everything_is_open_and_there_is_nothing_to_log_into(client: Client) -> None:
    assert client.get("/").status_code == 200
    assert client.get("/login/").status_code == 404


def test_a_name_with_nul_fails_like_any_other(world: World) -> None:
    assert Client().post("/login/", {"name": "a\x00b", "password": "x"}).status_code == 422
    site = world.clients["site"]
    assert site.post("/people/roles/", {"name": "a\x00b", "project": "a", "role": "viewer"}).status_code == 422
    assert site.post("/people/", {"name": "a\x00b"}).status_code == 422
    assert site.post("/account/tokens/", {"name": "a\x00b", "project": "a\x00"}).status_code == 422

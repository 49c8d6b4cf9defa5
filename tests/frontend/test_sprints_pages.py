"""The list of sprints, and the page of one."""

import re
from urllib.parse import quote

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from results.models.sprints import Sprint
from tests.fixtures.agent_bober.imports import CONTRACT, contract, evaluation, import_bodies, import_one, spec

pytestmark = pytest.mark.django_db

LIST_QUERIES = 4  # the jobs; sprints; their iterations; the latest documents
FILTERED_LIST_QUERIES = 6  # sprints and iterations once more, for the projects to choose from


def page_text(client: Client, address: str = "/sprints/") -> str:
    """A page that answers 200, with non-breaking spaces as plain ones."""
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def rows(client: Client, address: str) -> list[str]:
    """The rows of the table, heads of groups included."""
    body = page_text(client, address).partition("<tbody")[2].partition("</tbody>")[0]
    return body.split("<tr")[1:]


def sprint_page(client: Client, name: str = CONTRACT) -> str:
    return page_text(client, f"/sprints/{Sprint.objects.get(contract_id=name).pk}/")


def test_an_empty_list_says_how_to_import(client: Client) -> None:
    assert "manage.py import_results .bober" in page_text(client)


def test_the_navigation_leads_here(client: Client) -> None:
    assert '<a href="/sprints/" aria-current="page">Sprints</a>' in page_text(client)


def test_sprints_stand_under_their_spec(client: Client) -> None:
    import_bodies(evaluation() | contract() | spec())
    head, first, second = rows(client, "/sprints/")
    assert "A kiln for the village" in head
    assert "1 of 2 sprints evaluated" in head
    assert "Build the kiln" in first
    assert "Not evaluated" in second


def test_a_row_says_how_the_sprint_went(client: Client) -> None:
    import_one(evaluation(1, overallResult="fail"))
    import_one(evaluation(2))
    (row,) = rows(client, "/sprints/")[1:]
    for fact in ('aria-label="2 iterations: 1 failed, 2 passed"', "2nd", "2 of 3", "4 Mar 2026", "<td>no</td>"):
        assert fact in row


def test_what_is_not_recorded_is_not_shown_as_nothing(client: Client) -> None:
    import_one(evaluation(score=None, criteriaResults=None, generatorFeedback=None))
    (row,) = rows(client, "/sprints/")[1:]
    assert row.count('<span class="missing">not recorded</span>') == 2


def test_a_verdict_of_ours_that_disagrees_is_flagged(client: Client) -> None:
    import_one(evaluation(overallResult="fail"))
    assert "we say passed" in page_text(client)


def test_rates_and_means_are_of_every_sprint(client: Client) -> None:
    for name, word in (("a", "pass"), ("b", "pass"), ("c", "fail")):
        import_one(evaluation(contract=name, overallResult=word))
    import_one(evaluation(2, contract="c"))
    text = page_text(client)
    assert "66.7 %" in text
    assert '<dd class="stat-value">1.33</dd>' in text  # (1 + 1 + 2) / 3


@pytest.mark.parametrize(
    ("verdict", "shown"), [("pass", ["a"]), ("fail", ["b"]), ("none", [CONTRACT]), ("nonsense", ["a", "b", CONTRACT])]
)
def test_a_verdict_can_be_chosen(client: Client, verdict: str, shown: list[str]) -> None:
    import_one(evaluation(contract="a"))
    import_one(evaluation(contract="b", overallResult="fail"))
    import_one(contract(title=None))
    text = "".join(rows(client, f"/sprints/?verdict={verdict}"))
    assert [name for name in ("a", "b", CONTRACT) if f'title="{name}"' in text] == shown


def test_a_project_can_be_chosen(client: Client) -> None:
    import_one(evaluation(contract="a"), "alpha")
    import_one(evaluation(contract="b"), "beta")
    text = page_text(client, "/sprints/?project=alpha")
    assert '<option value="alpha" selected>alpha</option>' in text
    assert 'title="b"' not in text


def test_the_same_spec_of_two_projects_is_two_groups(client: Client) -> None:
    for project in ("alpha", "beta"):
        import_one(evaluation(), project)
    assert sum("data-group" in row for row in rows(client, "/sprints/")) == 2


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("sprint", ["a", "b"]),
        ("-sprint", ["b", "a"]),
        ("iterations", ["b", "a"]),
        ("-passed_on", ["a", "b"]),
        ("last", ["a", "b"]),
        ("-last", ["a", "b"]),
        ("-spec", ["a", "b"]),
    ],
)
def test_the_list_sorts_and_missing_values_come_last(client: Client, sort: str, order: list[str]) -> None:
    import_one(evaluation(1, contract="a", overallResult="fail"))
    import_one(evaluation(2, contract="a"))
    import_one(evaluation(1, contract="b", timestamp=None))
    text = "".join(rows(client, f"/sprints/?sort={sort}"))
    assert sorted("ab", key=lambda name: text.index(f'title="{name}"')) == order


def test_in_any_other_order_each_row_names_its_spec(client: Client) -> None:
    import_bodies(evaluation() | contract() | spec(sprints=[]))
    (row,) = rows(client, "/sprints/?sort=last")
    assert 'title="A kiln for the village"' in row


def test_a_search_that_finds_nothing_names_itself(client: Client) -> None:
    import_one(contract())
    text = page_text(client, "/sprints/?q=<zebra>")
    assert "Nothing matches" in text
    assert "<b>&lt;zebra&gt;</b>" in text


def test_a_long_list_has_pages(client: Client) -> None:
    import_bodies({name: body for number in range(1, 53) for name, body in evaluation(contract=f"s-{number}").items()})
    assert len(rows(client, "/sprints/?page=2")) == 3  # the spec again, and the last two
    assert "51–52 of 52" in page_text(client, "/sprints/?page=2")


def test_the_list_asks_few_questions(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(3):
        import_one(evaluation(contract=f"sprint-kiln-{number}"))
    with django_assert_num_queries(LIST_QUERIES):
        client.get("/sprints/")
    with django_assert_num_queries(FILTERED_LIST_QUERIES):
        client.get("/sprints/?q=kiln")


def test_a_part_is_sent_to_htmx(client: Client) -> None:
    import_one(evaluation())
    text = client.get("/sprints/?sort=last", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in text
    assert 'id="sprints-table"' in text


def test_the_page_of_a_sprint_shows_its_contract(client: Client) -> None:
    import_bodies(contract() | spec())
    text = sprint_page(client)
    for fact in (
        "Bricks and a door.",
        "The door stays shut.",
        "unit-test",
        "sprint-kiln-0",
        "feat-1",
        "never evaluated",
    ):
        assert fact in text


def test_a_sprint_without_a_contract_says_so(client: Client) -> None:
    import_one(evaluation())
    assert '<p class="missing">not imported</p>' in sprint_page(client)


def test_the_page_of_a_sprint_lists_its_iterations_and_the_gap(client: Client) -> None:
    import_one(evaluation(2))
    import_one(evaluation(2, overallResult="fail"))
    text = sprint_page(client)
    assert "iteration 2 is recorded, but not iteration 1" in text
    assert "2 revisions" in text


@pytest.mark.parametrize("name", ["a/../b?c#d%e", "右 to left \u202e", "<b>&amp;", "a b", "x" * 300])
def test_any_name_works_in_every_link(client: Client, name: str) -> None:
    import_bodies({"a.json": next(iter(contract(contractId=name, specId=name, title=name).values()))})
    import_bodies({"b.json": next(iter(spec(specId=name, title=name, sprints=[]).values()))})
    text = sprint_page(client, name)
    assert "<b>" not in text
    assert quote(name, safe="") in text
    assert len(rows(client, f"/sprints/?q={quote(name, safe='')}")) == 2


@pytest.mark.parametrize("address", ["/sprints/1/", "/sprints/99999999999999999999999/", "/iterations/1/"])
def test_what_does_not_exist_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_the_iterations_of_a_sprint_stand_side_by_side(client: Client) -> None:
    failed = [{"criterionId": "sc-1-1", "result": "fail"}]
    import_one(evaluation(1, criteriaResults=failed, generatorFeedback=[{"description": "Cold."}]))
    import_one(evaluation(2, criteriaResults=[{"criterionId": "sc-1-1", "result": "pass"}], generatorFeedback=[]))
    text = sprint_page(client)
    sides = text.partition('id="side-by-side"')[2]
    assert "1 flip " in sides
    assert sides.count(">flipped</span>") == 1
    assert re.findall(r">(new|repeated|resolved)</span>", sides) == ["new", "resolved"]


def test_a_sprint_whose_iterations_say_nothing_of_feedback_says_so(client: Client) -> None:
    import_one(evaluation(generatorFeedback=None))
    assert '<p class="missing">not recorded</p>' in sprint_page(client).partition('id="feedback"')[2]

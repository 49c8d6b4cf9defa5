"""*Sprints in figures*: the table by month, spec or project, and the charts."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.fixtures.agent_bober.imports import evaluation, import_one

pytestmark = pytest.mark.django_db
ADDRESS = "/sprints/charts/"
QUERIES = 4  # the jobs; sprints; their iterations; the documents


def text_of(client: Client, address: str = ADDRESS) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


def test_without_sprints_it_says_so(client: Client) -> None:
    assert "No evaluated sprint matches." in text_of(client)


def test_every_line_leads_to_the_sprints_that_it_counts(client: Client) -> None:
    import_one(evaluation(contract="a"))
    import_one(evaluation(contract="b", timestamp=None))
    text = text_of(client)
    assert '<a href="/sprints/?month=2026-03"><bdi>2026-03</bdi></a>' in text
    counted = text_of(client, "/sprints/?month=undated")
    assert ('title="b"' in counted, 'title="a"' in counted) == (True, False)


@pytest.mark.parametrize(
    ("by", "href"), [("spec", "/sprints/?q=kiln&amp;project=default"), ("project", "/sprints/?project=default")]
)
def test_it_groups_by(client: Client, by: str, href: str) -> None:
    import_one(evaluation())
    assert f'href="{href}"' in text_of(client, f"{ADDRESS}?by={by}")


def test_charts_say_their_n_and_stand_as_tables(client: Client) -> None:
    import_one(evaluation())
    text = text_of(client)
    for title in (
        "Failing criteria by verification method",
        "Strategies by result",
        "Feedback by category and priority",
    ):
        assert f"<caption>{title}</caption>" in text
    assert "n 3 criteria that passed or failed, in 1 of 1 iteration that record criteria." in text


def test_first_tries_are_a_trend_from_two_months_on(client: Client) -> None:
    caption = "<caption>First-try pass rate by month</caption>"
    import_one(evaluation(contract="a"))
    assert caption not in text_of(client)
    import_one(evaluation(contract="b", timestamp="2026-04-02T10:00:00Z"))
    assert caption in text_of(client)


def test_charts_of_what_nobody_records_are_left_out(client: Client) -> None:
    import_one(evaluation(strategyResults=None, criteriaResults=None, generatorFeedback=None, timestamp=None))
    text = text_of(client)
    assert "<figure" not in text
    assert '<span class="missing">not recorded</span>' in text


def test_it_asks_few_questions(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(3):
        import_one(evaluation(contract=f"sprint-kiln-{number}"))
    with django_assert_num_queries(QUERIES):
        client.get(ADDRESS)

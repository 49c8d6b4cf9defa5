"""Results that several evaluations hold count once, and the links of numbers lead to as many as are counted."""

from pathlib import Path

import pytest
from django.test import Client

from results.text.index import index_pending
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def twice(tmp_path: Path) -> None:
    """Three results that two evaluations hold, and one that only the second has."""
    error = {"Title": "Execution Error", "Message": "boom"}
    shared = [
        row(0, tool_calls=[("python", "timeout")]),
        row(1, kind="Error", error=error),
        row(2, usage={"InputTokens": 10**6}) | {"RunConfig": {"Pricing": {"Currency": "EUR", "InputPerMillion": 2}}},
    ]
    stored(tmp_path, "first", *shared)
    stored(tmp_path, "second", *shared, row(3, kind="Error", error=error))
    index_pending()


def total(client: Client, href: str) -> int:
    """How many results an address of the explorer shows."""
    found: int = client.get(href).context["page"].table.total
    return found


def test_errors_lead_to_what_counts(client: Client, twice: None) -> None:
    page = client.get("/errors/").context["page"]
    assert (page.outcomes.errors, total(client, page.errors_href)) == (2, 2)
    assert (page.rows[0].title.results, total(client, page.rows[0].results_href)) == (2, 2)


def test_costs_lead_to_what_counts(client: Client, twice: None) -> None:
    page = client.get("/costs/").context["page"]
    assert (page.results, total(client, page.results_href)) == (4, 4)
    assert (page.amounts[0].sum.priced, total(client, page.amounts[0].href)) == (1, 1)


def test_tools_lead_to_what_counts(client: Client, twice: None) -> None:
    page = client.get("/tools/").context["page"]
    assert (page.numbers.use.with_calls, total(client, page.numbers.links.calls)) == (1, 1)
    assert [total(client, line.links.any_failed) for line in (*page.numbers.lines, *page.runs)] == [1, 1]

"""One price rule for every question: prices in the file, else those of the operator or of the price table."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from pytest_django.fixtures import Settings

from results.filters import ResultFilter
from results.pricing import Origin, Reason
from results.queries.compare import compare
from results.queries.compare_columns import runs_of
from results.queries.costs import GroupCosts, costs
from results.queries.explorer import explore
from results.queries.facets import facets
from results.queries.group_figures import COST, group_figures
from results.queries.results import result_page
from results.queries.run_list import run_list
from results.queries.spending import money
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
PRICES = """
[[prices]]
model = "mine"
currency = "EUR"
input = 2
"""


def used(model: str, tokens: int, **pricing: Any) -> dict[str, Any]:
    config = {"Model": model} | ({"Pricing": pricing} if pricing else {})
    return {"RunConfig": config, "usage": {"InputTokens": tokens}}


@pytest.fixture
def three(tmp_path: Path, settings: Settings) -> int:
    """One result with prices in its file (5 USD), one whose model the operator prices (6 EUR), one unpriced."""
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    settings.PRICES_FILE = str(path)
    return stored(
        tmp_path,
        "one",
        row(0, run="file", task="a", **used("mine", 2_000_000, Currency="USD", InputPerMillion=2.5)),
        row(1, run="own", task="b", **used("mine", 3_000_000)),
        row(2, run="none", task="c", **used("nobody’s", 4_000_000)),
    )


def asked(query: str = "") -> ResultFilter:
    return ResultFilter.parse(QueryDict(query))


def amounts(found: GroupCosts) -> dict[str | None, Decimal]:
    return {amount.currency: amount.total for amount in found.amounts}


BOTH = {"USD": Decimal(5), "EUR": Decimal(6)}


@pytest.mark.usefixtures("three")
def test_rows_say_the_cost_and_whose_price_it_is() -> None:
    found = {row.task: row for row in result_page(visible_evaluations(), asked(), "task").rows}
    assert [(found[task].cost, found[task].currency, found[task].cost_origin) for task in "abc"] == [
        (Decimal(5), "USD", Origin.FILE),
        (Decimal(6), "EUR", Origin.OWN),
        (None, None, Origin.NONE),
    ]
    assert found["c"].cost_reason is Reason.NOT_IN_TABLE


@pytest.mark.usefixtures("three")
def test_the_explorer_filters_and_sorts_by_it() -> None:
    def shown(query: str, sort: str = "task") -> str:
        return " ".join(row.task for row in result_page(visible_evaluations(), asked(query), sort).rows)

    assert shown("priced=priced") == "a b"
    assert shown("cost=5.5..") == "b"
    assert shown("currency=EUR&priced=priced") == "b"
    assert shown("", "-cost") == "b a c"
    (facet,) = facets(visible_evaluations(), asked(), ("priced",))
    assert {option.value: option.count for option in facet.options} == {"priced": 2, "unpriced": 1}
    assert explore(visible_evaluations(), asked("priced=unpriced"), names=("currency",)).page.total == 1


def test_sums_agree_everywhere(three: int) -> None:
    visible = visible_evaluations()
    (whole,) = costs(visible, asked())
    (board,) = group_figures(visible, asked(), ((),), (COST,), ())[0].selected
    assert board.costs is not None
    by_run = {line.run: amounts(line.costs) for line in run_list(visible, asked()).runs}
    compared = compare(visible, [column.key for column in runs_of(visible, [three])])
    spent = money(visible, asked(), "run").total
    assert amounts(whole) == amounts(board.costs) == BOTH
    assert by_run == {"file": {"USD": Decimal(5)}, "own": {"EUR": Decimal(6)}, "none": {}}
    assert [amounts(column.costs) for column in compared.columns] == [{"USD": Decimal(5)}, {}, {"EUR": Decimal(6)}]
    assert {one.currency: one.total for one in spent.sums} == BOTH
    assert whole.unpriced == board.costs.unpriced == spent.unpriced == 1


def test_another_file_of_prices_changes_the_answer(three: int, settings: Settings) -> None:
    assert amounts(costs(visible_evaluations(), asked(f"evaluation={three}"))[0]) == BOTH
    settings.PRICES_FILE = ""
    assert amounts(costs(visible_evaluations(), asked(f"evaluation={three}"))[0]) == {"USD": Decimal(5)}

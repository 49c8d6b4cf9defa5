"""Money: sums, cost per pass, what is left out, and why."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from results.filters import Choice, ResultFilter
from results.pricing import Reason
from results.queries.spending import money
from results.queries.spending_parts import Money, Spending
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
PRICING = {"Currency": "USD", "InputPerMillion": 2, "OutputPerMillion": 10}


def priced_row(number: int, tokens: int, currency: str = "USD", **fields: Any) -> dict[str, Any]:
    """A result of 2 a million input tokens."""
    config = {"Model": "m", "Pricing": PRICING | {"Currency": currency}}
    return row(number, usage={"InputTokens": tokens}, RunConfig=config, **fields)


def asked(group: str = "run", chosen: ResultFilter | None = None) -> Money:
    return money(visible_evaluations(), chosen or ResultFilter(), group)


def sums_of(spending: Spending) -> list[tuple[str | None, Decimal, int, int]]:
    return [(held.currency, held.total, held.priced, held.passed) for held in spending.sums]


def test_failed_results_are_paid_for_in_the_cost_of_a_pass(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced_row(1, 10**6), priced_row(2, 3 * 10**6, kind="Failed"), priced_row(3, 10**6))
    (held,) = asked().total.sums
    assert (held.total, held.per_pass, held.per_result) == (Decimal(10), Decimal(5), Decimal(10) / 3)


def test_without_a_pass_there_is_no_cost_of_one(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced_row(1, 10**6, kind="Failed"))
    assert asked().total.sums[0].per_pass is None


def test_currencies_are_never_added(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced_row(1, 10**6), priced_row(2, 10**6, "EUR"), priced_row(3, 10**6, "EUR"))
    assert sums_of(asked().total) == [("EUR", Decimal(4), 2, 2), ("USD", Decimal(2), 1, 1)]


def test_what_has_no_price_is_counted_and_told_why(tmp_path: Path) -> None:
    rows = [row(1, usage={"InputTokens": 5}), row(2, model="nobody knows", usage={"InputTokens": 5})]
    rows += [row(3, usage={}), row(5, usage={"InputTokens": 0})]
    stored(tmp_path, "a", *rows, priced_row(4, 10**6))
    found = asked()
    assert (found.total.unpriced, found.total.unused) == (3, 1)
    assert {entry.reason for entry in found.unpriced} == {Reason.NO_MODEL, Reason.NOT_IN_TABLE, Reason.USAGE_UNKNOWN}


def test_table_prices_are_added_to_those_of_files(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced_row(1, 10**6), row(2, model="gpt-5.2", usage={"InputTokens": 10**6}))
    found = asked()
    assert sums_of(found.total) == [("USD", Decimal("3.75"), 2, 2)]
    assert found.total.table == 1


def test_prices_of_the_operator_are_counted_apart(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "prices.toml"
    path.write_text("[[prices]]\nmodel = 'gpt-5.2'\ncurrency = 'CHF'\ninput = 7\n", encoding="ascii")
    settings.PRICES_FILE = str(path)
    stored(tmp_path, "a", row(2, model="gpt-5.2", usage={"InputTokens": 10**6}))
    found = asked()
    assert (sums_of(found.total), found.total.own) == ([("CHF", Decimal(7), 1, 1)], 1)


@pytest.mark.parametrize(
    ("group", "names"),
    [
        ("provider", ["openai"]),
        ("run", ["gpt"]),
        ("model", ["m"]),
        ("suite", ["b", "a"]),
        ("tag", ["y", "x"]),
        ("category", [None]),
    ],
)
def test_groups_come_dearest_first(tmp_path: Path, group: str, names: list[str | None]) -> None:
    stored(tmp_path, "a", priced_row(1, 10, suite="a", tags=["x", "y"]), priced_row(2, 20, suite="b", tags=["y"]))
    assert [entry.name for entry in asked(group).groups] == names


def test_a_result_counts_in_each_of_its_tags(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced_row(1, 10**6, tags=["x", "y"]), priced_row(2, 10**6, tags=["y"]))
    assert [entry.sums[0].total for entry in asked("tag").groups] == [Decimal(4), Decimal(2)]


def test_the_dearest_task_is_that_of_all_its_results(tmp_path: Path) -> None:
    rows = [priced_row(1, 30, task="once"), priced_row(2, 20, task="twice"), priced_row(3, 20, task="twice")]
    stored(tmp_path, "a", *rows)
    assert [dear.task for dear in asked().tops[0].tasks] == ["twice", "once"]
    assert [dear.task for dear in asked().tops[0].results] == ["once", "twice", "twice"]


def test_a_copy_counts_once_but_its_evaluation_counts_what_it_holds(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced_row(1, 10**6))
    second = stored(tmp_path, "b", priced_row(1, 10**6), priced_row(2, 10**6))
    assert asked().total.sums[0].total == Decimal(4)
    one = asked(chosen=ResultFilter(evaluation=Choice((str(second),))))
    assert one.total.sums[0].total == Decimal(4)
    assert (asked().copies, one.copies) == (1, 0)


def test_the_judge_is_apart(tmp_path: Path) -> None:
    stored(tmp_path, "a", priced_row(1, 10**6, validation={"Usage": {"InputTokens": 7, "OutputTokens": 2}}))
    found = asked()
    assert (found.total.sums[0].total, found.judge.results, found.judge.input_tokens) == (Decimal(2), 1, 7)


def test_no_results_cost_nothing() -> None:
    found = asked()
    assert (found.total.sums, found.groups, found.tops, found.currency) == ((), (), (), None)


def test_an_unknown_group_is_refused() -> None:
    with pytest.raises(KeyError, match="colour"):
        asked("colour")

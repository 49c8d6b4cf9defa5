"""Costs of whole evaluations, which are added up once."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from results.queries.evaluation_costs import evaluation_costs
from results.queries.evaluations import evaluation_rows
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.documents import result
from tests.frontend.factories import an_evaluation

pytestmark = pytest.mark.django_db
PRICED = {"Model": "m", "Pricing": {"Currency": "USD", "InputPerMillion": 100000, "OutputPerMillion": 200000}}


def test_priced_results_are_added_up_and_others_counted(tmp_path: Path) -> None:
    evaluation = an_evaluation(
        tmp_path, result(0, RunConfig=PRICED), result(1, RunConfig=PRICED), result(2, Run="free")
    )
    visible = visible_evaluations()
    found = evaluation_costs(visible, evaluation_rows(visible))[evaluation.pk]
    assert [(amount.currency, amount.total) for amount in found.amounts] == [("USD", Decimal(4))]
    assert found.unpriced == 1


def test_a_cost_is_added_up_once(tmp_path: Path, django_assert_num_queries: Any) -> None:
    an_evaluation(tmp_path, result(0, RunConfig=PRICED))
    visible = visible_evaluations()
    rows = evaluation_rows(visible)
    first = evaluation_costs(visible, rows)
    with django_assert_num_queries(0):
        assert evaluation_costs(visible, rows) == first


def test_an_evaluation_that_may_not_be_seen_has_no_cost(tmp_path: Path) -> None:
    an_evaluation(tmp_path)
    rows = evaluation_rows(visible_evaluations())
    assert evaluation_costs(VisibleSet.of(frozenset()), rows) == {}

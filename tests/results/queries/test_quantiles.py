"""Quantiles in SQL: exact at any size, whatever else the facts hold."""

from decimal import Decimal
from pathlib import Path

import pytest

from results.filters import Choice, ResultFilter
from results.queries.summary import summary
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db

SMALL = (1, 1, 2, 2, 2, 2, 2, 3, 4)  # p95 by hand: position 0.95 * 8 = 7.6, so 3 + 0.6 * (4 - 3)


def measured(evaluation_id: int) -> tuple[Decimal | None, Decimal | None]:
    (group,) = summary(visible_evaluations(), ResultFilter(evaluation=Choice((str(evaluation_id),))), ("run",))
    assert group.input_tokens is not None
    return group.input_tokens.median, group.input_tokens.p95


def test_small_numbers_are_exact_whether_others_are_large_or_not(tmp_path: Path) -> None:
    small = stored(tmp_path, "small", *(row(n, usage={"InputTokens": size}) for n, size in enumerate(SMALL)))
    assert measured(small) == (Decimal(2), Decimal("3.6"))
    stored(tmp_path, "large", row(20, usage={"InputTokens": 2**63 - 1}))
    assert measured(small) == (Decimal(2), Decimal("3.6"))


def test_large_numbers_are_exact(tmp_path: Path) -> None:
    two = stored(
        tmp_path, "two", row(0, usage={"InputTokens": 0}), row(1, usage={"InputTokens": 9_007_199_254_740_993})
    )
    assert measured(two) == (Decimal("4503599627370496.5"), Decimal("8556839292003943.35"))


def test_unknown_values_are_left_out_of_large_ones(tmp_path: Path) -> None:
    mixed = stored(tmp_path, "mixed", row(0), row(1, usage={"InputTokens": 2**62}))
    none = stored(tmp_path, "none", row(2))
    assert (measured(mixed), measured(none)) == ((Decimal(2**62), Decimal(2**62)), (None, None))

"""Where an axis of time begins."""

from datetime import UTC, datetime, timedelta

import pytest

from results.figures.time_axis import early


@pytest.mark.parametrize(
    ("days", "left_out"),
    [
        ([0, 7, 14, 21], 0),
        ([0, 1000, 1007, 1014], 1),  # 1000 > 3 · 14
        ([0, 42, 49, 56], 0),  # 42 = 3 · 14 is not more
        ([0, 43, 50, 57], 1),
        ([0, 500, 2000, 2010, 2020], 2),  # from the third on; 1500 > 3 · 20
        ([0, 500, 2000, 2010], 0),  # only two would be left, and from the second on nothing is far
        ([0, 1000, 1001], 0),  # three moments are needed
        ([], 0),
    ],
)
def test_what_lies_long_before_all_others_is_left_out(days: list[int], left_out: int) -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    assert early([begin + timedelta(days=day) for day in days]) == left_out

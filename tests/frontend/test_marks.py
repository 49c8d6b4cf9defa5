"""The small marks draw what the numbers say; geometry by hand."""

import re
from datetime import UTC, datetime

import pytest

from frontend.templatetags.marks import bar_parts, rate_parts, time
from results.statistics import Rate


def segments(*counts: int) -> list[tuple[str, str, str]]:
    """Outcome, start and width of each stretch of a bar."""
    bar = bar_parts(*counts)
    assert not isinstance(bar["segments"], str)
    return [(segment.outcome, segment.start, segment.width) for segment in bar["segments"]]


def test_a_mark_ends_without_a_space_so_that_a_comma_may_follow() -> None:
    assert time(datetime(2026, 8, 24, 4, 4, tzinfo=UTC)).endswith("</time>")


def test_a_bar_shows_the_shares_with_gaps() -> None:
    assert segments(168, 62, 14, 8) == [
        ("passed", "0.00", "66.07"),
        ("failed", "66.67", "24.00"),
        ("error", "91.27", "4.96"),
        ("skipped", "96.83", "2.57"),
    ]


def test_an_outcome_that_never_happened_has_no_stretch() -> None:
    assert segments(3, 0, 0, 0) == [("passed", "0.00", "99.40")]


def test_a_tiny_share_stays_visible() -> None:
    assert segments(999, 1, 0, 0)[1] == ("failed", "99.90", "0.05")


def test_an_empty_evaluation_has_an_empty_bar() -> None:
    assert segments(0, 0, 0, 0) == []


def test_a_rate_draws_its_interval() -> None:
    drawn = rate_parts(Rate(168, 244))
    assert (drawn["low"], drawn["width"], drawn["dot"], drawn["n"]) == ("62.8", "11.5", "68.9", 244)


def test_a_rate_without_a_denominator_draws_nothing() -> None:
    assert rate_parts(Rate(0, 0)) == {"value": None, "n": 0}


@pytest.mark.parametrize("hits", [0, 7])
def test_an_interval_stays_inside_its_track(hits: int) -> None:
    drawn = rate_parts(Rate(hits, 7))
    assert re.fullmatch(r"\d+\.\d", str(drawn["width"]))
    assert 0 <= float(str(drawn["low"])) <= float(str(drawn["low"])) + float(str(drawn["width"])) <= 100.1

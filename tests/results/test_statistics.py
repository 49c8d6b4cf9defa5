"""Formulas against hand-computed and cited values."""

from fractions import Fraction

import pytest

from results.records import TokenUsage
from results.statistics import (
    OutcomeCounts,
    Rate,
    effective_input_tokens,
    effective_output_tokens,
    fisher_p_value,
    pass_at_k,
    pass_hat_k,
    quantile,
)

LARGEST = 2**63 - 1


# Wilson intervals; Source: Newcombe 1998, Statistics in Medicine 17, table I (method 3).
@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_of_a_rate_is_wilsons(hits: int, n: int, low: float, high: float) -> None:
    rate = Rate(hits, n)
    assert [rate.low, rate.high] == pytest.approx([low, high], abs=5e-5)


def test_a_rate_of_nothing_is_not_available() -> None:
    assert (Rate(0, 0).value, Rate(0, 0).low, Rate(0, 0).high) == (None, None, None)


@pytest.mark.parametrize(("hits", "expected"), [(0, 0.0), (20, 1.0)])
def test_the_interval_of_an_extreme_rate_ends_at_it(hits: int, expected: float) -> None:
    assert expected in {Rate(hits, 20).low, Rate(hits, 20).high}


def test_skipped_results_count_in_no_rate() -> None:
    counts = OutcomeCounts(passed=6, failed=2, errors=4, skipped=100)
    values = (counts.pass_rate.value, counts.accuracy.value, counts.error_rate.value)
    assert values == (0.5, 0.75, 4 / 12)


def test_a_run_with_only_skipped_tasks_has_no_pass_rate() -> None:
    counts = OutcomeCounts(skipped=3)
    assert (counts.pass_rate.value, counts.pass_rate.n, counts.total) == (None, 0, 3)


def test_a_run_with_only_errors_has_no_accuracy_and_an_error_rate_of_one() -> None:
    counts = OutcomeCounts(errors=3)
    assert (counts.pass_rate.value, counts.accuracy.value, counts.error_rate.value) == (0.0, None, 1.0)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("cache_tokens_included", 17903), ("cache_tokens_separate", 35720), (None, 35720), ("new_word", None)],
)
def test_cached_tokens_are_counted_as_the_accounting_says(word: str | None, expected: int | None) -> None:
    usage = TokenUsage(input_tokens=17903, input_cache_read_tokens=17817, input_token_accounting=word)
    assert effective_input_tokens(usage) == expected


def test_input_tokens_beyond_64_bits_are_exact() -> None:
    usage = TokenUsage(input_tokens=LARGEST, input_cache_write_tokens=LARGEST)
    assert effective_input_tokens(usage) == 18446744073709551614


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (TokenUsage(), None),
        (TokenUsage(input_cache_write_tokens=0), 0),
        (TokenUsage(input_cache_write_tokens=5, input_token_accounting="cache_tokens_included"), None),
    ],
)
def test_input_tokens_are_unknown_only_when_nothing_says_them(usage: TokenUsage, expected: int | None) -> None:
    assert effective_input_tokens(usage) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("reasoning_tokens_separate", 8), ("reasoning_tokens_included", 5), (None, 5), ("new_word", None)],
)
def test_reasoning_tokens_are_counted_as_the_accounting_says(word: str | None, expected: int | None) -> None:
    usage = TokenUsage(output_tokens=5, reasoning_tokens=3, output_token_accounting=word)
    assert effective_output_tokens(usage) == expected


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([], Fraction(1, 2), None),
        ([7], Fraction(95, 100), Fraction(7)),
        ([4, 1], Fraction(1, 2), Fraction(5, 2)),
        ([3, 1, 2], Fraction(1, 2), Fraction(2)),
        ([100, 301, 302], Fraction(95, 100), Fraction(3019, 10)),
        ([LARGEST, LARGEST - 1], Fraction(1, 2), Fraction(2 * LARGEST - 1, 2)),
    ],
)
def test_quantiles_lie_between_the_closest_ranks(values: list[int], share: Fraction, expected: Fraction | None) -> None:
    assert quantile(values, share) == expected


# Source: Fisher 1935, the lady tasting tea: 34 / 70; Agresti 2013. The second by hand: 2 / C(6, 3).
@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (((3, 1), (1, 3)), 34 / 70),
        (((3, 0), (0, 3)), 0.1),
        (((10, 10), (10, 10)), 1.0),
        (((8, 2), (1, 5)), 0.03496503),
        (((0, 0), (3, 4)), None),
        (((0, 3), (0, 4)), None),
    ],
)
def test_the_test_of_a_table_is_fishers(table: tuple[tuple[int, int], tuple[int, int]], expected: float | None) -> None:
    assert fisher_p_value(table) == pytest.approx(expected)


# By hand: 1 - C(3, 2) / C(5, 2) = 7 / 10; C(2, 2) / C(5, 2) = 1 / 10.
@pytest.mark.parametrize(
    ("tries", "passed", "k", "at", "hat"),
    [
        (5, 2, 1, 0.4, 0.4),
        (5, 2, 2, 0.7, 0.1),
        (5, 4, 2, 1.0, 0.6),
        (5, 0, 3, 0.0, 0.0),
        (5, 5, 5, 1.0, 1.0),
        (200, 100, 1, 0.5, 0.5),
        (2, 1, 3, None, None),
    ],
)
def test_repeated_tries_give_pass_at_k_and_pass_hat_k(
    tries: int, passed: int, k: int, at: float | None, hat: float | None
) -> None:
    assert (pass_at_k(tries, passed, k), pass_hat_k(tries, passed, k)) == (at, hat)


def test_more_cannot_pass_than_were_tried() -> None:
    with pytest.raises(ValueError, match="3 passed of 2 tries"):
        pass_at_k(2, 3, 1)

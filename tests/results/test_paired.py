"""Paired comparison against hand-computed and cited values."""

import pytest

from results.paired import PairedOutcomes, fewest_differences, holm


# Exact binomial tails by hand: 2 * (1 + 9) / 512; 2 * (1 + 19 + 171) / 524288; 2 / 16; no tail beyond 1.
@pytest.mark.parametrize(
    ("improved", "regressed", "expected"),
    [
        (8, 1, 0.0390625),
        (1, 8, 0.0390625),
        (2, 17, 2 * 191 / 2**19),
        (4, 0, 0.125),
        (5, 4, 1.0),
        (5, 5, 1.0),
        (0, 0, 1.0),
    ],
)
def test_the_paired_test_is_mcnemars_exact_one(improved: int, regressed: int, expected: float) -> None:
    assert PairedOutcomes(improved, regressed, 10).p_value == pytest.approx(expected, rel=1e-12)


# Source: Agresti 2013, Categorical data analysis, table 11.1: 86 and 150 of 1,600 changed sides.
def test_many_differing_pairs_give_the_p_value_of_the_book() -> None:
    found = PairedOutcomes(86, 150, 794 + 570).p_value
    assert found == pytest.approx(3.716e-5, rel=1e-3)


def test_no_pairs_have_no_figures() -> None:
    nothing = PairedOutcomes(0, 0, 0)
    found = (nothing.difference, nothing.p_value, nothing.effect_size, nothing.interval())
    assert found == (None, None, None, None)


def test_the_effect_size_is_cohens_g_with_its_direction() -> None:
    found = [PairedOutcomes(better, worse, 3).effect_size for better, worse in ((8, 1), (1, 3), (2, 2), (0, 0))]
    assert found == [pytest.approx(8 / 9 - 0.5), -0.25, 0.0, None]


# Binomial quantiles by hand: of 28 draws at 4/28, at most 0 succeed with 1.3 %, at most 8 with 98.7 %.
@pytest.mark.parametrize(
    ("pairs", "low", "high"),
    [
        (PairedOutcomes(4, 0, 24), 1 / 28, 8 / 28),
        (PairedOutcomes(0, 4, 24), -8 / 28, -1 / 28),
        (PairedOutcomes(0, 0, 28), 0.0, 0.0),
        (PairedOutcomes(3, 0, 0), 1.0, 1.0),
    ],
)
def test_the_interval_of_a_difference_is_that_of_drawn_pairs(pairs: PairedOutcomes, low: float, high: float) -> None:
    found = pairs.interval()
    assert found is not None
    assert [found.low, found.high] == pytest.approx([low, high])


def test_the_interval_of_a_difference_is_near_the_normal_one_for_many_pairs() -> None:
    # By hand: (300 - 200) / 2000 = 0.05, variance (500 / 2000 - 0.05 ** 2) / 2000, half width 1.96 * 0.011124 = 0.0218.
    found = PairedOutcomes(300, 200, 1500).interval()
    assert found is not None
    assert [found.low, found.high] == pytest.approx([0.0282, 0.0718], abs=0.001)


def test_the_same_seed_draws_the_same_interval() -> None:
    pairs = PairedOutcomes(17, 9, 20)
    assert pairs.interval(seed=5) == pairs.interval(seed=5)


@pytest.mark.parametrize(("alpha", "expected"), [(0.05, 6), (0.0625, 5), (0.025, 7), (0.01, 8), (1.0, 1)])
def test_few_differences_cannot_be_told_from_chance(alpha: float, expected: int) -> None:
    assert fewest_differences(alpha) == expected


# Source: Holm 1979 by hand: 0.01 * 4, 0.03 * 2 and 0.04 * 1 raised to what stands before; 0.005 * 5 in the second.
@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        ((0.01, 0.04, 0.03, 0.005), (0.03, 0.06, 0.06, 0.02)),
        ((0.0007, 0.125, 1.0), (0.0021, 0.25, 1.0)),
        ((0.02, None, 0.9), (0.04, None, 0.9)),
        ((0.8, 0.9), (1.0, 1.0)),
        ((None,), (None,)),
        ((), ()),
    ],
)
def test_several_p_values_are_corrected_by_holm(
    p_values: tuple[float | None, ...], expected: tuple[float | None, ...]
) -> None:
    assert holm(p_values) == pytest.approx(expected)

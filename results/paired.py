"""Paired comparison, once: what pairs of outcomes say, how sure it is, and the correction for asking several times."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2

import numpy as np
from scipy.special import bdtr

ALPHA = 0.05  # a p-value below it is called a clear difference
BOOTSTRAP_SEED = 20260824  # fixed, so that a page says the same thing twice
BOOTSTRAP_DRAWS = 10_000


@dataclass(frozen=True)
class Interval:
    """A 95 % interval, both ends in the unit of what it is about."""

    low: float
    high: float


@dataclass(frozen=True)
class PairedOutcomes:
    """Pairs of results, one of a candidate and one of the baseline: how many got better, worse, and stayed the same."""

    improved: int
    regressed: int
    same: int

    @property
    def pairs(self) -> int:
        """All pairs."""
        return self.improved + self.regressed + self.same

    @property
    def difference(self) -> float | None:
        """Pass rate of the candidate less that of the baseline, in [-1, 1]; None without pairs."""
        return (self.improved - self.regressed) / self.pairs if self.pairs else None

    @property
    def p_value(self) -> float | None:
        """McNemar's exact test, two-sided; 1 when no pair differs, None without pairs.

        Source: McNemar 1947, Psychometrika 12; the exact form is the binomial test of the pairs that differ at 1/2.
        """
        if not self.pairs:
            return None
        smaller, differing = min(self.improved, self.regressed), self.improved + self.regressed
        return min(1.0, 2 * float(bdtr(smaller, differing, 0.5))) if differing else 1.0

    @property
    def effect_size(self) -> float | None:
        """Cohen's g with a sign: the share of improved among the pairs that differ, less 1/2; None if none differs.

        In [-0.5, 0.5]. From 0.05 it is called small, from 0.15 medium, from 0.25 large.
        Source: Cohen 1988, Statistical power analysis for the behavioral sciences, chapter 5.
        """
        differing = self.improved + self.regressed
        return self.improved / differing - 0.5 if differing else None

    def interval(self, seed: int = BOOTSTRAP_SEED, draws: int = BOOTSTRAP_DRAWS) -> Interval | None:
        """The 95 % percentile bootstrap interval of `difference`; None without pairs.

        Pairs are drawn with replacement, which is a multinomial draw over -1, 0 and +1. When all pairs agree it has no
        width, which says that there is nothing to draw from and not that the difference is known.

        Source: Efron & Tibshirani 1993, An introduction to the bootstrap, chapter 13.
        """
        if not self.pairs:
            return None
        shares = np.array([self.improved, self.regressed, self.same]) / self.pairs
        drawn = np.random.default_rng(seed).multinomial(self.pairs, shares, size=draws)
        low, high = np.quantile((drawn[:, 0] - drawn[:, 1]) / self.pairs, [0.025, 0.975])
        return Interval(float(low), float(high))


def fewest_differences(alpha: float = ALPHA) -> int:
    """How many pairs must differ, all in one direction, before McNemar's exact test goes below `alpha`; 6 for 0.05."""
    return max(1, ceil(1 - log2(alpha)))


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """P-values corrected for being several, in the order given; one that is None was no test and stays None.

    Source: Holm 1979, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6.
    """
    known = sorted((value, place) for place, value in enumerate(p_values) if value is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (value, place) in enumerate(known):
        largest = max(largest, min(1.0, value * (len(known) - rank)))
        corrected[place] = largest
    return tuple(corrected)

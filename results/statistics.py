"""Every formula, once: rates with intervals, effective tokens, quantiles, tables, repeated tries (pairs: `paired`)."""

from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt

import numpy as np
from scipy.special import gammaln

from results.records import TokenUsage

Z_95 = 1.959963984540054  # the 97.5 % quantile of the normal distribution


@dataclass(frozen=True)
class Rate:
    """A share `hits` of `n`; `value` and its bounds are None when n is 0 ("n/a", never 0)."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """The share in [0, 1]."""
        return self.hits / self.n if self.n else None

    @property
    def low(self) -> float | None:
        """Lower end of the 95 % Wilson interval."""
        return self._wilson(-1)

    @property
    def high(self) -> float | None:
        """Upper end of the 95 % Wilson interval."""
        return self._wilson(1)

    def _wilson(self, sign: int) -> float | None:
        """Source: Wilson 1927, Probable inference, the law of succession, and statistical inference, JASA 22."""
        if not self.n:
            return None
        if self.hits == (self.n if sign > 0 else 0):
            return 1.0 if sign > 0 else 0.0
        share, square = self.hits / self.n, Z_95 * Z_95
        half = Z_95 * sqrt(share * (1 - share) / self.n + square / (4 * self.n * self.n))
        return (share + square / (2 * self.n) + sign * half) / (1 + square / self.n)


@dataclass(frozen=True)
class OutcomeCounts:
    """How many results had each outcome, and the three rates; skipped results never count in a rate."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0

    @property
    def total(self) -> int:
        """All results."""
        return self.counted + self.skipped

    @property
    def counted(self) -> int:
        """The results that count: all but the skipped ones."""
        return self.passed + self.failed + self.errors

    @property
    def pass_rate(self) -> Rate:
        """Passed of passed, failed and error."""
        return Rate(self.passed, self.counted)

    @property
    def accuracy(self) -> Rate:
        """Passed of passed and failed."""
        return Rate(self.passed, self.passed + self.failed)

    @property
    def error_rate(self) -> Rate:
        """Error of passed, failed and error."""
        return Rate(self.errors, self.counted)


def _known_sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def effective_input_tokens(usage: TokenUsage) -> int | None:
    """The tokens of one usage object that went in, exact beyond 64 bits; None = unknown.

    `cache_tokens_separate` or no word: input + cache write + cache read, unknown only if all three are.
    `cache_tokens_included`: input. Any other word: unknown. Source: MindTrial commit 096a8cf.
    """
    accounting = usage.input_token_accounting
    if not accounting or accounting == "cache_tokens_separate":
        return _known_sum([usage.input_tokens, usage.input_cache_write_tokens, usage.input_cache_read_tokens])
    return usage.input_tokens if accounting == "cache_tokens_included" else None


def effective_output_tokens(usage: TokenUsage) -> int | None:
    """The tokens of one usage object that came out, exact beyond 64 bits; None = unknown.

    `reasoning_tokens_separate`: output + reasoning, unknown only if both are. Included or no word: output.
    Any other word: unknown. Source: MindTrial v0.21.
    """
    accounting = usage.output_token_accounting
    if accounting == "reasoning_tokens_separate":
        return _known_sum([usage.output_tokens, usage.reasoning_tokens])
    return usage.output_tokens if not accounting or accounting == "reasoning_tokens_included" else None


def quantile(values: list[int], share: Fraction) -> Fraction | None:
    """The exact quantile by linear interpolation between the two closest ranks.

    Args:
        values: in any order; unknown values left out beforehand.
        share: in [0, 1]; position `share · (n - 1)` counted from 0.

    Returns:
        None for no values.

    Source: Hyndman & Fan 1996, definition 7 (the default of numpy and R, `quantile_cont` of SQL).
    """
    if not values:
        return None
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def fisher_p_value(table: tuple[tuple[int, int], tuple[int, int]]) -> float | None:
    """Fisher's exact test of a 2 x 2 table of counts, two-sided; None when a row or a column is empty.

    Adds up the tables with the same margins that are no likelier than this one, as R and scipy do.

    Source: Fisher 1935, The logic of inductive inference, Journal of the Royal Statistical Society 98.
    """
    (first, second), (third, fourth) = table
    row, column, total = first + second, first + third, first + second + third + fourth
    if not (row and column and total - row and total - column):
        return None
    counts = np.arange(max(0, row + column - total), min(row, column) + 1)
    logs = _log_choose(column, counts) + _log_choose(total - column, row - counts)
    shares = np.exp(logs - logs.max())
    observed = shares[first - counts[0]]
    return min(1.0, float(shares[shares <= observed * (1 + 1e-7)].sum() / shares.sum()))


def _log_choose(
    of: int, chosen: "np.ndarray[tuple[int], np.dtype[np.int64]]"
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = (
        gammaln(of + 1) - gammaln(chosen + 1) - gammaln(of - chosen + 1)
    )
    return found


def pass_at_k(tries: int, passed: int, k: int) -> float | None:
    """The chance that at least one of `k` tries passes, unbiased, if `passed` of `tries` did; None if k > tries.

    Source: Chen et al. 2021, Evaluating large language models trained on code, equation 1.
    """
    _require_tries(tries, passed, k)
    return None if k > tries else float(1 - Fraction(comb(tries - passed, k), comb(tries, k)))


def pass_hat_k(tries: int, passed: int, k: int) -> float | None:
    """The chance that all of `k` tries pass (pass^k), unbiased; None if k > tries.

    Source: Yao et al. 2024, tau-bench: a benchmark for tool-agent-user interaction in real-world domains, section 4.
    """
    _require_tries(tries, passed, k)
    return None if k > tries else float(Fraction(comb(passed, k), comb(tries, k)))


def _require_tries(tries: int, passed: int, k: int) -> None:
    if k < 1 or not 0 <= passed <= tries:
        raise ValueError(
            f"{passed} passed of {tries} tries, k = {k}: k begins at 1, and no more can pass than were tried."
        )

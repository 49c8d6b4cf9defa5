"""Estimates against hand-computed amounts, for every rule."""

from decimal import Decimal
from typing import Any

import msgspec
import pytest

from results.pricing import Estimate, Reason, estimate, model_cost, nano, total
from results.records import Pricing, TokenUsage, decode_result
from tests.results.facts.evaluations import row

UNUSED = Estimate(None, Reason.NOTHING_USED)


def prices(**values: str) -> Pricing:
    """USD 3 in, 15 out, unless said otherwise; an empty text is no price."""
    known = {"input_per_million": "3", "output_per_million": "15", **values}
    return Pricing(currency="USD", **{name: Decimal(value) for name, value in known.items() if value})


def usage(**values: Any) -> TokenUsage:
    short = {"read": "input_cache_read_tokens", "write": "input_cache_write_tokens", "reasoning": "reasoning_tokens"}
    short |= {"inputs": "input_tokens", "outputs": "output_tokens"}
    short |= {"cache": "input_token_accounting", "thought": "output_token_accounting"}
    words = {"cache": "cache_tokens_", "thought": "reasoning_tokens_"}
    known = ("separate", "included")
    found: dict[str, Any] = {
        short[name]: f"{words[name]}{value}" if value in known else value for name, value in values.items()
    }
    return TokenUsage(**found)


def cost(pricing: Pricing | None = None, **values: Any) -> Estimate:
    return estimate(usage(**values), pricing or prices())


def priced(amount: str) -> Estimate:
    return Estimate(Decimal(amount), Reason.PRICED)


CACHE = {"cache_read_per_million": "0.3", "cache_write_per_million": "3.75"}


@pytest.mark.parametrize(
    ("values", "amount"),
    [
        ({"inputs": 1_000_000}, "3"),
        ({"inputs": 1, "outputs": 1}, "0.000018"),
        ({"inputs": 0, "outputs": 2}, "0.00003"),
        # (17903 - 17817) * 3 + 17817 * 0.3, and 17903 * 3 + 17817 * 0.3, in millionths
        ({"inputs": 17903, "read": 17817, "write": 0, "cache": "included"}, "0.0056031"),
        ({"inputs": 17903, "read": 17817, "write": 0, "cache": "separate"}, "0.0590541"),
        ({"inputs": 17903, "read": 17817}, "0.0590541"),
        # 100 read, 200 written: 700 * 3 + 100 * 0.3 + 200 * 3.75, and 1000 * 3 + 30 + 750
        ({"inputs": 1000, "read": 100, "write": 200, "cache": "included"}, "0.00288"),
        ({"inputs": 1000, "read": 100, "write": 200, "cache": "separate"}, "0.00378"),
        ({"inputs": 300, "read": 100, "write": 200, "cache": "included"}, "0.00078"),
        ({"read": 100, "write": 200, "cache": "separate"}, "0.00078"),
        ({"read": 100}, "0.00003"),
    ],
)
def test_input_is_priced_by_disjoint_buckets(values: dict[str, Any], amount: str) -> None:
    assert cost(prices(**CACHE), **values) == priced(amount)


@pytest.mark.parametrize(
    ("values", "amount"),
    [
        ({"outputs": 100, "reasoning": 40, "thought": "included"}, "0.0013"),  # 60 * 15 + 40 * 10
        ({"outputs": 100, "reasoning": 40}, "0.0013"),
        ({"outputs": 100, "reasoning": 40, "thought": "separate"}, "0.0019"),  # 100 * 15 + 40 * 10
        ({"outputs": 40, "reasoning": 40}, "0.0004"),
        ({"outputs": 100}, "0.0015"),
        ({"reasoning": 40}, "0.0004"),
        ({"reasoning": 40, "thought": "separate"}, "0.0004"),
    ],
)
def test_output_is_priced_by_disjoint_buckets(values: dict[str, Any], amount: str) -> None:
    assert cost(prices(reasoning_per_million="10"), **values) == priced(amount)


def test_cached_tokens_without_a_price_of_their_own_cost_what_input_costs() -> None:
    assert cost(inputs=17903, read=17817, write=100, cache="separate") == priced("0.10746")  # 35820 * 3


def test_reasoning_without_a_price_of_its_own_costs_what_output_costs() -> None:
    assert cost(outputs=100, reasoning=40, thought="separate") == priced("0.0021")


@pytest.mark.parametrize(
    "values", [{}, {"inputs": 0, "outputs": 0, "read": 0}, {"inputs": 0, "cache": "surprise"}, {"thought": "separate"}]
)
def test_nothing_used_is_not_a_price_of_nothing(values: dict[str, Any]) -> None:
    assert cost(**values) == UNUSED


def test_no_usage_is_nothing_used() -> None:
    assert estimate(None, None) == UNUSED


def test_a_price_of_zero_is_a_price() -> None:
    assert cost(prices(input_per_million="0"), inputs=5) == priced("0")


@pytest.mark.parametrize(
    ("pricing", "values", "reason"),
    [
        (prices(input_per_million=""), {"inputs": 5}, Reason.NO_RATE),
        (prices(output_per_million=""), {"inputs": 5, "outputs": 1}, Reason.NO_RATE),
        (prices(input_per_million=""), {"read": 5}, Reason.NO_RATE),
        (prices(output_per_million=""), {"reasoning": 5}, Reason.NO_RATE),
        (prices(), {"inputs": 5, "cache": "surprise"}, Reason.UNKNOWN_ACCOUNTING),
        (prices(), {"outputs": 5, "thought": "surprise"}, Reason.UNKNOWN_ACCOUNTING),
        (prices(), {"inputs": 5, "read": 1, "cache": "separate"}, Reason.MISSING_COUNTER),
        (prices(), {"inputs": 5, "write": 1, "cache": "separate"}, Reason.MISSING_COUNTER),
        (prices(), {"outputs": 5, "thought": "separate"}, Reason.MISSING_COUNTER),
        (prices(**CACHE), {"inputs": 5, "write": 1, "cache": "included"}, Reason.MISSING_COUNTER),
        (prices(reasoning_per_million="9"), {"outputs": 5, "thought": "included"}, Reason.MISSING_COUNTER),
        (prices(), {"read": 5, "write": 0, "cache": "included"}, Reason.MISSING_COUNTER),
        (prices(), {"inputs": 5, "read": 4, "write": 2, "cache": "included"}, Reason.INCONSISTENT),
        (prices(), {"outputs": 5, "reasoning": 6, "thought": "included"}, Reason.INCONSISTENT),
        (prices(), {"outputs": 5, "reasoning": 6}, Reason.INCONSISTENT),
        (prices(), {"inputs": -5}, Reason.INCONSISTENT),
        (prices(input_per_million="-1"), {"inputs": 5}, Reason.INCONSISTENT),
    ],
)
def test_what_cannot_be_priced_says_why(pricing: Pricing, values: dict[str, Any], reason: Reason) -> None:
    assert cost(pricing, **values) == Estimate(None, reason)


def test_usage_without_prices_is_unpriced() -> None:
    assert estimate(usage(inputs=5), None) == Estimate(None, Reason.NO_PRICES)


@pytest.mark.parametrize(
    "values",
    [
        {"inputs": 5, "cache": "included"},  # read and write cost what input costs
        {"inputs": 5},  # no word
        {"outputs": 5, "thought": "included"},
        {"outputs": 5},
    ],
)
def test_a_missing_subset_that_changes_no_price_does_not_matter(values: dict[str, Any]) -> None:
    assert cost(prices(cache_read_per_million="3"), **values).reason is Reason.PRICED


def test_a_bucket_without_tokens_needs_no_rate() -> None:
    assert cost(prices(output_per_million=""), inputs=1_000_000, outputs=0) == priced("3")


def test_amounts_of_the_largest_counters_are_exact() -> None:
    found = cost(prices(input_per_million="0.123456789"), inputs=2**63 - 1)
    assert found.amount == Decimal(2**63 - 1) * 123456789 / Decimal(10**15)


@pytest.mark.parametrize("rate", ["1e999999", "1e400000"])
def test_a_price_beyond_all_measure_is_no_error(rate: str) -> None:
    assert nano(cost(prices(input_per_million=rate), inputs=2**62)) == (None, Reason.TOO_LARGE)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (priced("0.0000000025"), (2, Reason.PRICED)),
        (priced("0.0000000035"), (4, Reason.PRICED)),
        (priced("9223372036.854775807"), (2**63 - 1, Reason.PRICED)),
        (priced("9223372036.854775808"), (None, Reason.TOO_LARGE)),
        (UNUSED, (None, Reason.NOTHING_USED)),
    ],
)
def test_an_amount_is_kept_in_billionths(found: Estimate, expected: tuple[int | None, Reason]) -> None:
    assert nano(found) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((), UNUSED),
        ((UNUSED, UNUSED), UNUSED),
        ((priced("1"), UNUSED), priced("1")),
        ((priced("1"), priced("0.5")), priced("1.5")),
        ((priced("1"), Estimate(None, Reason.NO_RATE)), Estimate(None, Reason.NO_RATE)),
    ],
)
def test_a_sum_needs_all_its_parts(parts: tuple[Estimate, ...], expected: Estimate) -> None:
    assert total(parts) == expected


def model_cost_of(**fields: Any) -> Estimate:
    config = {"Model": "m", "Pricing": {"Currency": "USD", "InputPerMillion": 3, "OutputPerMillion": 15}}
    return model_cost(decode_result(msgspec.json.encode(row(RunConfig=config, **fields))))


def test_a_failed_try_costs_too() -> None:
    error = {"Title": "Response Parsing Error", "Usage": {"InputTokens": 1000}}
    assert model_cost_of(kind="Error", usage={"InputTokens": 1000}, error=error) == priced("0.006")


def test_a_judge_costs_the_model_nothing() -> None:
    judge = {"Title": "Semantic Assessment", "Usage": {"InputTokens": 1000}}
    assert model_cost_of(usage={"InputTokens": 1000}, validation=judge) == priced("0.003")


def test_a_judge_that_failed_costs_the_model_nothing() -> None:
    error = {"Title": "Validation Error", "Usage": {"InputTokens": 1000}}
    assert model_cost_of(kind="Error", usage={"InputTokens": 1000}, error=error) == priced("0.003")


@pytest.mark.parametrize(
    ("kind", "usage", "reason"),
    [
        ("Passed", None, Reason.USAGE_UNKNOWN),
        ("Passed", {}, Reason.USAGE_UNKNOWN),
        ("Error", None, Reason.USAGE_UNKNOWN),
        ("Passed", {"InputTokens": 0}, Reason.NOTHING_USED),
        ("Skipped", None, Reason.NOTHING_USED),
    ],
)
def test_usage_that_is_not_recorded_is_unknown_and_not_nothing(
    kind: str, usage: dict[str, int] | None, reason: Reason
) -> None:
    assert model_cost_of(kind=kind, usage=usage) == Estimate(None, reason)

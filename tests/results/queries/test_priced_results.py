"""Costs at table prices: the SQL says what `results.pricing` says, and amounts are those of a pocket calculator."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from results.facts.engine import answer
from results.facts.reading import Reading
from results.price_file import OwnModel, OwnPrice, PriceFile
from results.price_table import PriceTable
from results.pricing import Estimate, Reason, estimate, total
from results.queries.priced_results import as_decimal, priced
from results.queries.visibility import visible_evaluations
from results.records import Pricing, TokenUsage
from tests.documents import START_MS, trace_id
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db
SEPARATE, INCLUDED = "cache_tokens_separate", "cache_tokens_included"
COUNTS = [None, None, 0, 1, 7, 1_000_000, -3, 2**62]
RATES = [None, Decimal(0), Decimal("0.000000001"), Decimal("2.5"), Decimal(10)]
OUTPUT_WORDS = ["", "reasoning_tokens_separate", "reasoning_tokens_included", "?"]
SEED, USAGES, TABLES = 20, 500, 8


def any_usage(chance: Random) -> TokenUsage:
    return TokenUsage(
        input_tokens=chance.choice(COUNTS),
        output_tokens=chance.choice(COUNTS),
        input_cache_read_tokens=chance.choice(COUNTS),
        input_cache_write_tokens=chance.choice(COUNTS),
        reasoning_tokens=chance.choice(COUNTS),
        input_token_accounting=chance.choice(["", SEPARATE, INCLUDED, INCLUDED, "?"]),
        output_token_accounting=chance.choice(OUTPUT_WORDS),
    )


def any_pricing(chance: Random) -> Pricing:
    return Pricing(
        currency="USD",
        input_per_million=chance.choice(RATES),
        output_per_million=chance.choice(RATES),
        cache_read_per_million=chance.choice(RATES),
        cache_write_per_million=chance.choice(RATES),
        reasoning_per_million=chance.choice(RATES),
    )


def table_of(pricing: Pricing) -> PriceTable:
    return PriceTable(PriceFile((OwnPrice(None, "m", None, pricing),)))


def costs_of(table: PriceTable) -> list[tuple[Reason, Decimal | None]]:
    """Reason and amount of all results in order."""
    visible = visible_evaluations()

    def read(reading: Reading) -> list[tuple[Reason, Decimal | None]]:
        with priced(reading, "", "result_id", table) as found:
            sql = f"SELECT reason, amount FROM {found.sql} ORDER BY result_id"
            return [(Reason(reason), as_decimal(amount)) for reason, amount in reading.rows(sql, found.parameters)]

    return answer(visible.evaluation_ids, visible.key, None, read)


def recorded(usage: TokenUsage) -> dict[str, Any]:
    """A usage as a document has it."""
    values = {
        "InputTokens": usage.input_tokens,
        "OutputTokens": usage.output_tokens,
        "InputCacheReadTokens": usage.input_cache_read_tokens,
        "InputCacheWriteTokens": usage.input_cache_write_tokens,
        "ReasoningTokens": usage.reasoning_tokens,
        "InputTokenAccounting": usage.input_token_accounting or None,
        "OutputTokenAccounting": usage.output_token_accounting or None,
    }
    return {name: value for name, value in values.items() if value is not None}


def cost_of(usages: list[TokenUsage], pricing: Pricing) -> Estimate:
    """What a result cost that is not skipped; where no counter is recorded at all, nobody knows."""
    if not any(name.endswith("Tokens") for usage in usages for name in recorded(usage)):
        return Estimate(None, Reason.USAGE_UNKNOWN)
    return total([estimate(usage, pricing) for usage in usages])


def expected(found: Estimate) -> tuple[Reason, Decimal | None]:
    return found.reason, found.amount


def test_sql_and_python_agree_about_every_usage(tmp_path: Path) -> None:
    chance = Random(SEED)
    usages = [(any_usage(chance), any_usage(chance) if chance.random() < 0.3 else None) for _ in range(USAGES)]
    rows = []
    for number, (usage, failed) in enumerate(usages):
        error = {} if failed is None else {"error": {"Title": "x", "Usage": recorded(failed)}}
        rows.append(row(number, model="m", usage=recorded(usage), **error))
    stored(tmp_path, "a", *rows)
    for pricing in [any_pricing(chance) for _ in range(TABLES)]:
        want = [expected(cost_of([usage, *([failed] if failed else [])], pricing)) for usage, failed in usages]
        assert costs_of(table_of(pricing)) == want


# Prices per million: input 3, output 15, cache read 0.3, cache write 3.75, reasoning 20.
PRICES = Pricing(
    currency="EUR",
    input_per_million=Decimal(3),
    output_per_million=Decimal(15),
    cache_read_per_million=Decimal("0.3"),
    cache_write_per_million=Decimal("3.75"),
    reasoning_per_million=Decimal(20),
)
COUNTERS = {"InputTokens": 1000, "InputCacheReadTokens": 400, "InputCacheWriteTokens": 100, "OutputTokens": 200}
BY_HAND = [
    # 1000·3 + 400·0.3 + 100·3.75 + 200·15 millionths = 3000 + 120 + 375 + 3000
    (COUNTERS | {"InputTokenAccounting": SEPARATE}, Decimal("0.006495")),
    # (1000 − 400 − 100)·3 + 120 + 375 + 3000
    (COUNTERS | {"InputTokenAccounting": INCLUDED}, Decimal("0.004995")),
    (COUNTERS, Decimal("0.006495")),
    # output 200 of which 50 are reasoning: 150·15 + 50·20
    (
        COUNTERS | {"ReasoningTokens": 50, "OutputTokenAccounting": "reasoning_tokens_included"},
        Decimal("0.006745"),
    ),
    # output 200 and 50 of reasoning beside it: 200·15 + 50·20
    (
        COUNTERS | {"ReasoningTokens": 50, "OutputTokenAccounting": "reasoning_tokens_separate"},
        Decimal("0.007495"),
    ),
]


@pytest.mark.parametrize(("usage", "cost"), BY_HAND)
def test_a_cost_at_table_prices_is_that_of_a_pocket_calculator(
    tmp_path: Path, usage: dict[str, Any], cost: Decimal
) -> None:
    stored(tmp_path, "a", row(model="m", usage=usage))
    assert costs_of(table_of(PRICES)) == [(Reason.PRICED, cost)]


def test_prices_in_the_file_win(tmp_path: Path) -> None:
    config = {"Model": "m", "Pricing": {"Currency": "USD", "InputPerMillion": 1, "OutputPerMillion": 1}}
    stored(tmp_path, "a", row(usage={"InputTokens": 1_000_000}, RunConfig=config))
    assert costs_of(table_of(PRICES)) == [(Reason.PRICED, Decimal(1))]


def test_without_a_model_there_is_no_price(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(usage={"InputTokens": 1}))
    assert costs_of(table_of(PRICES)) == [(Reason.NO_MODEL, None)]


def test_a_model_that_the_operator_names_has_its_price(tmp_path: Path) -> None:
    stored(tmp_path, "a", row(usage={"InputTokens": 1_000_000}))
    table = PriceTable(PriceFile((OwnPrice(None, "m", None, PRICES),), (OwnModel("openai", "gpt", "m"),)))
    assert costs_of(table) == [(Reason.PRICED, Decimal(3))]


def test_the_price_is_that_of_the_day_it_ran(tmp_path: Path) -> None:
    before, after = START_MS, START_MS + 86_400_000  # 28 and 29 May 2026
    rows = [row(number, model="m", TraceID=trace_id(number, at)) for number, at in enumerate((before, after))]
    stored(tmp_path, "a", *[entry | {"Details": {"Answer": {"Usage": {"InputTokens": 10**6}}}} for entry in rows])
    dearer = replace(PRICES, input_per_million=Decimal(4))
    prices = (OwnPrice(None, "m", None, PRICES), OwnPrice(None, "m", date(2026, 5, 29), dearer))
    assert costs_of(PriceTable(PriceFile(prices))) == [(Reason.PRICED, Decimal(3)), (Reason.PRICED, Decimal(4))]


def test_a_price_by_length_is_not_guessed(tmp_path: Path) -> None:
    rows = [
        row(number, provider="anthropic", model="claude-sonnet-4-5", usage={"InputTokens": tokens})
        for number, tokens in enumerate((200_000, 200_001))
    ]
    stored(tmp_path, "a", *rows)
    assert costs_of(PriceTable()) == [(Reason.PRICED, Decimal("0.6")), (Reason.LENGTH_UNKNOWN, None)]


def test_the_judge_of_a_failed_validation_costs_the_model_nothing(tmp_path: Path) -> None:
    error = {"Title": "Validation Error", "Usage": {"InputTokens": 5}}
    stored(tmp_path, "a", row(model="m", kind="Error", usage={"InputTokens": 10**6}, error=error))
    assert costs_of(table_of(PRICES)) == [(Reason.PRICED, Decimal(3))]

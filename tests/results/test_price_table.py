"""The table of prices: the package's entries by day, and the operator's before them."""

import os
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import ModelPrice, StartDateConstraint, TieredPrices
from pytest_django.fixtures import Settings

from results.price_table import Price, PriceTable, price_table
from results.pricing import Reason

AT = datetime(2026, 8, 1, tzinfo=UTC)
OWN = "[[prices]]\nmodel = 'm'\ncurrency = 'EUR'\ninput = 1\n"


def price_of(found: Price | Reason) -> Decimal | None:
    assert isinstance(found, Price)
    return found.pricing.input_per_million


def test_a_price_that_was_a_floating_point_number_is_a_whole_amount_a_token() -> None:
    found = PriceTable().price("huggingface_together", "Qwen/Qwen3-VL-8B-Instruct", AT)
    assert isinstance(found, Price)
    for rate in (found.pricing.input_per_million, found.pricing.output_per_million):
        assert rate is not None
        assert (rate * 10**9) % 1 == 0


def _base(price: ModelPrice, name: str) -> Decimal | None:
    value = getattr(price, name)
    return value.base if isinstance(value, TieredPrices) else value


def test_a_price_is_that_of_its_day() -> None:
    provider, model, entry = next(
        (provider, model, entry)
        for provider in get_snapshot().providers
        if provider.id in ("openai", "anthropic", "google", "mistral")
        for model in provider.models
        if isinstance(model.prices, list)
        for before, entry in zip(model.prices, model.prices[1:], strict=False)
        if isinstance(entry.constraint, StartDateConstraint)
        and _base(before.prices, "input_mtok") != _base(entry.prices, "input_mtok")
    )
    assert isinstance(entry.constraint, StartDateConstraint)
    first = datetime.combine(entry.constraint.start_date, datetime.min.time(), UTC)
    before = price_of(PriceTable().price(provider.id, model.id, first - timedelta(days=1)))
    assert price_of(PriceTable().price(provider.id, model.id, first)) == _base(entry.prices, "input_mtok") != before


def test_a_model_that_the_package_does_not_know_has_no_price() -> None:
    assert PriceTable().price("openai", "no such model", AT) is Reason.NOT_IN_TABLE


def test_a_provider_that_the_package_does_not_know_has_no_price() -> None:
    assert PriceTable().price("somebody", "gpt-5.2", AT) is Reason.NOT_IN_TABLE


def test_the_providers_of_mindtrial_are_known() -> None:
    assert price_of(PriceTable().price("xai", "grok-4.5", AT)) is not None
    assert price_of(PriceTable().price("mistralai", "mistral-medium-3.5", AT)) is not None


def test_the_file_is_read_again_when_it_has_changed(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(OWN, encoding="ascii")
    settings.PRICES_FILE = str(path)
    first = price_table()
    path.write_text(OWN.replace("input = 1", "input = 22"), encoding="ascii")
    os.utime(path, (1, 1))
    assert price_of(first.price("x", "m", AT)) == 1
    assert price_of(price_table().price("x", "m", AT)) == Decimal(22)


def test_a_broken_file_is_told_and_the_package_holds(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "prices.toml"
    path.write_text("[[prices", encoding="ascii")
    settings.PRICES_FILE = str(path)
    assert "cannot be read" in price_table().problem
    assert price_of(price_table().price("openai", "gpt-5.2", AT)) is not None


def test_a_missing_file_is_told(tmp_path: Path, settings: Settings) -> None:
    settings.PRICES_FILE = str(tmp_path / "none.toml")
    assert "No such file" in price_table().problem

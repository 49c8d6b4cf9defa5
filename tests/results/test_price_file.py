"""The operator's file of prices."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from results.price_file import PriceFile, PriceFileError, read_price_file

TOML = """
[[prices]]
model = "m"
currency = "EUR"
input = 0.1
output = 2

[[prices]]
provider = "openai"
model = "m"
from = 2026-08-01
currency = "EUR"
input = 0.25

[[models]]
run = "fast"
model = "m"

[[models]]
provider = "openai"
run = "fast"
model = "n"
"""


def read(folder: Path, text: str, name: str = "prices.toml") -> PriceFile:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_price_file(path)


def test_prices_are_exact(tmp_path: Path) -> None:
    assert read(tmp_path, TOML).prices[0].pricing.input_per_million == Decimal("0.1")


def test_a_price_that_is_not_given_is_not_known(tmp_path: Path) -> None:
    assert read(tmp_path, TOML).prices[1].pricing.output_per_million is None


def test_entries_that_name_the_provider_go_before_others(tmp_path: Path) -> None:
    found = read(tmp_path, TOML)
    assert [entry.since for entry in found.prices_of("openai", "m")] == [date(2026, 8, 1)]
    assert [entry.since for entry in found.prices_of("other", "m")] == [None]


def test_a_run_has_the_model_of_its_provider_first(tmp_path: Path) -> None:
    found = read(tmp_path, TOML)
    assert (found.model_of("openai", "fast"), found.model_of("xai", "fast")) == ("n", "m")


def test_json_says_the_same(tmp_path: Path) -> None:
    text = '{"prices": [{"model": "m", "currency": "EUR", "input": 0.1, "from": "2026-08-01"}]}'
    (entry,) = read(tmp_path, text, "prices.json").prices
    assert (entry.since, entry.pricing.input_per_million) == (date(2026, 8, 1), Decimal("0.1"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[prices]]\nmodel = 'm'\ninput = 1", "needs `currency`"),
        ("[[prices]]\ncurrency = 'EUR'\ninput = 1", "needs `model`"),
        ("[[prices]]\nmodel = 'm'\ncurrency = 'EUR'", "has no price"),
        ("[[prices]]\nmodel = 'm'\ncurrency = 'EUR'\ninput = -1", "from 0 to"),
        ("[[prices]]\nmodel = 'm'\ncurrency = 'EUR'\ninput = nan", "from 0 to"),
        ("[[prices]]\nmodel = 'm'\ncurrency = 'EUR'\ninput = true", "from 0 to"),
        ("[[prices]]\nmodel = 'm'\ncurrency = 'EUR'\ninput = 0.0000000001", "more than 9 decimals"),
        ("[[prices]]\nmodel = 'm'\ncurrency = 'EUR'\ninput = 1\nfrom = 'May'", "must be a day"),
        ("[[prices]]\nmodel = 'm'\ncurrency = 'EUR'\ninput = 1\nprice = 2", "unknown keys: price"),
        ("[[models]]\nrun = 'a'", "needs `model`"),
        ("prices = 3", "must be a list"),
        ("[[price]]\nmodel = 'm'", "found price"),
        ("[[prices", "cannot be read"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(PriceFileError, match=problem):
        read(tmp_path, text)

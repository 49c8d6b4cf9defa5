"""The operator's file of prices (`EVALBOARD_PRICES`): TOML or JSON, with prices of models and models of runs."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from results.records import Pricing

RATES = ("input", "output", "cache_read", "cache_write", "reasoning")
FINEST = -9  # decimal exponent of the finest price per million tokens; sums stay exact
LARGEST = Decimal(10**9)  # per million tokens
MOST_BYTES = 5_000_000
_PRICE_KEYS = {"provider", "model", "from", "currency", *RATES}
_MODEL_KEYS = {"provider", "run", "model"}


class PriceFileError(ValueError):
    """What is wrong in the file, and where."""


@dataclass(frozen=True)
class OwnPrice:
    """One entry of `prices`. No provider = of any; no day = always."""

    provider: str | None
    model: str
    since: date | None
    pricing: Pricing


@dataclass(frozen=True)
class OwnModel:
    """One entry of `models`: the model of a run whose files do not say it. No provider = of any."""

    provider: str | None
    run: str
    model: str


@dataclass(frozen=True)
class PriceFile:
    """What the file says; names are exact."""

    prices: tuple[OwnPrice, ...] = ()
    models: tuple[OwnModel, ...] = ()

    def prices_of(self, provider: str, model: str) -> list[OwnPrice]:
        """The entries of a model by the day from which they hold; those that name the provider go before others."""
        found = [entry for entry in self.prices if entry.model == model and entry.provider in (None, provider)]
        named = [entry for entry in found if entry.provider is not None] or found
        return sorted(named, key=lambda entry: entry.since or date.min)

    def model_of(self, provider: str, run: str) -> str | None:
        """The model of a run; None = nothing is said."""
        found = [entry for entry in self.models if entry.run == run and entry.provider in (None, provider)]
        return min(found, key=lambda entry: entry.provider is None).model if found else None


NOTHING = PriceFile()


def read_price_file(path: Path) -> PriceFile:
    """Read a file; `.json` is JSON, anything else TOML.

    Raises:
        PriceFileError: it is no such file, or an entry is wrong; says which and why.
        OSError: it cannot be read.
    """
    if path.stat().st_size > MOST_BYTES:
        raise PriceFileError(f"it is larger than {MOST_BYTES:,} bytes.")
    text = path.read_bytes()
    try:
        if path.suffix.lower() == ".json":
            read = json.loads(text, parse_float=Decimal)
        else:
            read = tomllib.loads(text.decode(), parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise PriceFileError(f"it cannot be read: {error}") from error
    if not isinstance(read, dict) or (unknown := set(read) - {"prices", "models"}):
        listed = ", ".join(sorted(unknown)) if isinstance(read, dict) else "no table"
        raise PriceFileError(f"it may hold `prices` and `models`; found {listed}.")
    return PriceFile(
        tuple(_price(entry, place) for entry, place in _entries(read, "prices", _PRICE_KEYS)),
        tuple(_model(entry, place) for entry, place in _entries(read, "models", _MODEL_KEYS)),
    )


def _entries(read: Mapping[str, Any], name: str, keys: set[str]) -> list[tuple[dict[str, Any], str]]:
    listed = read.get(name, [])
    if not isinstance(listed, list):
        raise PriceFileError(f"`{name}` must be a list of entries.")
    for number, entry in enumerate(listed, 1):
        if not isinstance(entry, dict) or (unknown := set(entry) - keys):
            said = f"has unknown keys: {', '.join(sorted(unknown))}" if isinstance(entry, dict) else "is no table"
            raise PriceFileError(f"entry {number} of `{name}` {said}; it may have {', '.join(sorted(keys))}.")
    return [(entry, f"entry {number} of `{name}`") for number, entry in enumerate(listed, 1)]


def _model(entry: dict[str, Any], place: str) -> OwnModel:
    return OwnModel(
        _text(entry, "provider", place) or None, _needed(entry, "run", place), _needed(entry, "model", place)
    )


def _price(entry: dict[str, Any], place: str) -> OwnPrice:
    rates = {f"{name}_per_million": _rate(entry.get(name), f"`{name}` in {place}") for name in RATES}
    if all(rate is None for rate in rates.values()):
        raise PriceFileError(f"{place} has no price: give `input` and `output`, per million tokens.")
    pricing = Pricing(currency=_needed(entry, "currency", place), **rates)
    return OwnPrice(
        _text(entry, "provider", place) or None, _needed(entry, "model", place), _day(entry, place), pricing
    )


def _text(entry: dict[str, Any], name: str, place: str) -> str:
    value = entry.get(name, "")
    if not isinstance(value, str):
        raise PriceFileError(f"`{name}` in {place} must be a text.")
    return value


def _needed(entry: dict[str, Any], name: str, place: str) -> str:
    value = _text(entry, name, place)
    if not value:
        raise PriceFileError(f"{place} needs `{name}`.")
    return value


def _day(entry: dict[str, Any], place: str) -> date | None:
    value = entry.get("from")
    try:
        return value if value is None or type(value) is date else date.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise PriceFileError(f"`from` in {place} must be a day such as 2026-08-01.") from error


def _rate(value: object, place: str) -> Decimal | None:
    if value is None:
        return None
    try:
        rate = Decimal(value) if isinstance(value, (int, Decimal)) and not isinstance(value, bool) else None
    except InvalidOperation:
        rate = None
    if rate is None or not rate.is_finite() or not 0 <= rate <= LARGEST:
        raise PriceFileError(f"{place} must be a number from 0 to {LARGEST:,}.")
    if rate != round(rate, -FINEST):
        raise PriceFileError(f"{place} has more than {-FINEST} decimals.")
    return rate

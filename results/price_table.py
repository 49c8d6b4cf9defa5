"""Prices of models by the day, where a file has none: those of the operator's file, else of the `genai-prices` package.

The package is data: nothing is fetched. Its prices are US dollars per million tokens, the standard ones (no batch, no
priority service).
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from genai_prices.data_snapshot import find_provider_by_id, get_snapshot
from genai_prices.types import ConditionalPrice, ModelInfo, ModelPrice, TieredPrices, TimeOfDateConstraint

from results.price_file import NOTHING, PriceFile, PriceFileError, read_price_file
from results.pricing import Reason
from results.records import Pricing

US_DOLLAR = "USD"
DAY = timedelta(days=1)
HALF_HOUR = timedelta(minutes=30)
DECIMALS = 9  # of a price per million tokens
# What MindTrial calls a provider -> what the package does, where its own rules do not find it.
PROVIDERS = {
    "mistralai": "mistral",
    "xai": "x-ai",
}
# What a model of the table may charge for beside tokens of text, which no record counts.
_TEXT = {"input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok", "output_reasoning_mtok"}


@dataclass(frozen=True)
class Price:
    """The prices of a model on a day.

    Attributes:
        model: what was priced, as the table calls it.
        pricing: per million tokens, exact.
        longest: input tokens up to which these hold; a request with more costs more. None = any number.
        is_own: from the operator's file.
    """

    model: str
    pricing: Pricing
    longest: int | None = None
    is_own: bool = False


@dataclass(frozen=True, eq=False)
class PriceTable:
    """Prices by provider, run, model and time; equal to itself only.

    Attributes:
        own: what the operator's file says.
        problem: why that could not be read; the package's prices hold then.
        key: short, and equal for equal tables.
    """

    own: PriceFile = NOTHING
    problem: str = ""
    key: tuple[object, ...] = ()

    def model_of(self, provider: str, run: str, model: str | None) -> str | None:
        """The model of a run: what its file says, else what the operator says; None = not known."""
        return model or self.own.model_of(provider, run)

    def step(self, provider: str, model: str) -> timedelta:
        """How long a price may be taken to hold: a day, or half an hour where it follows the time of day."""
        found = None if self.own.prices_of(provider, model) else _model(provider, model)
        return HALF_HOUR if found is not None and _follows_the_clock(found) else DAY

    def price(self, provider: str, model: str, at: datetime) -> Price | Reason:
        """The price of a model at a time.

        Args:
            provider: as results name it.
            model: as results or the operator's file name it.
            at: when it ran, in UTC.

        Returns:
            Why there is none, if there is none.
        """
        own = self.own.prices_of(provider, model)
        if own:
            held = [entry for entry in own if entry.since is None or entry.since <= at.date()]
            return Price(model, held[-1].pricing, is_own=True) if held else Reason.NOT_IN_TABLE
        found = _model(provider, model)
        return Reason.NOT_IN_TABLE if found is None else _price(found, at)


def price_table() -> PriceTable:
    """The table of the moment: the operator's file (`EVALBOARD_PRICES`) is read again when it has changed."""
    path = settings.PRICES_FILE
    if not path:
        return _BUNDLED
    try:
        stat = Path(path).stat()
    except OSError as error:
        return PriceTable(problem=f"{path} cannot be read: {error.strerror}.", key=(path,))
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4)
def _read(path: str, mtime_ns: int, size: int) -> PriceTable:
    try:
        return PriceTable(read_price_file(Path(path)), key=(path, mtime_ns, size))
    except (OSError, PriceFileError) as error:
        return PriceTable(problem=f"{path}: {error}", key=(path, mtime_ns, size))


def _conditions(model: ModelInfo) -> list[ConditionalPrice]:
    return model.prices if isinstance(model.prices, list) else [ConditionalPrice(prices=model.prices)]


def _follows_the_clock(model: ModelInfo) -> bool:
    return any(isinstance(condition.constraint, TimeOfDateConstraint) for condition in _conditions(model))


@lru_cache(maxsize=4096)
def _model(provider: str, model: str) -> ModelInfo | None:
    """The package's entry for a model at a provider; None = it has none."""
    snapshot = get_snapshot()
    name = provider.casefold()
    found = find_provider_by_id(snapshot.providers, PROVIDERS.get(name, name))
    return None if found is None else found.find_model(model.lower(), all_providers=snapshot.providers)


def _price(model: ModelInfo, at: datetime) -> Price | Reason:
    prices = model.get_prices(at.astimezone(UTC))
    if any(value is not None and name.startswith("requests") for name, value in vars(prices).items()):
        return Reason.NO_RATE  # each request costs something of its own, and nobody counted them
    pricing = Pricing(
        currency=US_DOLLAR,
        input_per_million=_rate(prices, "input_mtok"),
        output_per_million=_rate(prices, "output_mtok"),
        cache_read_per_million=_rate(prices, "cache_read_mtok"),
        cache_write_per_million=_rate(prices, "cache_write_mtok"),
        reasoning_per_million=_rate(prices, "output_reasoning_mtok"),
    )
    starts = [
        value.tiers[0].start
        for name in _TEXT
        if isinstance(value := getattr(prices, name), TieredPrices) and value.tiers
    ]
    return Price(model.id, pricing, min(starts, default=None))


def _rate(prices: ModelPrice, name: str) -> Decimal | None:
    """A price per million tokens with nine decimals: some entries were floating-point numbers once."""
    value = getattr(prices, name)
    value = value.base if isinstance(value, TieredPrices) else value
    return None if value is None else round(value, DECIMALS)


_BUNDLED = PriceTable(key=("bundled",))

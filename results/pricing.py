"""What a usage cost at the prices of its record: an estimate, never a bill, and an unknown price is never free."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import IntEnum

from results.records import ErrorDetails, Pricing, ResultKind, RunResult, TokenUsage

# Exact for all 64-bit counters and any sane price; what is beyond comes out as infinity, not as an error.
_EXACT = Context(prec=100, rounding=ROUND_HALF_EVEN, traps=[])
_ZERO, _ONE = Decimal(0), Decimal(1)
_NANO_PER_MILLIONTH = Decimal(1000)
LARGEST_NANO = 2**63 - 1
JUDGE_FAILURE = "Validation Error"  # title of the error whose usage is the judge's


class Reason(IntEnum):
    """Why an estimate is what it is; the numbers are kept in the facts, where those of a price table never are."""

    PRICED = 1
    NOTHING_USED = 2
    NO_PRICES = 3
    NO_RATE = 4
    UNKNOWN_ACCOUNTING = 5
    MISSING_COUNTER = 6
    TOO_LARGE = 7
    INCONSISTENT = 8
    NO_MODEL = 9
    NOT_IN_TABLE = 10
    LENGTH_UNKNOWN = 11
    USAGE_UNKNOWN = 12

    @property
    def state(self) -> str:
        """One word of `COST_STATES`."""
        return _STATES.get(self, "unpriced")

    @property
    def sentence(self) -> str:
        """What a page says about it."""
        return _SENTENCES[self]


class Origin(IntEnum):
    """Whose price it was."""

    NONE = 0
    FILE = 1
    TABLE = 2
    OWN = 3

    @property
    def words(self) -> str:
        """What a page calls it."""
        return _ORIGINS[self]


_ORIGINS = {
    Origin.NONE: "",
    Origin.FILE: "prices in the file",
    Origin.TABLE: "price table, on the day it ran",
    Origin.OWN: "your file of prices",
}
_STATES = {Reason.PRICED: "priced", Reason.NOTHING_USED: "unused", Reason.INCONSISTENT: "inconsistent"}
COST_STATES = ("priced", "unused", "unpriced", "inconsistent")
_SENTENCES = {
    Reason.PRICED: "Estimated from the tokens and a price.",
    Reason.NOTHING_USED: "No token was used.",
    Reason.NO_PRICES: "The file holds no prices for this run.",
    Reason.NO_RATE: "Tokens of a kind were used whose price is not given.",
    Reason.UNKNOWN_ACCOUNTING: "How the counters relate is written in a word that is not known.",
    Reason.MISSING_COUNTER: "A counter that the price depends on is missing.",
    Reason.TOO_LARGE: "The amount is too large to be kept.",
    Reason.INCONSISTENT: "The counters contradict each other.",
    Reason.NO_MODEL: "The file holds neither prices nor a model for this run.",
    Reason.NOT_IN_TABLE: "The file holds no prices, and the price table does not know the model.",
    Reason.LENGTH_UNKNOWN: "The price depends on the length of each request, which is not recorded.",
    Reason.USAGE_UNKNOWN: "How many tokens were used is not recorded.",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """An amount in the currency of the prices, or the reason why there is none; exact."""

    amount: Decimal | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class _Bucket:
    """Tokens that are billed alike (None or 0 = none), and their price per million (None = not known)."""

    tokens: int | None
    rate: Decimal | None


class _UnpriceableError(Exception):
    """Why no amount can be told."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason


_UNUSED = Estimate(None, Reason.NOTHING_USED)
_USAGE_UNKNOWN = Estimate(None, Reason.USAGE_UNKNOWN)
_NO_PRICES = Estimate(None, Reason.NO_PRICES)


def estimate(usage: TokenUsage | None, pricing: Pricing | None) -> Estimate:
    """Estimate what one usage object cost.

    Args:
        usage: None or counters that are all absent or 0 = nothing to price, which is not the same as a price of 0.
        pricing: prices per million tokens; None = not recorded.

    Returns:
        The exact amount when every filled bucket has a rate. Rates fall back: cache read and write to input, reasoning
        to output. Negative counters and prices, and subsets larger than their whole, are inconsistent.

    Source: the pricing rules of MindTrial v0.22: disjoint buckets by accounting, unknown is never free.
    """
    if usage is None or not _is_filled(usage):
        return _UNUSED
    if pricing is None:
        return _NO_PRICES
    try:
        millionths = _cost([*_input_buckets(usage, pricing), *_output_buckets(usage, pricing)])
    except _UnpriceableError as error:
        return Estimate(None, error.reason)
    return Estimate(_EXACT.scaleb(millionths, -6), Reason.PRICED)


def model_cost(record: RunResult) -> Estimate:
    """Estimate what the model cost in one result: its answer and its failed try, never the judge.

    The prices of a run are its model's; those of a judge are not recorded, so that its cost is not known. Where no
    counter is recorded at all, only a skipped result is known to have used nothing.
    """
    pricing = None if record.run_config is None else record.run_config.pricing
    answer, error = record.details.answer, record.details.error
    usages = (
        None if answer is None else answer.usage,
        None if error is None or is_judge_failure(error) else error.usage,
    )
    recorded = [usage for usage in usages if usage is not None and _is_recorded(usage)]
    if not recorded and record.kind is not ResultKind.SKIPPED:
        return _USAGE_UNKNOWN
    return total(estimate(usage, pricing) for usage in recorded)


def is_judge_failure(error: ErrorDetails | None) -> bool:
    """A Validation Error: the usage and tools below `Error` are the judge's, not the model's."""
    return error is not None and error.title == JUDGE_FAILURE


def total(estimates: Iterable[Estimate]) -> Estimate:
    """Add estimates of one currency; one that has no amount although something was used leaves none for the sum."""
    used = [item for item in estimates if item.reason is not Reason.NOTHING_USED]
    amounts = [item.amount for item in used if item.amount is not None]
    if len(amounts) < len(used):
        return next(item for item in used if item.amount is None)
    return Estimate(_EXACT.create_decimal(sum(amounts, _ZERO)), Reason.PRICED) if used else _UNUSED


def nano(found: Estimate) -> tuple[int | None, Reason]:
    """An estimate as a whole number of 10^-9 currency units (half to even) with its reason; None = no amount."""
    if found.amount is None:
        return None, found.reason
    value = _EXACT.quantize(_EXACT.scaleb(found.amount, 9), _ONE)
    if not value.is_finite() or value > LARGEST_NANO:
        return None, Reason.TOO_LARGE
    return int(value), found.reason


def _is_filled(usage: TokenUsage) -> bool:
    return any(_counters(usage))


def _is_recorded(usage: TokenUsage) -> bool:
    return any(tokens is not None for tokens in _counters(usage))


def _counters(usage: TokenUsage) -> tuple[int | None, ...]:
    return (
        usage.input_tokens,
        usage.output_tokens,
        usage.input_cache_read_tokens,
        usage.input_cache_write_tokens,
        usage.reasoning_tokens,
    )


def _input_buckets(usage: TokenUsage, pricing: Pricing) -> list[_Bucket]:
    """Uncached input, cache read and cache write, disjoint."""
    whole, word = usage.input_tokens, usage.input_token_accounting
    rate = pricing.input_per_million
    subsets = (
        (usage.input_cache_read_tokens, pricing.cache_read_per_million),
        (usage.input_cache_write_tokens, pricing.cache_write_per_million),
    )
    if word == "cache_tokens_included":
        for tokens, own_rate in subsets:
            if tokens is None and whole is not None and own_rate is not None and own_rate != rate:
                raise _UnpriceableError(Reason.MISSING_COUNTER)
        cached = sum(tokens or 0 for tokens, _ in subsets)
        if whole is None and cached:
            raise _UnpriceableError(Reason.MISSING_COUNTER)
        rest = None if whole is None else whole - cached
    elif not word or word == "cache_tokens_separate":
        if word and whole is not None and any(tokens is None for tokens, _ in subsets):
            raise _UnpriceableError(Reason.MISSING_COUNTER)
        rest = whole
    else:
        raise _UnpriceableError(Reason.UNKNOWN_ACCOUNTING)
    return [_Bucket(rest, rate), *(_Bucket(tokens, rate if own is None else own) for tokens, own in subsets)]


def _output_buckets(usage: TokenUsage, pricing: Pricing) -> list[_Bucket]:
    """Visible output and reasoning, disjoint."""
    whole, reasoning, word = usage.output_tokens, usage.reasoning_tokens, usage.output_token_accounting
    rate, own_rate = pricing.output_per_million, pricing.reasoning_per_million
    is_missing = whole is not None and reasoning is None
    if word == "reasoning_tokens_separate":
        if is_missing:
            raise _UnpriceableError(Reason.MISSING_COUNTER)
        visible = whole
    elif not word or word == "reasoning_tokens_included":
        if word and is_missing and own_rate is not None and own_rate != rate:
            raise _UnpriceableError(Reason.MISSING_COUNTER)
        visible = whole if whole is None or reasoning is None else whole - reasoning
    else:
        raise _UnpriceableError(Reason.UNKNOWN_ACCOUNTING)
    return [_Bucket(visible, rate), _Bucket(reasoning, rate if own_rate is None else own_rate)]


def _cost(buckets: list[_Bucket]) -> Decimal:
    """The sum over filled buckets in millionths of the currency unit."""
    millionths = _ZERO
    for bucket in buckets:
        if not bucket.tokens:
            continue
        if bucket.tokens < 0:
            raise _UnpriceableError(Reason.INCONSISTENT)
        if bucket.rate is None:
            raise _UnpriceableError(Reason.NO_RATE)
        if bucket.rate < 0:
            raise _UnpriceableError(Reason.INCONSISTENT)
        millionths = _EXACT.fma(bucket.rate, bucket.tokens, millionths)
    return millionths

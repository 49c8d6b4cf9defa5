"""What a gate demands, read from the texts of a command line or an address."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

LARGEST = 10**18  # of counts and amounts


class RuleError(Exception):
    """A demand that makes no sense; `rule` is its name, the text says why and what would."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


@dataclass(frozen=True)
class Money:
    """An amount, in some currency; None = whichever there is, if there is one only."""

    amount: Decimal
    currency: str | None

    @property
    def words(self) -> str:
        """Such as `2.50 USD`."""
        return f"{self.amount:f} {self.currency}" if self.currency else f"{self.amount:f}"


@dataclass(frozen=True)
class Rules:
    """Demands on every run; None = not demanded.

    Attributes:
        min_pass_rate, max_error_rate: in [0, 1].
        max_regressions: tasks that passed in the baseline and do not pass now.
        max_cost: of the model.
        min_results: fewer counted results (or pairs, where there are pairs) than this cannot be judged.
        significance: a run that is worse by the exact paired test at this level fails; in (0, 1).
    """

    min_pass_rate: Decimal | None = None
    max_regressions: int | None = None
    max_error_rate: Decimal | None = None
    max_cost: Money | None = None
    min_results: int | None = None
    significance: Decimal | None = None

    @classmethod
    def read(cls, texts: Mapping[str, str | None]) -> "Rules":
        """Read rules by their names; absent and empty ones are not demanded.

        Without any rule but `min_results`, no regression is allowed: a gate that demands nothing would let all pass.

        Raises:
            RuleError: a value makes no sense.
        """
        given = {name: text.strip() for name, text in texts.items() if text is not None and text.strip()}
        found = cls(
            min_pass_rate=_rate(given, "min_pass_rate"),
            max_regressions=_count(given, "max_regressions", 0),
            max_error_rate=_rate(given, "max_error_rate"),
            max_cost=_money(given),
            min_results=_count(given, "min_results", 1),
            significance=_level(given),
        )
        return replace(found, max_regressions=0) if found in (cls(), cls(min_results=found.min_results)) else found

    @property
    def needs_baseline(self) -> bool:
        """Whether some rule compares."""
        return self.max_regressions is not None or self.significance is not None


def _number(rule: str, text: str, what: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("nan")
    if not (number.is_finite() and 0 <= number <= LARGEST):
        raise RuleError(rule, f"{text[:80]} is not {what}.")
    return number


def _rate(given: Mapping[str, str], rule: str) -> Decimal | None:
    if rule not in given:
        return None
    number = _number(rule, given[rule], what := "a rate between 0 and 1, such as 0.9")
    if number > 1:
        raise RuleError(rule, f"{given[rule][:80]} is not {what}.")
    return number


def _count(given: Mapping[str, str], rule: str, least: int) -> int | None:
    if rule not in given:
        return None
    number = _number(rule, given[rule], what := f"a whole number from {least}")
    if number != int(number) or number < least:
        raise RuleError(rule, f"{given[rule][:80]} is not {what}.")
    return int(number)


def _money(given: Mapping[str, str]) -> Money | None:
    if "max_cost" not in given:
        return None
    amount, _, currency = given["max_cost"].partition(" ")
    return Money(_number("max_cost", amount, "an amount such as 2.50 or 2.50 USD"), currency.strip() or None)


def _level(given: Mapping[str, str]) -> Decimal | None:
    rule = "significance"
    if rule not in given:
        return None
    number = _number(rule, given[rule], what := "a level between 0 and 1, such as 0.05")
    if not 0 < number < 1:
        raise RuleError(rule, f"{given[rule][:80]} is not {what}.")
    return number

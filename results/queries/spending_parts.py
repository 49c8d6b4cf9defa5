"""What an answer about money holds: sums by currency, groups, what has no amount and why."""

from dataclasses import dataclass
from decimal import Decimal

from results.pricing import Reason
from results.queries.spending_tops import Dear
from results.statistics import OutcomeCounts


@dataclass(frozen=True)
class Sum:
    """The priced results of one currency (None = the file does not say), exact, in its units."""

    currency: str | None
    total: Decimal
    priced: int
    passed: int

    @property
    def per_pass(self) -> Decimal | None:
        """What a passed result cost: the total over the passed ones among the priced; None when none passed."""
        return self.total / self.passed if self.passed else None

    @property
    def per_result(self) -> Decimal:
        """The mean over the priced results."""
        return self.total / self.priced


@dataclass(frozen=True)
class Spending:
    """What the model cost in one group; the judge's cost is not in it.

    Attributes:
        provider: of a run; else None.
        name: None = unspecified; of an evaluation, its number; of everything, empty.
        outcomes: of all results, priced or not.
        sums: by currency, the one with most results first; never added to each other.
        own, table: results priced from the operator's file and from the package's table; the rest from their files.
        unpriced: results whose usage or whose price is not known; they are in no sum. `inconsistent` ones, whose
            counters contradict each other, are apart. `unused` ones used nothing.
    """

    provider: str | None
    name: str | None
    outcomes: OutcomeCounts
    sums: tuple[Sum, ...]
    own: int
    table: int
    unpriced: int
    inconsistent: int
    unused: int


@dataclass(frozen=True)
class Tops:
    """The dearest tasks and results of one currency."""

    currency: str | None
    tasks: tuple[Dear, ...]
    results: tuple[Dear, ...]


@dataclass(frozen=True)
class Unpriced:
    """Results of one run that have no amount for one reason; `model` is the recorded one.

    `is_alone`: no other result of run and model has no amount in this way for another reason.
    """

    provider: str
    run: str
    model: str | None
    reason: Reason
    results: int
    is_alone: bool


@dataclass(frozen=True)
class JudgeUse:
    """What judges used: results with a judge, how many say no tokens, and the effective ones; None = nobody does."""

    results: int
    unknown: int
    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True)
class Money:
    """The answer.

    Attributes:
        total: of everything.
        groups: dearest first (by the main currency), then those without an amount.
        runs: the same by run, in order of provider and name.
        unpriced: by run and reason, most results first.
        tops: the dearest by currency, in the order of `total.sums`.
        currency: the main currency, that of most priced results.
        copies: results left out, because an older evaluation holds them too.
        problem: why the operator's file of prices could not be read; empty = it could, or there is none.
    """

    total: Spending
    groups: tuple[Spending, ...]
    runs: tuple[Spending, ...]
    unpriced: tuple[Unpriced, ...]
    tops: tuple[Tops, ...]
    judge: JudgeUse
    currency: str | None
    copies: int
    problem: str = ""

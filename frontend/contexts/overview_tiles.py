"""The overview's tiles: the latest evaluation in six numbers, each with its results."""

from dataclasses import dataclass

from frontend import formats
from frontend.contexts.explorer_links import explorer_href, narrowed, without_skipped
from results.filters import ResultFilter
from results.paired import PairedOutcomes, fewest_differences
from results.queries.overview import Overview
from results.queries.overview_costs import EvaluationCosts
from results.queries.overview_errors import ErrorKinds
from results.queries.overview_latest import Latest
from results.statistics import Rate


@dataclass(frozen=True)
class Part:
    """One number in a note, with the results that it counts."""

    text: str
    href: str


@dataclass(frozen=True)
class Tiles:
    """Numbers of the latest evaluation.

    Attributes:
        against: pairs of results with the reference; None without a reference.
        test: whether the difference is more than chance, in words; empty without a reference.
        median, p95: of model time; empty when no time is known.
        cost: in the main currency; empty without a price. other_costs: those in other currencies.
        tabled: priced results, at prices of the table and not of their own files.
    """

    rate: Rate
    rate_href: str
    against: PairedOutcomes | None
    test: str
    errors: int
    errors_href: str
    error_parts: tuple[Part, ...]
    median: str
    p95: str
    timed: int
    slowest_href: str
    cost: str
    other_costs: str
    tabled: int
    unpriced: int
    unpriced_href: str
    skipped: int
    skipped_href: str

    @classmethod
    def of(
        cls, found: Overview, latest: Latest, costs: EvaluationCosts, errors: ErrorKinds, meant: ResultFilter
    ) -> "Tiles":
        """The tiles; `meant` asks for the latest evaluation."""
        pairs = None if found.changes is None else found.changes.pairs
        others = (formats.money(entry.total, entry.currency) for entry in costs.sums[1:])
        return cls(
            rate=latest.outcomes.pass_rate,
            rate_href=explorer_href(without_skipped(meant)),
            against=pairs,
            test="" if pairs is None else _test(pairs),
            errors=latest.outcomes.errors,
            errors_href=explorer_href(narrowed(meant, outcome="error")),
            error_parts=_error_parts(errors, meant),
            median="" if latest.median_ns is None else formats.duration(round(latest.median_ns)),
            p95="" if latest.p95_ns is None else formats.duration(round(latest.p95_ns)),
            timed=latest.timed,
            slowest_href=explorer_href(without_skipped(meant), "-duration"),
            cost="" if costs.main is None else formats.money(costs.main.total, costs.main.currency),
            other_costs=" + ".join(others),
            tabled=costs.tabled,
            unpriced=costs.unpriced,
            unpriced_href=explorer_href(narrowed(meant, priced="unpriced")),
            skipped=latest.outcomes.skipped,
            skipped_href=explorer_href(narrowed(meant, outcome="skipped")),
        )


def _error_parts(found: ErrorKinds, meant: ResultFilter) -> tuple[Part, ...]:
    """Whether trying again may help, of what nobody cancelled, and cancelled work."""
    errors = narrowed(meant, outcome="error")
    tried = narrowed(errors, cancelled="no") if found.cancelled else errors
    parts = (
        ("transient", found.transient, narrowed(tried, transient="yes")),
        ("permanent", found.permanent, narrowed(tried, transient="no")),
        ("unknown", found.unknown, narrowed(tried, transient="unknown")),
        ("cancelled", found.cancelled, narrowed(errors, cancelled="yes")),
    )
    return tuple(
        Part(f"{formats.count(number)} {word}", explorer_href(asked)) for word, number, asked in parts if number
    )


def _test(pairs: PairedOutcomes) -> str:
    """What the exact test says of the difference."""
    if pairs.difference is None or pairs.p_value is None:
        return "no task in common"
    if pairs.improved + pairs.regressed < fewest_differences():
        return f"{formats.points(pairs.difference)}, too few differences to tell"
    return f"{formats.points(pairs.difference)}, p {formats.p_value(pairs.p_value)}"

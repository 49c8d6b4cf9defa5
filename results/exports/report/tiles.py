"""The figures on top of a report."""

from collections.abc import Sequence
from dataclasses import dataclass

from results import formats
from results.exports.report.asked import ReportAsked
from results.exports.report.comparing import Compared
from results.exports.report.links import counted_href, outcome_href
from results.queries.costs import GroupCosts
from results.queries.group_figures import GroupFigures
from results.statistics import OutcomeCounts, Rate


@dataclass(frozen=True)
class Tile:
    """One figure; an empty value has no denominator, an empty href leads nowhere."""

    label: str
    value: str
    note: str
    href: str = ""


def tiles_of(total: GroupFigures | None, found: Compared | None, asked: ReportAsked) -> tuple[Tile, ...]:
    """The tiles of all results of a report together; without results all of them say so."""
    outcomes = OutcomeCounts() if total is None else total.outcomes
    duration = None if total is None else total.measure("duration")
    tiles = [
        _rate("Pass rate", outcomes.pass_rate, counted_href(asked)),
        Tile("Results", formats.count(outcomes.total), counts_words(outcomes), outcome_href(asked)),
        *_changes(found),
        _rate("Error rate", outcomes.error_rate, outcome_href(asked, "error") if outcomes.errors else ""),
        Tile(
            "Median model time",
            "" if duration is None or duration.median is None else formats.duration(int(duration.median)),
            "" if duration is None else f"{formats.count(duration.unknown)} unknown" * bool(duration.unknown),
        ),
        Tile("Cost", *cost_words(None if total is None else total.costs)),
    ]
    return tuple(tiles)


def counts_words(outcomes: OutcomeCounts) -> str:
    """`82 passed, 3 failed, 1 error, 0 skipped`."""
    return (
        f"{formats.count(outcomes.passed)} passed, {formats.count(outcomes.failed)} failed, "
        f"{formats.count(outcomes.errors)} error, {formats.count(outcomes.skipped)} skipped"
    )


def cost_words(costs: GroupCosts | None) -> tuple[str, str]:
    """What something cost, by currency, empty without any price; and how many results are in no sum, or not as said."""
    if costs is None:
        return "", "nothing used"
    tabled = sum(amount.tabled for amount in costs.amounts)
    counts = [(costs.unpriced, "unpriced"), (costs.inconsistent, "inconsistent"), (tabled, "at table prices")]
    note = ", ".join(f"{formats.count(number)} {word}" for number, word in counts if number)
    return " + ".join(formats.money(amount.total, amount.currency) for amount in costs.amounts), note


def _rate(label: str, rate: Rate, href: str) -> Tile:
    if rate.value is None or rate.low is None or rate.high is None:
        return Tile(label, "", "n 0")
    note = f"n {formats.count(rate.n)} · 95 % {formats.interval(rate.low, rate.high)}"
    return Tile(label, formats.rate(rate.value), note, href)


def _changes(found: Compared | None) -> Sequence[Tile]:
    if found is None or not found.pairs:
        return ()
    pairs = [pair.candidate.pairs for pair in found.pairs]
    counts = {"regressed": sum(one.regressed for one in pairs), "improved": sum(one.improved for one in pairs)}
    note = "task and run pairs"
    return tuple(
        Tile(word.capitalize(), formats.count(number), note, f"#{word}" if number else "")
        for word, number in counts.items()
    )

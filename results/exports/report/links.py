"""Ways from the numbers of a report to the results behind them; a file has none."""

from urllib.parse import urlencode

from results.exports.report.asked import ReportAsked
from results.exports.report.comparing import ComparedPair, narrowing
from results.filters import OUTCOMES, Choice

COUNTED = ("passed", "failed", "error")  # what a rate counts


def outcome_href(asked: ReportAsked, *words: str, **keys: str | None) -> str:
    """The explorer with the report's results of some outcomes, or all, and one value of some other keys.

    Returns:
        Empty where numbers lead nowhere, and where the report's own filter leaves out all of these outcomes.
    """
    chosen = asked.chosen
    if words:
        own = chosen.outcome
        allowed = [word for word in own.included or OUTCOMES if word not in own.excluded]
        kept = tuple(word for word in words if word in allowed)
        if not kept:
            return ""
        chosen = chosen if kept == tuple(allowed) else chosen.with_choice("outcome", Choice(kept))
    for key, value in keys.items():
        chosen = chosen.with_choice(key, Choice((value,)))
    return f"{asked.links.explorer}?{chosen.to_query()}" if asked.links.explorer else ""


def counted_href(asked: ReportAsked, **keys: str | None) -> str:
    """The results that a rate counts."""
    return outcome_href(asked, *COUNTED, **keys)


def pair_href(asked: ReportAsked, pair: ComparedPair, shown: str = "") -> str:
    """The comparison of a run with its baseline, with the tasks of one kind; empty where that page would count more."""
    if not asked.links.compare or narrowing(asked):
        return ""
    columns = [("column", pair.base.key.text), ("column", pair.column.key.text)]
    query = urlencode([*columns, *([("show", shown)] if shown else [])], safe=":")
    return f"{asked.links.compare}?{query}{'#tasks' if shown else ''}"

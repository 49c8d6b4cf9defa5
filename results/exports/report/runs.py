"""The runs of a report, one line each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from results import formats
from results.exports.report.asked import ReportAsked
from results.exports.report.links import counted_href, outcome_href
from results.exports.report.rates import RateMark, rate_mark
from results.exports.report.tiles import cost_words
from results.exports.shown_text import visible
from results.queries.group_figures import GroupFigures

MOST_LINES = 200  # those with the best pass rate
NO_NAME = "(no name)"


@dataclass(frozen=True)
class CountCell:
    """How many results of one kind a line has, and where they are listed; empty = nowhere."""

    count: str
    href: str


@dataclass(frozen=True)
class RunLine:
    """One run in one evaluation; `evaluation` is empty where all lines have the same.

    Attributes:
        counts: passed, failed, error and skipped.
        time: median model time. tokens: effective output tokens. Both empty when unknown.
        cost, cost_note: by currency, and what is in no sum.
    """

    name: str
    provider: str
    evaluation: str
    rate: RateMark
    rate_href: str
    counts: tuple[CountCell, ...]
    time: str
    tokens: str
    cost: str
    cost_note: str


@dataclass(frozen=True)
class RunsPart:
    """The lines, the best pass rate first; `left_out` counts those beyond the first 200."""

    lines: tuple[RunLine, ...]
    left_out: int
    has_evaluations: bool


def runs_part(groups: Sequence[GroupFigures], names: Mapping[str, str], asked: ReportAsked) -> RunsPart:
    """The lines of groups by evaluation, provider and run."""
    ranked = by_rate(groups)
    has_evaluations = len({group.key[0] for group in groups}) > 1
    return RunsPart(
        lines=tuple(_line(group, names, asked, has_evaluations) for group in ranked[:MOST_LINES]),
        left_out=max(0, len(ranked) - MOST_LINES),
        has_evaluations=has_evaluations,
    )


def by_rate(groups: Sequence[GroupFigures]) -> list[GroupFigures]:
    """Groups from the best pass rate to the worst, those without one last."""

    def rank(group: GroupFigures) -> tuple[bool, float]:
        value = group.outcomes.pass_rate.value
        return value is None, -(value or 0.0)

    return sorted(groups, key=rank)


def run_name(group: GroupFigures) -> str:
    """What a line calls its run."""
    return visible(group.key[2] or NO_NAME)


def evaluation_name(group: GroupFigures, names: Mapping[str, str]) -> str:
    """What a line calls its evaluation."""
    return visible(names.get(group.key[0] or "", f"evaluation {group.key[0]}"))


def _line(group: GroupFigures, names: Mapping[str, str], asked: ReportAsked, has_evaluations: bool) -> RunLine:
    keys = {"evaluation": group.key[0], "provider": group.key[1], "run": group.key[2]}
    outcomes, duration, tokens = group.outcomes, group.measure("duration"), group.measure("output_tokens")
    cost, note = cost_words(group.costs)
    counts = {
        "passed": outcomes.passed,
        "failed": outcomes.failed,
        "error": outcomes.errors,
        "skipped": outcomes.skipped,
    }
    return RunLine(
        name=run_name(group),
        provider=visible(group.key[1] or NO_NAME),
        evaluation=evaluation_name(group, names) if has_evaluations else "",
        rate=rate_mark(outcomes.pass_rate),
        rate_href=counted_href(asked, **keys),
        counts=tuple(
            CountCell(formats.count(number), outcome_href(asked, word, **keys) if number else "")
            for word, number in counts.items()
        ),
        time="" if duration is None or duration.median is None else formats.duration(int(duration.median)),
        tokens="" if tokens is None or tokens.total is None else formats.count(tokens.total),
        cost=cost,
        cost_note=note,
    )

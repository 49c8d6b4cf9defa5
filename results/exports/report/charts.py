"""The charts of a report: bars and intervals as SVG of percentages, which need no script and no room of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from results import formats
from results.exports.report.asked import CHARTS, ReportAsked
from results.exports.report.comparing import Compared
from results.exports.report.comparison import interval_words, pair_name
from results.exports.report.runs import by_rate, evaluation_name, run_name
from results.exports.report.tiles import counts_words
from results.exports.shown_text import visible
from results.filters import UNSPECIFIED
from results.paired import BOOTSTRAP_SEED
from results.queries.group_figures import GroupFigures

DRAWN = 20  # lines of a chart


@dataclass(frozen=True)
class Stretch:
    """A part of a line, in percent of its width; `kind` says how it is drawn."""

    kind: str
    start: str
    width: str


@dataclass(frozen=True)
class ChartLine:
    """One name: its drawing, and what it says in words. `dot` is a place in percent; empty = none."""

    name: str
    stretches: tuple[Stretch, ...]
    dot: str
    text: str


@dataclass(frozen=True)
class Chart:
    """One chart. `zero` is the place of a line through all of it; empty = none. `axis` are the words at its ends."""

    title: str
    caption: str
    lines: tuple[ChartLine, ...]
    zero: str = ""
    axis: tuple[str, ...] = ()


def charts_of(
    asked: ReportAsked,
    runs: Sequence[GroupFigures],
    names: Mapping[str, str],
    categories: Sequence[GroupFigures],
    found: Compared | None,
) -> tuple[Chart, ...]:
    """The charts that a report asks for and that have something to show, in its order."""
    has_evaluations = len({group.key[0] for group in runs}) > 1

    def called(group: GroupFigures) -> str:
        return f"{run_name(group)}, {evaluation_name(group, names)}" if has_evaluations else run_name(group)

    drawn = {
        "outcomes": lambda: _outcomes([(called(group), group) for group in by_rate(runs)]),
        "categories": lambda: _categories(categories),
        "times": lambda: _times([(called(group), group) for group in runs]),
        "differences": lambda: _differences(found),
    }
    charts = (drawn[name]() for name in asked.charts if name in drawn)
    return tuple(chart for chart in charts if chart.lines)


def _percent(value: float) -> str:
    return f"{min(1.0, max(0.0, value)) * 100:.2f}"


def _left_out(total: int) -> str:
    return f" {formats.count(total - DRAWN)} more are not drawn." if total > DRAWN else ""


def _outcomes(groups: Sequence[tuple[str, GroupFigures]]) -> Chart:
    longest = max((group.outcomes.total for _, group in groups), default=0)
    lines = []
    for name, group in groups[:DRAWN]:
        outcomes, start, stretches = group.outcomes, 0, []
        parts = {
            "passed": outcomes.passed,
            "failed": outcomes.failed,
            "error": outcomes.errors,
            "skipped": outcomes.skipped,
        }
        for kind, number in parts.items():
            if number:
                stretches.append(Stretch(kind, _percent(start / longest), _percent(number / longest)))
                start += number
        lines.append(ChartLine(name, tuple(stretches), "", counts_words(outcomes)))
    caption = f"Length: results. From the left: passed, failed, error, skipped.{_left_out(len(groups))}"
    return Chart(CHARTS["outcomes"], caption, tuple(lines))


def _categories(groups: Sequence[GroupFigures]) -> Chart:
    lines = []
    for group in by_rate(groups)[:DRAWN]:
        rate = group.outcomes.pass_rate
        if rate.value is None or rate.low is None or rate.high is None:
            continue
        text = f"{formats.rate(rate.value)}, n {formats.count(rate.n)}, {formats.interval(rate.low, rate.high)}"
        band = Stretch("band", _percent(rate.low), _percent(rate.high - rate.low))
        name = visible(formats.named(group.key[0], UNSPECIFIED))
        lines.append(ChartLine(name, (band,), _percent(rate.value), text))
    caption = f"Dots: pass rate; bands: 95 % Wilson interval.{_left_out(len(groups))}"
    return Chart(CHARTS["categories"], caption, tuple(lines), axis=("0 %", "100 %"))


def _times(groups: Sequence[tuple[str, GroupFigures]]) -> Chart:
    known = []
    for name, group in groups:
        measure = group.measure("duration")
        if measure is not None and measure.median is not None:
            known.append((measure.median, name, measure.unknown))
    known.sort()
    shown = known[:DRAWN]
    longest = max((median for median, _, _ in shown), default=0)
    lines = [
        ChartLine(
            name,
            (Stretch("plain", "0", _percent(float(median / longest)) if longest else "0"),),
            "",
            formats.duration(int(median)) + (f", {formats.count(unknown)} unknown" if unknown else ""),
        )
        for median, name, unknown in shown
    ]
    caption = f"Of the results that are not skipped and say it; the quickest first.{_left_out(len(known))}"
    return Chart(CHARTS["times"], caption, tuple(lines))


def _differences(found: Compared | None) -> Chart:
    drawn = []
    for pair in () if found is None else found.pairs[:DRAWN]:
        difference, interval = pair.candidate.pairs.difference, pair.candidate.interval
        if difference is not None and interval is not None:
            drawn.append((pair_name(pair), difference, interval, pair.candidate.pairs.pairs))
    reach = max((max(abs(one.low), abs(one.high)) for _, _, one, _ in drawn), default=0.0) or 0.01

    def place(value: float) -> float:
        return (value / reach + 1) / 2

    lines = [
        ChartLine(
            name,
            (Stretch("band", _percent(place(one.low)), _percent(place(one.high) - place(one.low))),),
            _percent(place(difference)),
            f"{formats.points(difference)}, {interval_words(one)}, {formats.plural(pairs, 'pair')}",
        )
        for name, difference, one, pairs in drawn
    ]
    caption = f"In pass rate, over the pairs. Bands: 95 % bootstrap interval, seed {BOOTSTRAP_SEED}."
    return Chart(
        CHARTS["differences"], caption, tuple(lines), "50", (formats.points(-reach), "0", formats.points(reach))
    )

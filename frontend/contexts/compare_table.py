"""The candidates of a comparison against its baseline: a line each, and the chart of their differences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.chart import Chart
from frontend.contexts.columns import changed
from frontend.contexts.compare_asked import OF_A_VIEW, columns_query, names_of
from frontend.formats import MINUS, count, duration, money, p_value, plural, points, signed_points
from frontend.series import series_of
from results.figures.compare import Drawn, differences_figure
from results.filters import Choice, ResultFilter
from results.paired import BOOTSTRAP_SEED, Interval
from results.queries.compare import Candidate, Comparison, Kind
from results.queries.compare_columns import ComparedRun
from results.queries.compare_figures import ColumnFigures, Shift
from results.queries.compare_reading import Reading, effect_word, read


@dataclass(frozen=True)
class CountLink:
    """How many rows of one kind a candidate has, and where they are listed; empty for none."""

    count: int
    href: str


@dataclass(frozen=True)
class Against:
    """What a line says about a candidate beside the baseline; texts as the page shows them.

    Attributes:
        outside: rows that are no pair, in words; empty when there are none.
        direction: `up`, `down` or empty. good: `true` or `false` where the test says so, else empty.
        effect: Cohen's g, and its size in a word; empty when no pair differs.
        duration, tokens, cost: what it took more than the baseline over their pairs; empty when that is unknown.
    """

    improved: CountLink
    regressed: CountLink
    same: CountLink
    changed: CountLink
    outside: str
    difference: str
    direction: str
    good: str
    interval: str
    p_value: str
    corrected: str
    is_clear: bool
    effect: str
    effect_word: str
    reading: Reading
    duration: str
    tokens: str
    cost: str
    pairs: int


@dataclass(frozen=True)
class ColumnLine:
    """One column.

    Attributes:
        explorer_href: its results.
        remove_href, first_href: the comparison without it, and with it as the baseline; `first_href` is empty for the
            baseline.
        base: pass rate of the baseline, for the mark beside its own; None for the baseline itself.
        against: None for the baseline.
    """

    column: ComparedRun
    figures: ColumnFigures
    explorer_href: str
    remove_href: str
    first_href: str
    base: float | None
    against: Against | None


def column_lines(columns: Sequence[ComparedRun], found: Comparison, params: QueryDict) -> tuple[ColumnLine, ...]:
    """The lines of all columns, the baseline first."""
    keys = [column.key for column in columns]
    base = found.columns[0].outcomes.pass_rate.value
    address = changed(params, **dict.fromkeys((*OF_A_VIEW, "show")))
    lines = []
    for place, column in enumerate(columns):
        others = [key for key in keys if key != column.key]
        lines.append(
            ColumnLine(
                column=column,
                figures=found.columns[place],
                explorer_href=results_address(column),
                remove_href=columns_query(params, others),
                first_href=columns_query(params, [column.key, *others]) if place else "",
                base=base if place else None,
                against=_against(column, found.candidates[place - 1], address) if place else None,
            )
        )
    return tuple(lines)


def results_address(column: ComparedRun) -> str:
    """The results of a column in the explorer."""
    provider, run = Choice((column.provider,)), Choice((column.run,))
    asked = ResultFilter(evaluation=Choice((str(column.key.evaluation_id),)), provider=provider, run=run)
    return f"{reverse('results-list')}?{asked.to_query()}"


def differences_chart(columns: Sequence[ComparedRun], found: Comparison) -> Chart | None:
    """The differences in pass rate with their intervals; None when no candidate has pairs."""
    drawn, rows, links = [], [], []
    names = names_of(columns)
    for name, column, candidate in zip(names[1:], columns[1:], found.candidates, strict=True):
        difference, interval = candidate.pairs.difference, candidate.interval
        if difference is None or interval is None:
            continue
        link = results_address(column)
        drawn.append(Drawn(name, series_of(column.provider), difference, interval, link))
        links.append(link)
        pairs = count(candidate.pairs.pairs)
        rows.append((name, points(difference), interval_text(interval), pairs))
    if not drawn:
        return None
    numbers = {candidate.pairs.pairs for candidate in found.candidates if candidate.pairs.pairs}
    few = (
        plural(numbers.pop(), "pair") if len(numbers) == 1 else f"{count(min(numbers))} to {count(max(numbers))} pairs"
    )
    left_out = len(found.candidates) - len(drawn)
    note = f" {plural(left_out, 'run')} without pairs left out." if left_out else ""
    return Chart(
        id="differences",
        title="Difference in pass rate",
        caption=f"Percentage points against {names[0]}, {few} each; bars: bootstrap 95 % interval, "
        f"seed {BOOTSTRAP_SEED}.{note}",
        figure=differences_figure(drawn),
        columns=("Run", "Difference", "95 % interval, pp", "Pairs"),
        rows=tuple(rows),
        links=tuple(links),
    )


def interval_text(interval: Interval) -> str:
    """`−17.9 to +25.0`, in percentage points."""
    return f"{signed_points(interval.low)} to {signed_points(interval.high)}"


def _against(column: ComparedRun, candidate: Candidate, address: str) -> Against:
    pairs, corrected = candidate.pairs, candidate.corrected_p_value
    reading, difference = read(pairs, corrected), pairs.difference or 0.0
    differences, effect = candidate.differences, pairs.effect_size
    plain, uncorrected = not reading.kind, pairs.p_value

    def link(word: str, number: int) -> CountLink:
        return CountLink(number, f"{address}&show={word}&of={column.key.text}#tasks" if number else "")

    return Against(
        improved=link("improved", pairs.improved),
        regressed=link("regressed", pairs.regressed),
        same=link("same", pairs.same),
        changed=link("changed", candidate.changed),
        outside=_outside(candidate),
        difference=points(difference) if pairs.pairs else "",
        direction="up" if difference > 0 else "down" if difference < 0 else "",
        good="" if plain else "true" if difference > 0 else "false",
        interval=interval_text(candidate.interval) if candidate.interval else "",
        p_value="" if uncorrected is None else p_value(uncorrected),
        corrected="" if corrected is None else p_value(corrected),
        is_clear=not plain,
        effect="" if effect is None else f"{MINUS if effect < 0 else '+'}{abs(effect):.2f}",
        effect_word="" if effect is None else effect_word(effect),
        reading=reading,
        duration=shifted(differences.duration),
        tokens=more(differences.output_tokens.total, count),
        cost=cost_change(candidate),
        pairs=pairs.pairs,
    )


def _outside(candidate: Candidate) -> str:
    words = {
        Kind.ONLY_HERE: "only here",
        Kind.NOT_HERE: "not here",
        Kind.SKIPPED: "skipped",
        Kind.OTHER_ANSWER: "other answers",
    }
    return ", ".join(f"{count(candidate.kinds[kind])} {word}" for kind, word in words.items() if candidate.kinds[kind])


def shifted(shift: Shift) -> str:
    """The median of differences in time with its sign; empty when it is unknown."""
    return more(shift.median, duration)


def more(value: int | None, written: Callable[[int | None], str]) -> str:
    """A difference with its sign; empty when it is unknown."""
    if value is None:
        return ""
    return f"{MINUS if value < 0 else '+'}{written(abs(value))}" if value else "no difference"


def cost_change(candidate: Candidate) -> str:
    """What a candidate cost more than the baseline over their priced pairs; empty when that is unknown."""
    amounts = candidate.differences.costs
    return ", ".join(
        f"{MINUS if amount.total < 0 else '+'}{money(abs(amount.total), amount.currency)}"
        if amount.total
        else money(Decimal(0), amount.currency)
        for amount in amounts
    )

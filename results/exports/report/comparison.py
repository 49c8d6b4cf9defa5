"""The comparison of a report: a line for each run against its baseline, and the tasks that got worse or better."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from results import formats
from results.exports.report.asked import ReportAsked
from results.exports.report.comparing import Compared, ComparedPair
from results.exports.report.links import pair_href
from results.exports.report.rates import RateMark, rate_mark
from results.exports.report.runs import NO_NAME, CountCell
from results.exports.shown_text import visible
from results.paired import Interval
from results.queries.compare_reading import Reading, read
from results.queries.compare_rows import PAGE_SIZE, ComparedRow, compared_rows
from results.queries.visibility import VisibleSet

MOST_MOVES = 200  # tasks of each kind


@dataclass(frozen=True)
class ComparisonLine:
    """One run against what it is compared with; texts are empty where there are no pairs.

    Attributes:
        base: what it is compared with, in words.
        direction: `up`, `down` or empty. good: `true` or `false` where the test says so, else empty.
    """

    name: str
    evaluation: str
    base: str
    href: str
    before: RateMark
    after: RateMark
    pairs: str
    difference: str
    direction: str
    good: str
    interval: str
    improved: CountCell
    regressed: CountCell
    same: CountCell
    p_value: str
    corrected: str
    reading: str


@dataclass(frozen=True)
class Move:
    """A task whose outcome changed; `repeat` is empty for the first."""

    task: str
    repeat: str
    name: str
    before: str
    after: str


@dataclass(frozen=True)
class MovesTable:
    """The tasks of one kind, the first 200; `total` counts all, `id` is where links within the report lead."""

    id: str
    title: str
    total: int
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class ComparisonPart:
    """The lines, what was left out in words, and what moved."""

    lines: tuple[ComparisonLine, ...]
    notes: tuple[str, ...]
    tables: tuple[MovesTable, ...]


def comparison_part(found: Compared, asked: ReportAsked) -> ComparisonPart:
    """Everything that the report says about its comparison."""
    kinds = {"Regressed tasks": "regressed", "Improved tasks": "improved"}
    tables = (_moves(title, shown, found.pairs, asked.visible) for title, shown in kinds.items())
    return ComparisonPart(
        lines=tuple(_line(pair, asked) for pair in found.pairs),
        notes=tuple(map(visible, found.notes)),
        tables=tuple(table for table in tables if table.total),
    )


def pair_name(pair: ComparedPair) -> str:
    """What a line calls its run: with its evaluation where it is another one than the baseline's."""
    run = pair.column.run or NO_NAME
    is_same = pair.column.key.evaluation_id == pair.base.key.evaluation_id
    return visible(run if is_same else f"{run}, {pair.column.evaluation.name}")


def interval_words(interval: Interval) -> str:
    """`−17.9 to +25.0`, in percentage points."""
    return f"{formats.signed_points(interval.low)} to {formats.signed_points(interval.high)}"


def _line(pair: ComparedPair, asked: ReportAsked) -> ComparisonLine:
    candidate, outcomes = pair.candidate, pair.candidate.pairs
    reading, difference, plain = read(outcomes, pair.corrected), outcomes.difference, outcomes.p_value

    def cell(number: int, shown: str) -> CountCell:
        return CountCell(formats.count(number), pair_href(asked, pair, shown) if number else "")

    return ComparisonLine(
        name=visible(pair.column.run or NO_NAME),
        evaluation=visible(pair.column.evaluation.name),
        base=visible(f"{pair.base.run or NO_NAME}, {pair.base.evaluation.name}"),
        href=pair_href(asked, pair),
        before=rate_mark(pair.before),
        after=rate_mark(pair.after, pair.before.value),
        pairs=formats.count(outcomes.pairs),
        difference="" if difference is None else formats.points(difference),
        direction="" if not difference else "up" if difference > 0 else "down",
        good=_good(reading),
        interval="" if candidate.interval is None else interval_words(candidate.interval),
        improved=cell(outcomes.improved, "improved"),
        regressed=cell(outcomes.regressed, "regressed"),
        same=cell(outcomes.same, "same"),
        p_value="" if plain is None else formats.p_value(plain),
        corrected="" if pair.corrected is None else formats.p_value(pair.corrected),
        reading=reading.word,
    )


def _good(reading: Reading) -> str:
    return {"better": "true", "worse": "false"}.get(reading.kind, "")


def _moves(title: str, shown: str, pairs: Sequence[ComparedPair], seen: VisibleSet) -> MovesTable:
    counts = [pair.candidate.pairs for pair in pairs]
    total = sum(one.regressed if shown == "regressed" else one.improved for one in counts)
    listed: list[Move] = []
    for pair in pairs:
        if len(listed) < MOST_MOVES:
            listed += _moves_of(pair, shown, seen, MOST_MOVES - len(listed))
    return MovesTable(shown, title, total, tuple(listed))


def _moves_of(pair: ComparedPair, shown: str, seen: VisibleSet, most: int) -> Iterator[Move]:
    for page in range(1, -(-most // PAGE_SIZE) + 1):
        found = compared_rows(seen, pair.found, shown, pair.place, "task", page)
        for row in found.rows[: most - (page - 1) * PAGE_SIZE]:
            yield _move(pair, row)
        if page * PAGE_SIZE >= found.total:
            return


def _move(pair: ComparedPair, row: ComparedRow) -> Move:
    before, after = row.cells[0].outcome, row.cells[pair.place + 1].outcome
    repeat = "" if row.repeat == 1 else f"repeat {row.repeat}"
    return Move(visible(row.task or NO_NAME), repeat, pair_name(pair), before or "", after or "")

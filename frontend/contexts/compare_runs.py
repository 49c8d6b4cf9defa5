"""Evaluations against a baseline, run by run: each run that all of them have is compared with itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import QueryDict

from frontend.contexts.compare_moves import Moves
from frontend.contexts.compare_table import cost_change, interval_text, more, shifted
from frontend.contexts.compare_tiles import pair_tiles, smallest
from frontend.contexts.tiles import Tile
from frontend.formats import count, p_value, points
from results.paired import PairedOutcomes, holm
from results.queries.compare import Comparison, compare
from results.queries.compare_columns import ColumnKey, ComparedRun, runs_of
from results.queries.compare_reading import Reading, read
from results.queries.evaluations import EvaluationRow
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts, Rate

MOST_RUNS = 40  # that are compared; each takes a few milliseconds


@dataclass(frozen=True)
class PairedRun:
    """One run in a later evaluation against the baseline's, or all of them; texts are empty where there are no pairs.

    Attributes:
        column: None = all runs of that evaluation.
        evaluation: the later one.
        href: the comparison of the two, task by task; of all runs, empty.
        pairs: how many.
        good: `true` or `false` where the test says so, else empty.
        duration, tokens, cost: what it took more than the baseline over their pairs; empty when that is unknown.
    """

    column: ComparedRun | None
    evaluation: EvaluationRow
    href: str
    before: Rate
    after: Rate
    improved: int
    regressed: int
    same: int
    pairs: int
    difference: str
    direction: str
    good: str
    interval: str
    p_value: str
    corrected: str
    duration: str
    tokens: str
    cost: str
    reading: Reading


@dataclass(frozen=True)
class EvaluationChip:
    """One of the compared evaluations, with the comparison without it and with it as the baseline; empty = neither."""

    row: EvaluationRow
    remove_href: str
    first_href: str


@dataclass(frozen=True)
class RunsPanel:
    """What `_compare_runs.html` reads.

    Attributes:
        chips: the evaluations, the baseline first.
        totals: all runs together, a line for each later evaluation; empty for one run.
        moves: the tasks whose outcome changed.
        left_out: runs beyond those that are listed. alone: runs that not every evaluation has.
        tests: p-values that were corrected together.
    """

    chips: tuple[EvaluationChip, ...]
    tiles: tuple[Tile, ...]
    lines: tuple[PairedRun, ...]
    totals: tuple[PairedRun, ...]
    moves: Moves
    left_out: int
    alone: tuple[ComparedRun, ...]
    tests: int

    @property
    def others(self) -> int:
        """How many are compared with it."""
        return len(self.chips) - 1

    @classmethod
    def build(cls, visible: VisibleSet, evaluations: Sequence[EvaluationRow], params: QueryDict) -> "RunsPanel":
        """The panel of at least two evaluations, the baseline first."""
        columns = runs_of(visible, [row.id for row in evaluations])
        held: dict[int, list[ComparedRun]] = {}
        for column in columns:
            held.setdefault(column.key.run_id, []).append(column)
        common = [same for same in held.values() if len(same) == len(evaluations)]
        pairs = [(same[0], other) for same in common for other in same[1:]]
        shown = [other for _, other in pairs[:MOST_RUNS]]
        found = [compare(visible, (first.key, second.key)) for first, second in pairs[:MOST_RUNS]]
        corrected = holm([one.candidates[0].pairs.p_value for one in found])
        address = _address([row.id for row in evaluations])
        names = [f"{column.run}, {column.evaluation.name}" if evaluations[2:] else column.run for column in shown]
        together = _together([one.candidates[0].pairs for one in found])
        return cls(
            chips=_chips(evaluations),
            tiles=(
                *pair_tiles(together, lambda word: f"{address}&show={word}#moves"),
                smallest(corrected, names),
            ),
            lines=tuple(_line(column, one, value) for column, one, value in zip(shown, found, corrected, strict=True)),
            totals=_totals(evaluations[1:], shown, found) if common[1:] else (),
            moves=Moves.build(visible, shown, found, address, params),
            left_out=max(0, len(pairs) - MOST_RUNS),
            alone=tuple(column for column in columns if len(held[column.key.run_id]) < len(evaluations)),
            tests=sum(value is not None for value in corrected),
        )


def _line(column: ComparedRun, found: Comparison, corrected: float | None) -> PairedRun:
    candidate = found.candidates[0]
    differences = candidate.differences
    line = _paired(column.evaluation, [found], read(candidate.pairs, corrected))
    return replace(
        line,
        column=column,
        href=pair_address(found.keys),
        corrected="" if corrected is None else p_value(corrected),
        duration=shifted(differences.duration),
        tokens=more(differences.output_tokens.total, count),
        cost=cost_change(candidate),
    )


def _paired(evaluation: EvaluationRow, found: Sequence[Comparison], reading: Reading) -> PairedRun:
    """A line of one or several comparisons with the baseline, without what only one of them has."""
    pairs = _together([one.candidates[0].pairs for one in found])
    interval = found[0].candidates[0].interval if not found[1:] else pairs.interval()
    difference, plain = pairs.difference or 0.0, pairs.p_value
    before, after = (_sum([one.columns[place].outcomes for one in found]).pass_rate for place in (0, 1))
    return PairedRun(
        column=None,
        evaluation=evaluation,
        href="",
        before=before,
        after=after,
        improved=pairs.improved,
        regressed=pairs.regressed,
        same=pairs.same,
        pairs=pairs.pairs,
        difference=points(difference) if pairs.pairs else "",
        direction="up" if difference > 0 else "down" if difference < 0 else "",
        good=("true" if difference > 0 else "false") if reading.kind else "",
        interval="" if interval is None else interval_text(interval),
        p_value="" if plain is None else p_value(plain),
        corrected="",
        duration="",
        tokens="",
        cost="",
        reading=reading,
    )


def _totals(
    evaluations: Sequence[EvaluationRow], columns: Sequence[ComparedRun], found: Sequence[Comparison]
) -> tuple[PairedRun, ...]:
    """All runs of each later evaluation together."""
    lines = []
    for evaluation in evaluations:
        own = [one for column, one in zip(columns, found, strict=True) if column.evaluation.id == evaluation.id]
        if own:
            lines.append(_paired(evaluation, own, Reading("", "")))
    return tuple(lines)


def _together(pairs: Sequence[PairedOutcomes]) -> PairedOutcomes:
    return PairedOutcomes(
        sum(one.improved for one in pairs), sum(one.regressed for one in pairs), sum(one.same for one in pairs)
    )


def _sum(counts: Sequence[OutcomeCounts]) -> OutcomeCounts:
    return OutcomeCounts(
        sum(one.passed for one in counts),
        sum(one.failed for one in counts),
        sum(one.errors for one in counts),
        sum(one.skipped for one in counts),
    )


def _chips(evaluations: Sequence[EvaluationRow]) -> tuple[EvaluationChip, ...]:
    ids = [row.id for row in evaluations]
    chips = []
    for place, row in enumerate(evaluations):
        others = [pk for pk in ids if pk != row.id]
        chips.append(EvaluationChip(row, _address(others), _address([row.id, *others]) if place else ""))
    return tuple(chips)


def _address(evaluation_ids: Sequence[int]) -> str:
    return "?" + "&".join(f"evaluation={pk}" for pk in evaluation_ids)


def pair_address(keys: Sequence[ColumnKey]) -> str:
    """The comparison of some columns."""
    return "?" + "&".join(f"column={key.text}" for key in keys)

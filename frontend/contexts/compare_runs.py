"""Evaluations against a baseline, run by run: each run that all of them have is compared with itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.contexts.compare_reading import Reading, read
from frontend.contexts.compare_table import interval_text
from frontend.formats import count, p_value, points
from results.paired import holm
from results.queries.compare import Comparison, compare
from results.queries.compare_columns import ColumnKey, ComparedRun, runs_of
from results.queries.evaluations import EvaluationRow
from results.queries.visibility import VisibleSet
from results.statistics import Rate

MOST_RUNS = 40  # that are compared; each takes a few milliseconds


@dataclass(frozen=True)
class PairedRun:
    """One run in a later evaluation against the baseline's; texts as the page shows them, empty for no pairs.

    Attributes:
        href: the comparison of the two, task by task.
        pairs: how many.
        good: `true` or `false` where the test says so, else empty.
    """

    column: ComparedRun
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
    reading: Reading


@dataclass(frozen=True)
class RunsPanel:
    """What `_compare_runs.html` reads.

    Attributes:
        base: the evaluation that the others are compared with.
        left_out: runs beyond those that are listed. alone: runs that not every evaluation has.
        tests: p-values that were corrected together.
    """

    base: EvaluationRow
    others: tuple[EvaluationRow, ...]
    lines: tuple[PairedRun, ...]
    left_out: int
    alone: tuple[ComparedRun, ...]
    tests: int

    @classmethod
    def build(cls, visible: VisibleSet, evaluations: Sequence[EvaluationRow]) -> "RunsPanel":
        """The panel of at least two evaluations, the baseline first."""
        columns = runs_of(visible, [row.id for row in evaluations])
        held: dict[int, list[ComparedRun]] = {}
        for column in columns:
            held.setdefault(column.key.run_id, []).append(column)
        common = [same for same in held.values() if len(same) == len(evaluations)]
        pairs = [(same[0], other) for same in common for other in same[1:]]
        found = [compare(visible, (first.key, second.key)) for first, second in pairs[:MOST_RUNS]]
        corrected = holm([one.candidates[0].pairs.p_value for one in found])
        return cls(
            base=evaluations[0],
            others=tuple(evaluations[1:]),
            lines=tuple(
                _line(second, one, value)
                for (_, second), one, value in zip(pairs[:MOST_RUNS], found, corrected, strict=True)
            ),
            left_out=max(0, len(pairs) - MOST_RUNS),
            alone=tuple(column for column in columns if len(held[column.key.run_id]) < len(evaluations)),
            tests=sum(value is not None for value in corrected),
        )


def _line(column: ComparedRun, found: Comparison, corrected: float | None) -> PairedRun:
    candidate = found.candidates[0]
    pairs, reading = candidate.pairs, read(candidate.pairs, corrected)
    difference, plain = pairs.difference or 0.0, pairs.p_value
    return PairedRun(
        column=column,
        href=_address(found.keys),
        before=found.columns[0].outcomes.pass_rate,
        after=found.columns[1].outcomes.pass_rate,
        improved=pairs.improved,
        regressed=pairs.regressed,
        same=pairs.same,
        pairs=pairs.pairs,
        difference=points(difference) if pairs.pairs else "",
        direction="up" if difference > 0 else "down" if difference < 0 else "",
        good=("true" if difference > 0 else "false") if reading.kind else "",
        interval="" if candidate.interval is None else interval_text(candidate.interval),
        p_value="" if plain is None else p_value(plain),
        corrected="" if corrected is None else p_value(corrected),
        reading=reading,
    )


def _address(keys: Sequence[ColumnKey]) -> str:
    return "?" + "&".join(f"column={key.text}" for key in keys)


def meta(panel: RunsPanel) -> tuple[str, ...]:
    """What the page says about the panel below its heading."""
    alone = len(panel.alone)
    return (f"{count(len(panel.lines))} runs compared", f"{count(alone)} not in every evaluation" if alone else "")

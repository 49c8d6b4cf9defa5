"""The runs of a report against its baseline: which pairs there are, and what each comparison found."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from results.exports.report.asked import Baseline, ReportAsked
from results.filters import Choice, ResultFilter
from results.paired import holm
from results.queries.compare import Candidate, Comparison, compare
from results.queries.compare_columns import MOST_COLUMNS, ComparedRun, runs_of
from results.statistics import Rate

MOST_PAIRS = 40  # runs that are compared with themselves; each takes a few milliseconds
MOST_EVALUATIONS = 20


@dataclass(frozen=True)
class ComparedPair:
    """A run of the report and what it is compared with.

    Attributes:
        found: the comparison that holds both; place: of the candidate among its candidates.
        corrected: p-value after Holm's correction over all pairs of the report; None without pairs.
    """

    base: ComparedRun
    column: ComparedRun
    found: Comparison
    place: int
    corrected: float | None

    @property
    def candidate(self) -> Candidate:
        """What was found of the run."""
        return self.found.candidates[self.place]

    @property
    def before(self) -> Rate:
        """The baseline's pass rate over all its results."""
        return self.found.columns[0].outcomes.pass_rate

    @property
    def after(self) -> Rate:
        """The run's own."""
        return self.found.columns[self.place + 1].outcomes.pass_rate


@dataclass(frozen=True)
class Compared:
    """The pairs of a report in order; `notes` say what was left out."""

    pairs: tuple[ComparedPair, ...]
    notes: tuple[str, ...]


def compared(asked: ReportAsked) -> Compared | None:
    """Compare the runs of a report with its baseline; None when it has none.

    The report's filter narrows both sides, except for outcomes, without which there would be nothing to compare; a
    note says so.
    """
    baseline = asked.baseline
    if baseline is None:
        return None
    picked = [int(value) for value in asked.chosen.evaluation.included if value is not None]
    if len(picked) > MOST_EVALUATIONS:
        return Compared((), (f"More than {MOST_EVALUATIONS} evaluations are not compared: pick fewer.",))
    columns = [
        column
        for column in runs_of(asked.visible, [baseline.evaluation_id, *picked])
        if _is_meant(asked.chosen.run, column.run) and _is_meant(asked.chosen.provider, column.provider)
    ]
    notes = (*_scope_notes(asked), *_pinned_notes(baseline, asked))
    if baseline.run is None:
        return _with_themselves(asked, baseline, columns, notes)
    return _with_one(asked, baseline, columns, notes)


def _is_meant(choice: Choice, name: str) -> bool:
    return (not choice.included or name in choice.included) and name not in choice.excluded


def narrowing(asked: ReportAsked) -> ResultFilter:
    """What narrows both sides of a comparison: the filter of a report without its columns, and without outcomes."""
    return reduce(ResultFilter.without, ("evaluation", "project", "provider", "run", "outcome"), asked.chosen)


def _scope_notes(asked: ReportAsked) -> tuple[str, ...]:
    notes = ["Compared over the results that the report’s other filters let through, on both sides."] * bool(
        narrowing(asked)
    )
    notes += ["The filter by outcome does not narrow the comparison."] * bool(asked.chosen.outcome)
    return tuple(notes)


def _pinned_notes(baseline: Baseline, asked: ReportAsked) -> tuple[str, ...]:
    is_there = baseline.evaluation_id in asked.visible.evaluation_ids
    return () if is_there else ("The evaluation of the baseline does not exist any more.",)


def _with_themselves(
    asked: ReportAsked, baseline: Baseline, columns: Sequence[ComparedRun], notes: tuple[str, ...]
) -> Compared:
    bases = {column.key.run_id: column for column in columns if column.key.evaluation_id == baseline.evaluation_id}
    others = [column for column in columns if column.key.evaluation_id != baseline.evaluation_id]
    both = [column for column in others if column.key.run_id in bases]
    found = [
        compare(asked.visible, (bases[column.key.run_id].key, column.key), narrowing(asked))
        for column in both[:MOST_PAIRS]
    ]
    corrected = holm([one.candidates[0].pairs.p_value for one in found])
    alone = len(others) - len(both)
    left_out = [
        f"{alone} runs are not in the baseline’s evaluation."
        if alone > 1
        else "1 run is not in the baseline’s evaluation."
    ] * bool(alone)
    left_out += [f"Only the first {MOST_PAIRS} of {len(both)} runs are compared."] * (len(both) > MOST_PAIRS)
    return Compared(
        tuple(
            ComparedPair(bases[column.key.run_id], column, one, 0, value)
            for column, one, value in zip(both, found, corrected, strict=False)
        ),
        (*notes, *left_out),
    )


def _with_one(
    asked: ReportAsked, baseline: Baseline, columns: Sequence[ComparedRun], notes: tuple[str, ...]
) -> Compared:
    own = runs_of(asked.visible, [baseline.evaluation_id])
    base = next((one for one in own if (one.provider, one.run) == (baseline.provider, baseline.run)), None)
    if base is None:
        return Compared((), (*notes, f"The baseline, run {baseline.run}, does not exist any more."))
    picked = {int(value) for value in asked.chosen.evaluation.included if value is not None}
    others = [one for one in columns if one.key != base.key and one.key.evaluation_id in picked]
    shown = others[: MOST_COLUMNS - 1]
    if not shown:
        return Compared((), (*notes, "There is no other run to compare with the baseline."))
    found = compare(asked.visible, [base.key, *(column.key for column in shown)], narrowing(asked))
    left_out = (f"Only the first {len(shown)} of {len(others)} runs are compared.",) * (len(others) > len(shown))
    return Compared(
        tuple(
            ComparedPair(base, column, found, place, found.candidates[place].corrected_p_value)
            for place, column in enumerate(shown)
        ),
        (*notes, *left_out),
    )

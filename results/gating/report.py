"""A gate: a candidate held against rules and a baseline, with everything that was found."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.filters import ResultFilter
from results.gating.checks import Asked, Check, CheckState, checks_of
from results.gating.picks import PINNED, NotFoundError, Pairing, find_baseline, find_candidate, is_meant, pair_runs
from results.gating.rules import Rules
from results.gating.runs import JudgedRun, judged_run
from results.models.evaluations import EvaluationState
from results.paired import holm
from results.queries.evaluations import EvaluationRow
from results.queries.trials import trial_progress
from results.queries.visibility import VisibleSet
from results.text.index import lagging

# Keys of the filter that a gate has no use for: it says itself what is judged, and rates need every outcome.
REFUSED_KEYS = ("evaluation", "result", "outcome")
EXIT_CODES = {CheckState.PASSED: 0, CheckState.FAILED: 1, CheckState.UNJUDGED: 2}


@dataclass(frozen=True)
class Gate:
    """What is asked.

    Attributes:
        candidate: an id, a name or `latest`.
        baseline: likewise, or `pinned`; empty = the pinned one if some rule compares, else none.
        runs: patterns of `run` or `provider/run`; none = every run.
        chosen: which results count, on both sides.
        project: slug that candidates are looked for in; empty = any.
    """

    candidate: str
    baseline: str
    runs: tuple[str, ...]
    chosen: ResultFilter
    project: str
    rules: Rules


@dataclass(frozen=True)
class GateReport:
    """What came of a gate.

    Attributes:
        candidate, baseline: None = not found, or not asked for.
        checks: what is in the way of the whole, then those of each run.
        runs: that were judged, by provider and name.
    """

    gate: Gate
    candidate: EvaluationRow | None
    baseline: EvaluationRow | None
    checks: tuple[Check, ...]
    runs: tuple[JudgedRun, ...] = ()

    @property
    def state(self) -> CheckState:
        """Failed if a check failed, else unjudged if one could not be judged, or there is none."""
        states = {check.state for check in self.checks}
        if CheckState.FAILED in states:
            return CheckState.FAILED
        return CheckState.PASSED if states == {CheckState.PASSED} else CheckState.UNJUDGED

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 2 not judged."""
        return EXIT_CODES[self.state]

    def count(self, state: CheckState) -> int:
        """Checks in a state."""
        return sum(check.state is state for check in self.checks)


def judge(visible: VisibleSet, gate: Gate) -> GateReport:
    """Hold a candidate against rules.

    Args:
        visible: evaluations that may be seen.
        gate: what is asked; its filter has none of `REFUSED_KEYS`.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    try:
        candidate = find_candidate(visible, gate.candidate, gate.project)
    except NotFoundError as error:
        return GateReport(gate, None, None, (_in_the_way("candidate", str(error)),))
    doubts: list[Check] = []
    asked = gate.baseline or (PINNED if gate.rules.needs_baseline else "")
    baseline = None
    if asked:
        try:
            baseline = find_baseline(visible, asked, candidate)
        except NotFoundError as error:
            doubts.append(_in_the_way("baseline", str(error)))
    doubts += _doubts(gate, candidate, baseline)
    runs = _runs(visible, gate, pair_runs(visible, candidate, baseline, gate.runs))
    if not runs:
        doubts.append(_in_the_way("runs", _no_runs(gate)))
    p_values = holm([None if run.tasks is None else run.tasks.pairs.p_value for run in runs])
    tests = sum(p_value is not None for p_value in p_values)
    found = [
        check
        for run, p_value in zip(runs, p_values, strict=True)
        for check in checks_of(Asked(run, gate.rules, gate.chosen, tests, p_value))
    ]
    return GateReport(gate, candidate, baseline, (*doubts, *found), runs)


def _runs(visible: VisibleSet, gate: Gate, pairings: Sequence[Pairing]) -> tuple[JudgedRun, ...]:
    """The runs that are meant; of those that a filter by model leaves nothing of, none is."""
    has_cost = gate.rules.max_cost is not None
    meant = [pairing for pairing in pairings if is_meant(gate.chosen, pairing.named)]
    runs = [judged_run(visible, pairing, gate.chosen, has_cost=has_cost) for pairing in meant]
    return tuple(run for run in runs if run.held or not gate.chosen.model)


def _doubts(gate: Gate, candidate: EvaluationRow, baseline: EvaluationRow | None) -> list[Check]:
    """What makes figures say less than they seem to."""
    doubts = [
        _in_the_way(rule, f"Evaluation {row.id} is still running: wait until it is ready.")
        for rule, row in (("candidate", candidate), ("baseline", baseline))
        if row is not None and row.state == EvaluationState.RUNNING
    ]
    trial = None if candidate.state == EvaluationState.RUNNING else trial_progress(candidate.id)
    if trial is not None and trial.not_run:
        message = f"Trial {candidate.id} ended early. Results that are missing: {trial.not_run} of {trial.total}."
        doubts.append(_in_the_way("candidate", message))
    sides = {row.id for row in (candidate, baseline) if row is not None}
    if (gate.chosen.text or gate.chosen.cancelled) and lagging(sides):
        doubts.append(_in_the_way("filter", "Texts are still being read for searching: ask again in a while."))
    return doubts


def _no_runs(gate: Gate) -> str:
    if gate.runs:
        return f"No run is called {', '.join(gate.runs)}."
    return "The filter leaves no run over." if gate.chosen else "There is no run."


def _in_the_way(rule: str, message: str) -> Check:
    return Check(rule, CheckState.UNJUDGED, message)

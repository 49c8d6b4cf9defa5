"""A gate's report as lines for a terminal, and the words that other forms of it share."""

from collections.abc import Iterator

from results.exports.shown_text import visible
from results.gating.checks import Check, CheckState
from results.gating.picks import Pairing
from results.gating.report import GateReport
from results.queries.compare_rows import ComparedRow
from results.queries.evaluations import EvaluationRow

NO_NAME = "(no name)"
MOST_TASKS = 20  # that a terminal lists of a kind and run
TITLES = {
    "candidate": "candidate",
    "baseline": "baseline",
    "runs": "runs",
    "filter": "filter",
    "tasks": "every task",
    "min_results": "results",
    "min_pass_rate": "pass rate",
    "max_error_rate": "error rate",
    "max_regressions": "regressions",
    "significance": "significance",
    "max_cost": "cost",
}
VERDICTS = {
    CheckState.PASSED: "passed",
    CheckState.FAILED: "failed",
    CheckState.UNJUDGED: "could not be judged",
}


def run_name(pairing: Pairing) -> str:
    """Provider and run, with the run of the baseline where that is called otherwise."""
    name = _both(pairing.named.provider, pairing.named.run)
    before = pairing.baseline
    if before is None or pairing.candidate is None or before.key.run_id == pairing.candidate.key.run_id:
        return name
    return f"{name} against {_both(before.provider, before.run)}"


def task_name(row: ComparedRow) -> str:
    """The task, with the number of its repeat after the first."""
    name = row.task or NO_NAME
    return name if row.repeat == 1 else f"{name} (repeat {row.repeat})"


def outcomes_words(row: ComparedRow) -> str:
    """What it was and what it is: `passed → failed`."""
    before, after = row.cells
    return f"{before.outcome or 'absent'} → {after.outcome or 'absent'}"


def terminal_lines(report: GateReport) -> Iterator[str]:
    """The report for people: what it is about, each check, and the tasks that regressed or are missing."""
    yield f"Gate {VERDICTS[report.state]}: {_about(report)}"
    shown: object = None
    for check in report.checks:
        if check.pairing is not None and check.pairing is not shown:
            yield visible(run_name(check.pairing))
        shown = check.pairing
        yield visible(_line(check))
    for run in report.runs:
        if run.tasks is None:
            continue
        found = (("regressed", run.tasks.regressed, run.tasks.pairs.regressed),)
        for word, rows, count in (*found, ("missing", run.tasks.missing, run.tasks.missing_count)):
            yield from (visible(line) for line in _tasks(f"{run_name(run.pairing)}, {word}", rows, count))


def _about(report: GateReport) -> str:
    if report.candidate is None:
        return "nothing"
    words = _named(report.candidate)
    return words if report.baseline is None else f"{words} against {_named(report.baseline)}"


def _named(row: EvaluationRow) -> str:
    return visible(f"{row.name or NO_NAME} (evaluation {row.id})")


def _line(check: Check) -> str:
    return f"  {check.state.value:<8}  {TITLES[check.rule]}: {check.message}"


def _tasks(title: str, rows: tuple[ComparedRow, ...], count: int) -> Iterator[str]:
    if not count:
        return
    yield f"{title}: {count}"
    for row in rows[:MOST_TASKS]:
        pk = row.cells[1].result_id or row.cells[0].result_id
        yield f"  {task_name(row)}: {outcomes_words(row)} (result {pk})"
    if count > MOST_TASKS:
        yield f"  and {count - MOST_TASKS} more"


def _both(provider: str, run: str) -> str:
    return f"{provider or NO_NAME} / {run or NO_NAME}"

"""A gate's report as plain data: what `gate --json` prints and the API answers."""

from typing import Any

from results.gating.addresses import compare_address, evaluation_address, result_address
from results.gating.checks import Check, CheckState
from results.gating.picks import Pairing
from results.gating.report import GateReport
from results.gating.rules import Rules
from results.gating.runs import ComparedTasks, JudgedRun
from results.queries.compare_columns import ComparedRun
from results.queries.compare_rows import ComparedRow
from results.queries.evaluations import EvaluationRow

Json = dict[str, Any]


def plain_report(report: GateReport) -> Json:
    """The report; rates lie in [0, 1], null is unknown, addresses are without the host."""
    return {
        "state": report.state.value,
        "exit_code": report.exit_code,
        "candidate": _evaluation(report.candidate),
        "baseline": _evaluation(report.baseline),
        "filter": report.gate.chosen.to_query(),
        "rules": _rules(report.gate.rules),
        "counts": {state.value: report.count(state) for state in CheckState},
        "checks": [_check(check) for check in report.checks],
        "runs": [_run(run) for run in report.runs],
    }


def _evaluation(row: EvaluationRow | None) -> Json | None:
    if row is None:
        return None
    return {"id": row.id, "name": row.name, "project": row.project, "address": evaluation_address(row.id)}


def _rules(rules: Rules) -> Json:
    cost = rules.max_cost
    return {
        "min_pass_rate": rules.min_pass_rate,
        "max_regressions": rules.max_regressions,
        "max_error_rate": rules.max_error_rate,
        "max_cost": None if cost is None else cost.amount,
        "currency": None if cost is None else cost.currency,
        "min_results": rules.min_results,
        "significance": rules.significance,
    }


def _check(check: Check) -> Json:
    named = None if check.pairing is None else check.pairing.named
    return {
        "rule": check.rule,
        "state": check.state.value,
        "provider": None if named is None else named.provider,
        "run": None if named is None else named.run,
        "figure": check.figure,
        "threshold": check.threshold,
        "counts": dict(check.counts),
        "message": check.message,
        "address": check.address,
    }


def _run(run: JudgedRun) -> Json:
    pairing, figures = run.pairing, run.figures
    outcomes = None if figures is None else figures.outcomes
    return {
        "provider": pairing.named.provider,
        "run": pairing.named.run,
        "candidate": _column(pairing.candidate),
        "baseline": _column(pairing.baseline),
        "n": None if outcomes is None else outcomes.counted,
        "passed": None if outcomes is None else outcomes.passed,
        "failed": None if outcomes is None else outcomes.failed,
        "error": None if outcomes is None else outcomes.errors,
        "skipped": None if outcomes is None else outcomes.skipped,
        "pass_rate": None if outcomes is None else outcomes.pass_rate.value,
        "compared": None if run.tasks is None else _compared(run.tasks),
        "address": _compare_address(pairing),
    }


def _column(column: ComparedRun | None) -> Json | None:
    if column is None:
        return None
    named = {"provider": column.provider, "run": column.run}
    return {"evaluation_id": column.key.evaluation_id, "run_id": column.key.run_id, **named}


def _compare_address(pairing: Pairing) -> str:
    if pairing.baseline is None or pairing.candidate is None:
        return ""
    return compare_address(pairing.baseline, pairing.candidate)


def _compared(tasks: ComparedTasks) -> Json:
    return {
        "pairs": tasks.pairs.pairs,
        "improved": tasks.pairs.improved,
        "regressed": tasks.pairs.regressed,
        "same": tasks.pairs.same,
        "missing": tasks.missing_count,
        "uncertain": tasks.uncertain,
        "difference": tasks.pairs.difference,
        "p_value": tasks.pairs.p_value,
        "regressions": [_task(row) for row in tasks.regressed],
        "missing_tasks": [_task(row) for row in tasks.missing],
    }


def _task(row: ComparedRow) -> Json:
    before, after = row.cells
    shown = after.result_id if after.result_id is not None else before.result_id
    return {
        "task_id": row.task_id,
        "task": row.task,
        "repeat": row.repeat,
        "before": before.outcome,
        "after": after.outcome,
        "baseline_result_id": before.result_id,
        "candidate_result_id": after.result_id,
        "address": "" if shown is None else result_address(shown),
    }

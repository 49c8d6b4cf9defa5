"""Gates over small stored evaluations, for tests."""

from typing import Any

from django.http import QueryDict

from results.filters import ResultFilter
from results.gating.checks import Check
from results.gating.report import Gate, GateReport, judge
from results.gating.rules import Rules
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row

KINDS = {"p": "Passed", "f": "Failed", "e": "Error", "s": "Skipped"}


def results(run: str, outcomes: str, **fields: Any) -> list[dict[str, Any]]:
    """A run with a task for each letter: passed, failed, error or skipped; `.` = no result."""
    return [
        row(
            number, run=run, task=f"task {number}", kind=KINDS[letter], TraceID=f"{run} {number} {id(fields)}", **fields
        )
        for number, letter in enumerate(outcomes)
        if letter != "."
    ]


def judged(
    candidate: object, baseline: object = "", query: str = "", runs: tuple[str, ...] = (), **rules: str
) -> GateReport:
    chosen = ResultFilter.parse(QueryDict(query))
    gate = Gate(str(candidate), str(baseline), runs, chosen, "", Rules.read(rules))
    return judge(visible_evaluations(), gate)


def check(report: GateReport, rule: str) -> Check:
    """The only check of a rule."""
    (found,) = [one for one in report.checks if one.rule == rule]
    return found

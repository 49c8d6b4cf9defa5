"""What happens when a gate fails, beside its exit code: the one place where others are told."""

import logging

from results.gating.checks import CheckState
from results.gating.report import GateReport

log = logging.getLogger(__name__)


def report_failure(report: GateReport) -> None:
    """Tell whoever wants to know that a gate failed; one that passed or could not be judged is nobody's news."""
    if report.state is CheckState.FAILED and report.candidate is not None:
        log.debug("gate failed: evaluation %d, %d checks", report.candidate.id, report.count(CheckState.FAILED))

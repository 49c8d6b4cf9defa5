"""Evaluates a project: from its folder over the engine to a written and stored iteration."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from threading import Event

from evaluator.engine.strategies.contracts import Evidence
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.reporting.eval_result import Conclusion, Occasion, conclude
from evaluator.engine.strategies.runner import Plan, Watcher, configure, run_strategies
from evaluator.engine.strategies.states import Outcome, Reason
from evaluator.sprint_files import (
    ContractFile,
    Reservation,
    SprintFileError,
    contract_of_project,
    earlier_iterations,
    encode_result,
    load_contract,
    load_evidence,
    load_previous,
    reserve_iteration,
    result_name,
    write_result,
)
from results.archives import Incoming
from results.importers.agent_bober import IMPORTER
from results.importers.agent_bober_plans import CONTRACT_IMPORTER
from results.intake import ImportOptions, import_files
from results.models.projects import DEFAULT_SLUG
from results.reports import FileReport
from results.store.iterations import highest_iteration

FULL_AT_EVALUATION = "this evaluation was not kept whole. Free some space and evaluate again."


@dataclass(frozen=True)
class RunRequest:
    """What to evaluate; plain values, so that it can be a job's arguments.

    Attributes:
        folder: the project's, already placed.
        contract, configuration, evidence: files; None = no contract, the project's own configuration, no evidence.
        iteration: from 1; None = the one after the last in the project's `.bober/eval-results` and of those
            that are stored.
        store_in: slug of the project that it will be stored in; empty = nothing is stored.
    """

    folder: Path
    contract: Path | None = None
    configuration: Path | None = None
    evidence: Path | None = None
    iteration: int | None = None
    store_in: str = ""


@dataclass(frozen=True)
class PreparedRun:
    """A run with everything read that it needs."""

    plan: Plan
    occasion: Occasion
    contract: ContractFile | None
    is_replacing: bool
    reservation: Reservation | None = None  # of the number, where none was asked for


@dataclass(frozen=True)
class StoredRun:
    """Where an iteration was written, and what the import said of it and of its contract."""

    path: Path
    report: FileReport


def prepare(request: RunRequest, watcher: Watcher, cancel: Event | None = None) -> PreparedRun:
    """Read configuration, contract, evidence and the previous iteration.

    Raises:
        ConfigurationError, SprintFileError: one of them is wrong.
    """
    project = ProjectFiles(request.folder)
    configuration = configure(project, request.configuration)
    file = load_contract(request.contract) if request.contract else None
    contract = file.contract if file else contract_of_project(configuration.name or request.folder.name)
    evidence: Mapping[str, Evidence] = load_evidence(request.evidence) if request.evidence else {}
    iterations = earlier_iterations(request.folder, contract.contract_id)
    # The folder may have lost files of iterations that are stored; theirs are numbers that are taken.
    stored = highest_iteration(request.store_in, contract.contract_id) if request.store_in else 0
    iteration = request.iteration or max([*iterations, stored], default=0) + 1
    reservation = None
    if request.iteration is None:  # others may evaluate the same sprint at this moment
        reservation = reserve_iteration(request.folder, contract.contract_id, iteration)
        iteration = reservation.iteration
    return PreparedRun(
        plan=Plan(project, configuration, contract, watcher, cancel or Event()),
        occasion=Occasion(contract, iteration, evidence, load_previous(iterations, iteration)),
        contract=file,
        is_replacing=iteration in iterations,
        reservation=reservation,
    )


@dataclass
class StrategyRun:
    """A run under way: outcomes as they come, then the conclusion."""

    prepared: PreparedRun
    outcomes: list[Outcome] = field(default_factory=list)

    def outcomes_as_they_come(self) -> Iterator[Outcome]:
        """Run the strategies."""
        for outcome in run_strategies(self.prepared.plan):
            self.outcomes.append(outcome)
            yield outcome

    @property
    def is_cancelled(self) -> bool:
        """Whether it was ended before its end; nothing is to be kept of it then."""
        return self.prepared.plan.cancel.is_set() or any(
            outcome.reason is Reason.CANCELLED for outcome in self.outcomes
        )

    def conclude(self) -> Conclusion:
        """The record and the verdict."""
        return conclude(self.outcomes, self.prepared.occasion, datetime.now(UTC))


def keep(prepared: PreparedRun, conclusion: Conclusion, project: str = DEFAULT_SLUG) -> StoredRun:
    """Write an iteration into the project's folder and store it with its contract, as an import of that file would.

    Args:
        prepared: the run.
        conclusion: what came of it.
        project: slug of the project that it is stored in.

    Raises:
        SprintFileError: it cannot be written, or not be stored.
    """
    body = encode_result(conclusion.record)
    path = write_result(prepared.plan.project.folder, conclusion.record, body)
    if prepared.reservation is not None:
        prepared.reservation.release()
    if prepared.contract is not None:
        _import(prepared.contract.file_name, prepared.contract.body, CONTRACT_IMPORTER.name, project)
    report = _import(result_name(conclusion.record), body, IMPORTER.name, project)
    if report.state == "rejected":
        raise SprintFileError(f"Written to {path}, but not stored: {report.error}")
    return StoredRun(path, report)


def _import(name: str, body: bytes, format_name: str, project: str) -> FileReport:
    options = ImportOptions(project=project, format=format_name)
    (report,) = import_files([Incoming(name, lambda: BytesIO(body))], options)
    return report

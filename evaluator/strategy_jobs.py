"""Evaluates a project as a job: each strategy and the output as they come, cancel, and the stored iteration.

The engine runs in a thread that knows no database. The job's own thread gives a sign of life every second, since a
strategy may say nothing for minutes.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock
from typing import Any

import msgspec
from django.conf import settings

from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.configuration_problems import ConfigurationError
from evaluator.engine.strategies.reporting.eval_result import Conclusion
from evaluator.engine.strategies.reporting.verdict import Exit
from evaluator.engine.strategies.runner import Watcher
from evaluator.engine.strategies.states import Outcome
from evaluator.project_folders import FolderRefusedError, place_project
from evaluator.sprint_files import SprintFileError
from evaluator.strategy_runs import FULL_AT_EVALUATION, PreparedRun, RunRequest, StoredRun, StrategyRun, keep, prepare
from results import jobs
from results.importers.source import ImportRefused
from results.importing import reason_of
from results.intake import find_project
from results.jobs import JobCancelledError, JobLease, LeaseLostError
from results.models.jobs import Job, JobKind, JobState
from results.models.projects import DEFAULT_SLUG
from results.names import storable
from results.queries.strategy_jobs import StrategyProgress, StrategyState

TICK_SECONDS = 1.0  # between two signs of life; the page asks as often
MOST_OUTPUT = 20_000  # characters of output that a page shows, the newest
REFUSALS = (ConfigurationError, SprintFileError, FolderRefusedError, ImportRefused)
VERDICTS = {Exit.PASSED: "passed", Exit.FAILED: "failed", Exit.NOT_EVALUATED: "not evaluated"}


class Board:
    """What a page shows of a run: written by the threads of the run, read by the job's own."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begun: list[str] = []
        self._ended: list[StrategyState] = []
        self.output = ""
        self.is_cut = False

    def begin(self, choice: StrategyChoice) -> None:
        """A strategy begins."""
        with self._lock:
            self._begun.append(storable(choice.label or choice.type))
        self.say(choice, f"── {choice.label or choice.type}\n")

    def say(self, _: StrategyChoice, text: str) -> None:
        """It printed something."""
        with self._lock:
            everything = self.output + storable(text)
            self.output = everything[-MOST_OUTPUT:]
            self.is_cut = self.is_cut or len(everything) > MOST_OUTPUT

    def end(self, outcome: Outcome) -> None:
        """It has ended."""
        with self._lock:
            self._ended.append(
                StrategyState(
                    name=storable(outcome.name),
                    is_required=outcome.required,
                    state=outcome.state,
                    reason=outcome.reason or "",
                    details=storable(outcome.details),
                    exit_code=outcome.exit_code,
                    error_count=outcome.error_count,
                    duration_ns=outcome.duration_ns,
                )
            )

    def progress(self, prepared: PreparedRun) -> StrategyProgress:
        """How the run stands at this moment."""
        configuration = prepared.plan.configuration
        names = [storable(choice.label or choice.type) for choice in configuration.strategies]
        source = [f"configuration: {configuration.file}"] if configuration.file else []
        with self._lock:
            return StrategyProgress(
                contract_id=storable(prepared.plan.contract.contract_id),
                iteration=prepared.occasion.iteration,
                notes=[storable(note) for note in (*source, *configuration.notes)],
                ended=list(self._ended),
                running="".join(self._begun[len(self._ended) :]),
                waiting=names[len(self._begun) :],
                output=self.output,
                is_cut=self.is_cut,
            )


def queue_strategies(request: RunRequest, project: str) -> Job:
    """Write the job that evaluates a project; the caller sends it to a worker.

    Args:
        request: of a folder that was placed.
        project: slug of the project that the iteration is stored in.
    """
    return jobs.create_job(
        JobKind.STRATEGIES,
        project=find_project(project),
        title=storable(request.folder.name or str(request.folder)),
        arguments={
            "folder": str(request.folder),
            "contract": str(request.contract) if request.contract else None,
            "iteration": request.iteration,
        },
        is_resumable=True,
    )


def run_strategy_job(job_id: int) -> None:
    """Do a queued run; does nothing when somebody else has it. Safe to call twice: the iteration's number stays.

    Raises:
        DatabaseError: not even the job's row can be written; its lease runs out, and it is sent again.
    """
    lease = jobs.claim(job_id)
    if lease is None:
        return
    with suppress(LeaseLostError):
        _work(Job.objects.select_related("project").get(pk=job_id), lease)


def _work(job: Job, lease: JobLease) -> None:
    """Evaluate, and end the job as it went."""
    try:
        progress = _evaluate(job, lease)
    except JobCancelledError:
        jobs.finish(lease, JobState.CANCELLED)
    except LeaseLostError:
        raise
    except REFUSALS as error:
        jobs.finish(lease, JobState.FAILED, error=storable(str(error)))
    except Exception as error:
        jobs.finish(lease, JobState.FAILED, error=storable(reason_of(error, FULL_AT_EVALUATION)))
        raise
    else:
        jobs.finish(lease, JobState.SUCCEEDED, report=_report(progress))


def _evaluate(job: Job, lease: JobLease) -> StrategyProgress:
    board, cancel = Board(), Event()
    prepared = prepare(_request(job), Watcher(begin=board.begin, say=board.say), cancel)
    job.arguments["iteration"] = prepared.occasion.iteration  # a second start must not count its own file as one before
    job.save(update_fields=["arguments"])
    run = StrategyRun(prepared)
    with ThreadPoolExecutor(1, "strategies") as pool:  # its end waits for the thread
        running = pool.submit(_run, run, board)
        try:
            while not running.done():
                _tell(lease, board.progress(prepared))
                wait([running], TICK_SECONDS)
        except BaseException:
            cancel.set()
            raise
        running.result()
    progress = board.progress(prepared)
    _tell(lease, progress)
    conclusion = run.conclude()
    stored = keep(prepared, conclusion, _slug(job))
    return _concluded(progress, conclusion, stored)


def _run(run: StrategyRun, board: Board) -> None:
    for outcome in run.outcomes_as_they_come():
        board.end(outcome)


def _request(job: Job) -> RunRequest:
    """The request, the folder held against what is allowed now."""
    given: dict[str, Any] = job.arguments
    return RunRequest(
        folder=place_project(given["folder"], settings.PROJECT_ROOTS, by_hand=False),
        contract=Path(given["contract"]) if given["contract"] else None,
        iteration=given["iteration"],
        store_in=_slug(job),
    )


def _slug(job: Job) -> str:
    return job.project.slug if job.project else DEFAULT_SLUG


def _tell(lease: JobLease, progress: StrategyProgress) -> None:
    total = len(progress.ended) + bool(progress.running) + len(progress.waiting)
    jobs.renew(lease, done=len(progress.ended), total=total, report=_report(progress))


def _concluded(progress: StrategyProgress, conclusion: Conclusion, stored: StoredRun) -> StrategyProgress:
    return msgspec.structs.replace(
        progress,
        verdict=VERDICTS[conclusion.verdict.exit],
        summary=storable(conclusion.record.summary or ""),
        stored=stored.report.iterations[0],
    )


def _report(progress: StrategyProgress) -> dict[str, Any]:
    return {"strategies": msgspec.to_builtins(progress)}

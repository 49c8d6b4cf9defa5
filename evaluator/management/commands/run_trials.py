"""Runs a live trial in this process: `run_trials --config C [--tasks T] [--output FILE] [--json] …`."""

import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
from django.core.management.base import CommandError
from django.db import DatabaseError

from evaluator import live
from evaluator.engine.trials.configuration import load, read_file, task_source
from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.preflight import PreflightError
from evaluator.live_work import FULL_AT_TRIAL, TrialStep, run_trial
from evaluator.management.trial_choice import NoMatchError, chosen_runs, chosen_tasks
from evaluator.management.trial_display import TrialDisplay
from results.exports.live import export_mindtrial
from results.importing import reason_of
from results.jobs import request_cancel
from results.management.prepared import PreparedCommand
from results.management.whole_files import write_whole
from results.models.evaluations import Evaluation
from results.models.trials import TrialState
from results.queries.trials import TrialProgress, trial_progress
from results.store.trials import settle

NOT_WRITTEN = 3  # exit code: the trial is stored, the output file is not
INTERRUPTED = 128 + signal.SIGINT


class Command(PreparedCommand):
    """Asks the models, stores every result as it comes, and needs no worker. Ctrl-C stops and keeps what is there."""

    help = "Run tasks against models, as MindTrial's two files say."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--config", type=Path, metavar="FILE", help="MindTrial's config.yaml")
        what.add_argument("--resume", type=int, metavar="ID", help="go on with a trial that was stopped")
        parser.add_argument("--tasks", type=Path, metavar="FILE", help="default: where `task-source` says")
        parser.add_argument("--run", action="append", default=[], metavar="PATTERN", help="run or provider/run")
        parser.add_argument("--task", action="append", default=[], metavar="PATTERN", help="names of tasks")
        parser.add_argument("--parallel", type=int, default=1, metavar="N", help="tasks of one run at a time")
        parser.add_argument("--project", default="default", help="slug; default: %(default)s")
        parser.add_argument("--name", default="", help="of the evaluation")
        parser.add_argument("--keep-keys", action="store_true", help="keys in the file stay in var/secrets, to resume")
        parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the results document there")
        parser.add_argument("--json", action="store_true", help="print one JSON document at the end")

    def handle(self, *_: Any, **options: Any) -> None:
        """Run to the end, then report.

        Raises:
            CommandError: it cannot begin, it broke, or the output could not be written.
        """
        _check_output(options["output"])
        try:
            queued = _resumed(options) if options["config"] is None else _ordered(options)
            progress = _run(queued, sys.stdout if sys.stdout.isatty() and not options["json"] else sys.stderr)
        except (ConfigurationError, PreflightError, NoMatchError, live.TrialRefused) as error:
            raise CommandError(str(error)) from error
        except (DatabaseError, OSError) as error:
            raise CommandError(reason_of(error, FULL_AT_TRIAL)) from error
        _write_output(options["output"], progress.id)
        self._report(progress, options)
        if progress.state == TrialState.CANCELLED:
            if progress.reason:
                raise CommandError(progress.reason)
            sys.exit(INTERRUPTED)

    def _report(self, progress: TrialProgress, options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(msgspec.json.format(msgspec.json.encode(_told(progress, options["output"]))).decode())
            return
        for run in progress.runs:
            counts = run.outcomes
            told = f"{counts.passed} passed, {counts.failed} failed, {counts.errors} errors, {counts.skipped} skipped"
            self.stdout.write(f"{run.run.provider} {run.run.run}: {told} of {run.total}")
        end = "stored" if progress.state == TrialState.READY else f"stopped, {progress.not_run:,} not run; stored"
        self.stdout.write(f"{progress.done:,} of {progress.total:,} results, {end} as evaluation {progress.id}")
        if progress.not_run:
            self.stdout.write(f"Go on with: manage.py run_trials --resume {progress.id}")


def _ordered(options: dict[str, Any]) -> live.QueuedTrial:
    config_file: Path = options["config"]
    config = read_file(config_file)
    tasks_file = options["tasks"] or config_file.parent / task_source(config)
    environment = dict(os.environ)
    whole = load(config_file, tasks_file, environment)
    order = live.TrialOrder(
        config=config,
        tasks=read_file(tasks_file),
        folder=tasks_file.parent.absolute(),
        project=options["project"],
        name=options["name"],
        runs=chosen_runs(whole, options["run"]),
        task_names=chosen_tasks(whole, options["task"]),
        parallel_per_run=options["parallel"],
        keeps_keys=options["keep_keys"],
        environment=environment,
    )
    return live.queue_trial(order, is_resumable=False)


def _resumed(options: dict[str, Any]) -> live.QueuedTrial:
    return live.resume_trial(options["resume"], is_resumable=False, environment=dict(os.environ))


def _run(queued: live.QueuedTrial, stream: Any) -> TrialProgress:
    (job_id,) = queued.job_ids
    display = TrialDisplay(stream, _progress(queued.trial_id))
    with _interruptions() as interrupted:

        def watch(step: TrialStep) -> None:
            display.show(step)
            if interrupted:
                request_cancel(job_id)

        run_trial(job_id, watch, environment=dict(os.environ))
    display.end()
    settle(queued.trial_id)
    return _progress(queued.trial_id)


@contextmanager
def _interruptions() -> Iterator[list[int]]:
    """Note the first Ctrl-C or SIGTERM; the second one ends the process at once."""
    interrupted: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        interrupted.append(number)
        signal.signal(number, previous[number])

    previous = {int(number): signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupted
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _progress(trial_id: int) -> TrialProgress:
    progress = trial_progress(trial_id)
    if progress is None:
        raise CommandError(f"Trial {trial_id} was deleted while it ran.")
    return progress


def _check_output(path: Path | None) -> None:
    """Find out before the models are asked whether there is a place to write to; nothing is written yet."""
    if path is not None and (path.is_dir() or not os.access(path.parent, os.W_OK)):
        raise CommandError(f"{path} cannot be written: name a file in a folder that exists and that you may write.")


def _write_output(path: Path | None, trial_id: int) -> None:
    if path is None:
        return
    try:
        write_whole(path, chain(export_mindtrial(Evaluation.objects.get(pk=trial_id)), [b"\n"]))
    except OSError as error:
        wrong = f"{path} could not be written ({error.strerror}); the results are stored as evaluation {trial_id}."
        raise CommandError(wrong, returncode=NOT_WRITTEN) from error


def _told(progress: TrialProgress, output: Path | None) -> dict[str, Any]:
    return {
        "evaluation": progress.id,
        "state": progress.state,
        "reason": progress.reason or None,
        "done": progress.done,
        "total": progress.total,
        "not_run": progress.not_run,
        "runs": [
            {
                "provider": run.run.provider,
                "run": run.run.run,
                "passed": run.outcomes.passed,
                "failed": run.outcomes.failed,
                "errors": run.outcomes.errors,
                "skipped": run.outcomes.skipped,
                "total": run.total,
            }
            for run in progress.runs
        ],
        "output": None if output is None else str(output),
    }

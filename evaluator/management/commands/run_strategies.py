"""Evaluates a code project: `run_strategies DIR [--contract F] [--iteration N] [--config F] [--json]`."""

import signal
import sys
import traceback
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError

from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.configuration_problems import ConfigurationError
from evaluator.engine.strategies.reporting.eval_result import Conclusion
from evaluator.engine.strategies.reporting.verdict import Exit
from evaluator.engine.strategies.runner import Watcher
from evaluator.engine.strategies.states import Outcome, State
from evaluator.project_folders import FolderRefusedError, place_project
from evaluator.sprint_files import SprintFileError
from evaluator.strategy_runs import FULL_AT_EVALUATION, PreparedRun, RunRequest, StoredRun, StrategyRun, keep, prepare
from results.importers.source import ImportRefused
from results.importing import reason_of
from results.intake import check_project
from results.iteration_records import encode_eval_result
from results.management.prepared import PreparedCommand
from results.models.projects import DEFAULT_SLUG

CANCELLED = 130  # as shells say it for Ctrl-C
ITEMS_SHOWN = 10
MOST_ITERATIONS = 2**31 - 1


class Command(PreparedCommand):
    """Runs the checks of a project, writes the result into its `.bober/eval-results` and stores it as an iteration."""

    help = "Run the checks of a code project; exit code 0 = pass, 1 = fail, 2 = could not be evaluated."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", metavar="DIR", help="the project's folder")
        parser.add_argument("--contract", type=Path, metavar="FILE", help="the sprint's contract, with its criteria")
        parser.add_argument("--iteration", type=_iteration, metavar="N", help="default: the one after the last")
        parser.add_argument("--config", type=Path, metavar="FILE", help="instead of the project's bober.config.json")
        parser.add_argument("--evidence", type=Path, metavar="FILE", help="what a person found about manual criteria")
        parser.add_argument("--project", default=DEFAULT_SLUG, help="slug to store it under (default: %(default)s)")
        parser.add_argument("--json", action="store_true", help="print the result as one JSON document instead of text")

    def handle(self, *_: Any, **options: Any) -> None:
        """Evaluate, report, and exit with the verdict."""
        with cancelled_by_signals() as cancel:
            try:
                self._evaluate(options, cancel)
            except CommandError as error:
                if options["json"]:
                    self.stdout.write(msgspec.json.encode({"error": str(error)}).decode())
                raise
            except Exception:  # noqa: BLE001 - exit code 1 would be a verdict about the project
                self.stderr.write(traceback.format_exc())
                sys.exit(Exit.NOT_EVALUATED)

    def _evaluate(self, options: dict[str, Any], cancel: Event) -> None:
        try:
            check_project(options["project"])
            prepared = prepare(self._request(options), Watcher(begin=self._begin), cancel)
            run = StrategyRun(prepared)
            if not options["json"]:
                self._introduce(prepared)
            for outcome in run.outcomes_as_they_come():
                if not options["json"]:
                    self._tell(outcome)
            if run.is_cancelled:
                self.stderr.write("Cancelled; nothing is kept.")
                sys.exit(CANCELLED)
            conclusion = run.conclude()
            stored = keep(prepared, conclusion, options["project"])
        except (ConfigurationError, SprintFileError, FolderRefusedError, ImportRefused) as error:
            raise CommandError(str(error), returncode=Exit.NOT_EVALUATED) from error
        except DatabaseError as error:
            raise CommandError(reason_of(error, FULL_AT_EVALUATION), returncode=Exit.NOT_EVALUATED) from error
        if options["json"]:
            self.stdout.write(msgspec.json.format(encode_eval_result(conclusion.record)).decode())
        else:
            self._report(prepared, conclusion, stored)
        sys.exit(conclusion.verdict.exit)

    def _request(self, options: dict[str, Any]) -> RunRequest:
        return RunRequest(
            folder=place_project(options["folder"], settings.PROJECT_ROOTS, by_hand=True),
            contract=options["contract"],
            configuration=options["config"],
            evidence=options["evidence"],
            iteration=options["iteration"],
            store_in=options["project"],
        )

    def _introduce(self, prepared: PreparedRun) -> None:
        plan = prepared.plan
        contract = plan.contract
        self.stdout.write(f"{plan.project.folder}: {contract.contract_id}, iteration {prepared.occasion.iteration}")
        source = plan.configuration.file
        for note in (*([f"configuration: {source}"] if source else []), *plan.configuration.notes):
            self.stdout.write(f"  {note}")
        if prepared.is_replacing:
            self.stdout.write(self.style.WARNING("  This iteration was evaluated before; its file is replaced."))

    def _begin(self, choice: StrategyChoice) -> None:
        if sys.stderr.isatty():
            self.stderr.write(f"  running {choice.label or choice.type} …", self.style.NOTICE)

    def _tell(self, outcome: Outcome) -> None:
        style = {State.PASS: self.style.SUCCESS, State.FAIL: self.style.ERROR}.get(outcome.state, self.style.WARNING)
        kind = "required" if outcome.required else "optional"
        reason = f" ({outcome.reason})" if outcome.reason else ""
        seconds = outcome.duration_ns / 1e9
        self.stdout.write(f"{style(f'{outcome.state:7}')} {outcome.name}, {kind}, {seconds:.1f} s{reason}")
        self.stdout.write(f"        {outcome.details}")

    def _report(self, prepared: PreparedRun, conclusion: Conclusion, stored: StoredRun) -> None:
        record = conclusion.record
        for regression in record.regressions or []:
            self.stdout.write(f"{self.style.ERROR('regression')} {regression.severity}: {regression.description}")
        items = record.generator_feedback or []
        for item in items[:ITEMS_SHOWN]:
            place = f"{item.file}:{item.line} " if item.file and item.line else f"{item.file} " if item.file else ""
            first = (item.description or "").partition("\n")[0]
            self.stdout.write(f"  {item.priority}: {place}{first}")
        if len(items) > ITEMS_SHOWN:
            self.stdout.write(f"  and {len(items) - ITEMS_SHOWN:,} more, in the file")
        style = self.style.SUCCESS if conclusion.verdict.exit is Exit.PASSED else self.style.ERROR
        self.stdout.write(style(record.summary or ""))
        where = stored.path.relative_to(prepared.plan.project.folder)
        self.stdout.write(f"Written to {where}; {stored.report.state} as iteration {stored.report.iterations[0]}.")


@contextmanager
def cancelled_by_signals() -> Iterator[Event]:
    """An event that Ctrl-C and SIGTERM set, instead of ending the process in the middle of something."""
    cancel = Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda _number, _frame: cancel.set()) for number in numbers]
    try:
        yield cancel
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _iteration(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_ITERATIONS:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)

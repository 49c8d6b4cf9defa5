"""Runs tasks against the runs of every provider: `with Runner(…) as runner: results = runner.run(tasks)`."""

import asyncio
import threading
from collections.abc import Callable, Collection, Sequence
from types import TracebackType
from typing import Self

from evaluator.engine.trials import preflight
from evaluator.engine.trials.definitions import TaskDefinition, TrialDefinition
from evaluator.engine.trials.feed import Feed
from evaluator.engine.trials.finished_results import ResultKey
from evaluator.engine.trials.interfaces import AskerFactory, Toolboxes, Validators
from evaluator.engine.trials.result_sets import AsyncResultSet, ResultSet
from evaluator.engine.trials.secrecy import redactor_of
from evaluator.engine.trials.timing import REAL, Timing
from evaluator.engine.trials.trial_loop import Plan, TrialLoop


class Runner:
    """Runs trials of one definition; leaving it cancels what still runs and waits for its end."""

    def __init__(
        self,
        definition: TrialDefinition,
        make_asker: AskerFactory,
        make_validators: Callable[[], Validators],
        *,
        toolboxes: Toolboxes | None = None,
        parallel_per_run: int = 1,
        entries: Collection[int] | None = None,
        timing: Timing = REAL,
    ) -> None:
        """Run nothing yet.

        Args:
            definition: what can be run.
            make_asker: called in the trial's loop, once per run.
            make_validators: called in the trial's loop, once.
            toolboxes: where tools run; None = tasks with tools are refused.
            parallel_per_run: how many tasks of one run are asked at once, from 1. With more than 1, the tasks of a run
                begin in file order but finish in any.
            entries: positions in `definition.providers` of those to run, where the work is shared out; None = all.
            timing: clocks and waiting.
        """
        if parallel_per_run < 1:
            raise ValueError(f"parallel_per_run is {parallel_per_run}: at least one task must run at a time")
        self._definition = definition
        self._make_asker = make_asker
        self._make_validators = make_validators
        self._toolboxes = toolboxes
        self._parallel_per_run = parallel_per_run
        self._entries = [
            (entry, provider)
            for entry, provider in enumerate(definition.providers)
            if entries is None or entry in entries
        ]
        self._timing = timing
        self._started: list[tuple[threading.Thread, AsyncResultSet]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, tasks: Sequence[TaskDefinition], skip: Collection[ResultKey] = frozenset()) -> ResultSet:
        """Run all tasks against all runs and wait for the end; see `start`."""
        return self.start(tasks, skip).wait()

    def start(self, tasks: Sequence[TaskDefinition], skip: Collection[ResultKey] = frozenset()) -> AsyncResultSet:
        """Begin to run all tasks against all runs.

        Args:
            tasks: names are unique.
            skip: what is done already, for a trial that is resumed.

        Returns:
            At once; the results come as they finish.

        Raises:
            PreflightError: something is missing; nothing has begun.
        """
        preflight.check(self._definition, [provider for _, provider in self._entries], tasks, self._toolboxes)
        plan = Plan(
            entries=self._entries,
            tasks=tasks,
            skip=frozenset(skip),
            parallel_per_run=self._parallel_per_run,
            make_asker=self._make_asker,
            make_validators=self._make_validators,
            toolboxes=self._toolboxes,
            redactor=redactor_of(self._definition),
            timing=self._timing,
        )
        feed = Feed(total=plan.results, done=sum(key in plan.skip for key in plan.result_keys()) if skip else 0)
        trial = TrialLoop(plan, feed)
        loop = asyncio.new_event_loop()
        results = AsyncResultSet(feed, lambda: _call_in(loop, trial.stop))
        thread = threading.Thread(target=_run_in, args=(loop, trial), name="live trial", daemon=True)
        self._started.append((thread, results))
        thread.start()
        return results

    def close(self) -> None:
        """Cancel what still runs and wait until it has stopped."""
        for thread, results in self._started:
            if thread.is_alive():
                results.cancel()
        for thread, _ in self._started:
            thread.join()
        self._started.clear()


def _run_in(loop: asyncio.AbstractEventLoop, trial: TrialLoop) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(trial.run())


def _call_in(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(call)
    except RuntimeError:
        if not loop.is_closed():
            raise

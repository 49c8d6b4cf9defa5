"""Everything of a trial that happens in its loop: providers beside each other, their runs, and the tasks of a run."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from evaluator.engine.trials.definitions import ProviderDefinition, RunDefinition, TaskDefinition
from evaluator.engine.trials.execution import RunExecution, Shared
from evaluator.engine.trials.feed import Feed
from evaluator.engine.trials.finished_results import ResultKey
from evaluator.engine.trials.interfaces import Answer, Asker, AskerFactory, Limiter, Toolbox, Toolboxes, Validators
from evaluator.engine.trials.limiter import TokenBucket
from evaluator.engine.trials.secrecy import Redactor
from evaluator.engine.trials.timing import Timing
from evaluator.engine.trials.trace_ids import TraceIds
from results.records import ResultKind

CLOSING_SECONDS = 5.0  # for open connections; they are dropped afterwards


@dataclass(frozen=True)
class Plan:
    """What is to be run, and with what.

    `entries` are the entries of `providers` by their position; `skip` is what is done already.
    """

    entries: Sequence[tuple[int, ProviderDefinition]]
    tasks: Sequence[TaskDefinition]
    skip: Collection[ResultKey]
    parallel_per_run: int
    make_asker: AskerFactory
    make_validators: Callable[[], Validators]
    toolboxes: Toolboxes | None
    redactor: Redactor
    timing: Timing

    @property
    def results(self) -> int:
        """How many results the whole trial has, done or not."""
        return sum(len(provider.runs) for _, provider in self.entries) * len(self.tasks)

    def result_keys(self) -> Iterator[ResultKey]:
        """Everything that the trial consists of, done or not."""
        for entry, provider in self.entries:
            for run in provider.runs:
                for task in self.tasks:
                    yield ResultKey(entry, run.name, task.name)


class TrialLoop:
    """One execution of a plan; `run` is for a loop of its own, `cancel` for any thread."""

    def __init__(self, plan: Plan, feed: Feed) -> None:
        """Begin with nothing running."""
        self._plan = plan
        self._feed = feed
        self._running: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Run the plan; its end, good or bad, is told to the feed."""
        fault: Exception | None = None
        self._running = asyncio.create_task(self._run_all())
        try:
            if self._feed.is_cancelled:
                self._running.cancel()
            await asyncio.wait([self._running])
            if not self._running.cancelled():
                fault = _only(self._running.exception())
        finally:
            self._feed.end(fault)

    def stop(self) -> None:
        """Break off what runs; called in the loop, again and again if need be: it counts once."""
        if self._running is not None and not self._running.cancelling():
            self._running.cancel()

    async def _run_all(self) -> None:
        plan = self._plan
        validators = plan.make_validators()
        shared = Shared(validators, plan.toolboxes, TraceIds(plan.timing), plan.redactor, plan.timing, self._feed.say)
        try:
            async with asyncio.TaskGroup() as group:
                for entry, provider in plan.entries:
                    group.create_task(self._run_provider(entry, provider, shared))
        finally:
            await self._closed(validators)

    async def _run_provider(self, entry: int, provider: ProviderDefinition, shared: Shared) -> None:
        """Run a provider's runs one after the other; beside each other where they share a limit."""
        per_minute = provider.max_parallel_requests_per_minute
        if per_minute <= 0:
            for place in range(len(provider.runs)):
                await self._run_run(entry, provider, place, [], shared)
            return
        together = TokenBucket(per_minute, shared.timing)
        async with asyncio.TaskGroup() as group:
            for place in range(len(provider.runs)):
                group.create_task(self._run_run(entry, provider, place, [together], shared))

    async def _run_run(
        self, entry: int, provider: ProviderDefinition, place: int, limits: list[Limiter], shared: Shared
    ) -> None:
        run = provider.runs[place]
        if run.max_requests_per_minute > 0:
            limits = [*limits, TokenBucket(run.max_requests_per_minute, shared.timing)]
        todo = iter(self._todo(entry, run))
        asker = self._asker(provider, run)
        execution = RunExecution(run, asker, limits, shared)

        async def work() -> None:
            for position, task in todo:
                key = ResultKey(entry, run.name, task.name)
                result = await execution.result_of(task, key, (entry, place, position))
                if self._feed.is_cancelled and result.record.kind is ResultKind.ERROR:
                    return  # a client that makes an error of being cancelled; the task counts as not run
                await self._feed.put(result)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._plan.parallel_per_run):
                    group.create_task(work())
        finally:
            await self._closed(asker)

    def _todo(self, entry: int, run: RunDefinition) -> Iterator[tuple[int, TaskDefinition]]:
        for position, task in enumerate(self._plan.tasks):
            if ResultKey(entry, run.name, task.name) not in self._plan.skip:
                yield position, task

    def _asker(self, provider: ProviderDefinition, run: RunDefinition) -> Asker:
        try:
            return self._plan.make_asker(provider, run)
        except Exception as fault:  # noqa: BLE001 - the other runs go on; this one's tasks say what is wrong
            return _NoAsker(fault)

    async def _closed(self, what: Asker | Validators) -> None:
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await what.close()
        except Exception as error:  # noqa: BLE001 - every result is there; a connection that does not close is no fault
            self._feed.say(self._plan.redactor.text(f"a connection was dropped, as it did not close: {error!r}"))


class _NoAsker:
    """Stands for an asker that could not be made."""

    def __init__(self, fault: Exception) -> None:
        self._fault = fault

    async def ask(self, task: TaskDefinition, toolbox: Toolbox | None) -> Answer:
        del task, toolbox
        raise self._fault

    async def close(self) -> None:
        pass


def _only(fault: BaseException | None) -> Exception | None:
    """The fault itself, out of the groups that it was raised through."""
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    if fault is None or isinstance(fault, Exception):
        return fault
    return RuntimeError(f"the trial ended by {fault!r}")

"""One run at one task: decides whether to ask, asks and asks again, validates; every end of it is a result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec import structs

from evaluator.engine.trials import outcomes
from evaluator.engine.trials.definitions import RunDefinition, TaskDefinition
from evaluator.engine.trials.finished_results import FinishedResult, ResultKey, about
from evaluator.engine.trials.interfaces import (
    Answer,
    Asker,
    ConversationError,
    Limiter,
    NotConfiguredError,
    Toolbox,
    Toolboxes,
    Validators,
)
from evaluator.engine.trials.outcomes import Case
from evaluator.engine.trials.retrying import Retries, retry_in_words
from evaluator.engine.trials.secrecy import Redactor
from evaluator.engine.trials.timing import Timing
from evaluator.engine.trials.trace_ids import TraceIds
from results.records import Execution, RunResult, decode_result


@dataclass(frozen=True)
class Shared:
    """What all runs of a trial share. `say` takes a message for the user, without any key in it."""

    validators: Validators
    toolboxes: Toolboxes | None  # None = no task may use tools
    trace_ids: TraceIds
    redactor: Redactor
    timing: Timing
    say: Callable[[str], None]


class RunExecution:
    """One run of a provider, asking about one task after the other."""

    def __init__(self, run: RunDefinition, asker: Asker, limits: Sequence[Limiter], shared: Shared) -> None:
        """Begin.

        Args:
            run: what is recorded.
            asker: of its model.
            limits: each gives a token before each try, in this order.
            shared: with the other runs.
        """
        self._run = run
        self._asker = asker
        self._limits = limits
        self._shared = shared

    async def result_of(self, task: TaskDefinition, key: ResultKey, position: tuple[int, int, int]) -> FinishedResult:
        """Run the task to its end; only cancelling comes out as an exception."""
        return await _TaskExecution(self._run, self._asker, self._limits, self._shared, task).result(key, position)


class _TaskExecution:
    def __init__(
        self, run: RunDefinition, asker: Asker, limits: Sequence[Limiter], shared: Shared, task: TaskDefinition
    ) -> None:
        self._asker = asker
        self._limits = limits
        self._shared = shared
        self._case = Case(shared.trace_ids.new(), run, task)
        self._began_ns = shared.timing.monotonic_ns()
        self._retries = Retries(run.retry, self._on_retry, shared.timing)
        self._messages: list[str] = []
        self._answer: Answer | None = None

    async def result(self, key: ResultKey, position: tuple[int, int, int]) -> FinishedResult:
        try:
            record, source = self._sealed(await self._come_to())
        except Exception as fault:  # noqa: BLE001 - whatever is wrong with one task, the others go on
            record, source = self._broken(fault)
        return FinishedResult(key, position, record, source, tuple(self._messages))

    def _broken(self, fault: Exception) -> tuple[RunResult, bytes]:
        try:
            return self._sealed(outcomes.broken(self._case, fault, self._answer))
        except Exception:  # noqa: BLE001 - the answer itself cannot be kept
            return self._sealed(outcomes.broken(self._case, fault, None))

    def _sealed(self, record: RunResult) -> tuple[RunResult, bytes]:
        """The record as it is written.

        Raises:
            msgspec.DecodeError: nobody could read it again; one such document would stop every reader of the trial.
        """
        execution = Execution(
            attempts=self._retries.made or None,
            wall_time_ns=self._shared.timing.monotonic_ns() - self._began_ns,
        )
        sealed, source = self._shared.redactor.result(structs.replace(record, evalboard=execution))
        decode_result(source)
        return sealed, source

    async def _come_to(self) -> RunResult:
        case = self._case
        if (skipped := outcomes.skipped_unasked(case)) is not None:
            return skipped
        try:
            validator = self._shared.validators.of(case.task)
        except NotConfiguredError as error:
            return outcomes.not_configured(case, str(error))
        try:
            self._answer = await self._retries.run(self._ask)
        except ConversationError as error:
            self._say_all(error.spent.messages)
            return outcomes.not_answered(case, error)
        self._say_all(self._answer.spent.messages)
        try:
            verdict = await validator.validate(case.task, self._answer.final_answer)
        except ConversationError as error:
            self._say_all(error.spent.messages)
            return outcomes.not_validated(case, self._answer, error)
        self._say_all(verdict.spent.messages if verdict.spent else ())
        return outcomes.validated(case, self._answer, verdict)

    async def _ask(self) -> Answer:
        for limit in self._limits:
            await limit.acquire()
        toolboxes, task = self._shared.toolboxes, self._case.task
        if toolboxes is None or not task.tools:
            return await self._asker.ask(task, None)
        toolbox = toolboxes.open(task)
        try:
            return await self._asker.ask(task, toolbox)
        finally:
            await self._close(toolbox)

    async def _close(self, toolbox: Toolbox) -> None:
        try:
            await toolbox.close()
        except Exception as error:  # noqa: BLE001 - the answer is there, whatever became of a folder
            self._say(f"the tools were not closed: {error}")

    def _on_retry(self, attempt: int, error: ConversationError, delay_seconds: float) -> None:
        self._say_all(error.spent.messages)
        self._say(retry_in_words(self._case.run.retry, attempt, error, delay_seconds))

    def _say_all(self, messages: Sequence[str]) -> None:
        for message in messages:
            self._say(message)

    def _say(self, message: str) -> None:
        case = self._case
        whole = self._shared.redactor.text(about(case.run.provider, case.run.name, case.task.name) + message)
        self._messages.append(whole)
        self._shared.say(whole)

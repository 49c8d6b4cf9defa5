"""The work of one job of a live trial: the engine runs, and what it yields is stored as it comes."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from django.db import DatabaseError

from evaluator.engine.trials.configuration_nodes import ConfigurationError
from evaluator.engine.trials.definitions import TrialDefinition
from evaluator.engine.trials.finished_results import FinishedResult
from evaluator.engine.trials.preflight import PreflightError
from evaluator.engine.trials.result_sets import AsyncResultSet
from evaluator.engine.trials.runner import Runner
from evaluator.engine.trials.tools.toolbox import DockerToolboxes
from evaluator.key_files import forget_idle_keys, kept_keys
from evaluator.live import definition_of, open_environment
from evaluator.live_places import Places
from evaluator.live_services import SERVICES, Services
from results.importing import reason_of
from results.jobs import JobLease, LeaseLostError, claim, finish, hold, is_cancel_requested, say
from results.models.jobs import JobState
from results.models.trials import Trial, TrialShare
from results.store.live_writer import LiveResult, LiveWriter, TrialGoneError
from results.store.trials import COPY_SECONDS, is_running, places_done, plan_of, refresh_copies, settle

FULL_AT_TRIAL = "the results that are stored stay. Free some space and resume the trial."
LOOK_SECONDS = 0.5  # between two looks at whether somebody asked to stop
GRACE_SECONDS = 2.0  # other workers have to take their parts of a trial, before the first one takes them too
HOLD_SECONDS = 10.0  # the job's lease is renewed at least this often
COPY_SHARE = 0.05  # of the time may go into facts and text index
MOST_MESSAGES = 1_000  # kept of one job; results keep their own


@dataclass(frozen=True)
class TrialStep:
    """What a trial has just done, for whoever watches it; `done` and `total` count the results of this job."""

    finished: Sequence[FinishedResult]
    messages: Sequence[str]
    done: int
    total: int


Watcher = Callable[[TrialStep], None]


def unwatched(step: TrialStep) -> None:
    """Watch nothing."""


def run_trial(
    job_id: int,
    watch: Watcher = unwatched,
    *,
    environment: Mapping[str, str] | None = None,
    services: Services = SERVICES,
) -> None:
    """Do a queued job of a trial; does nothing when somebody else has it. Safe to call twice.

    Args:
        job_id: of the job.
        watch: told about each step.
        environment: variables for `${…}`; None = those of this process that any file may name.
        services: who is asked.

    Raises:
        DatabaseError: the store cannot be written now; the job's lease runs out, and it is sent again.
    """
    lease = claim(job_id)
    if lease is None:
        return
    share = TrialShare.objects.select_related("trial__evaluation", "job").filter(job_id=job_id).first()
    if share is None:
        finish(lease, JobState.CANCELLED, error="The trial was deleted, or resumed by another job.")
        return
    held = [_held(share, lease), *_waiting_shares(share)]
    known = {**(open_environment() if environment is None else environment), **kept_keys(share.trial_id)}
    try:
        ending = TrialWork(share.trial, held, watch, services).run(known)
        for one in held:
            report = {"evaluation": share.trial_id, "results": one.done}
            finish(one.lease, ending.state, report=report, error=ending.error)
    except LeaseLostError:
        return
    settle(share.trial_id)
    forget_idle_keys()


@dataclass
class HeldShare:
    """A part of a trial that this process does: its job's lease, the entries of `providers`, results of how many."""

    lease: JobLease
    entries: frozenset[int]
    total: int
    done: int = 0


def _held(share: TrialShare, lease: JobLease) -> HeldShare:
    return HeldShare(lease, frozenset(share.entries), share.job.total or 0)


def _waiting_shares(share: TrialShare) -> list[HeldShare]:
    """Take the other parts of a trial that no worker takes: providers run beside each other, whoever does them."""
    waiting = TrialShare.objects.filter(trial_id=share.trial_id, job__state=JobState.QUEUED).exclude(pk=share.pk)
    if not waiting.exists():
        return []
    time.sleep(GRACE_SECONDS)
    return [
        _held(other, lease)
        for other in waiting.select_related("job").order_by("pk")
        if (lease := claim(other.job_id)) is not None
    ]


@dataclass(frozen=True)
class Ending:
    """How a job ended, and why it failed."""

    state: JobState
    error: str = ""


class TrialWork:
    """What one process does of a trial."""

    def __init__(self, trial: Trial, held: Sequence[HeldShare], watch: Watcher, services: Services) -> None:
        """Begin with nothing done."""
        self._trial = trial
        self._held = held
        self._share_of = {entry: one for one in held for entry in one.entries}
        self._watch = watch
        self._services = services
        self._plan = plan_of(self._trial)
        self._writer = LiveWriter(self._trial, self._plan)
        self._said = 0
        self._held_at = self._looked_at = time.monotonic()
        self._copy_at = time.monotonic() + COPY_SECONDS

    def run(self, environment: Mapping[str, str]) -> Ending:
        """Run to the end, whichever it is.

        Raises:
            LeaseLostError, DatabaseError: nothing more may or can be written.
        """
        try:
            is_cancelled = self._run(definition_of(self._trial, environment))
        except (ConfigurationError, PreflightError) as error:
            return Ending(JobState.FAILED, str(error))
        except TrialGoneError:
            return Ending(JobState.CANCELLED, "The trial was deleted while it ran.")
        except (LeaseLostError, DatabaseError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the job's row says it
            return Ending(JobState.FAILED, reason_of(error, FULL_AT_TRIAL))
        return Ending(JobState.CANCELLED if is_cancelled else JobState.SUCCEEDED)

    def _run(self, definition: TrialDefinition) -> bool:
        places = Places(self._plan, definition, self._share_of)
        skip = places.keys_to_skip(places_done(self._trial.pk))
        for one in self._held:  # what an earlier start of the job did counts as done
            one.done = max(0, one.total - places.left(one.entries, skip))
        with ExitStack() as stack:
            toolboxes = None
            if any(task.tools for task in definition.tasks):
                toolboxes = stack.enter_context(DockerToolboxes(definition.tools))
            runner = stack.enter_context(
                Runner(
                    definition,
                    self._services.make_asker,
                    lambda: self._services.make_validators(definition),
                    toolboxes=toolboxes,
                    parallel_per_run=self._trial.parallel_per_run,
                    entries=places.positions,
                )
            )
            results = runner.start(definition.tasks, skip)
            self._follow(results, places)
            return results.wait().is_cancelled  # raises what broke the trial

    def _follow(self, results: AsyncResultSet, places: Places) -> None:
        while not results.is_over:
            finished = results.take(LOOK_SECONDS)
            if finished:
                self._store(finished, places)
            messages = self._keep_messages(results)
            done, total = sum(one.done for one in self._held), sum(one.total for one in self._held)
            self._watch(TrialStep(finished, messages, done, total))
            self._look_after(results)

    def _store(self, finished: Sequence[FinishedResult], places: Places) -> None:
        found = [LiveResult(places.place_of(one.key), one.record, one.source) for one in finished]
        self._writer.write(self._held[0].lease, found)
        for one in found:
            self._share_of[one.place.entry].done += 1
        self._hold()

    def _hold(self) -> None:
        for one in self._held:
            hold(one.lease, done=one.done)
        self._held_at = time.monotonic()

    def _keep_messages(self, results: AsyncResultSet) -> list[str]:
        messages = results.take_messages()
        for message in messages[: max(0, MOST_MESSAGES - self._said)]:
            say(self._held[0].lease.job_id, message, "warning")
        self._said += len(messages)
        return messages

    def _look_after(self, results: AsyncResultSet) -> None:
        """What is due: hold the lease, see whether somebody asked to stop, bring facts and index up to date."""
        now = time.monotonic()
        if now - self._held_at >= HOLD_SECONDS:
            self._hold()
        if now - self._looked_at >= LOOK_SECONDS:
            self._looked_at = now
            if not is_running(self._trial.pk):
                raise TrialGoneError(f"trial {self._trial.pk} was deleted")
            if not results.is_cancelled and any(is_cancel_requested(one.lease) for one in self._held):
                results.cancel()
        if now >= self._copy_at:
            refresh_copies(self._trial.pk)
            took = time.monotonic() - now
            self._copy_at = time.monotonic() + max(COPY_SECONDS, took / COPY_SHARE)

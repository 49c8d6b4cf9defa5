"""One live trial: how far it is run by run, what came last, and what can be done with it."""

from dataclasses import dataclass
from urllib.parse import urlencode

from evaluator.live import asked_keys
from frontend.contexts.job_badges import Badge
from frontend.contexts.shell import Shell
from frontend.contexts.trial_badges import share_text, time_left, trial_badge
from frontend.contexts.trial_reruns import RerunChoice, rerun_choices
from results.filters import Choice, ResultFilter
from results.models.trials import TrialState
from results.queries.costs import GroupCosts, costs
from results.queries.jobs import JobLine, has_no_worker
from results.queries.run_names import RunName, shared_names
from results.queries.summary import summary
from results.queries.trial_results import TrialResultLine, latest_results
from results.queries.trials import RunProgress, TrialProgress, trial_messages, trial_progress
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts
from results.uploads import has_room

STEP_PERCENT = 10  # what is read aloud changes this often
WHOLE = 100  # percent


@dataclass(frozen=True)
class TrialRunLine:
    """One run of the trial; `query` is that of the results page with its results so far."""

    progress: RunProgress
    not_run: int
    query: str


@dataclass(frozen=True)
class TrialActions:
    """What can be done with a trial.

    Attributes:
        reruns: which results can be made again, in a trial of its own; none while it runs.
        asked_keys: names that stand for keys which have to be typed in for a resume or a rerun.
    """

    can_cancel: bool
    can_resume: bool
    reruns: tuple[RerunChoice, ...]
    asked_keys: tuple[str, ...]

    @classmethod
    def of(cls, trial: TrialProgress, outcomes: OutcomeCounts, transient: int) -> "TrialActions":
        """The actions of a trial as it stands, with so many errors that are marked as transient."""
        is_running = trial.state == TrialState.RUNNING
        can_resume = trial.state == TrialState.CANCELLED
        reruns = () if is_running else rerun_choices(outcomes, transient)
        return cls(
            can_cancel=is_running and not trial.is_cancel_requested,
            can_resume=can_resume,
            reruns=reruns,
            asked_keys=tuple(asked_keys(trial.id)) if can_resume or reruns else (),
        )


@dataclass(frozen=True)
class TrialPage:
    """What `trial_show.html` reads.

    Attributes:
        share: `12 of 40 results`; left: time, empty while nobody knows; percent: done, in [0, 100].
        outcomes: of all runs.
        query: of the results page with all results so far.
        costs: of the models so far; None before the first result is known to the facts.
        latest: the results that came last, the newest first.
        shared_runs: names of runs that several providers have.
        lines: of the log, the newest first.
        problems: why what was asked for was not done; empty = nothing was asked for, or it was.
        status: for those who cannot see the bars; changes seldom.
    """

    shell: Shell
    trial: TrialProgress
    badge: Badge
    share: str
    left: str
    percent: int
    outcomes: OutcomeCounts
    query: str
    costs: GroupCosts | None
    runs: tuple[TrialRunLine, ...]
    latest: tuple[TrialResultLine, ...]
    shared_runs: frozenset[str]
    lines: tuple[JobLine, ...]
    actions: TrialActions
    is_live: bool
    has_no_worker: bool
    is_disk_full: bool
    problems: tuple[str, ...]
    status: str

    @classmethod
    def build(
        cls, shell: Shell, visible: VisibleSet, trial_id: int, problems: tuple[str, ...] = ()
    ) -> "TrialPage | None":
        """The page of a trial; None when there is no such one."""
        trial = trial_progress(trial_id) if trial_id in visible.evaluation_ids else None
        if trial is None:
            return None
        is_live = trial.state == TrialState.RUNNING
        badge = trial_badge(
            trial.state, is_waiting=trial.is_waiting, is_stopping=trial.is_cancel_requested, reason=trial.reason
        )
        outcomes, own = _sum(trial.runs), ResultFilter(evaluation=Choice((str(trial_id),)))
        transient = (
            0 if is_live else next((one.transient_errors for one in summary(visible, own, (), ("duration",))), 0)
        )
        percent = WHOLE * trial.done // trial.total if trial.total else WHOLE
        return cls(
            shell=shell,
            trial=trial,
            badge=badge,
            share=share_text(trial.done, trial.total),
            left=time_left(trial.seconds_left),
            percent=percent,
            outcomes=outcomes,
            query=urlencode({"evaluation": trial_id}),
            costs=next(iter(costs(visible, own)), None),
            runs=tuple(_line(trial_id, run) for run in trial.runs),
            latest=latest_results(visible, trial_id),
            shared_runs=shared_names(RunName(run.run.provider, run.run.run) for run in trial.runs),
            lines=tuple(trial_messages(trial_id)),
            actions=TrialActions.of(trial, outcomes, transient),
            is_live=is_live,
            has_no_worker=trial.is_waiting and trial.asked_at is not None and has_no_worker(trial.asked_at),
            is_disk_full=is_live and not has_room(),
            problems=problems,
            status=f"{badge.label}, {percent // STEP_PERCENT * STEP_PERCENT} % done",
        )


def _line(trial_id: int, run: RunProgress) -> TrialRunLine:
    of_the_run = {"evaluation": trial_id, "provider": run.run.provider, "run": run.run.run}
    return TrialRunLine(run, max(run.total - run.done, 0), urlencode(of_the_run))


def _sum(runs: tuple[RunProgress, ...]) -> OutcomeCounts:
    counted = [run.outcomes for run in runs]
    return OutcomeCounts(
        sum(one.passed for one in counted),
        sum(one.failed for one in counted),
        sum(one.errors for one in counted),
        sum(one.skipped for one in counted),
    )

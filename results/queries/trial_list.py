"""Live trials in a list, the newest first, and the files that they were made from."""

from dataclasses import dataclass
from datetime import datetime

from results.models.jobs import JobState
from results.models.trials import Trial, TrialShare, TrialState
from results.queries.visibility import VisibleSet
from results.statistics import OutcomeCounts


@dataclass(frozen=True)
class TrialRow:
    """A trial as it stands.

    Attributes:
        state: a `TrialState`; `is_waiting`: it runs, but no worker has begun.
        reason: why it ended before it was whole; empty = it did not, or was asked to.
        total: results that it comes to.
    """

    id: int
    name: str
    project: str
    state: str
    is_waiting: bool
    reason: str
    outcomes: OutcomeCounts
    total: int
    began_at: datetime | None
    ended_at: datetime | None

    @property
    def not_run(self) -> int:
        """What nobody has done."""
        return max(self.total - self.outcomes.total, 0)


@dataclass(frozen=True)
class TrialsFound:
    """One page of trials, and how many there are."""

    rows: tuple[TrialRow, ...]
    total: int


@dataclass(frozen=True)
class TrialFiles:
    """The two files of a trial by their names, to choose them again."""

    id: int
    name: str
    began_at: datetime | None
    config_name: str
    tasks_name: str


@dataclass(frozen=True)
class TrialTexts:
    """The two files of a trial; keys stand in them as `${…}`."""

    config_name: str
    config: str
    tasks_name: str
    tasks: str
    folder: str


_OF_THE_EVALUATION = ("name", "project__slug", "passed", "failed", "errors", "skipped", "created_at")


def trial_page(visible: VisibleSet, page: int = 1, size: int = 50) -> TrialsFound:
    """The trials of one page, the newest first, in three queries; a page beyond the end is the last one."""
    found = Trial.objects.filter(pk__in=visible.evaluation_ids)
    total = found.count()
    if not total:
        return TrialsFound((), 0)
    start = (min(page, -(-total // size)) - 1) * size
    columns = ("pk", "state", "reason", "total", "ended_at", *(f"evaluation__{name}" for name in _OF_THE_EVALUATION))
    rows = list(found.order_by("-pk").values_list(*columns)[start : start + size])
    running = [row[0] for row in rows if row[1] == TrialState.RUNNING]
    begun = TrialShare.objects.filter(trial_id__in=running).exclude(job__state=JobState.QUEUED)
    taken = set(begun.values_list("trial_id", flat=True)) if running else set()
    return TrialsFound(
        tuple(
            TrialRow(
                id=pk,
                name=name,
                project=project,
                state=state,
                is_waiting=state == TrialState.RUNNING and pk not in taken,
                reason=reason,
                outcomes=OutcomeCounts(*outcomes),
                total=expected,
                began_at=began_at,
                ended_at=ended_at,
            )
            for pk, state, reason, expected, ended_at, name, project, *outcomes, began_at in rows
        ),
        total,
    )


def stored_files(visible: VisibleSet, most: int = 30) -> tuple[TrialFiles, ...]:
    """The files of the newest trials."""
    found = Trial.objects.filter(pk__in=visible.evaluation_ids).order_by("-pk")
    columns = ("pk", "evaluation__name", "evaluation__created_at", "config_name", "tasks_name")
    return tuple(TrialFiles(*row) for row in found.values_list(*columns)[:most])


def is_trial(visible: VisibleSet, evaluation_id: int) -> bool:
    """Whether there is a trial of this id that may be seen."""
    return evaluation_id in visible.evaluation_ids and Trial.objects.filter(pk=evaluation_id).exists()


def trial_texts(visible: VisibleSet, trial_id: int) -> TrialTexts | None:
    """The two files of a trial; None if there is no such one."""
    if trial_id not in visible.evaluation_ids:
        return None
    columns = ("config_name", "config_text", "tasks_name", "tasks_text", "folder")
    row = Trial.objects.filter(pk=trial_id).values_list(*columns).first()
    return None if row is None else TrialTexts(*row)

"""Which evaluation used which version of a task or a run, and where the version changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from results.models.evaluations import EvaluationRun, EvaluationTask
from results.queries.visibility import VisibleSet

EVALUATION = ("evaluation_id", "evaluation__name", "evaluation__started_at", "evaluation__imported_at")


@dataclass(frozen=True)
class VersionUse:
    """An evaluation that used a version; `started_at` is when it was imported where its start is not known."""

    version_id: int
    evaluation_id: int
    evaluation: str
    started_at: datetime


@dataclass(frozen=True)
class VersionChange:
    """Two evaluations, one after the other, that used different versions."""

    before: VersionUse
    after: VersionUse


def run_version_uses(visible: VisibleSet, run_id: int) -> list[VersionUse]:
    """The visible evaluations of a run with its version in each, the earliest first."""
    rows = EvaluationRun.objects.filter(run_version__run=run_id)
    return _in_time(visible, rows.values_list("run_version_id", *EVALUATION))


def task_version_uses(visible: VisibleSet, task_id: int) -> list[VersionUse]:
    """The visible evaluations of a task with its version in each, the earliest first."""
    rows = EvaluationTask.objects.filter(task_version__task=task_id)
    return _in_time(visible, rows.values_list("task_version_id", *EVALUATION))


def version_changes(uses: Iterable[VersionUse]) -> list[VersionChange]:
    """Where the version changes in uses that are in order of time, the newest change first."""
    changes = [
        VersionChange(before, after) for before, after in pairwise(uses) if before.version_id != after.version_id
    ]
    return changes[::-1]


def _in_time(visible: VisibleSet, rows: Iterable[tuple[Any, ...]]) -> list[VersionUse]:
    uses = (VersionUse(row[0], row[1], row[2], row[3] or row[4]) for row in rows if row[1] in visible.evaluation_ids)
    return sorted(uses, key=lambda use: (use.started_at, use.evaluation_id, use.version_id))

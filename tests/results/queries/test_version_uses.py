"""Which evaluation used which version, and where the version changed."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from results.models.dimensions import Run, Task
from results.models.evaluations import Evaluation
from results.queries.version_uses import (
    VersionChange,
    VersionUse,
    run_version_uses,
    task_version_uses,
    version_changes,
)
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day


def use(day: int, version_id: int) -> VersionUse:
    return VersionUse(version_id, day, f"day {day}", datetime(2026, 1, day, tzinfo=UTC))


def keep(folder: Path, name: str, day: int, **fields: Any) -> int:
    return stored(folder, name, row(TraceID=on_day(day), task="t", **fields))


def test_changes_are_told_newest_first_and_a_return_is_one() -> None:
    first, same, other, back = use(1, 7), use(2, 7), use(3, 8), use(4, 7)
    found = version_changes([first, same, other, back])
    assert found == [VersionChange(other, back), VersionChange(same, other)]


@pytest.mark.parametrize("uses", [[], [use(1, 7)], [use(1, 7), use(2, 7)]])
def test_without_two_versions_nothing_changes(uses: list[VersionUse]) -> None:
    assert version_changes(uses) == []


@pytest.mark.django_db
def test_uses_of_a_task_and_of_a_run_are_in_order_of_time(tmp_path: Path) -> None:
    late, early = keep(tmp_path, "late", 9), keep(tmp_path, "early", 2)
    visible = visible_evaluations()
    assert [found.evaluation_id for found in task_version_uses(visible, Task.objects.get().pk)] == [early, late]
    assert [found.evaluation_id for found in run_version_uses(visible, Run.objects.get().pk)] == [early, late]


@pytest.mark.django_db
def test_evaluations_that_may_not_be_seen_are_left_out(tmp_path: Path) -> None:
    seen = keep(tmp_path, "seen", 1)
    keep(tmp_path, "hidden", 2)
    found = task_version_uses(VisibleSet.of(frozenset((seen,))), Task.objects.get().pk)
    assert [entry.evaluation_id for entry in found] == [seen]


@pytest.mark.django_db
def test_an_evaluation_without_a_start_counts_from_its_import(tmp_path: Path) -> None:
    evaluation_id = keep(tmp_path, "one", 1)
    Evaluation.objects.filter(pk=evaluation_id).update(started_at=None)
    (found,) = run_version_uses(visible_evaluations(), Run.objects.get().pk)
    assert found.started_at == Evaluation.objects.get(pk=evaluation_id).imported_at

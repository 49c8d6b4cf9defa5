"""What changed in a task from one evaluation to the next."""

from pathlib import Path
from typing import Any

import pytest

from results.filters import ResultFilter
from results.models.dimensions import Task
from results.queries.task_changes import TaskChanges, changes_of_task
from results.queries.task_history import task_history
from results.queries.versions import Change
from results.queries.visibility import VisibleSet, visible_evaluations
from tests.results.facts.evaluations import row, stored
from tests.results.queries.histories import on_day

pytestmark = pytest.mark.django_db


def keep(folder: Path, name: str, day: int, **fields: Any) -> int:
    return stored(folder, name, row(TraceID=on_day(day), task="t", **fields))


def changes(visible: VisibleSet | None = None) -> TaskChanges:
    visible = visible or visible_evaluations()
    history = task_history(visible, Task.objects.get().pk, ResultFilter())
    assert history is not None
    return changes_of_task(visible, history.id, dict(history.version_results))


def test_a_task_that_stayed_the_same_has_no_step(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1)
    keep(tmp_path, "two", 2)
    found = changes()
    assert found.steps == ()
    assert found.latest is not None
    assert (found.latest.accepted, found.latest.tags, found.latest.suite) == (("blue",), (), None)


def test_metadata_that_changed_is_told(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, difficulty="medium", tags=["a"])
    keep(tmp_path, "two", 2, difficulty="hard", tags=["a", "b"])
    (step,) = changes().steps
    assert (step.evaluation, step.changes) == (
        "two",
        (Change("difficulty", "medium", "hard"), Change("tags", "a", "a, b")),
    )
    assert step.accepted is None


def test_accepted_answers_that_changed_are_told_with_their_texts(tmp_path: Path) -> None:
    keep(tmp_path, "one", 1, Want="red")
    keep(tmp_path, "two", 2, Want="green", Got="x", kind="Failed")
    (step,) = changes().steps
    assert [change.what for change in step.changes] == ["accepted answers"]
    assert step.accepted is not None
    assert (step.accepted.before, step.accepted.after) == ("red\n", "green\n")


def test_the_newest_change_comes_first_and_goes_back_too(tmp_path: Path) -> None:
    for day, suite in enumerate(("a", "b", "a"), start=1):
        keep(tmp_path, f"day {day}", day, suite=suite)
    found = changes()
    assert [(step.evaluation, step.changes[0].after) for step in found.steps] == [
        ("day 3", "a"),
        ("day 2", "b"),
    ]
    assert found.latest is not None
    assert found.latest.suite == "a"


def test_versions_of_other_evaluations_do_not_count(tmp_path: Path) -> None:
    here = keep(tmp_path, "here", 1, suite="a")
    keep(tmp_path, "hidden", 2, suite="b")
    assert changes(VisibleSet.of(frozenset({here}))).steps == ()
